/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * view.h - a model's samples from the user's, an expert's or the machine's perspective.
 *
 * Building a view turns each leaf of the profiles into one record: its path, source line,
 * region, thread, and what the thread was doing.  All tables are sums over these records,
 * so their totals are equal for every grouping.
 *
 *   user     the path of a serial build: outlined functions are part of the
 *            function that contains them in the source; workers' frames lie
 *            beneath the place that created the region or task; of code that the
 *            program has no source of, the call is shown, as it was called
 *   expert   the same, but outlined functions have frames of their own
 *   machine  the stack as unwound, separately for each thread
 *
 * For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_VIEW_VIEW_H
#define OMPHWC_SRC_VIEW_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/model/construct_kind.h"
#include "src/model/descriptor.h"
#include "src/model/leaf.h"
#include "src/view/names.h"
#include "src/view/region_counts.h"
#include "src/view/tree.h"

struct model;
struct prof_file;
struct prof_rmodule;
struct resolver;
struct toolchain;

enum view_kind { VIEW_USER, VIEW_EXPERT, VIEW_MACHINE, VIEW_KINDS };

/* Values of a record's region outside parallel regions: the first regions of each view. */
enum view_region_special {
	REGION_SERIAL,	/* between regions */
	REGION_IDLE,	/* a worker outside regions */
	REGION_UNKNOWN, /* in a region whose creation is unknown */
	REGION_OUTSIDE, /* a thread that is unknown to OpenMP */
	REGION_SPECIALS
};

/* A parallel region in one calling context. */
struct view_region {
	uint32_t node; /* tree node of the path to the call */
	uint32_t line; /* line of the call, never in an outlined function */
	struct region_counts counts;
	/* Distinguished by samples alone from others that the same call begins: the region that has
	   the counts of all of them; else 0 */
	uint32_t begun;
	/* Its longest entry, since --timeline was given; longest_ns 0: not known */
	uint64_t longest_ns;
	uint64_t longest_begin_ns; /* from the start of its process on */
	uint64_t longest_entry;	   /* among the entries by the same thread, from 1; 0: unknown */
	uint32_t longest_process;  /* of the model */
	uint32_t longest_team;	   /* 0: unknown */
	uint32_t parent;	   /* region of the code that encountered it, of a lower number; but
				      see view_recurrence */
	uint32_t body;		   /* the outlined function, if a frame of it was met */
	uint8_t kind;		   /* CONSTRUCT_PARALLEL, CONSTRUCT_TEAMS, CONSTRUCT_TARGET */
	uint8_t combined;	   /* the loop or sections construct that the same call begins
				   (gcc's parallel for), or CONSTRUCT_SERIAL */
};

/*
 * Deep recursion leads back to the contexts that are around it, so that there is an end of them:
 * entries of a region that were encountered in another one than its parent.
 */
struct view_recurrence {
	uint32_t region, around;
	double elapsed_ns, team_ns, wide_ns; /* sums over these entries, which are in the region's,
						too */
};

/* Explicit tasks created at one place in one calling context. */
struct view_task {
	uint32_t node, line; /* as in view_region */
	uint32_t region;     /* region of the creating code */
	uint32_t creator;    /* explicit task that contains the creating code; 0: none */
	bool creators;	     /* other tasks or regions contain it, too; of all but the task
				   itself, that of the first line is shown */
	uint32_t within;     /* function of the creating code; may be an outlined one */
	uint64_t created, run;
	uint64_t stolen;       /* executed by a thread other than the creator */
	uint64_t cancelled;    /* cancelled before they were executed */
	uint64_t body_ns;      /* time in the tasks' bodies, without other tasks that ran
				   meanwhile; sum over tasks */
	uint32_t are, are_not; /* sets of enum prof_task_flag: some of the tasks are that, or not */
	uint32_t makers;       /* threads that created some, in each context */
	uint32_t described;    /* those of them that have said what these are */
	bool body_known;
	bool sampled;  /* as in region_counts */
	uint8_t kind;  /* CONSTRUCT_TASK or CONSTRUCT_TASKLOOP */
	uint32_t body; /* as in view_region */
};

