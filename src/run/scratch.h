/*
 * scratch.h - the private folder of one run, with the list of its profiles.
 *
 * It is made where no other user can make its name again once it is removed
 * (private.h): programs know the list's name, and some outlive the run.  They
 * find it gone, and go on without it.  It is locked for as long as the run lasts.
 */
#ifndef OMPHWC_SRC_RUN_SCRATCH_H
#define OMPHWC_SRC_RUN_SCRATCH_H

#include <limits.h>
#include <stddef.h>

struct scratch {
	char folder[PATH_MAX];		/* empty: there is none */
	char manifest[PATH_MAX + 32];	/* a file in it */
	int lock;			/* on the manifest; -1: none */
};

/*
 * Makes one in TMPDIR, the user's runtime or cache folder or the working folder,
 * the first of these that is private; and removes what this user's runs that
 * were killed on this machine have left there.  0 or -errno.
 */
int scratch_make(struct scratch *s);

/*
 * The paths in the manifest, each once, in the order in which they were
 * claimed: an array to be freed along with the strings, or NULL with *n = 0.
 */
char **scratch_profiles(const struct scratch *s, size_t *n);

/* Removes the folder; idempotent. */
void scratch_remove(struct scratch *s);

#endif
