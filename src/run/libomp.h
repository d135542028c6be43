/*
 * libomp.h - finds the LLVM OpenMP runtimes of this machine.
 */
#ifndef OMPHWC_SRC_RUN_LIBOMP_H
#define OMPHWC_SRC_RUN_LIBOMP_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

enum { LIBOMP_MAX = 8 };

struct libomp_list {
	char path[LIBOMP_MAX][PATH_MAX]; /* real paths, without duplicates, best first */
	size_t n;
};

/* Whether the library at path serves programs of GCC and clang and supports OMPT, whatever
   its name is. */
bool libomp_is(const char *path);

/*
 * If OMPHWC_LIBOMP is set: only that one.  Otherwise those that the loader finds for
 * program in the environment envp, by any name of libomp (the choice of a module system or
 * the administrator); then Debian's, newest first.
 */
void libomp_find(struct libomp_list *list, const char *loader, const char *program,
		 char *const *envp);

#endif
