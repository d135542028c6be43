/*
 * bears.h - whether a program that is about to be started lives with what
 * ompcount preloads, and the environment for one that does not.
 *
 * ompcount looks at the program that it starts itself; what that starts in turn
 * gets LD_PRELOAD by inheritance.  Some die of it, some complain: it is for the
 * wrappers of exec and posix_spawn to ask here first.
 *
 * Everything is async-signal-safe, takes no lock and no memory, keeps errno, and
 * works in a vfork child and on a stack of a few KiB (about 2 are used).
 */
#ifndef OMPHWC_TOOL_PROGRAM_BEARS_H
#define OMPHWC_TOOL_PROGRAM_BEARS_H

#include <stddef.h>

enum program_bears {
	PROGRAM_BEARS,		/* or it can't be told: then nothing is to be changed */
	PROGRAM_OF_OTHER_MACHINE,	/* or word size: its loader complains of each library */
	PROGRAM_OF_OTHER_LOADER,	/* musl's, or that of a glibc too old: it dies of ours */
	PROGRAM_WITH_SANITIZER,	/* that must come first, or bears no profiler */
};

/*
 * Judges the file that exec would take, or its interpreter where that begins with
 * "#!".  A relative file is looked for in the folder `at` (AT_FDCWD: the working
 * one), as execveat() does.  With search, PATH's value (NULL: execvp's default) is
 * used for a file without a slash; without, pass "".  A program that is statically
 * linked bears it: it looks at no variable, but what it starts may.
 */
enum program_bears program_bears_preload(int at, const char *file, const char *search);

/* The same of an open file, as fexecve() takes it. */
enum program_bears program_bears_preload_fd(int fd);

/* Why not, for a note: "was built for another kind of machine"; "" for BEARS. */
const char *program_bears_why(enum program_bears b);

/*
 * A copy of envp without what ompcount has put into LD_PRELOAD and LD_LIBRARY_PATH:
 * our libraries by name, and what OMPHWC_ADDED in envp lists (paths between
 * colons).  A variable in which nothing is left is left out.  The list and the two
 * variables lie in memory (aligned as for a pointer), all other strings stay where
 * they are.  Returns the list, or NULL if the bytes are too few;
 * program_plain_bytes() tells how many are enough.  envp may be NULL.
 */
size_t program_plain_bytes(char *const envp[]);
char **program_plain_env(char *const envp[], void *memory, size_t bytes);

#endif
