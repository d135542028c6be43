/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_launch.c - rank and job, from the environments that launchers and batch systems make.
 */
#include "config.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/profile/launch.h"
#include "tests/support/suite_main.h"

static struct prof_launch l;

/* The environment of a test: "NAME=VALUE NAME=VALUE". */
static const char *environment;

static const char *variable(const char *name)
{
	static char values[16][64]; /* of the last calls */
	static unsigned calls;
	char *value = values[calls++ % 16];
	const size_t n = strlen(name);

	for (const char *p = environment; p && *p; p = strchr(p, ' ')) {
		p += *p == ' ';
		if (strncmp(p, name, n) != 0 || p[n] != '=')
			continue;
		const size_t bytes = strcspn(p + n + 1, " ");

		ck_assert_uint_lt(bytes, sizeof(values[0]));
		memcpy(value, p + n + 1, bytes);
		value[bytes] = '\0';
		return value;
	}
	return NULL;
}

/* Launcher, rank/size, local rank, node, job, array task, step; "-": absent. */
static const char *told(void)
{
	static char text[512];
	const char *const parts[] = { l.launcher ? l.launcher : "",
				      l.rank,
				      l.size,
				      l.local_rank,
				      l.node,
				      l.job,
				      l.array_task,
				      l.step };
	size_t at = 0;

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s",
				       i == 0 ? "" :
				       i == 2 ? "/" :
						" ",
				       *parts[i] ? parts[i] : "-");
	return text;
}

#define SLURM_STEP \
	"SLURM_STEP_ID=3 SLURM_STEP_NUM_TASKS=8 SLURM_NTASKS=99 SLURM_LOCALID=1 SLURM_NODEID=2"
#define SLURM_SCRIPT \
	"SLURM_JOB_ID=4711 SLURM_PROCID=0 SLURM_LOCALID=0 SLURM_NODEID=0 SLURM_NTASKS=4"
#define OPENMPI "OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_LOCAL_RANK=1"
#define HYDRA "PMI_RANK=3 PMI_SIZE=4 MPI_LOCALRANKID=1 MPI_LOCALNRANKS=2"
#define TORQUE "PBS_JOBID=7.host PBS_NP=4"

