/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * links.h - links to libraries whose own paths the loader does not accept.
 *
 * They lie in a private folder of the user (private.h), in a folder that is named by its
 * contents, and are never removed: a process that outlives its run, and the next run, still
 * find them.
 */
#ifndef OMPHWC_SRC_RUN_LINKS_H
#define OMPHWC_SRC_RUN_LINKS_H

#include <limits.h>

/* Characters that separate or expand in LD_PRELOAD. */
#define LINKS_LOADER_SPECIAL " \t\n:;$"

/*
 * Finds or creates a link to library, an absolute path, with the same name.  Its path has
 * none of the characters above.  0, or -errno: no suitable place.
 */
int links_make(char path[PATH_MAX], const char *library);

#endif
