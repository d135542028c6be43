/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * path_build.h - the path from each node of a profile to the root, in terms of a view.
 *
 * It is made in three passes, each of which can be read alone:
 *   evidence   what is known of a frame by itself: sites.h, origins.h, bodies.h, together
 *              in evidence.h
 *   decide     the role of each frame and boundary, by a table; its steps, each with its reason
 *   build      the steps taken in a view's tree, with its regions and tasks: this file
 *
 * Private to what builds a view.  A node's parent and creation context have lower numbers, so each
 * node is looked at once.
 */
#ifndef OMPHWC_SRC_PATH_PATH_BUILD_H
#define OMPHWC_SRC_PATH_PATH_BUILD_H

#include <stdbool.h>
#include <stdint.h>

#include "src/path/decide.h"
#include "src/path/evidence.h"

struct map;
struct prof_file;
struct view;
struct view_options;

struct path {
	struct decided at;
	uint32_t node;	    /* tree node */
	uint32_t line;	    /* line of the innermost displayed frame */
	uint32_t user_node; /* tree node of the innermost user frame */
	uint32_t region;
	uint32_t task;
	uint16_t team; /* threads of the team; 0: unknown */
};

/* The paths of one profile. */
struct path_build {
	struct view *view;
	struct evidence evidence;
	struct decisions decisions;
	/* private */
	const struct path **all; /* by node of the profile; NULL: it has none */
	struct path *made;	 /* of FRAME and BOUNDARY nodes; others have their parent's */
	size_t nmade, made_room;
	struct map *expert; /* cache of expert names, shared by all profiles */
	bool lines;	    /* tree nodes distinguish lines */
};

void path_build_init(struct path_build *p, struct view *v, const struct view_options *o,
		     const struct prof_file *f, struct map *expert);
void path_build_fini(struct path_build *p);

/* Makes the path of node i (not of a LEAF or STATS node), after those of all nodes before it. */
void path_build_make(struct path_build *p, uint32_t i);

/* The path of node i, and of its parent; of none: of a thread's start. */
const struct path *path_build_of(const struct path_build *p, uint32_t i);
const struct path *path_build_above(const struct path_build *p, uint32_t i);

/* Asks for the parent's path of a node that comes later. */
void path_build_prefetch(const struct path_build *p, uint32_t i);

/* The region that the runtime begins or ends for the innermost user frame of x, in front of the
   region's boundary. */
uint32_t path_build_fork(struct path_build *p, const struct path *x);

/* The line of what the innermost user frame of x creates or waits in: see evidence_place(). */
uint32_t path_build_place(struct path_build *p, const struct path *x);

#endif