static const struct {
	const char *environment, *told;
} cases[] = {
	{ "", "- -/- - - - - -" },
	/* Slurm: the step's number of tasks, not the job's. */
	{ "SLURM_JOB_ID=4711 SLURM_PROCID=5 " SLURM_STEP, "slurm 5/8 1 2 4711 - 3" },
	{ "SLURM_JOBID=4711 SLURM_PROCID=5 SLURM_STEPID=0 SLURM_NTASKS=6",
	  "slurm 5/6 - - 4711 - 0" },
	/* Its scripts, and what they start: no ranks. */
	{ SLURM_SCRIPT, "- -/- - - 4711 - -" },
	{ SLURM_SCRIPT " SLURM_STEP_ID=batch", "- -/- - - 4711 - -" },
	{ SLURM_SCRIPT " SLURM_STEP_ID=4294967290 SLURM_STEP_NUM_TASKS=1", "- -/- - - 4711 - -" },
	{ SLURM_SCRIPT " SLURM_STEP_ID=4294967291", "- -/- - - 4711 - -" },
	/* Job arrays: the array's id. */
	{ "SLURM_JOB_ID=4713 SLURM_ARRAY_JOB_ID=4711 SLURM_ARRAY_TASK_ID=2", "- -/- - - 4711 2 -" },
	{ "SLURM_JOB_ID=4713 SLURM_ARRAY_JOB_ID=4711", "- -/- - - 4713 - -" },
	{ "SLURM_JOB_ID=4713 SLURM_ARRAY_TASK_ID=0", "- -/- - - 4713 0 -" },
	/* srun with its PMI. */
	{ "SLURM_JOB_ID=1 SLURM_PROCID=5 PMI_RANK=5 PMI_SIZE=8 PMI_FD=7 " SLURM_STEP,
	  "slurm 5/8 1 2 1 - 3" },
	{ "SLURM_JOB_ID=1 SLURM_PROCID=5 PMIX_RANK=5 PMIX_NAMESPACE=slurm.pmix.1.3 " SLURM_STEP,
	  "slurm 5/8 1 2 1 - 3" },
	{ OPENMPI " PMIX_NAMESPACE=slurm.pmix.4711.3", "openmpi 2/4 1 - - - 3" },
	/* mpirun in a Slurm job: on the first node, and beneath the daemons that srun started. */
	{ SLURM_SCRIPT " " OPENMPI " PMIX_NAMESPACE=123@1", "openmpi 2/4 1 - 4711 - 123@1" },
	{ "SLURM_JOB_ID=4711 SLURM_PROCID=0 " SLURM_STEP " " OPENMPI " PMIX_NAMESPACE=123@1",
	  "openmpi 2/4 1 - 4711 - 123@1" },
	{ SLURM_SCRIPT " " HYDRA, "hydra 3/4 1 - 4711 - -" },
	{ "SLURM_JOB_ID=4711 SLURM_PROCID=0 " SLURM_STEP " " HYDRA, "hydra 3/4 1 - 4711 - -" },
	/* MPI's launchers without a batch system. */
	{ OPENMPI " PMIX_RANK=2 OMPI_MCA_ess_base_jobid=77", "openmpi 2/4 1 - - - 77" },
	{ HYDRA, "hydra 3/4 1 - - - -" },
	{ HYDRA " I_MPI_MPIRUN=mpirun", "intelmpi 3/4 1 - - - -" },
	{ "MV2_COMM_WORLD_RANK=1 MV2_COMM_WORLD_SIZE=2 MV2_COMM_WORLD_LOCAL_RANK=0 PMI_ID=1",
	  "mvapich 1/2 0 - - - -" },
	{ "MVP_COMM_WORLD_LOCAL_RANK=0 PMI_ID=1 PMI_SIZE=2", "mvapich 1/2 0 - - - -" },
	{ "MPI_RANKID=1 MPI_NRANKS=2 MPI_LOCALRANKID=1", "platform 1/2 1 - - - -" },
	{ "PMI_RANK=1 PMI_SIZE=2", "pmi 1/2 - - - - -" },
	{ "PMIX_RANK=1 PMIX_NAMESPACE=abc", "pmix 1/- - - - - abc" },
	{ "PMIX_RANK=4294967294", "- -/- - - - - -" }, /* PMIX_RANK_WILDCARD */
	/* Flux: a job of its own, a job of a batch job, a batch script, an instance in a jsrun. */
	{ "FLUX_JOB_ID=fA FLUX_TASK_RANK=1 FLUX_JOB_SIZE=2 FLUX_TASK_LOCAL_ID=1 PMI_RANK=1 PMI_SIZE=2",
	  "flux 1/2 1 - fA - -" },
	{ "FLUX_ENCLOSING_ID=fA FLUX_JOB_ID=fB FLUX_TASK_RANK=1 FLUX_JOB_SIZE=2",
	  "flux 1/2 - - fA - fB" },
	{ "FLUX_ENCLOSING_ID=fA", "- -/- - - fA - -" },
	{ "FLUX_JOB_ID=fA FLUX_JOB_CC=3", "- -/- - - fA 3 -" },
	{ "FLUX_JOB_ID=fA FLUX_TASK_RANK=5 FLUX_JOB_SIZE=8 JSM_NAMESPACE_RANK=0 LSB_JOBID=9 "
	  "OMPI_COMM_WORLD_RANK=0",
	  "flux 5/8 - - 9 - fA" },
	/* LSF. */
	{ "LSB_JOBID=9 LSB_JOBINDEX=0 JSM_NAMESPACE_RANK=3 JSM_NAMESPACE_SIZE=4 "
	  "JSM_NAMESPACE_LOCAL_RANK=1 OMPI_COMM_WORLD_RANK=3 PMIX_RANK=3",
	  "jsrun 3/4 1 - 9 - -" },
	{ "LSB_JOBID=9 LSB_JOBINDEX=2 LSF_PM_TASKID=1 LSB_DJOB_NUMPROC=4", "lsf 0/4 - - 9 2 -" },
	{ "LSB_JOBID=9 LSF_PM_TASKID=0", "- -/- - - 9 - -" },
	{ "LSB_JOBID=9", "- -/- - - 9 - -" },
	/* PBS: the script is task 1; Torque numbers the tasks of pbsdsh. */
	{ TORQUE " PBS_TASKNUM=1 PBS_NODENUM=0 PBS_VNODENUM=0", "- -/- - - 7.host - -" },
	{ TORQUE " PBS_TASKNUM=4 PBS_NODENUM=1 PBS_VNODENUM=3", "pbs 3/4 - 1 7.host - -" },
	{ "PBS_JOBID=7.host PBS_TASKNUM=3", "pbs 3/- - - 7.host - -" },
	{ "PBS_JOBID=7[3].host PBS_ARRAY_INDEX=3", "- -/- - - 7.host 3 -" },
	{ "PBS_JOBID=7[3].host PBS_ARRAYID=3", "- -/- - - 7.host 3 -" },
	{ TORQUE " " OPENMPI " PBS_TASKNUM=4 PBS_VNODENUM=1", "openmpi 2/4 1 - 7.host - -" },
	/* PALS with its PMI or PMIx, ALPS. */
	{ "PBS_JOBID=7.host PALS_RANKID=3 PALS_LOCAL_RANKID=1 PALS_NODEID=1 PALS_APID=ab-c "
	  "PMI_RANK=3 PMI_SIZE=4 PMI_LOCAL_RANK=1",
	  "pals 3/4 1 1 7.host - ab-c" },
	{ "PALS_RANKID=3 PALS_LOCAL_RANKID=1 PMIX_RANK=3", "pals 3/- 1 - - - -" },
	{ "ALPS_APP_PE=2", "alps 2/- - - - - -" },
	/* srun with Cray's PMI; heterogeneous jobs. */
	{ "SLURM_JOB_ID=1 SLURM_PROCID=5 PALS_RANKID=5 PALS_NODEID=2 PALS_APID=1.3 " SLURM_STEP,
	  "slurm 5/8 1 2 1 - 3" },
	{ "SLURM_JOB_ID=1 SLURM_HET_SIZE=2 SLURM_PROCID=5 " SLURM_STEP, "slurm 5/- 1 2 1 - 3" },
	/* Fujitsu, Cobalt, OAR, HTCondor. */
	{ "PJM_JOBID=12 PMIX_RANK=3 PLE_RANK_ON_NODE=1 PMIX_NAMESPACE=abc",
	  "fujitsu 3/- 1 - 12 - abc" },
	{ "PJM_JOBID=12 PJM_BULKNUM=4", "- -/- - - 12 4 -" },
	{ "COBALT_JOBID=77 ALPS_APP_PE=2", "alps 2/- - - 77 - -" },
	{ "OAR_JOB_ID=5 OAR_JOBID=5 OAR_ARRAY_ID=5 OAR_ARRAY_INDEX=1 " OPENMPI,
	  "openmpi 2/4 1 - 5 - -" },
	{ "_CONDOR_PROCNO=1 _CONDOR_NPROCS=4", "htcondor 1/4 - - - - -" },
	{ "_CONDOR_PROCNO=1 _CONDOR_NPROCS=4 " HYDRA, "hydra 3/4 1 - - - -" },
	/* Grid Engine. */
	{ "JOB_ID=8 SGE_TASK_ID=undefined", "- -/- - - 8 - -" },
	{ "JOB_ID=8 SGE_TASK_ID=3 " OPENMPI, "openmpi 2/4 1 - 8 3 -" },
	{ "JOB_ID=8", "- -/- - - - - -" },
	/* What is no number, or out of range. */
	{ "OMPI_COMM_WORLD_RANK=x PMI_RANK=1", "pmi 1/- - - - - -" },
	{ "OMPI_COMM_WORLD_RANK=-1", "- -/- - - - - -" },
	{ "OMPI_COMM_WORLD_RANK=1x", "- -/- - - - - -" },
	{ "OMPI_COMM_WORLD_RANK= PMI_RANK=1", "pmi 1/- - - - - -" },
	{ "OMPI_COMM_WORLD_RANK=99999999999999999999999", "- -/- - - - - -" },
	{ "OMPI_COMM_WORLD_RANK=2147483648", "- -/- - - - - -" },
	{ "OMPI_COMM_WORLD_RANK=007 OMPI_COMM_WORLD_SIZE=8", "openmpi 7/8 - - - - -" },
	{ "OMPI_COMM_WORLD_RANK=4 OMPI_COMM_WORLD_SIZE=4", "openmpi 4/- - - - - -" },
	{ "OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_LOCAL_RANK=4",
	  "openmpi 3/4 - - - - -" },
	{ "SLURM_JOB_ID=1 SLURM_ARRAY_TASK_ID=4294967294", "- -/- - - 1 - -" },
};

