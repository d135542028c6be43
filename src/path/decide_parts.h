/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * decide_parts.h - shared by the files that decide, and private to them.
 *
 * Each function changes x, what is decided of a node so far, and adds the steps that follow.
 */
#ifndef OMPHWC_SRC_PATH_DECIDE_PARTS_H
#define OMPHWC_SRC_PATH_DECIDE_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "src/path/decide.h"

struct prof_rnode;
struct site;

/* How a function was entered. */
enum entered {
	ENTERED_BY_CALL,
	ENTERED_BY_RUNTIME, /* as a callback */
	ENTERED_AS_BODY,    /* as the first one above a boundary */
};

/* A new step, valid until the next one. */
struct step *decide_step(struct decisions *d, enum step_kind kind, enum tree_why why);

/* ---- frames (decide_calls.c) ------------------------------------------------------- */

/* The first frame of this profiler's: if it is a wrapper's, the path shows it as the function of
   the C library that the program called, with all that is called there. */
void decide_wrapper(struct decisions *d, struct decided *x, const struct site *site,
		    uint32_t frame);

/* A frame of the runtime's. */
void decide_runtime(struct decisions *d, struct decided *x, const struct site *site,
		    uint32_t frame);

/* Whether a frame is MPI's, or of code that MPI calls; if so it becomes part of the call.  The
   user's code that MPI calls back lies beneath the call. */
bool decide_is_mpi(const struct decisions *d, const struct decided *x, const struct site *site,
		   uint32_t frame);
void decide_mpi(struct decisions *d, struct decided *x, const struct site *site, uint32_t frame);
void decide_leave_mpi(struct decisions *d, struct decided *x);

/* The first frame of code that a folding view does not show adds the call to the path. */
void decide_library(struct decisions *d, struct decided *x, const struct site *site,
		    uint32_t frame);

/* Whether such a view leaves the function out: the program's own code called it or has it
   inlined. */
bool decide_is_hidden(const struct decisions *d, const struct decided *x, uint32_t function);

/* The runtime's or MPI's function that the frame calls (jump: behind the jump of a function that
   it called), by the code of the call: of a stripped runtime, or behind a tail call, the name of
   what was called is not that of its frame.  0: unknown. */
uint32_t decide_by_call(const struct decisions *d, const struct decided *x, uint32_t frame,
			uint64_t jump);

/* ---- user frames (decide_user.c) ----------------------------------------------------- */

void decide_user(struct decisions *d, struct decided *x, const struct site *site, uint32_t frame,
		 enum entered entered);

/* One function at frame: the frame's, or one inlined into it. */
void decide_function(struct decisions *d, struct decided *x, uint32_t line,
		     const struct prof_rnode *frame, enum entered entered);

/* The code at x creates the region or task that follows. */
struct step *decide_region(struct decisions *d, struct decided *x);
void decide_task(struct decisions *d, struct decided *x);

/* ---- functions that have no frame (decide_lost.c) -------------------------------------- */

/* Adds the function that the innermost user frame called, and that entered the runtime by a tail
   call; or none. */
void decide_tail_call(struct decisions *d, struct decided *x);

/* Adds the function that left by the jump `at`. */
void decide_jumped(struct decisions *d, struct decided *x, uint64_t at);

/* Adds a function that was inlined and not recorded. */
void decide_inlined(struct decisions *d, struct decided *x, uint32_t origin);

/* What was created by a function that left by a tail call: it is added, if the body is known to
   be of it. */
void decide_lost_creator(struct decisions *d, struct decided *x);

/* The first frame of a region or task whose creation context has several functions that are not
   on the stack: the frame alone says which of theirs it is. */
void decide_other_creator(struct decisions *d, struct decided *x, const struct site *site);

/* Adds the body that a first frame above a boundary, which is no body, was called by with a tail
   call.  false: it is not known. */
bool decide_lost_body(struct decisions *d, struct decided *x, const struct site *site);

/* Likewise of a wrapper's first frame, which is in the position of a call then.  false: it is none,
   or the body does not jump to what it wraps. */
bool decide_jumped_wrapper(struct decisions *d, struct decided *x, const struct site *site,
			   uint32_t frame);

/* Whether the call in the frame, which is a user's, is of another function than the runtime's: that
   function therefore left by a tail call of the runtime, and the code does not say which it is. */
bool decide_left(const struct decisions *d, const struct decided *x, uint32_t frame);

#endif
