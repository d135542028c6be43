/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * destination.h - where the profiles of a run go.
 */
#ifndef OMPHWC_SRC_RUN_DESTINATION_H
#define OMPHWC_SRC_RUN_DESTINATION_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/base/message.h"

struct prof_launch;

/* What is known of the run. */
struct destination_wish {
	const char *pattern; /* NULL: the default */
	const char *command;
	uint64_t time_s; /* of the start, since 1970 */
	const struct prof_launch *launch;
};

struct destination {
	char pattern[PATH_MAX]; /* absolute, so that it does not depend on the program's working
				   folder */
	char made[PATH_MAX];	/* the folder that was made for it; empty: none */
	bool moved;		/* it is in the working folder: why has the reason */
	bool unusable;		/* no folder can be written: likewise */
	struct trouble why;
};

/*
 * Chooses the place, and makes its folder where it is missing; other processes may do the same at
 * once.  Where it can't be, the working folder takes its place.  Refuses a name that is a
 * folder, or an existing file that is no profile.  0, or -1 with *t.
 */
int destination_choose(struct destination *d, const struct destination_wish *wish,
		       struct trouble *t);

/* Removes the folder that was made, if nothing was written to it; idempotent. */
void destination_tidy(struct destination *d, bool written);

#endif
