/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * private.h - folders in which no other user can create a name.
 *
 * Programs trust the paths in LD_PRELOAD as long as they live, which may be longer than the
 * files exist.  So the paths must lie where no other user can create them again.  /tmp and
 * everything below it are unsuitable however they are protected, because a cleaner of old
 * files frees the names.
 */
#ifndef OMPHWC_SRC_RUN_PRIVATE_H
#define OMPHWC_SRC_RUN_PRIVATE_H

#include <limits.h>

enum private_base {
	PRIVATE_RUNTIME, /* $XDG_RUNTIME_DIR/omphwc: local, removed at logout */
	PRIVATE_CACHE,	 /* $XDG_CACHE_HOME/omphwc or ~/.cache/omphwc: permanent */
};

/*
 * Checks that path and all folders above it are owned by root or this user and not writable
 * by others; real is then its path without symbolic links.  0, -EACCES, or another -errno.
 */
int private_check(const char *path, char real[PATH_MAX]);

/* The real path of that folder, which is created if its parent is private.  0, or -errno: not
   available. */
int private_base(enum private_base which, char path[PATH_MAX]);

#endif
