/*
 * view_context_parts.h - shared by the files that make contexts, and private to them.
 *
 * Functions that return int change the context x of a node;
 */
#ifndef OMPHWC_SRC_PATH_VIEW_CONTEXT_PARTS_H
#define OMPHWC_SRC_PATH_VIEW_CONTEXT_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "src/path/view_context.h"

struct function;
struct prof_rnode;

/* Adds a function at the inner end of the path. */
void context_push(struct contexts *c, struct context *x, uint32_t function, uint32_t line);

/* Adds the function of the given line, one of those at the location of frame. */
void context_function(struct contexts *c, struct context *x, uint32_t line,
		      const struct prof_rnode *frame);

/* The runtime function that the innermost user frame calls, by the code of the call: of a
   stripped runtime, or behind a tail call, the frame's own name does not tell.  0: unknown. */
void context_by_call(struct contexts *c, const struct context *x, uint32_t *function);

/* The function of a library that the innermost user frame calls, by the code of the call; 0:
   unknown.  If a function that the frame called left by a jump to the library's, it is added. */
void context_library_called(struct contexts *c, struct context *x, uint32_t *function);

/* The first frame of code that a folded view does not show adds the call to the path. */
void context_call_library(struct contexts *c, struct context *x, const struct site *site,
			  uint32_t frame);

/* The function of a site that no other contains. */
uint32_t context_outermost(const struct contexts *c, const struct site *site);

/* Where the code begins of what the frame created; 0: not told. */
uint64_t context_body_at(const struct contexts *c, uint32_t frame);

/* Inserts the frame of an inlined function that the compiler did not record. */
void context_lost_frame(struct contexts *c, struct context *x, uint32_t origin);

/* What was created by a function that left by a tail call: its frame is inserted, if the body
   tells it. */
void context_lost_creator(struct contexts *c, struct context *x);

/* The first frame of a region or task whose creation context has several functions that are not
   on the stack: the frame alone tells which of theirs it is. */
void context_other_creator(struct contexts *c, struct context *x, const struct site *site);

/* Adds the body that a first frame above a boundary, which is no body, was called by with a tail
   call. */
void context_lost_body(struct contexts *c, struct context *x, const struct site *site);

/* Whether a frame is MPI's, or of code that MPI calls; if so it becomes part of the call. */
bool context_is_mpi(const struct contexts *c, const struct context *x, const struct site *site,
		    const struct prof_rnode *frame);
void context_mpi(struct contexts *c, struct context *x, const struct site *site,
		 const struct prof_rnode *frame);

/* The user's code that MPI calls back lies beneath the call. */
void context_leave_mpi(struct contexts *c, struct context *x);

/* Whether f is a part of the body that x is in: see view_context_function.c. */
bool context_same_construct(const struct context *x, const struct function *f);

/* Notes what contains the code that creates x->task; added: it is new.  For creator see
   view_task. */
void context_creator(struct contexts *c, const struct context *x, uint32_t creator, bool added);

/* Makes the code at x that which created the region or task that follows. A region that would be
   in itself is the one that x is in already; but context_region_nested(), for boundaries, each of
   which is of another region. */
void context_region(struct contexts *c, struct context *x);
void context_region_nested(struct contexts *c, struct context *x);

/* The same of a region whose body f was called, and has no boundary: also a target region that runs
   on the host. */
void context_called_region(struct contexts *c, struct context *x, const struct function *f);
void context_task(struct contexts *c, struct context *x);

/* Begins a region or task without a boundary if function id at frame is the body of one: one
   that was called directly, or any where no runtime told anything. */
void context_serialized(struct contexts *c, struct context *x, uint32_t id,
			const struct prof_rnode *frame);

/* Begins the region or task with the body id, where no runtime told anything. */
void context_untold(struct contexts *c, struct context *x, uint32_t id,
		    const struct prof_rnode *frame);

#endif
