/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spool.h - profiles are written on this node, and copied to where they belong.
 *
 * Below its folder a spool has the destination's paths: what is left by killed processes says by
 * its path where it belongs (see cmd_collect.c).  The folder is locked while its ompcount runs.
 * Copies are made by a process of their own, since a server that stalls stops whoever waits for
 * it.
 */
#ifndef OMPHWC_SRC_RUN_SPOOL_H
#define OMPHWC_SRC_RUN_SPOOL_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct spool_progress;

struct spool {
	char root[PATH_MAX]; /* its folder; empty: none */
	int lock;	     /* the folder's descriptor */
	pid_t copier;	     /* 0: none */
	bool stalled;	     /* a copier had to be ended: there is no answer */
	struct spool_progress *progress;
};

/* What became of a copy. */
struct spool_result {
	size_t copied, running; /* profiles; of which some are still written, and stay */
	int err;		/* of the first failure, an errno; ETIMEDOUT: no answer for long */
	char path[PATH_MAX];	/* where that profile was to go */
};

/*
 * Makes a folder below `where`, or where that is NULL below local_folder().  0 or -errno: there is
 * none.
 */
int spool_open(struct spool *s, const char *where);

/* Begins to copy what is there.  false: a copy of what was there before is being made. */
bool spool_copy(struct spool *s);

/* Waits for the copy that is being made: before a fork whose child makes the last. */
void spool_settle(struct spool *s);

/* Copies all, and removes what was copied and is not written any more.  drop: copies of profiles
   that the caller has removed since are removed; otherwise they may be whole. */
void spool_copy_last(struct spool *s, bool drop, struct spool_result *r);

/* The name at which the profile at path was copied; false: it was not. */
bool spool_copied_to(const struct spool *s, const char *path, char to[PATH_MAX]);

/* Removes what is empty; idempotent. */
void spool_close(struct spool *s);

/* The spool that the path is in, of a process that had none from its ompcount.  false: in none. */
bool spool_of(struct spool *s, const char *path);

/* Calls visit for each spool below the folder, or where that is NULL below those that may be
   local_folder(), whose ompcount is over. */
void spool_left(const char *below, void (*visit)(struct spool *, void *), void *arg);

/* Adds the paths of those in it (paths.h). */
void spool_profiles(const struct spool *s, char ***paths, size_t *n);

/* How many profiles in the spool belong to the path: that file, or below that folder. */
size_t spool_count(const struct spool *s, const char *path);

#endif
