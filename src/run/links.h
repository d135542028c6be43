/*
 * links.h - folders of links, which present a library to the loader under another name.
 *
 * They lie in a private folder of the user (private.h), are named by their contents, and
 * are never removed: a process that outlives its run, and the next run, still find them.
 */
#ifndef OMPHWC_SRC_RUN_LINKS_H
#define OMPHWC_SRC_RUN_LINKS_H

#include <limits.h>
#include <stddef.h>

/* Characters that separate or expand in LD_PRELOAD and LD_LIBRARY_PATH. */
#define LINKS_LOADER_SPECIAL " \t\n:;$"

struct links_entry {
	const char *name;   /* without a slash */
	const char *target; /* absolute */
};

/*
 * Finds or creates the folder with these links.  It contains nothing else, unless the user
 * put it there.  Its path has none of the characters above.  0, or -errno: no suitable
 * place.
 */
int links_make(char folder[PATH_MAX], const struct links_entry *entries, size_t n);

#endif
