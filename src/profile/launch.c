/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * launch.c - see launch.h.
 *
 * A variable of a launcher does not prove a rank.  Slurm's batch script has SLURM_PROCID=0, and
 * so has each program that it starts; the script of a PBS job is that job's task 1.  So some
 * lines of the table require another variable.
 *
 * The ranks of one launch agree about its step.  With mpirun the batch system's step would not
 * do: the ranks of the first node are outside of the step that started the daemons on the others.
 */
#include "config.h"

#include "src/profile/launch.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "src/profile/digits.h"

enum { NAMES = 2 };

#define RANK_MOST INT32_MAX /* PMIx has special ranks from UINT32_MAX down */
#define ANY UINT64_MAX	    /* another variable is required, whatever its value */

/* The variables of which the first that is set counts; NULL: none. */
struct launch_names {
	const char *name[NAMES];
};

/* How a launcher reports its ranks. */
struct launcher {
	const char *name;
	struct launch_names rank, size, local_rank, node, step;
	uint32_t first;		   /* the number of the first rank */
	struct launch_names needs; /* without this it is no rank: */
	uint64_t least, most;	   /* a number in this range; most ANY: whatever */
	const char *unless;
	const char *size_unless; /* where it is set, the size is of a part of the ranks */
};

/*
 * In order of precedence: MPI's own launchers, then those of the systems, from the inner to the
 * outer ones, then what only shows the protocol.
 */
static const struct launcher launchers[] = {
	/* docs.open-mpi.org, "Environment variables set for MPI applications".  jsrun sets them
	   for Spectrum MPI, and they stay in what a Flux instance started by jsrun runs. */
	{
		.name = "openmpi",
		.rank = { { "OMPI_COMM_WORLD_RANK" } },
		.size = { { "OMPI_COMM_WORLD_SIZE" } },
		.local_rank = { { "OMPI_COMM_WORLD_LOCAL_RANK" } },
		.step = { { "PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid" } },
		.unless = "JSM_NAMESPACE_RANK",
	},
	/* MVAPICH 2: what mpispawn sets. */
	{
		.name = "mvapich",
		.rank = { { "MV2_COMM_WORLD_RANK" } },
		.size = { { "MV2_COMM_WORLD_SIZE" } },
		.local_rank = { { "MV2_COMM_WORLD_LOCAL_RANK" } },
	},
	/* MVAPICH 3's mpirun_rsh. */
	{
		.name = "mvapich",
		.rank = { { "MVP_COMM_WORLD_RANK", "PMI_ID" } },
		.size = { { "MVP_COMM_WORLD_SIZE", "PMI_SIZE" } },
		.local_rank = { { "MVP_COMM_WORLD_LOCAL_RANK" } },
		.needs = { { "MVP_COMM_WORLD_LOCAL_RANK" } },
		.most = ANY,
	},
	/* Its mpirun is a Hydra, and sets I_MPI_MPIRUN. */
	{
		.name = "intelmpi",
		.rank = { { "PMI_RANK" } },
		.size = { { "PMI_SIZE" } },
		.local_rank = { { "MPI_LOCALRANKID" } },
		.needs = { { "I_MPI_MPIRUN" } },
		.most = ANY,
	},
	/* MPICH.  Others that set PMI_RANK (srun, flux) do not set MPI_LOCALNRANKS. */
	{
		.name = "hydra",
		.rank = { { "PMI_RANK" } },
		.size = { { "PMI_SIZE" } },
		.local_rank = { { "MPI_LOCALRANKID" } },
		.needs = { { "MPI_LOCALNRANKS" } },
		.most = ANY,
	},
	/* IBM Platform MPI. */
	{
		.name = "platform",
		.rank = { { "MPI_RANKID" } },
		.size = { { "MPI_NRANKS" } },
		.local_rank = { { "MPI_LOCALRANKID" } },
	},
	/* flux-environment(7).  The script of a Flux batch job has none of them. */
	{
		.name = "flux",
		.rank = { { "FLUX_TASK_RANK" } },
		.size = { { "FLUX_JOB_SIZE" } },
		.local_rank = { { "FLUX_TASK_LOCAL_ID" } },
		.step = { { "FLUX_JOB_ID" } },
	},
	{
		.name = "jsrun",
		.rank = { { "JSM_NAMESPACE_RANK" } },
		.size = { { "JSM_NAMESPACE_SIZE" } },
		.local_rank = { { "JSM_NAMESPACE_LOCAL_RANK" } },
		.step = { { "PMIX_NAMESPACE" } },
	},
	/* srun(1).  Steps from 0xfffffff0 on are none of srun's: an interactive salloc has
	   SLURM_STEP_ID=4294967290.  With Cray's PMI it sets some of PALS' variables, too.  In a
	   heterogeneous job each component has its own number of tasks, and all have one
	   MPI_COMM_WORLD. */
	{
		.name = "slurm",
		.rank = { { "SLURM_PROCID" } },
		.size = { { "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS" } },
		.local_rank = { { "SLURM_LOCALID" } },
		.node = { { "SLURM_NODEID" } },
		.step = { { "SLURM_STEP_ID", "SLURM_STEPID" } },
		.needs = { { "SLURM_STEP_ID", "SLURM_STEPID" } },
		.most = 0xffffffef,
		.size_unless = "SLURM_HET_SIZE",
	},
	/* HPE Cray; the number of ranks comes from its PMI, if at all. */
	{
		.name = "pals",
		.rank = { { "PALS_RANKID" } },
		.size = { { "PMI_SIZE", "PALS_SIZE" } },
		.local_rank = { { "PALS_LOCAL_RANKID" } },
		.node = { { "PALS_NODEID" } },
		.step = { { "PALS_APID" } },
	},
	{
		.name = "alps",
		.rank = { { "ALPS_APP_PE" } },
	},
	/* pbsdsh(1): Torque has both, PBS Pro PBS_TASKNUM only. */
	{
		.name = "pbs",
		.rank = { { "PBS_VNODENUM", "PBS_TASKNUM" } },
		.size = { { "PBS_NP" } },
		.node = { { "PBS_NODENUM" } },
		.needs = { { "PBS_TASKNUM" } },
		.least = 2,
		.most = RANK_MOST,
	},
	/* blaunch: LSF counts tasks from 1. */
	{
		.name = "lsf",
		.rank = { { "LSF_PM_TASKID" } },
		.size = { { "LSB_DJOB_NUMPROC" } },
		.first = 1,
		.needs = { { "LSB_JOBID" } },
		.most = ANY,
	},
	/* HTCondor's parallel universe: the program or a script on each node; what an mpirun in it
	   starts has that one's variables. */
	{
		.name = "htcondor",
		.rank = { { "_CONDOR_PROCNO" } },
		.size = { { "_CONDOR_NPROCS" } },
	},
	/* Fujitsu's mpiexec. */
	{
		.name = "fujitsu",
		.rank = { { "PMIX_RANK" } },
		.local_rank = { { "PLE_RANK_ON_NODE" } },
		.step = { { "PMIX_NAMESPACE" } },
		.needs = { { "PLE_RANK_ON_NODE" } },
		.most = ANY,
	},
	{
		.name = "pmix",
		.rank = { { "PMIX_RANK" } },
		.step = { { "PMIX_NAMESPACE" } },
	},
	{
		.name = "pmi",
		.rank = { { "PMI_RANK" } },
		.size = { { "PMI_SIZE" } },
		.local_rank = { { "PMI_LOCAL_RANK" } },
	},
};

