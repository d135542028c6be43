/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * findings.h - where to begin: the largest losses, each with its place, its cause and what
 * it costs.
 *
 * A finding comes from a rule whose evidence is in the profile; without that, there is
 * none.
 */
#ifndef OMPHWC_SRC_TABLES_FINDINGS_H
#define OMPHWC_SRC_TABLES_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/tables/losses.h"

struct placement;
struct view;

/* finding.setting, where a region around it is why a team has fewer threads. */
#define FINDING_NESTED "nested"

enum finding_rule {
	/* Threads wait at a barrier. */
	FINDING_STATIC_LOOP,	  /* schedule(static): the same thread is late */
	FINDING_OTHER_LOOP,	  /* another schedule: likewise */
	FINDING_SECTIONS,	  /* the same of sections */
	FINDING_VARYING_LOOP,	  /* schedule(static): now one thread is late, now another */
	FINDING_VARYING_CHUNKS,	  /* another schedule: likewise */
	FINDING_VARYING_SECTIONS, /* the same of sections */
	FINDING_UNCOUNTED_LOOP,	  /* schedule(static): how often threads pass it is not known */
	FINDING_FEW_ITERATIONS,	  /* for the threads; or sections */
	FINDING_LIKE_FEW,	  /* the threads' work is divided as few equal iterations are */
	FINDING_SHORT_LOOP,	  /* each pass has less work than the barrier at its end is worth */
	FINDING_LATE_THREAD,	  /* no such construct: one thread has more work than the others */
	FINDING_UNEVEN_TEAM,	  /* several have */
	FINDING_VARYING_TEAM,	  /* now one, now another */
	FINDING_SHORT_STEPS,   /* the same, and the region has little work between its barriers */
	FINDING_LATE_FOR,      /* one thread is late for something else than its work */
	FINDING_UNKNOWN_TEAMS, /* of regions that a call by a pointer begins, not known which */
	FINDING_SINGLE,
	/* Tasks */
	FINDING_SMALL_TASKS, /* the runtime has more work with them than they have */
	FINDING_FEW_TASKS,   /* threads wait for tasks: there are too few for all threads */
	FINDING_TASK_CHAIN,  /* no two tasks ran at a time */
	FINDING_IDLE_TASKS,  /* threads wait for tasks that do not work */
	FINDING_ONE_CREATOR, /* one thread works beside the tasks that it creates */
	FINDING_TASK_WAITS,  /* threads wait for tasks, of which there are many */
	/* Threads wait for each other. */
	FINDING_CRITICAL,
	FINDING_LOCK,
	FINDING_ATOMIC,
	FINDING_ARRAY_REDUCTION, /* the compiler combines copies of an array under a lock */
	FINDING_ORDERED,
	/* The runtime */
	FINDING_SHORT_REGIONS,
	FINDING_DISPATCH,
	FINDING_RUNTIME_CALLS, /* of its functions, by the program */
	/* The program */
	FINDING_ALLOCATOR,  /* much of the work is in malloc() and the like */
	FINDING_ALL_DO,	    /* no construct shares the region's work among its threads */
	FINDING_ALL_CREATE, /* each thread creates equally many tasks, which nothing divides */
	FINDING_CANCEL,	    /* directives that do nothing, by a setting */
	/* Devices */
	FINDING_TARGET,
	/* Outside of regions */
	FINDING_SERIAL,
	FINDING_SMALL_TEAMS,
	FINDING_ASKED,	    /* teams have fewer threads than was asked for */
	FINDING_ONE_THREAD, /* in each team, beside idle CPUs */
	/* Conditions of the process, the machine or the start, which hold for all of the run */
	FINDING_FORKED,	    /* a fork's child waits for threads that its parent alone has */
	FINDING_QUOTA,	    /* of the control group */
	FINDING_MASK,	    /* something in the process set one */
	FINDING_CROWDED,    /* more threads than CPUs */
	FINDING_PROCESSES,  /* of all processes of the run together */
	FINDING_POOLS,	    /* the process's own threads that are not OpenMP's had the CPUs */
	FINDING_RUNTIMES,   /* several in a process, each with threads of its own */
	FINDING_SHARED_CPU, /* threads share one while another is free */
	FINDING_NO_CPU,	    /* threads waited for a CPU; who had it is not known */
	FINDING_FAULTS,	    /* kernel time of page faults */
	FINDING_KERNEL,	    /* of something else */
	FINDING_BLOCKED,    /* threads neither ran nor waited for a CPU */
	FINDING_MEMORY,	    /* of counters: the CPU waits for memory */
	FINDING_RANKS,	    /* one MPI rank has more work than the others */
	/* Asleep in system calls that are neither OpenMP's nor MPI's, for */
	FINDING_BLOCKED_CALL, /* its name says what it waits for, or nothing does */
	FINDING_BLOCKED_MUTEX,
	FINDING_BLOCKED_LIBRARY, /* a lock of the C library's own */
	FINDING_BLOCKED_SLEEP,	 /* a time */
	FINDING_BLOCKED_THREAD,	 /* what another thread of the program does */
	FINDING_DIRECTIVE,	 /* work that the clauses of a directive make */
	FINDING_LEFT,		 /* a loss that no other rule explains */
	FINDING_RULES
};

