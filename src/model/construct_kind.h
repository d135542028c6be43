/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * construct_kind.h - the kinds of OpenMP constructs that samples are assigned to.
 */
#ifndef OMPHWC_SRC_MODEL_CONSTRUCT_KIND_H
#define OMPHWC_SRC_MODEL_CONSTRUCT_KIND_H

#include <stdbool.h>

#include "src/model/leaf.h"

enum construct_kind {
	/* Not constructs: each view has one of each, numbered like these constants */
	CONSTRUCT_SERIAL,
	CONSTRUCT_IDLE,
	CONSTRUCT_UNKNOWN,
	CONSTRUCT_OUTSIDE,
	CONSTRUCT_SPECIALS,
	/* Constructs that threads enter and leave */
	CONSTRUCT_PARALLEL = CONSTRUCT_SPECIALS,
	CONSTRUCT_TEAMS,
	CONSTRUCT_TASK,
	CONSTRUCT_FOR,
	CONSTRUCT_FOR_STATIC,
	CONSTRUCT_FOR_DYNAMIC,
	CONSTRUCT_FOR_GUIDED,
	CONSTRUCT_FOR_RUNTIME,
	CONSTRUCT_FOR_AUTO,
	CONSTRUCT_SECTIONS,
	CONSTRUCT_SINGLE,
	CONSTRUCT_WORKSHARE,
	CONSTRUCT_DISTRIBUTE,
	CONSTRUCT_TASKLOOP,
	CONSTRUCT_SCOPE,
	CONSTRUCT_WORKDISTRIBUTE,
	CONSTRUCT_WORK_OTHER,
	CONSTRUCT_MASKED,
	CONSTRUCT_MASTER,
	/* What is offloaded */
	CONSTRUCT_TARGET,
	CONSTRUCT_TARGET_ENTER_DATA,
	CONSTRUCT_TARGET_EXIT_DATA,
	CONSTRUCT_TARGET_UPDATE,
	CONSTRUCT_TARGET_CALL,
	/* Synchronization constructs: known by the waits in them and by their entries */
	CONSTRUCT_CRITICAL,
	CONSTRUCT_ORDERED,
	CONSTRUCT_ATOMIC,
	CONSTRUCT_BARRIER,
	CONSTRUCT_TASKWAIT,
	CONSTRUCT_TASKGROUP,
	CONSTRUCT_LOCK, /* a call that sets or tests a lock */
	CONSTRUCT_KINDS
};

/* "parallel", "for schedule(dynamic)", "(serial)". */
const char *construct_name(enum construct_kind kind);

/* The kind of an enum prof_construct_kind. */
enum construct_kind construct_of_profile(unsigned kind);

/* The construct that a wait of this kind belongs to; CONSTRUCT_SPECIALS: it has none of its
   own. */
enum construct_kind construct_of_leaf(enum omp_leaf leaf);

/* Whether it is a loop, with any schedule. */
bool construct_is_loop(enum construct_kind kind);

/* Whether it is a stand-alone directive. */
bool construct_is_point(enum construct_kind kind);

/* Whether its entries are counted only on request (--entries). */
bool construct_synchronises(enum construct_kind kind);

/* Whether it is a target construct, or a call that asks something of a device. */
bool construct_is_target(enum construct_kind kind);

/* What a device is asked for, an enum prof_device_op: "to". */
const char *device_operation_name(unsigned operation);

/* Whether a barrier may end it. */
bool construct_ends_in_barrier(enum construct_kind kind);

#endif