/* How a batch system reports its job. */
struct launch_batch {
	struct launch_names job;
	struct launch_names array_task;
	uint64_t array_least;  /* lower numbers stand for no array */
	const char *array_job; /* where the tasks of an array have jobs of their own */
	const char *restart;
	const char *needs;
};

static const struct launch_batch batches[] = {
	/* sbatch(1).  Users know the third task as 4711_3, whatever its SLURM_JOB_ID. */
	{
		.job = { { "SLURM_JOB_ID", "SLURM_JOBID" } },
		.array_task = { { "SLURM_ARRAY_TASK_ID" } },
		.array_job = "SLURM_ARRAY_JOB_ID",
		.restart = "SLURM_RESTART_COUNT",
	},
	/* PBS Pro's and Torque's. */
	{
		.job = { { "PBS_JOBID" } },
		.array_task = { { "PBS_ARRAY_INDEX", "PBS_ARRAYID" } },
	},
	/* LSB_JOBINDEX is 0 outside of arrays. */
	{
		.job = { { "LSB_JOBID" } },
		.array_task = { { "LSB_JOBINDEX" } },
		.array_least = 1,
	},
	/* A job of the batch job is a step of it. */
	{
		.job = { { "FLUX_ENCLOSING_ID", "FLUX_JOB_ID" } },
		.array_task = { { "FLUX_JOB_CC" } },
	},
	/* Grid Engine.  JOB_ID alone could be anybody's; SGE_TASK_ID is always there, "undefined"
	   outside of arrays. */
	{
		.job = { { "JOB_ID" } },
		.array_task = { { "SGE_TASK_ID" } },
		.array_least = 1,
		.needs = "SGE_TASK_ID",
	},
	/* Fujitsu's, ANL's, and OAR, where each task of an array has a job of its own. */
	{
		.job = { { "PJM_JOBID" } },
		.array_task = { { "PJM_BULKNUM" } },
	},
	{
		.job = { { "COBALT_JOBID" } },
	},
	{
		.job = { { "OAR_JOB_ID", "OAR_JOBID" } },
	},
};

static const char *launch_look_up(prof_variable *get, const char *name)
{
	const char *value = name ? get(name) : NULL;

	return value && *value != '\0' ? value : NULL;
}

static const char *first_of(prof_variable *get, const struct launch_names *n)
{
	const char *value = NULL;

	for (int i = 0; i < NAMES && !value; i++)
		value = launch_look_up(get, n->name[i]);
	return value;
}

