/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bears.h - whether a program that is about to be started can run with the
 * libraries that ompcount preloads, and its environment without them where it
 * can't.
 *
 * ompcount judges the program that it starts itself. The programs that this one
 * starts inherit LD_PRELOAD. Some of them would die with our libraries, others
 * would print complaints: so the wrappers of exec and posix_spawn ask here first.
 *
 * Everything is async-signal-safe, takes no lock and allocates nothing, keeps
 * errno, and works in a vfork child and on a stack of a few KiB (about 2 are used).
 */
#ifndef OMPHWC_TOOL_PROGRAM_BEARS_H
#define OMPHWC_TOOL_PROGRAM_BEARS_H

#include <stdbool.h>
#include <stddef.h>

enum program_bears {
	PROGRAM_BEARS,		  /* it can, or that can't be known: change nothing */
	PROGRAM_OF_OTHER_MACHINE, /* or word size: its loader prints an error for each
					   library */
	PROGRAM_OF_OTHER_LOADER,  /* musl's, or an older glibc's: it would die with our
					   libraries */
	PROGRAM_WITH_SANITIZER,	  /* that must be loaded first, or can't run with a profiler */
	PROGRAM_OUT_OF_REACH,	  /* it would not find them: its loader would complain */
};

/*
 * Judges the file that exec would run, or its interpreter where it begins with
 * "#!". A relative name is looked up in the directory `at' (AT_FDCWD: the working
 * directory), as by execveat(). A name without a slash is looked up in search,
 * PATH's value (NULL: execvp's default); "" looks it up in `at'. A statically
 * linked program bears a preload: it ignores the variable, but the programs that it
 * starts may not.
 */
enum program_bears program_bears_preload(int at, const char *file, const char *search);

/* The same for an open file, as fexecve() runs it. */
enum program_bears program_bears_preload_fd(int fd);

/* Whether the libraries of ours that envp's LD_PRELOAD names are where a program would look for
   them: the caller's root folder, or its mounts, may have changed. envp may be NULL. */
bool program_reaches(char *const envp[]);

/* The reason, for a note: "was built for another kind of machine"; "" for PROGRAM_BEARS. */
const char *program_bears_why(enum program_bears b);

/*
 * A copy of envp without the entries that ompcount has added to LD_PRELOAD: our libraries
 * by name, and the paths in envp's OMPHWC_ADDED (between colons). A variable that becomes
 * empty is left out. The list and the variable are built in memory (aligned as for a
 * pointer); all other strings are shared with envp. Returns the list, or NULL if bytes are too few.
 * program_plain_bytes() returns how many are enough. envp may be NULL.
 */
size_t program_plain_bytes(char *const envp[]);
char **program_plain_env(char *const envp[], void *memory, size_t bytes);

#endif
