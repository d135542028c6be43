/*
 * private.h - folders in which nobody else can make a name.
 *
 * What is handed to programs in LD_LIBRARY_PATH, LD_PRELOAD or OMPHWC_MANIFEST
 * is believed for as long as any of them lives, which may be longer than the
 * name does: it must lie where no other user can make it again.  /tmp is no such
 * place, nor is what lies below it, however it is protected: what removes old
 * files there gives the name free.
 */
#ifndef OMPHWC_SRC_RUN_PRIVATE_H
#define OMPHWC_SRC_RUN_PRIVATE_H

#include <limits.h>

enum private_base {
	PRIVATE_TMPDIR,		/* $TMPDIR */
	PRIVATE_RUNTIME,	/* $XDG_RUNTIME_DIR/omphwc: of this machine, while logged in */
	PRIVATE_CACHE,		/* $XDG_CACHE_HOME/omphwc or ~/.cache/omphwc: stays */
	PRIVATE_HERE,		/* the working folder */
};

/*
 * Whether path is a folder that root or this user owns and nobody else may write
 * to, and all folders above it are likewise; real is its path without symbolic
 * links then.  0, -EACCES, or another -errno.
 */
int private_check(const char *path, char real[PATH_MAX]);

/* The real path of that folder, which is made where its parent is private.
   0, or -errno: there is none such. */
int private_base(enum private_base which, char path[PATH_MAX]);

#endif
