/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shown.h - profiles with all that a report is made of.  For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_SCREEN_SHOWN_H
#define OMPHWC_SRC_SCREEN_SHOWN_H

#include <stdbool.h>
#include <stddef.h>

#include "src/answers/lookup.h"
#include "src/model/profiles.h"
#include "src/output/output.h"
#include "src/tables/judged.h"
#include "src/view/view.h"

struct shown {
	struct profiles profiles;
	struct lookup lookup;
	bool looks; /* lookup is open */
	struct view *view;
	struct judged judged;
	struct report report; /* of the above; its columns, colours and so on are the caller's */
};

/* Reads n profiles.  0; -EINVAL: one could not be read, and *e says why.  shown_close()
   is required in any case.  l must not move. */
int shown_open(struct shown *l, char *const *paths, size_t n, enum view_kind kind,
	       struct profiles_error *e);
void shown_close(struct shown *l);

#endif
