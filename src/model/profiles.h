/*
 * profiles.h - reads profiles into one model.  For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_MODEL_PROFILES_H
#define OMPHWC_SRC_MODEL_PROFILES_H

#include <stddef.h>

#include "src/model/model.h"

struct profiles {
	struct prof_file **files;
	size_t nfiles, files_room;
	struct model model;
};

/* Why a profile was not read, for people. */
struct profiles_error {
	const char *path;
	char why[128];
	const char *todo; /* may be NULL */
};

void profiles_init(struct profiles *p);
void profiles_fini(struct profiles *p);

/* Adds the profile at path: 0, or -1 with *e filled in. */
int profiles_add(struct profiles *p, const char *path, struct profiles_error *e);

#endif