/* A construct of the source, however it was reached. */
struct view_construct {
	uint32_t line; /* line of the directive, in a function of the source */
	uint8_t kind;  /* enum construct_kind */
	bool elapsed_known;
	bool several;	     /* locks of different names were used there */
	bool unsure;	     /* barriers: gcc's code does not say whether it is a directive or
			the end of a loop or single; singles: samples may be of what follows */
	bool endless;	     /* nobody reports when threads leave it: gcc's single nowait */
	const char *object;  /* name of the critical section or lock, or NULL */
	uint64_t entries;    /* by each thread that entered it; 0: unknown */
	uint64_t elapsed_ns; /* sum over entries */
	uint64_t ended;	     /* of synchronization constructs: entries whose end was
				   reported, which elapsed_ns is of */
	uint64_t longest_ns; /* the longest of these */
	uint64_t count_sum;  /* iterations or sections, sum over entries */
	uint32_t count_least, count_most; /* per entry; 0: unknown */
	uint64_t chunks;     /* that the runtime gave to threads; 0: unknown, else with */
	uint64_t chunks_sum; /* the iterations of all, */
	uint32_t chunk_least, chunk_most; /* of each */
	uint64_t chunk_longest_ns;	  /* and the longest one's time */
	bool chunks_unsure;		  /* the runtime may not have reported all */
	uint32_t nthreads;		  /* number of threads that entered it; 0: unknown */
	uint32_t entrants; /* index of its first view_entrant; it has nentrants of them */
	uint32_t nentrants;
	unsigned first_line, last_line; /* from the directive to the end; 0: unknown */
	/* private: for a barrier, until the construct that it ends is found */
	uint32_t otherwise;
};

/* In addition to enum prof_data_kind: heap blocks that were allocated on one path. */
enum { VIEW_MEMORY_BLOCK = 128 };

/* A thread that entered a construct. */
struct view_entrant {
	uint32_t construct;
	uint32_t thread; /* thread of the model */
	uint64_t entries;
	uint64_t elapsed_ns;
	uint64_t chunks; /* as in view_construct */
};

/* A region whose threads entered a construct. */
struct view_place {
	uint32_t construct, region;
};

/* What a target construct, or a call of the program, asked of a device. */
struct view_device_op {
	uint32_t construct;
	uint8_t operation; /* enum prof_device_op */
	uint8_t device;	   /* its number; PROF_DEVICE_OTHER: another */
	bool timed;	   /* host_ns is known */
	uint64_t times;
	uint64_t n;	    /* bytes; of kernels the teams that were asked for, 0: not said */
	uint64_t host_ns;   /* that threads spent on them */
	uint64_t device_ns; /* that the device reports; 0: not known */
};

/* Memory that samples accessed, for events that report addresses. */
struct view_memory {
	uint8_t kind;		/* enum prof_data_kind or VIEW_MEMORY_BLOCK; 0: no address
				   reported */
	bool by_runtime;	/* VIEW_MEMORY_BLOCK: the OpenMP runtime allocated them */
	uint32_t node, line;	/* VIEW_MEMORY_BLOCK: the path to the allocator's caller */
	uint64_t blocks, bytes; /* VIEW_MEMORY_BLOCK: allocated there, accessed or not */
	uint32_t process;	/* PROF_DATA_OTHER: process of the model */
	const char *name;	/* PROF_DATA_GLOBAL: the symbol, or NULL */
	const char *module;	/* PROF_DATA_GLOBAL: the module's file */
	uint64_t lo, hi;	/* PROF_DATA_OTHER: range of accessed addresses */
	uint64_t measured;	/* accesses with a measured cost */
	uint64_t cycles;	/* sum of their costs */
};

/* Tasks of a site depend on tasks of another one, or of their own. */
struct view_dependence {
	uint32_t task, on;     /* of the view */
	uint8_t kind, on_kind; /* enum prof_dependence: how each names the variable */
	uint64_t times;	       /* variables and pairs of tasks */
};

/* A phase that the program named, by begin and end; nested ones by their paths. */
struct view_phase {
	uint32_t parent;     /* the phase around it, of a lower number; 0: none */
	const char *name;    /* number 0, what is in no phase: NULL */
	bool of_thread;	     /* of the threads alone that began it */
	uint64_t entries;    /* by all processes and threads */
	uint64_t elapsed_ns; /* sum over those that ended, with what is within */
	bool elapsed_known;
};

/* The parts of a construct that an instrumentor tells of, in the order of PROF_STATS_WHOLE. */
enum view_part { VIEW_WHOLE, VIEW_BODY, VIEW_BARRIER, VIEW_PARTS };

/* A construct that an instrumentor described in the program, whether it ran or not. */
struct view_descriptor {
	struct descriptor what;
	uint64_t hash;
	struct view_described {
		uint64_t n;	     /* how often it began, by all processes and threads */
		uint64_t elapsed_ns; /* sum over those that ended */
	} part[VIEW_PARTS];
	bool elapsed_known;
};