START_TEST(tells)
{
	environment = cases[_i].environment;
	prof_launch_learn(&l, variable);
	ck_assert_str_eq(told(), cases[_i].told);
	ck_assert(!l.launcher == (l.rank[0] == '\0'));
}
END_TEST

/* ---- hostile values ---------------------------------------------------- */

static char lengthy[10001];

static const char *always_lengthy(const char *name)
{
	(void)name;
	return lengthy;
}

START_TEST(cuts_long_values)
{
	memset(lengthy, _i == 0 ? '9' : 'x', sizeof(lengthy) - 1);
	prof_launch_learn(&l, always_lengthy);
	ck_assert_ptr_null(l.launcher);
	ck_assert_str_eq(l.rank, "");
	ck_assert_str_eq(l.array_task, "");
	ck_assert_uint_eq(strlen(l.job), LAUNCH_TEXT_BYTES - 1);
	/* An e with an acute accent whose second byte would be one too many. */
	memcpy(lengthy + LAUNCH_TEXT_BYTES - 2, "\xc3\xa9", 2);
	prof_launch_learn(&l, always_lengthy);
	ck_assert_uint_eq(strlen(l.job), LAUNCH_TEXT_BYTES - 2);
	/* No character of UTF-8 at all. */
	memset(lengthy, '\x80', sizeof(lengthy) - 1);
	prof_launch_learn(&l, always_lengthy);
	ck_assert_str_eq(l.job, "");
}
END_TEST

