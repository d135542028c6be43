/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verdict.h - what a thread was doing for OpenMP when a sample was taken.
 *
 * The state reported by the runtime is not enough: for example, runtimes report a taskwait
 * as work, and do not distinguish an explicit barrier.  The runtime function called by user
 * code and the object of a wait show more: the rules of src/toolchain.  Pure functions.
 */
#ifndef OMPHWC_SRC_VIEW_BUILD_VERDICT_H
#define OMPHWC_SRC_VIEW_BUILD_VERDICT_H

#include <stdbool.h>

#include "src/model/leaf.h"

/* What is known about the leaf of a sample's stack. */
struct leaf_evidence {
	enum prof_state state;
	const char *entry;	   /* the runtime function that user code called; NULL: none, or
				   unnamed */
	const char *inner;	   /* the runtime function that entry called, or NULL */
	const char *object;	   /* name of the object that the thread waits for, or NULL */
	enum barrier_kind barrier; /* of the call that entered the runtime */
	bool in_runtime;	   /* the innermost frames are the runtime's */
	bool callback;		   /* user code called by the runtime */
	bool helper;		   /* and that code is a compiler's helper */
	bool no_user_frames;	   /* the stack has no user frame */
	bool users;		   /* the innermost frame is the user's, the stack is complete,
				   and the runtime's frames are recognizable */
	bool bodiless;		   /* in a region, but outside its body */
	bool in_mpi;		   /* the innermost frames are MPI's */
	bool mpi_thread;	   /* and the stack has no others */
	const char *library;	   /* the function of a library that user code called and that
				      the innermost frames are in; NULL: none */
	bool asleep;		   /* the thread slept in a system call */
	bool ready;		   /* it could run and had no CPU */
	bool alone;		   /* the process has no other thread */
	bool no_device;		   /* nor has it a device */
};

struct leaf_verdict leaf_decide(const struct leaf_evidence *e);

#endif
