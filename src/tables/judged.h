/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * judged.h - what is said of a view as a whole: its losses, where its threads ran, and the
 * findings that rest on both.
 */
#ifndef OMPHWC_SRC_TABLES_JUDGED_H
#define OMPHWC_SRC_TABLES_JUDGED_H

#include "src/tables/findings.h"
#include "src/tables/losses.h"
#include "src/tables/placement.h"

struct judged {
	struct losses losses;
	struct placement placement;
	struct findings findings;
};

/* Placement is of the event of the losses. judged_fini() is required in either
   case. */
void judged_build(const struct view *v, struct judged *j);
void judged_fini(struct judged *j);

#endif
