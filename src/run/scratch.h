/*
 * scratch.h - the private folder of one run, with the manifest of its profiles.
 *
 * It lies where no other user can create its name again after it was removed (private.h):
 * programs know the manifest's name, and some outlive the run.  They then find no manifest
 * and continue without it.  The manifest is locked while the run lasts.
 */
#ifndef OMPHWC_SRC_RUN_SCRATCH_H
#define OMPHWC_SRC_RUN_SCRATCH_H

#include <limits.h>
#include <stddef.h>

struct scratch {
	char folder[PATH_MAX];	      /* empty: none */
	char manifest[PATH_MAX + 32]; /* a file in it */
	int lock;		      /* descriptor that locks the manifest; -1: none */
};

/*
 * Creates a folder in the first private one of TMPDIR, the user's runtime folder, cache
 * folder and the working folder, and removes the folders there of this user's killed runs
 * on this machine.  0 or -errno.
 */
int scratch_make(struct scratch *s);

/*
 * The distinct paths in the manifest in order: an array that the caller frees, with its
 * strings; or NULL with *n = 0.
 */
char **scratch_profiles(const struct scratch *s, size_t *n);

/* Removes the folder; idempotent. */
void scratch_remove(struct scratch *s);

#endif
