/* SPDX-License-Identifier: BSD-3-Clause */
/* model_runs.c - of how many runs a model's processes are. */
#include "config.h"

#include <stdlib.h>

#include "src/model/model.h"
#include "src/model/run_of.h"

#include "src/base/alloc.h"

size_t model_runs(const struct model *m)
{
	struct run_of *all = alloc_zeroed(m->nprocesses + 1, sizeof(*all));
	size_t *run = alloc_zeroed(m->nprocesses + 1, sizeof(*run)), n = 0, nruns = 0;

	/* What reports nothing is not known to be of another run. */
	for (size_t i = 0; i < m->nprocesses; i++) {
		all[n] = run_of(m->processes[i].file);
		n += run_of_is_known(&all[n]);
	}
	run_of_group(all, n, run, &nruns);
	if (nruns == 0)
		nruns = 1;
	free(run);
	free(all);
	return nruns;
}
