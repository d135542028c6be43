/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * evidence.h - what is known of the frames of a profile before their roles are decided.
 *
 * The first of three passes: see path_build.h.  It combines whose code a frame is (sites.h), which
 * bodies belong to a place that creates a region or task (origins.h, bodies.h), and what the code
 * of a call is the call of.  Nothing here depends on what lies around a frame on a path.
 */
#ifndef OMPHWC_SRC_PATH_EVIDENCE_H
#define OMPHWC_SRC_PATH_EVIDENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/map.h"
#include "src/path/bodies.h"
#include "src/path/origins.h"
#include "src/path/sites.h"

struct names;
struct prof_file;
struct prof_rnode;
struct resolver;

/* Of one profile.  names and resolver are borrowed. */
struct evidence {
	const struct prof_file *file;
	const struct resolver *resolver;
	struct names *names;
	struct sites sites;
	struct origins origins;
	bool unreported; /* no runtime reported anything: there are no boundaries */
	/* private */
	struct bodies bodies;
	struct map called; /* functions by the location of their call; 0: unknown */
	bool *slept;	   /* by node: the threads only slept beneath it; NULL: nobody did */
};

/* slept: wall time was sampled, so that leaves of threads that slept are marked. */
void evidence_init(struct evidence *e, struct names *names, const struct resolver *resolver,
		   const struct prof_file *file, bool slept);
void evidence_fini(struct evidence *e);

/* The function of a site that no other contains. */
uint32_t evidence_outermost(const struct evidence *e, const struct site *site);

/* Whether the threads only slept beneath the node, in libraries' code. */
bool evidence_slept(const struct evidence *e, uint32_t node);

/* The function that the call before `at` calls, or the jump at it; 0: unknown. */
uint32_t evidence_called(struct evidence *e, uint64_t at, bool jump);

/* Whether the function is a runtime's or MPI's. */
bool evidence_is_runtimes(const struct evidence *e, uint32_t function);

/* The location where the code begins of what the frame created, as the runtime reported it; 0: it
   did not. */
uint64_t evidence_body_at(const struct evidence *e, uint32_t frame);

/* Whether the node is of a creation context whose call creates several bodies: the compiler made
   one call of several, or a function that left made them. */
bool evidence_has_several(const struct evidence *e, uint32_t node);

/* Whether a body has a directive in a function of which no frame is at the node that created it:
   that function left by a tail call of the runtime, or was inlined and not recorded.  innermost is
   the innermost function there. */
bool evidence_lacks(struct evidence *e, uint32_t node, uint32_t innermost, uint32_t body);

/* The body that left by a tail call of the function callee (a name), of what was created at node;
   NULL: not known, else valid until the next call. */
const struct answer *evidence_body(struct evidence *e, uint32_t node, const char *callee);

/*
 * The line of the construct that the call before return address loc is for (exact: the jump at
 * loc), whose frame has the given line, in a function of the source.  It is that of the directive
 * where the construct's body has it.  A line without a number is replaced by one that is unique to
 * the code position, so that constructs of one function stay distinct.
 */
uint32_t evidence_place(struct evidence *e, uint32_t line, uint64_t loc, bool exact);

/* The line of a body's directive, or what else identifies it, for a body (function id at frame)
   whose creation is unknown. */
uint32_t evidence_own_place(struct evidence *e, uint32_t id, const struct prof_rnode *frame);

/* "nanosleep" for the name of a wrapper of this profiler's that is linked into the program; else
   the name itself. */
const char *evidence_unwrapped(const char *name);

#endif
