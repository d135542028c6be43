/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.h - one or several profiles together: processes, threads, events, and whether every
 * sample is accounted for.
 *
 * Profiles are borrowed: they must outlive the model.  Events with the same label are
 * merged; every thread keeps its process.
 */
#ifndef OMPHWC_SRC_MODEL_MODEL_H
#define OMPHWC_SRC_MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/profile/reader/merged.h"
#include "src/profile/reader/reader.h"
#include "src/profile/reader/values.h"

enum { MODEL_EVENTS_MAX = 64 };

struct model_event {
	const char *label;
	const char *requested;
	uint32_t flags;	 /* enum prof_event_flag, of all profiles combined */
	uint32_t unit;	 /* enum prof_unit */
	uint64_t period; /* of the first profile that has the event */
	uint32_t freq_hz;
};

/*
 * Samples taken = kept + lost inside the handler + under way.  Samples that the kernel held
 * back (throttled, overrun) were never taken and count in lost only.
 */
struct model_tally {
	uint64_t taken;
	uint64_t kept;	  /* in the trees */
	uint64_t guessed; /* of them, those with a guessed caller (PROF_FRAME_GUESSED) */
	uint64_t lost[PROF_LOST_MAX];
	uint64_t underway; /* interrupted when the process was killed: at most one per
				   thread */
	bool unaccounted;  /* the sums differ: the file is damaged */
};

/* Threads that a process had; records are of fewer, where it had very many. */
struct model_threads {
	uint64_t all, begun[PROF_THREAD_KINDS]; /* by enum prof_thread_kind */
	uint64_t shared; /* of all, those that went on in another one's record */
	uint32_t most;	 /* that lived at one time */
};

struct model_process {
	const struct prof_file *file;
	uint32_t first_thread; /* index into model.threads */
	uint32_t nthreads;
	struct model_threads threads;
	uint32_t openmp_threads; /* the most that OpenMP needed at one time; at least 1 */
	struct model_tally tally;
	uint8_t event[PROF_EVENTS_MAX]; /* its events as indices of the model's */
};

struct model_thread {
	uint32_t process;
	uint32_t number; /* within its process, as people are shown it: those of OpenMP first */
	const struct prof_thread *t;
};

/* A calling-context tree: of one process, or of many in a merged file. */
struct model_tree {
	const struct prof_file *file;	/* its nodes, and the modules of their locations */
	uint32_t first_thread;		/* index into model.threads of its thread 0 */
	uint8_t event[PROF_EVENTS_MAX]; /* its events as indices of the model's */
};

struct model {
	struct model_event *events;
	size_t nevents;
	struct model_process *processes;
	size_t nprocesses;
	struct model_thread *threads;
	size_t nthreads;
	uint64_t all_threads;	  /* of all processes, also those without a record */
	struct model_tree *trees; /* by their first process */
	size_t ntrees;
	struct model_tally tally;
	/* private */
	size_t events_room, processes_room, threads_room, trees_room;
};

void model_init(struct model *m);
void model_fini(struct model *m);

/* 0 or -E2BIG: more than MODEL_EVENTS_MAX different events. */
int model_add(struct model *m, const struct prof_file *f);

/* The same with all processes and trees of a merged file. */
int model_add_merged(struct model *m, const struct prof_merged *merged);

/* The samples of a profile that are in its tree, and those of them with a guessed caller. */
struct prof_kept model_kept(const struct prof_file *f);

/* How many of the process's records are of threads of these kinds: bits 1u << enum
   prof_thread_kind. */
uint32_t model_threads_of(const struct model_process *p, unsigned kinds);

/* The event with that label or requested name, or -1. */
int model_find_event(const struct model *m, const char *name);

static inline bool model_is_sampled(const struct model *m, size_t event)
{
	return !(m->events[event].flags & PROF_EVENT_COUNT_ONLY);
}

/* The first event that is sampled, or 0. */
size_t model_first_sampled(const struct model *m);

/* How many samples of an event say as much: a thread that sleeps is sampled less often, though its
   time is known as well. */
uint64_t model_evidence(const struct model *m, size_t event, uint64_t samples, uint64_t weight);

/* The sum of the threads' final counter values in *sum.  Returns the number of threads that
   have one; 0: unknown. */
size_t model_counted(const struct model *m, size_t event, struct prof_value *sum);

/* The final value of the event in the thread; NULL: not known. */
const struct prof_value *model_thread_value(const struct model *m, size_t thread, size_t event);

/* For which part of its time the event had a counter in the thread that had it least, and in the
   one that had it most; threads that lived for a tenth of the longest or less do not count. */
void model_counted_spread(const struct model *m, size_t event, double *least, double *most);

/* The clocks at the process's end; where it has none (killed, or running), their latest reading.
   False: unknown. */
bool model_last_reading(const struct model_process *p, struct prof_reading *r);

/* Elapsed time of the process while it was profiled, up to that reading, in nanoseconds; 0:
   unknown. */
uint64_t model_elapsed_ns(const struct model_process *p);

/* How processes ran, side by side or one after another. */
struct model_together {
	double ns;     /* in which at least one of them ran */
	double sum_ns; /* the sum of their elapsed times */
	uint32_t most; /* processes that ran at one time */
};

/* That of the processes for which has_part is true (NULL: of all) and whose elapsed time is
   known. */
void model_together(const struct model *m, bool (*has_part)(const struct model_process *p),
		    struct model_together *sum);

/* Of how many runs the processes are, as far as the profiles show. */
size_t model_runs(const struct model *m);

/* Whether a process was run with that variable of the library's settings. */
bool model_was_set(const struct model *m, const char *name);

/* Whether that cause is one of samples, which are counted with those taken. */
bool model_lost_samples(unsigned cause);

/* The samples that the thread lost. */
uint64_t model_thread_lost(const struct prof_thread *t);

/* The name of a cause of loss, for people: "no room in the file". */
const char *model_lost_name(unsigned cause);

/* What a thread counted at a node. */
struct model_value {
	const struct model_tree *tree;
	const struct prof_rnode *node;
	uint64_t a, b;
	uint32_t thread; /* of the model */
};

/* Calls visit for each value at nodes of that kind. */
void model_values(const struct model *m, enum prof_node_kind kind,
		  void (*visit)(const struct model_value *v, void *arg), void *arg);

#endif