struct view_record {
	uint64_t samples;
	uint64_t weight;
	const char *object; /* name of the lock that the thread waited for, or NULL */
	uint32_t node;	    /* tree node, including the artificial leaf */
	uint32_t line;	    /* line of the innermost displayed frame; 0: none */
	uint32_t region;
	uint32_t task; /* 0: not in an explicit task */
	uint32_t construct;
	uint32_t inside; /* the innermost construct that the task had entered and not left, as
			    the runtime reported; 0: none */
	uint32_t memory; /* 0: no address reported */
	uint32_t thread; /* thread of the model */
	uint32_t within; /* function of the innermost user frame: see view_task */
	uint32_t entry;	 /* the runtime's function that user code called; 0: none */
	uint32_t phase;	 /* 0: in none; not of parts */
	uint16_t team;	 /* threads of the team; 0: unknown, or outside of regions */
	uint8_t event;	 /* event of the model */
	uint8_t leaf;	 /* enum omp_leaf */
	uint8_t class;	 /* enum omp_class */
	uint8_t source;	 /* enum prof_data_source */
	bool in_task;	 /* the task belongs to the region, instead of enclosing it */
	bool own;	 /* a call of this profiler, which the program alone does not have */
	bool in_call;	 /* of a mutex: awake in the call for it, and the runtime does not report
			    that the thread waits */
};

/* What other threads wait for, while a thread that is charged with it does something. */
enum blame_kind {
	BLAME_BARRIER,
	BLAME_TASKS, /* taskwait, taskgroup */
	BLAME_IDLE,  /* workers without work */
	BLAME_ORDERED,
	BLAME_LOCK,
	BLAME_CRITICAL,
	BLAME_ATOMIC,
	BLAME_MUTEX, /* of a kind that the runtime does not report */
	BLAME_KINDS
};

/* Waiting of other threads that is charged to what a thread did. */
struct view_blame {
	struct view_record record; /* where; object: the lock's name; weight: the waiting */
	uint8_t kind;		   /* enum blame_kind */
};

/* One of the two COUNT nodes of an event, place and part. */
struct view_count {
	uint32_t region;	       /* outside regions a special one, by the kind of thread */
	uint32_t thread;	       /* thread of the model */
	uint8_t event;		       /* event of the model */
	uint8_t part;		       /* enum prof_part */
	uint64_t value, enabled_ns;    /* or 0, 0 */
	uint64_t running_ns, ticks_ns; /* or 0, 0; ticks_ns 0 also if unknown */
};

/* Tasks that a thread created at one place in one calling context; there may be several of them. */
struct view_created {
	uint32_t task;	 /* of the view */
	uint32_t thread; /* of the model */
	bool shared;	 /* in a loop of which the code alone shows that threads share it */
	uint64_t n;
};

struct view_sum {
	uint64_t samples, weight;
};

struct view {
	enum view_kind kind;
	const struct model *model;
	struct names names;
	struct tree tree;
	struct view_region *regions;
	size_t nregions;
	struct view_recurrence *recurrences;
	size_t nrecurrences;
	uint64_t unreported; /* the processes' header.unreported together */
	bool cancels;	     /* a program has cancel directives */
	/* An object that has an OpenMP runtime linked into it, in a process that no runtime
	   reported anything; NULL: none was met. */
	const struct prof_rmodule *linked;
	struct view_task *tasks; /* including number 0 */
	size_t ntasks;
	struct view_construct *constructs; /* CONSTRUCT_SPECIALS first */
	size_t nconstructs;
	struct view_entrant *entrants; /* by construct and thread */
	size_t nentrants;
	struct view_place *places;
	size_t nplaces;
	struct view_dependence *dependences;
	size_t ndependences;
	/* Of all explicit tasks; and of the longest path through them, of the process that has the
	   longest.  0: not known */
	uint64_t tasks_ns, path_ns;
	struct view_device_op *device_ops;
	size_t ndevice_ops;
	struct view_memory *memory; /* including number 0 */
	size_t nmemory;
	struct view_phase *phases; /* including number 0 */
	size_t nphases;
	struct view_descriptor *descriptors; /* by place */
	size_t ndescriptors;
	struct view_record *records;
	size_t nrecords;
	unsigned classes; /* that it has, a set: see leaf.h.  MPI where a record is in MPI, blocked
			     where wall time was sampled */
	bool summed; /* a record is of all threads at its leaf, and has the first one as thread */
	bool folded; /* of a library's code the tree has the calls alone: see view_called() */
	struct view_record *parts; /* see view_parts(); private */
	size_t nparts, parts_room;
	bool *kept;    /* by leaf of the profiles: whether it has a record; NULL: all have */
	bool filtered; /* a filter was applied */
	struct view_sum *mpi_threads; /* by event: the samples of an MPI library's own threads,
					 which have no records; NULL: there are none */
	double from_ns, to_ns; /* a filter's: the part of the time that is left, from the first
				  process's start on; to_ns 0: all */
	struct view_blame *blames;
	size_t nblames;
	struct view_count *counts;
	size_t ncounts;
	struct view_created *created;
	size_t ncreated;
	/* private */
	size_t counts_room, created_room, recurrences_room, regions_room, tasks_room,
		constructs_room, memory_room, records_room;
	size_t entrants_room, blames_room, places_room, phases_room, device_ops_room,
		dependences_room, descriptors_room;
	struct map by_context; /* see view_of_context() */
	struct map by_phase, by_region, by_task, by_construct, by_entrant, by_memory, by_place,
		by_device_op, by_dependence, by_descriptor;
};

