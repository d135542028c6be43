/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * losses.h - where the time of the threads went: work, and why they did not work.
 *
 * The time of a run is its elapsed time times its OpenMP threads, in thread-nanoseconds; of
 * a region, the sum over its entries of elapsed time times the team's threads. A part of it
 * was seen by the event that measures time: work, waits, overhead. The rest is time in
 * which no counter ran. doc/efficiency.md has the formulas.
 */
#ifndef OMPHWC_SRC_TABLES_LOSSES_H
#define OMPHWC_SRC_TABLES_LOSSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct model_process;
struct region_row;
struct region_time;
struct view;
struct view_record;

/* Why a thread did not work. */
enum loss {
	LOSS_SERIAL,	  /* outside of regions: only the initial thread has work */
	LOSS_SMALL_TEAM,  /* the region's team has fewer threads than the program */
	LOSS_SINGLE,	  /* another thread executes a single region */
	LOSS_IMBALANCE,	  /* other threads of the team reach the barrier later */
	LOSS_LOCK,	  /* another thread holds the lock, critical or atomic region */
	LOSS_ORDERED,	  /* another iteration comes first: ordered, doacross */
	LOSS_TASK_WAIT,	  /* tasks are not complete: taskwait, taskgroup, depend */
	LOSS_TARGET,	  /* a device works */
	LOSS_FORK_JOIN,	  /* the runtime begins and ends a region */
	LOSS_DISPATCH,	  /* it distributes iterations and sections */
	LOSS_TASKS,	  /* it creates and schedules tasks */
	LOSS_RUNTIME,	  /* it does something else */
	LOSS_MPI,	  /* the thread is in an MPI call, or has no work while the initial
			     thread is */
	LOSS_BLOCKED,	  /* the thread sleeps in a system call that is neither OpenMP's nor
			     MPI's, or has no work while the initial thread does; of wall
			     time alone */
	LOSS_NOT_RUNNING, /* the thread was asleep or preempted; or it ran in the kernel where
			     only user mode is sampled */
	LOSSES
};

/* A name for programs: "fork_join". */
const char *loss_key(enum loss loss);

/* "imbalance", and a word about it for people. */
const char *loss_name(enum loss loss);
const char *loss_meaning(enum loss loss);

/* Thread-nanoseconds. all = work + the sum of lost. NOT_RUNNING is what remains, and so it
   also has the sampling error of the others: it can be below 0. */
struct time_split {
	double all, work;
	double lost[LOSSES];
};

/* Whether OpenMP has a thread there. The time of other processes is none of OpenMP's threads. */
bool losses_uses_openmp(const struct model_process *p);

/* Whether a profile whose view has these classes can have the loss. */
bool losses_has(enum loss loss, unsigned classes);

/* Thread-nanoseconds of a process in MPI calls, or blocked. */
struct away_time {
	double outside; /* of regions, by the initial threads */
	double inside;
	double idle; /* of the other threads while initial threads were there */
};

struct losses {
	const char *unknown;	 /* why the elapsed time cannot be split up; NULL: it can */
	size_t event;		 /* the event that measures time */
	bool user_only;		 /* it does not see the kernel */
	bool wall;		 /* it sees blocked threads */
	double elapsed_ns;	 /* of the run: in which at least one of its processes ran */
	double at_once;		 /* processes that ran at one time, in the mean; */
	uint32_t processes_most; /* and the most */
	uint32_t threads;	 /* of a process, the most; OpenMP's */
	bool parallel;		 /* there were regions */
	bool mpi;		 /* there were MPI calls */
	unsigned classes;	 /* of the view */
	size_t nprocesses;	 /* that use OpenMP; other processes have no part in any number */
	bool cut_short;		 /* a process has no end: all is up to its last sample */
	double helpers_ns; /* work of threads that are in no team of the program's (libomp's hidden
				helpers), which is in run beside the time of the others */
	struct time_split run;
	/* private */
	double *helped;				   /* helpers_ns in each region of the view */
	uint64_t samples;			   /* of event, of OpenMP's threads */
	struct away_time *mpi_time, *blocked_time; /* of each process of the model */
	double *ns_per_event;			   /* of each thread of the model */
	double *width;		   /* of each region of the view: threads that work at once */
	struct region_time *time;  /* of each region of the view */
	struct time_split *region; /* of each region of the view, without regions in it */
};

/* Whether a region of the view is of threads that are not OpenMP's, whose time has no part in
   any number. */
bool losses_is_outside(uint32_t region);

/* Where unknown is set, only event and nprocesses are. */
void losses_build(const struct view *v, struct losses *l);
void losses_fini(struct losses *l);

/* The time of a row of the table of regions, without regions in it. */
void losses_of_region(const struct losses *l, const struct region_row *r, struct time_split *split);

/*
 * The potential gain of a row, in nanoseconds of elapsed time: what the run would be shorter
 * by if the threads only worked in it. by is filled in with the parts by cause, which add
 * up to it; or NULL.
 */
double losses_gain(const struct losses *l, const struct region_row *r, double *by);

/*
 * The thread time of a record of the event, and in *loss (or NULL) what it is lost to; LOSSES: it
 * is work. losses_gain_of(): what thread time in a region of the view costs, in nanoseconds of
 * elapsed time.
 */
double losses_of_record(const struct losses *l, const struct view *v, const struct view_record *r,
			enum loss *loss);
double losses_gain_of(const struct losses *l, uint32_t region, double thread_ns);

/* Adds the record's thread time, without all; adds a split; what is in it but all. */
void split_sample(struct time_split *s, const struct losses *l, const struct view *v,
		  const struct view_record *r);
void split_add(struct time_split *to, const struct time_split *s);
double split_seen(const struct time_split *s);

/* The part of the run's time in which its threads worked: 1 less all losses. The factors that
   are less than 1 by the losses in MPI, and by the others outside and inside of regions, add up
   to it plus 2. */
double losses_efficiency(const struct losses *l);
double losses_mpi_efficiency(const struct losses *l);
double losses_serial_efficiency(const struct losses *l);
double losses_region_efficiency(const struct losses *l);

/*
 * The factors of the MPI efficiency, which add up to it plus 1. Both are of a process's time
 * outside of MPI, per thread: how far the mean of the processes is below the most of one
 * (balance), and how far that is below the run's elapsed time (communication).
 */
struct mpi_factors {
	double balance, communication;
};
struct mpi_factors losses_mpi_factors(const struct losses *l, const struct view *v);

#endif
