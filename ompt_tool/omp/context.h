/*
 * context.h - creation contexts: where a parallel region or an explicit task
 * was encountered, as a node of the encountering thread's tree.
 *
 * The path to that node is the encountering task's own user frames on top of
 * its own creation context (a BOUNDARY node).  A context met before is found
 * again by re-reading the stack words that it was unwound from.
 * Called in OMPT callbacks, on the thread that owns the tree; no lock, no
 * allocation, no system call but a chunk's now and then.
 */
#ifndef OMPHWC_OMPT_TOOL_OMP_CONTEXT_H
#define OMPHWC_OMPT_TOOL_OMP_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "ompt_tool/unwind/bounds.h"
#include "ompt_tool/unwind/unwind.h"
#include "src/profile/format.h"

struct omp_thread;

enum {
	CONTEXT_ENTRIES = 32, CONTEXT_SLOTS = 48, CONTEXT_FRAMES = 256,
	CONTEXT_DISTANCES = 8,	/* a power of two */
};

/* A stack word, and what it held. */
struct context_slot {
	uintptr_t distance;	/* from the enter frame */
	uintptr_t value;	/* of a frame pointer: less the enter frame's address */
};

struct context {
	uint32_t node;		/* 0: could not be recorded */
	uint32_t stats;		/* this thread's STATS_REGION or STATS_TASK node
				   for it; 0: none yet */
	uint32_t team;		/* STATS_TEAM likewise */
	uintptr_t cfa;		/* the encountering frame's, as distance from enter */
};

struct context_entry {
	uintptr_t call;		/* return address of the call into the runtime */
	uintptr_t anchor;	/* distance to the exit frame, or enter itself */
	uint64_t prefix;	/* creation context's node and boundary kind */
	uint32_t nreturns;	/* return addresses, at the beginning of slot */
	uint32_t nframes;	/* frame pointers, at its end */
	uint32_t reach;		/* how far beyond enter the slots lie */
	struct context context;
	struct context_slot slot[CONTEXT_SLOTS];
};

struct context_frame {
	uintptr_t pc, sp, fp, pc_slot, fp_slot;
	uintptr_t cfa;		/* the caller's sp; 0: the walk ended here */
	bool fp_used;
};

struct context_cache {
	uint64_t epoch;		/* object_epoch() of all entries */
	struct context_entry entry[CONTEXT_ENTRIES];
	struct context_frame frame[CONTEXT_FRAMES]; /* scratch; innermost first */
	uint32_t walked;		/* of these, by the last context_make() */
	struct context uncached;	/* result where no entry can hold it */
	/* How far the enter frame of some calls lies from that of the callback. */
	struct {
		uintptr_t call, distance;
	} distance[CONTEXT_DISTANCES];
};

/* What finding contexts takes.  A thread has one for its callbacks, and another for
   whoever may interrupt these (heap.h). */
struct context_finder {
	struct omp_thread *thread;	/* whose tree they are added to */
	struct own_stack own;
	struct unwind_cache rules;
	struct context_cache cache;
};

/* The place of the encounter, as OMPT tells it. */
struct encounter {
	uintptr_t call;		/* codeptr_ra, or 0 */
	uintptr_t enter;	/* encountering task's enter and exit frames, or 0 */
	uintptr_t exit;
	uintptr_t cfa;		/* of the frame that encountered the encountering task;
				   0: its exit frame or region tells where it begins */
	uint64_t token;		/* encountering task's token */
	enum prof_boundary_kind kind; /* what is being created */
};

/*
 * For context_here() (context_here.h), where no entry proves the encounter's
 * context: unwinds it, and keeps it in entry if it can be.
 */
struct context *context_make(struct context_finder *f, const struct encounter *e,
			     struct context_entry *entry, uint64_t prefix, uintptr_t anchor);

/*
 * Runtimes give no enter frame, or a wrong one, for some calls.  context_enter() puts
 * it right, as far as it was learned from an encounter by the same call, or to 0: then
 * context_learn(), right after context_here(), learns it.  here is the callback's own
 * frame: from there to the call the way is the same each time.
 */
void context_enter(const struct context_finder *f, struct encounter *e, uintptr_t here);
void context_learn(struct context_finder *f, const struct encounter *e, uintptr_t here);

/* Where the task with that token called the runtime, which called us: the return
   address; 0 where that can't be told.  Unwinds at each call. */
uintptr_t context_call(struct context_finder *f, uint64_t token);

/* All nodes are gone, as in a fork's child; or objects have changed. */
void context_forget(struct context_finder *f);

#endif
