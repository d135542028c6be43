/*
 * findings.h - where to begin: the largest losses, each with its place, its cause and what
 * it costs.
 *
 * A finding comes from a rule whose evidence is in the profile; without that, there is
 * none. For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_TABLES_FINDINGS_H
#define OMPHWC_SRC_TABLES_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct losses;
struct placement;
struct view;

enum finding_rule {
	/* Threads wait at a barrier. */
	FINDING_STATIC_LOOP,  /* schedule(static): the same thread is late */
	FINDING_OTHER_LOOP,   /* another schedule: the same thread, or now one, now another */
	FINDING_SECTIONS,     /* the same of sections */
	FINDING_VARYING_LOOP, /* schedule(static): now one thread is late, now another */
	FINDING_LATE_THREAD,  /* no such construct: one thread has more work than the others */
	FINDING_UNEVEN_TEAM,  /* several have */
	FINDING_VARYING_TEAM, /* now one, now another */
	FINDING_UNTOLD_TEAMS, /* of regions that a call by a pointer begins, not told which */
	FINDING_SINGLE,
	/* Tasks */
	FINDING_SMALL_TASKS, /* the runtime has more work with them than they have */
	FINDING_FEW_TASKS,   /* threads wait for tasks */
	/* Threads wait for each other. */
	FINDING_CRITICAL,
	FINDING_LOCK,
	FINDING_ATOMIC,
	FINDING_ORDERED,
	/* The runtime */
	FINDING_SHORT_REGIONS,
	FINDING_DISPATCH,
	FINDING_TARGET,
	/* Outside of regions */
	FINDING_SERIAL,
	FINDING_SMALL_TEAMS,
	/* CPUs */
	FINDING_CROWDED,    /* more threads than CPUs */
	FINDING_SHARED_CPU, /* threads share one while another is free */
	FINDING_BUSY_CPUS,  /* threads waited for a CPU that others had */
	FINDING_BLOCKED,    /* threads neither ran nor waited for a CPU */
	FINDING_MEMORY,	    /* of counters: the CPU waits for memory */
	FINDING_RANKS,	    /* one MPI rank has more work than the others */
	FINDING_RULES
};

/* What is not known, or has no meaning for the rule, is 0. */
struct finding {
	enum finding_rule rule;
	double gain_ns;	  /* what the run would be shorter by, without this loss; 0: it
			     can't be told */
	double asleep_ns; /* the part of it in which threads slept */
	double own_ns;	  /* lost to the profiler's own calls, which is not in it */
	bool varies;	  /* small teams: they have several sizes, nthreads is the least */
	double part;	  /* of the run, where the gain can't be told: its work there */
	uint32_t special; /* the region: as in struct region */
	uint32_t line;
	uint32_t construct; /* of the view; below CONSTRUCT_SPECIALS: the region itself */
	uint64_t work_line; /* table_line_key(): where the most work is that others wait for */
	double work_part;   /* of that work */
	uint32_t thread;    /* of the model: the late one; UINT32_MAX: none */
	uint32_t nthreads;
	double most_ns, mean_ns;     /* work of the late thread, and of all */
	uint64_t pieces;	     /* entries, tasks, iterations */
	double piece_ns;	     /* of a piece: what it takes */
	double cost_ns;		     /* and what the runtime and waiting take */
	uint32_t process, ncpus;     /* of the model */
	double ipc, stalled, misses; /* instructions a cycle; percent of cycles; a 1,000
					instructions */
	const char *missed;	     /* the misses' event */
	uint32_t nranks;
	const char *call; /* of MPI, in which other ranks wait; or NULL */
};

enum { FINDINGS_MAX = 3 };

struct findings {
	struct finding all[FINDINGS_MAX]; /* the largest first; without a known gain last */
	size_t n;
	size_t more; /* with a gain that is worth it */
};

/* A name for programs: "static_loop". */
const char *finding_key(enum finding_rule rule);

/* l and p may be NULL or not known: then there are no findings, or fewer. 0 or -ENOMEM. */
int findings_build(const struct view *v, const struct losses *l, const struct placement *p,
		   struct findings *f);

#endif