struct view_options {
	enum view_kind kind;
	const struct resolver *resolver;
	bool lines;	  /* tree nodes distinguish lines */
	bool summed;	  /* as view.summed; no filter can be applied then */
	bool unfold;	  /* the user view has libraries' functions, too */
	bool mpi_threads; /* those of an MPI library's own have records, too */
	/* Called repeatedly; may be NULL. */
	void (*progress)(void *arg, size_t done, size_t total);
	void *arg;
};

/* OMPT's callback numbers (ompt_callbacks_t) as bits of view.unreported. */
enum {
	UNREPORTED_TASK_CREATE = 1 << 5,
	UNREPORTED_TASK_SCHEDULE = 1 << 6,
	UNREPORTED_CANCEL = 1 << 30,
};

/* Whether a number counted by these callbacks is known.  If the runtime does not always make
   the callbacks, a nonzero count is shown as it is, but a count of zero proves nothing.  Of a
   filtered view's samples no count is known. */
static inline bool view_counted(const struct view *v, uint64_t number, uint64_t callbacks)
{
	return !v->filtered && (number || !(v->unreported & callbacks));
}

/* The function of a library, or of a system's header, which the program's own code called, if the
   node is that call: what goes on inside is its cost, at the line of the caller.  0: it is none. */
uint32_t view_called(const struct view *v, uint32_t node);

/* What a node of a process's profile is: the creation context of a region or of an explicit task,
   or a worksharing or masked construct. */
enum view_context { VIEW_CONTEXT_REGION, VIEW_CONTEXT_TASK, VIEW_CONTEXT_CONSTRUCT };

/* Its number in the view; UINT32_MAX: none that was counted. */
uint32_t view_of_context(const struct view *v, uint32_t process, uint32_t node,
			 enum view_context kind);

/* What each thread did: in a summed view, records without a place in the code (node, line,
   within), but for the line of a call of MPI or one that blocked; else the records. */
static inline const struct view_record *view_parts(const struct view *v, size_t *n)
{
	*n = v->summed ? v->nparts : v->nrecords;
	return v->summed ? v->parts : v->records;
}

/* The records of one thread in a summed view; the caller frees of->all. */
struct view_records {
	struct view_record *all;
	size_t n, room;
};
void view_of_thread(const struct view *v, uint32_t thread, struct view_records *of);

/* The caller frees it by view_free(); m is borrowed. */
struct view *view_build(const struct model *m, const struct view_options *o);
void view_free(struct view *v);

/* view_name(): "user" and so on.  view_names(): all, ended by NULL. */
const char *view_name(enum view_kind kind);
const char *const *view_names(void);

/* The process's runtime and its compilers: by what the runtime calls itself, or else by the name of
   its file.  Never NULL. */
const struct toolchain *view_toolchain(const struct prof_file *f);

/* "solve / inner", "(no phase)"; malloc'ed. */
char *view_phase_label(const struct view *v, uint32_t phase);

/* The name of an enum prof_data_source, for people. */
const char *view_source_name(unsigned source);

/* Takes functions out of a view: their cost becomes their callers'.  Totals do not change.
   Regions, tasks and constructs in hidden functions move to the line of the call from the first
   caller that is not hidden.  hidden is by function.  The view's tree must distinguish lines
   (view_options.lines); it does afterwards if lines is set. */
void view_hide(struct view *v, const bool *hidden, bool lines);

/* ---- for what builds a view ------------------------------------------- */

/* Numbers of its items, created if they are new. */
uint32_t view_region(struct view *v, uint32_t node, uint32_t line, uint32_t parent);
uint32_t view_task(struct view *v, uint32_t node, uint32_t line);
uint32_t view_unknown(struct view *v, unsigned cause);

#endif
