/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bodies.h - finds the bodies of regions and tasks that have no stack frame.
 *
 * A body whose last call is a tail call leaves no frame.  The runtime then seems to call
 * the called function itself, which may be one that the runtime also uses for itself, such
 * as memset.
 */
#ifndef OMPHWC_SRC_PATH_BODIES_H
#define OMPHWC_SRC_PATH_BODIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/answers/ask.h"
#include "src/base/map.h"

struct prof_file;
struct sites;
struct view;
struct view_options;

/* The bodies found so far in one profile. */
struct bodies {
	/* private */
	struct map by_call;
	struct answer *all;
	size_t n, room;
};

/*
 * Whether FRAME node number frame, a C library function called by the runtime, is the
 * program's.  It is if the runtime called it by a pointer, which is how it calls bodies and
 * never how it calls the C library.  If the runtime's code cannot be read, the function
 * must be the first frame above a boundary instead.
 */
bool bodies_called(struct sites *s, uint32_t frame);

/*
 * Finds the body, of the construct created by the call at place (exact: the jump at place),
 * that made a tail call to the function callee (a name, which must outlive b): QUERY_BODY.
 * NULL if it is unknown, else valid until the next call.
 */
const struct answer *bodies_find(struct bodies *b, const struct sites *s, uint64_t place,
				 bool exact, const char *callee);

void bodies_fini(struct bodies *b);

/* gcc names the bodies of tasks and of regions alike.  Corrects the kind of those that lie directly
   above a task's boundary somewhere in this profile, before any path of the view is made: where the
   body has no boundary yet, or no longer, its name alone shows what it is. */
void view_task_bodies(struct view *v, const struct view_options *o, const struct prof_file *f);

#endif