static const char *evil(const char *name)
{
	return strcmp(name, "SLURM_JOB_ID") == 0 ? "4\n7\x1b[1\x7f/../x" : NULL;
}

START_TEST(leaves_no_control_characters)
{
	prof_launch_learn(&l, evil);
	ck_assert_str_eq(l.job, "4_7_[1_/../x");
}
END_TEST

START_TEST(counts_restarts)
{
	environment = "SLURM_JOB_ID=1 SLURM_RESTART_COUNT=2";
	prof_launch_learn(&l, variable);
	ck_assert_str_eq(l.restart, "2");
	environment = "SLURM_JOB_ID=1 SLURM_RESTART_COUNT=0";
	prof_launch_learn(&l, variable);
	ck_assert_str_eq(l.restart, "");
}
END_TEST

START_TEST(one_rank_speaks)
{
	prof_launch_learn(&l, evil);
	ck_assert(prof_launch_speaks(&l));
	environment = OPENMPI;
	prof_launch_learn(&l, variable);
	ck_assert(!prof_launch_speaks(&l));
	environment = "PMI_RANK=0";
	prof_launch_learn(&l, variable);
	ck_assert(prof_launch_speaks(&l));
}
END_TEST

START_TEST(reads_this_process)
{
	clearenv();
	setenv("PMI_RANK", "1", 1);
	setenv("PBS_JOBID", "4711.host", 1);
	prof_launch_here(&l);
	ck_assert_str_eq(told(), "pmi 1/- - - 4711.host - -");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("launch");
	TCase *t = tcase_create("launch");

	tcase_add_loop_test(t, tells, 0, (int)(sizeof(cases) / sizeof(*cases)));
	tcase_add_loop_test(t, cuts_long_values, 0, 2);
	tcase_add_test(t, leaves_no_control_characters);
	tcase_add_test(t, counts_restarts);
	tcase_add_test(t, one_rank_speaks);
	tcase_add_test(t, reads_this_process);
	suite_add_tcase(s, t);
	return suite_main(s);
}