/* Whether value is a number from least to most. */
static bool launch_number(const char *value, uint64_t least, uint64_t most, uint64_t *n)
{
	const char *end = value ? digits_get(value, n, 10) : NULL;

	return end && *end == '\0' && *n >= least && *n <= most;
}

static void put_number(char out[LAUNCH_NUMBER_BYTES], uint64_t n)
{
	*digits_put(out, n, 10) = '\0';
}

/* A number of those that are given, unless it is out of range. */
static void launch_take_number(char out[LAUNCH_NUMBER_BYTES], const char *value, uint64_t least,
			       uint64_t most)
{
	uint64_t n;

	if (launch_number(value, least, most, &n))
		put_number(out, n);
}

/* Control characters become underscores. */
static void launch_take_text(char out[LAUNCH_TEXT_BYTES], const char *value)
{
	size_t n = value ? strnlen(value, LAUNCH_TEXT_BYTES) : 0;

	if (n == LAUNCH_TEXT_BYTES) {
		n--;
		while (n > 0 && ((unsigned char)value[n] & 0xc0) == 0x80)
			n--;
	}
	for (size_t i = 0; i < n; i++)
		out[i] = (unsigned char)value[i] < ' ' || value[i] == 0x7f ? '_' : value[i];
	out[n] = '\0';
}

/* ---- the launcher ------------------------------------------------------ */

static bool is_ranks(const struct launcher *l, prof_variable *get, uint64_t *rank)
{
	uint64_t n;

	if (!launch_number(first_of(get, &l->rank), l->first, RANK_MOST, rank))
		return false;
	if (launch_look_up(get, l->unless))
		return false;
	if (!l->needs.name[0])
		return true;
	const char *needed = first_of(get, &l->needs);
	return needed && (l->most == ANY || launch_number(needed, l->least, l->most, &n));
}

/* Slurm's PMIx calls a step slurm.pmix.JOB.STEP. */
static const char *step_of(const char *name)
{
	static const char slurm[] = "slurm.pmix.";

	if (name && strncmp(name, slurm, sizeof(slurm) - 1) == 0)
		return strrchr(name, '.') + 1;
	return name;
}

static void learn_rank(struct prof_launch *out, const struct launcher *l, prof_variable *get,
		       uint64_t rank)
{
	uint64_t most = RANK_MOST;

	out->launcher = l->name;
	put_number(out->rank, rank);
	if (!launch_look_up(get, l->size_unless))
		launch_take_number(out->size, first_of(get, &l->size), rank + 1, RANK_MOST);
	if (out->size[0] != '\0' && launch_number(out->size, 1, RANK_MOST, &most))
		most--;
	launch_take_number(out->local_rank, first_of(get, &l->local_rank), 0, most);
	launch_take_number(out->node, first_of(get, &l->node), 0, most);
	launch_take_text(out->step, step_of(first_of(get, &l->step)));
}

static void learn_launcher(struct prof_launch *out, prof_variable *get)
{
	for (size_t i = 0; i < sizeof(launchers) / sizeof(*launchers); i++) {
		const struct launcher *l = &launchers[i];
		uint64_t rank;

		if (is_ranks(l, get, &rank)) {
			learn_rank(out, l, get, rank - l->first);
			return;
		}
	}
}

/* ---- the batch system -------------------------------------------------- */

static void learn_batch(struct prof_launch *out, prof_variable *get)
{
	for (size_t i = 0; i < sizeof(batches) / sizeof(*batches); i++) {
		const char *job = first_of(get, &batches[i].job);

		if (job && (!batches[i].needs || launch_look_up(get, batches[i].needs))) {
			const struct launch_batch *b = &batches[i];
			const char *array_job = launch_look_up(get, b->array_job);

			launch_take_number(out->array_task, first_of(get, &b->array_task),
					   b->array_least, RANK_MOST);
			launch_take_text(out->job,
					 out->array_task[0] != '\0' && array_job ? array_job : job);
			if (out->array_task[0] != '\0') {
				/* PBS calls the third task of an array 4711[3].server. */
				char *from = strchr(out->job, '['),
				     *to = from ? strchr(from, ']') : NULL;

				if (to)
					memmove(from, to + 1, strlen(to + 1) + 1);
			}
			launch_take_number(out->restart, launch_look_up(get, b->restart), 1,
					   RANK_MOST);
			return;
		}
	}
}

void prof_launch_learn(struct prof_launch *l, prof_variable *get)
{
	memset(l, 0, sizeof(*l));
	learn_launcher(l, get);
	learn_batch(l, get);
	/* Flux's job, where no other job encloses it. */
	if (strcmp(l->step, l->job) == 0)
		l->step[0] = '\0';
}

const char *prof_variable_here(const char *name)
{
	return getenv(name);
}

void prof_launch_here(struct prof_launch *l)
{
	prof_launch_learn(l, prof_variable_here);
}

bool prof_launch_is_alone(const struct prof_launch *l)
{
	return l->rank[0] == '\0' || strcmp(l->size, "1") == 0;
}

bool prof_launch_speaks(const struct prof_launch *l)
{
	return l->rank[0] == '\0' || strcmp(l->rank, "0") == 0;
}
