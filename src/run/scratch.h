/*
 * scratch.h - the private folder of one run: the list of its profiles, and the
 * names under which the loader is to find libraries.
 *
 * Made with mkdtemp() (mode 0700), so that nobody else can put anything there,
 * and locked for as long as the run lasts.  Processes that outlive the run find
 * it gone and go on without it.
 */
#ifndef OMPHWC_SRC_RUN_SCRATCH_H
#define OMPHWC_SRC_RUN_SCRATCH_H

#include <limits.h>
#include <stddef.h>

struct scratch {
	char folder[PATH_MAX];		/* empty: there is none */
	char manifest[PATH_MAX + 16];	/* a file in it */
	char libraries[PATH_MAX + 16];	/* a folder in it, for links alone */
	int lock;			/* on the manifest; -1: none */
};

/*
 * Removes what runs that were killed have left beside (folders of this user's
 * that nobody holds locked), and makes one in TMPDIR,
 * or in /tmp or /dev/shm.  The path has no character that the loader would take
 * for a separator.  0 or -errno.
 */
int scratch_make(struct scratch *s);

/* libraries/name becomes a link to file (absolute).  0 or -errno. */
int scratch_link(const struct scratch *s, const char *name, const char *file);
/* Removes all links. */
void scratch_unlink(const struct scratch *s);

/*
 * The paths in the manifest, each once, in the order in which they were
 * claimed: an array to be freed along with the strings, or NULL with *n = 0.
 */
char **scratch_profiles(const struct scratch *s, size_t *n);

/* Removes the folder; idempotent. */
void scratch_remove(struct scratch *s);

#endif