/* What is not known, or has no meaning for the rule, is 0. */
struct finding {
	enum finding_rule rule;
	double gain_ns;		/* what the run would be shorter by, without this loss; 0: it
			     can't be known */
	double asleep_ns;	/* the part of it in which threads slept */
	double own_ns;		/* lost to the profiler's own calls, which is not in it */
	uint64_t seen, seen_of; /* samples of waits at its construct, and of all waits in the region
				   */
	uint64_t places;   /* of the rule, each below what a finding is worth, and this the largest:
			     the gain is that of all; 0: it is alone */
	double outside_ns; /* the part of it in which the initial thread did not run outside of
			      regions, and the others had no work */
	bool sleeps;	   /* its threads sleep, for what is not known, as long as they wait */
	bool at_end;	   /* what threads wait at is the region's end */
	bool varies;	   /* its teams have several sizes; of small teams nthreads is the least */
	/* Of a mutex: the part of the time in the calls for it for which no wait was reported; 0
	   where that is not most of it. */
	double in_calls;
	double part;	  /* of the run, where the gain can't be known: its work there; of threads
			      beside OpenMP's: what they and its work take of the CPUs' time */
	uint32_t special; /* the region: as in struct region_row */
	uint32_t line;
	uint32_t construct; /* of the view; below CONSTRUCT_SPECIALS: the region itself */
	uint64_t work_line; /* table_line_key(): where the most work is that others wait for */
	double work_part;   /* of that work */
	uint32_t thread;    /* of the model: the late one; UINT32_MAX: none */
	uint32_t nthreads;
	double most_ns, mean_ns; /* work of the late thread, and of all */
	double instructions;	 /* of the late thread, over the mean; 0: not known */
	uint64_t pieces;	 /* entries, passes of a thread, tasks, iterations */
	double piece_ns;	 /* of a piece: its work, on each thread that has a part in it */
	double cost_ns;		 /* and the time that the runtime and waiting take there */
	uint32_t same;		 /* other critical sections without a name, which are one with it */
	uint32_t iterations;	 /* of a loop's pass; of like few, 0: samples do not show */
	double elapsed_ns;	 /* of a region's entry */
	uint64_t resized;	 /* entries whose team has not the size of the team before */
	bool alone;		 /* one thread alone would be faster */
	uint32_t fit;		 /* threads by which a short region would take the least time, by
				    a model; 0: it has about so many */
	double alone_ns;	 /* the work of all its threads together */
	enum loss spent;	 /* what else than work the late thread spends most_ns in; what is
				    left */
	uint32_t process;	 /* of the model */
	uint32_t ncpus, nprocesses; /* of its mask; that ran at a time */
	double quota;		    /* CPUs; of periods, part are throttled */
	const char *cpus;	    /* as a list: those that its threads had, where a mask is why */
	uint32_t machine_cpus;
	double resident;     /* bytes, the most */
	bool is_static;	     /* the program has static arrays of half of what was touched, which
			       malloc's settings do not reach */
	double others_ns;    /* CPU time of its threads that are not OpenMP's */
	double waited;	     /* the part of their time that threads waited for a CPU */
	bool nested;	     /* teams within teams have more threads than CPUs */
	uint32_t initials;   /* threads of the process that began regions outside of any; of
			     short regions: one after another, too */
	bool user_only;	     /* cost_ns is without the kernel's part */
	bool spins;	     /* waiting threads spin, and no setting says that they shall */
	const char *setting; /* the environment's that asks for so many threads; or NULL */
	double ipc, stalled, misses; /* instructions a cycle; percent of cycles; a 1,000
					instructions */
	const char *missed;	     /* the misses' event */
	uint32_t nranks;
	const char *call;   /* of MPI, in which other ranks wait; in which threads sleep; or NULL */
	uint32_t call_line; /* of the latter: line of the call; of tasks: of their directive */
};

struct findings {
	struct finding *all; /* the largest first; without a known gain last */
	size_t n;
};

/* Whether it is a condition of the machine or of how the program was started. */
bool finding_is_condition(enum finding_rule rule);

/* Whether most of a region's entries have a team of another size than the one before. */
bool finding_is_resized(uint64_t resized, uint64_t entries);

/* Whether the pages that page faults mapped are many times those that there were at a time; and
   settings of glibc's against either. */
bool finding_maps_again(const struct finding *f);
#define FINDING_KEEP_BLOCKS \
	"GLIBC_TUNABLES=glibc.malloc.mmap_threshold=1073741824:" \
	"glibc.malloc.trim_threshold=1073741824"
#define FINDING_HUGE_PAGES "GLIBC_TUNABLES=glibc.malloc.hugetlb=1"

/* A name for programs: "static_loop". */
const char *finding_key(enum finding_rule rule);

/* l and p may be NULL or not known: then there are fewer findings. */
void findings_build(const struct view *v, const struct losses *l, const struct placement *p,
		    struct findings *f);
void findings_fini(struct findings *f);

#endif
