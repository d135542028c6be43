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
	"srun", "sbatch", "salloc", "sattach", "slurmstepd",
	/* Cray: ALPS, PALS */
	"aprun", "palsd",
	/* LSF */
	"jsrun", "blaunch", "lsrun", "bsub",
	/* Flux */
	"flux", "flux-broker", "flux-shell",
	/* PBS, SGE */
	"pbsdsh", "pbs_tmrsh", "pbs_attach", "qsub", "qrsh",
	/* What they reach other nodes by */
	"ssh", "rsh"
};

bool prof_is_starter(const char *path)
{
	const char *slash = strrchr(path, '/');

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(slash ? slash + 1 : path, names[i]) == 0)
			return true;
	return false;
}
