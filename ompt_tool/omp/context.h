/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * context.h - creation contexts: where a parallel region or an explicit task was
 * encountered, as a node of the encountering thread's tree.
 *
 * The path to that node is the encountering task's own user frames, on top of its
 * own creation context (a BOUNDARY node). A known context is found again by
 * re-reading the stack words that it was unwound from. Called in OMPT callbacks, on
 * the thread that owns the tree; takes no lock, allocates nothing, and makes no
 * system call but for a chunk of the tree now and then.
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
	CONTEXT_ENTRIES = 32,
	CONTEXT_SLOTS = 48,
	CONTEXT_FRAMES = 256,
	CONTEXT_DISTANCES = 8, /* a power of two */
};

#define CONTEXT_NO_TASK UINT32_MAX

/* Four stack words, and the values that they held. */
struct context_words {
	uintptr_t distance[4]; /* of the word from the enter frame */
	uintptr_t value[4];    /* a frame pointer's: minus the enter frame's address */
} __attribute__((aligned(16)));

struct context {
	uint32_t node;	      /* 0: could not be recorded */
	uint32_t stats;	      /* this thread's STATS_REGION or STATS_TASK node
				   for it; 0: none yet */
	uint32_t team;	      /* STATS_TEAM, or STATS_TASK_FLAGS, likewise */
	uint32_t team_time;   /* STATS_TEAM_TIME likewise */
	uint32_t around;      /* of a recursion that leads back to an outer context: the node of the
				   one that it was created in; 0: see node */
	uint32_t around_kind; /* enum prof_boundary_kind of that */
	uint32_t created;     /* what was reported of the last task that stats counts;
				   CONTEXT_NO_TASK: none was counted */
	uintptr_t cfa;	      /* of the encountering frame, as distance from enter */
	uint64_t token;	      /* where stats counts tasks: theirs */
};

struct context_entry {
	uintptr_t call;	   /* return address of the call into the runtime */
	uintptr_t anchor;  /* distance to the exit frame, or enter itself */
	uintptr_t body;	   /* of what was created; 0: not reported */
	uint64_t prefix;   /* creation context's node and boundary kind */
	uint64_t token;	   /* of the task that encountered it last: one of that prefix */
	uint32_t nreturns; /* return addresses, at the beginning of words; a multiple of 4: the
			      last one may be there again */
	uint32_t nframes;  /* frame pointers, at their end */
	uint32_t reach;	   /* distance of the farthest slot from enter */
	uint32_t kind;	   /* enum prof_boundary_kind: what was created */
	struct context context;
	struct context_words words[CONTEXT_SLOTS / 4 + 1];
};

struct context_frame {
	uintptr_t pc, sp, fp, pc_slot, fp_slot;
	uintptr_t cfa; /* the caller's sp; 0: the walk ended at this frame */
	bool fp_used;
};

struct context_cache {
	uint64_t epoch;		    /* object_epoch() for which all entries are valid */
	struct context_entry *last; /* that was found last, and has a context; NULL: none */
	struct context_entry entry[CONTEXT_ENTRIES];
	struct context_frame frame[CONTEXT_FRAMES]; /* scratch; innermost first */
	uint32_t walked;			    /* frames in it, by the last context_make() */
	struct context uncached;		    /* the result where no entry can hold it */
	/* Distances of enter frames from the callback's frame, for some calls. */
	struct {
		uintptr_t call, distance;
	} distance[CONTEXT_DISTANCES];
};

/* The state for finding contexts. A thread has one for its callbacks, and another for
   code that may interrupt these (heap.c). */
struct context_finder {
	struct omp_thread *thread; /* the contexts go into its tree */
	struct own_stack own;
	struct context_cache cache; /* its beginning is read with the stack's, for each task */
	struct unwind_cache rules;
};

/* The place of the encounter, as reported by OMPT. */
struct encounter {
	uintptr_t call;	 /* codeptr_ra, or 0 */
	uintptr_t enter; /* encountering task's enter and exit frames, or 0 */
	uintptr_t exit;
	uintptr_t cfa;	/* of the frame that encountered the encountering task; 0: that
				   task begins where its exit frame or its region says */
	uint64_t token; /* encountering task's token */
	enum prof_boundary_kind kind; /* what is being created */
	uint32_t reported;	      /* of a task: see context.created */
	uintptr_t body;		      /* where its code begins; 0: not reported */
	bool in_body; /* the call is made in the body of what was created, by who created it */
	/* The runtime reports no frames: the encountering task began inside of the outermost
	   frames of the runtime on the stack. */
	bool inside_runtime;
};

/*
 * For some calls runtimes give no enter frame, or a wrong one. context_enter()
 * corrects it as learned from an earlier encounter by the same call, or sets it to
 * 0. In that case context_learn(), right after context_here(), learns it. here is
 * the callback's own frame: its distance from the call's frame is the same each
 * time.
 */
void context_enter(const struct context_finder *f, struct encounter *e, uintptr_t here);
void context_learn(struct context_finder *f, const struct encounter *e, uintptr_t here);

/* Whether the runtime creates it for itself: all of the thread's code is the runtime's, but what
   starts threads. Unwinds where the call is in the runtime. */
bool context_is_runtimes(struct context_finder *f, const struct encounter *e);

/* The return address of the runtime call, made by the task with that token, that led to
   this callback; 0 where it can't be known. Unwinds at each call. */
uintptr_t context_call(struct context_finder *f, uint64_t token);

/* The stack pointer of the frame that called the function whose call has that enter frame; 0 where
   it can't be known. Unwinds one frame. */
uintptr_t context_caller(struct context_finder *f, uintptr_t enter, uintptr_t call);

/* Forgets all contexts: their nodes are gone, as in a fork's child, or objects have changed. */
void context_forget(struct context_finder *f);

#endif
