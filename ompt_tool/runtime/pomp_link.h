/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pomp_link.h - the interface between libomphwc-pomp.so, which programs that OPARI2 instrumented
 * are linked with, and libomphwc.so, which may be missing. Programs stay linked with one version
 * for long: what changes here gets new names.
 */
#ifndef OMPHWC_OMPT_TOOL_RUNTIME_POMP_LINK_H
#define OMPHWC_OMPT_TOOL_RUNTIME_POMP_LINK_H

#include <stdatomic.h>
#include <stdint.h>

/* A construct of the program, or a region that the user marked. What a handle points to: made when
   the program assigns the handle, and never freed. */
struct pomp_descriptor {
	struct pomp_descriptor *next; /* the one that was assigned before it */
	uint64_t hash;		      /* PROF_PHASE_HASH() of its text */
	const char *name;	      /* of a user's region; else "" */
	uint32_t bytes;		      /* of its text */
	uint8_t region;		      /* it begins a parallel region */
	uint8_t combined;	      /* region and worksharing construct in one directive */
	_Atomic uint64_t token;	      /* libomphwc.so's, of the region that was forked last */
	char text[];		      /* as the instrumentor wrote it, with a NUL */
};

enum pomp_kind {
	POMP_PARALLEL,
	POMP_FOR,
	POMP_SECTIONS,
	POMP_WORKSHARE,
	POMP_SINGLE,
	POMP_MASTER,
	POMP_CRITICAL,
	POMP_ORDERED,
	POMP_ATOMIC,
	POMP_FLUSH,
	POMP_BARRIER,
	POMP_SECTION,
	POMP_TASK,
	POMP_TASKWAIT,
	POMP_REGION, /* the user's */
};

/* Begin and end of each part of a construct. */
enum pomp_step {
	POMP_ENTER, /* the whole: its entry, a region's fork, a task's creation */
	POMP_EXIT,
	POMP_BEGIN, /* the body, by the thread that executes it */
	POMP_END,
	POMP_WAIT, /* the barrier at its end */
	POMP_WAITED,
	POMP_STEPS
};

struct pomp_event {
	uint8_t kind; /* enum pomp_kind */
	uint8_t step; /* enum pomp_step */
	struct pomp_descriptor *descriptor;
	const void *call, *frame; /* the POMP function's return address and frame address */
	int64_t *task;		  /* of an explicit task: its handle, which its creation sets */
	uint32_t number, threads; /* of a region's body: the thread's number, and the team's size */
};

/* libomphwc.so's: list is the latest descriptor, which leads to all others; runtime: code of the
   OpenMP runtime, or NULL. Once. */
extern void omphwc_pomp_list(struct pomp_descriptor *_Atomic *list, const void *runtime)
	__attribute__((weak));

/* Likewise: takes an event, on the thread that it happens on. Takes no lock, keeps errno, and
   makes no system call but for a chunk of the profile now and then. */
extern void omphwc_pomp_event(const struct pomp_event *e) __attribute__((weak));

#endif
