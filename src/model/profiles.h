/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profiles.h - reads profiles into one model.
 */
#ifndef OMPHWC_SRC_MODEL_PROFILES_H
#define OMPHWC_SRC_MODEL_PROFILES_H

#include <stdbool.h>
#include <stddef.h>

#include "src/base/map.h"
#include "src/model/model.h"

struct profiles {
	struct prof_file **files;
	size_t nfiles, files_room;
	struct prof_merged *merged; /* what the model is of, or the files were extracted from;
				       NULL: none */
	bool timed; /* set by the caller: when samples were taken is wanted, so a merged file
		       that has it is read as the profiles that it was made of */
	struct model model;
	/* private */
	struct map starts; /* of processes: the first one that began at that time */
};

/* Why a profile was not read, for people. */
struct profiles_error {
	const char *path;
	char why[128];
	const char *todo; /* may be NULL */
};

void profiles_init(struct profiles *p);
void profiles_fini(struct profiles *p);

/* Fills in *e with the reason that prof_read() gave, with errno where it was PROF_READ_SYSTEM.
   -1. */
int profiles_refuse(struct profiles_error *e, const char *path, enum prof_read_error err,
		    uint32_t version, int error);

/* Reads the head of the profile at path (prof_read_head()): 0; -1 with *e filled in; or 1: it is
   a merged file, which has no head.  The caller frees *out by prof_free(). */
int profiles_head(const char *path, struct prof_file **out, struct profiles_error *e);

/* Whether both are of one process.  Without a host nothing proves it. */
bool profiles_same(const struct prof_file *x, const struct prof_file *y);

/* Adds the profile at path, or a merged file, which is the only one: 0, or -1 with *e filled
   in. */
int profiles_add(struct profiles *p, const char *path, struct profiles_error *e);

/* Whether a merged file has so many numbers that views should be summed (view.h). */
bool profiles_are_many(const struct profiles *p);

#endif
