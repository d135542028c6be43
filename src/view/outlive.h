/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * outlive.h - stores the names of a profile's locations in it, so that reports no longer need
 * the program's files.
 *
 * All that a report in any view asks for is stored, except what needs source or machine code.
 * For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_VIEW_OUTLIVE_H
#define OMPHWC_SRC_VIEW_OUTLIVE_H

#include <stddef.h>

#include "src/answers/lookup.h"
#include "src/model/profiles.h"

/* One for all profiles of a run: their objects' files are read once. */
struct outlive {
	struct lookup lookup;
	struct profiles *all; /* alive as long as lookup, each of one profile */
	size_t n, room;
};

void outlive_open(struct outlive *o, const char *sysroot);
void outlive_close(struct outlive *o);

enum outlive_result {
	OUTLIVE_STORED,	    /* or the profile has the same names, or needs none */
	OUTLIVE_UNREADABLE, /* no profile that a report can read */
	OUTLIVE_RUNS,	    /* its process may still run */
	OUTLIVE_FAILED,	    /* it could not be written */
};

/* Stores the names in the profile at path.  Otherwise the file is unchanged, and *e says why. */
enum outlive_result outlive_store(struct outlive *o, const char *path, struct profiles_error *e);

/* Asks the resolver all that a report on m asks, in any view. */
void outlive_ask(const struct model *m, const struct resolver *r);

#endif
