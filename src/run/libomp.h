/*
 * libomp.h - which LLVM OpenMP runtimes this machine has.
 */
#ifndef OMPHWC_SRC_RUN_LIBOMP_H
#define OMPHWC_SRC_RUN_LIBOMP_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

enum { LIBOMP_MAX = 8 };

struct libomp_list {
	char path[LIBOMP_MAX][PATH_MAX];	/* real paths, each once, best first */
	size_t n;
};

/* Whether the library at path serves programs of GCC and of clang and knows
   tools, whatever its name is. */
bool libomp_is(const char *path);

/*
 * The one that OMPHWC_LIBOMP names, and no other; else those that the loader
 * finds for program in the environment envp, by any of the names that libomp
 * has (a module system's, the administrator's choice); then Debian's, newest
 * first.
 */
void libomp_find(struct libomp_list *list, const char *loader, const char *program,
		 char *const *envp);

#endif
