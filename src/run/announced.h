/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * announced.h - the profiles that a run's processes announce to it.
 *
 * They append to a manifest (src/profile/manifest.h) in this process's memory: no file system has
 * a part in it, and nothing is left when this process is killed.  Processes that outlive it find
 * no manifest and continue without it.
 */
#ifndef OMPHWC_SRC_RUN_ANNOUNCED_H
#define OMPHWC_SRC_RUN_ANNOUNCED_H

#include <stddef.h>

enum { ANNOUNCED_BYTES = 128 };

struct announced {
	char manifest[ANNOUNCED_BYTES]; /* its name for the program; empty: none */
	int fd;
};

/* 0 or -errno: there is none. */
int announced_open(struct announced *a);

/*
 * The distinct texts of the manifest in order: an array that the caller frees, with its
 * strings; or NULL with *n = 0.
 */
char **announced_profiles(const struct announced *a, size_t *n);

/* Idempotent, also without announced_open() where all is 0. */
void announced_close(struct announced *a);

#endif
