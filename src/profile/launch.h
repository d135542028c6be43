/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * launch.h - what the environment says of the parallel job that this process belongs to.
 *
 * A launcher (srun, mpirun, …) gives the rank, a batch system the job.  Where launchers are
 * nested, the innermost one counts, since its ranks are those of MPI.  No allocation, no system
 * call.
 */
#ifndef OMPHWC_SRC_PROFILE_LAUNCH_H
#define OMPHWC_SRC_PROFILE_LAUNCH_H

#include <stdbool.h>

enum { LAUNCH_NUMBER_BYTES = 12, LAUNCH_TEXT_BYTES = 128 };

/* Texts are empty where nothing was given.  Numbers are decimal. */
struct prof_launch {
	const char *launcher; /* "slurm", "openmpi" …; NULL: this process is no rank */
	char rank[LAUNCH_NUMBER_BYTES];
	char size[LAUNCH_NUMBER_BYTES];	      /* number of ranks */
	char local_rank[LAUNCH_NUMBER_BYTES]; /* on this node */
	char node[LAUNCH_NUMBER_BYTES];	      /* number of the node among those of the launch */
	char job[LAUNCH_TEXT_BYTES];	      /* the same for all tasks of a job array */
	char array_task[LAUNCH_NUMBER_BYTES]; /* in a job array */
	char step[LAUNCH_TEXT_BYTES];	   /* one launch of the job; the same for all its ranks */
	char restart[LAUNCH_NUMBER_BYTES]; /* how often the job was requeued */
};

/* The value of a variable of the environment, or NULL. */
typedef const char *prof_variable(const char *name);

/* Fills in *l.  A value that is no number where one is due counts as absent; a longer text is
   cut between characters. */
void prof_launch_learn(struct prof_launch *l, prof_variable *get);

/* The same from this process's environment, which no other thread may change meanwhile. */
void prof_launch_here(struct prof_launch *l);

/* Whether it is none of several ranks. */
bool prof_launch_is_alone(const struct prof_launch *l);

/* Whether this process speaks for all: what all ranks would say, only one says. */
bool prof_launch_speaks(const struct prof_launch *l);

/* getenv(). */
const char *prof_variable_here(const char *name);

#endif
