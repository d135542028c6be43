/* SPDX-License-Identifier: BSD-3-Clause */
/* starter.c - see starter.h. */
#include "config.h"

#include "src/profile/starter.h"

#include <stddef.h>
#include <string.h>

static const char *const names[] = {
	/* Open MPI, PRRTE, OpenSHMEM */
	"mpirun", "mpiexec", "orterun", "orted", "prterun", "prte", "prted", "prun", "psched",
	"oshrun",
	/* MPICH, Intel MPI, MVAPICH */
	"mpiexec.hydra", "hydra_pmi_proxy", "hydra_bstrap_proxy", "hydra_nameserver", "pmi_proxy",
	"mpiexec.gforker", "mpirun_rsh", "mpispawn",
	/* Slurm */
	"srun", "salloc", "sattach", "slurmstepd",
	/* Cray: ALPS, PALS */
	"aprun", "palsd",
	/* LSF */
	"jsrun", "blaunch", "lsrun",
	/* Flux */
	"flux", "flux-broker", "flux-shell",
	/* PBS, SGE */
	"pbsdsh", "pbs_tmrsh", "pbs_attach", "qrsh",
	/* What they reach other nodes by */
	"ssh", "rsh",
	/* In a script that is profiled */
	"ompcount"
};

static const char *const submitters[] = { "sbatch", "qsub", "bsub" };

static bool is_one_of(const char *path, const char *const *all, size_t n)
{
	const char *slash = strrchr(path, '/');

	for (size_t i = 0; i < n; i++)
		if (strcmp(slash ? slash + 1 : path, all[i]) == 0)
			return true;
	return false;
}

bool prof_is_submitter(const char *path)
{
	return is_one_of(path, submitters, sizeof(submitters) / sizeof(submitters[0]));
}

bool prof_is_starter(const char *path)
{
	return prof_is_submitter(path) || is_one_of(path, names, sizeof(names) / sizeof(names[0]));
}
