/*
 * links.h - folders of links for the loader: a library under another name.
 *
 * They lie in a private folder of the user's (private.h), are named by what they
 * hold, and stay: a process that outlives its run finds there what it found
 * before, and so does the next run.
 */
#ifndef OMPHWC_SRC_RUN_LINKS_H
#define OMPHWC_SRC_RUN_LINKS_H

#include <limits.h>
#include <stddef.h>

/* What separates or expands in LD_PRELOAD and LD_LIBRARY_PATH. */
#define LINKS_LOADER_SPECIAL " \t\n:;$"

struct links_entry {
	const char *name;	/* without a slash */
	const char *target;	/* absolute */
};

/*
 * The folder that has these links (and, but for the user's own doing, nothing
 * else) is made if need be.  Its path has none of the characters above.
 * 0, or -errno: there is no place for it.
 */
int links_make(char folder[PATH_MAX], const struct links_entry *entries, size_t n);

#endif
