/* SPDX-License-Identifier: BSD-3-Clause */
/* leaf.c - the names of leaves and classes. */
#include "config.h"

#include "src/model/leaf.h"

#include <stddef.h>

static const struct leaf_info {
	const char *function, *label;
} infos[LEAFS] = {
	[LEAF_SERIAL] = { NULL, "serial work" },
	[LEAF_PARALLEL] = { NULL, "parallel work" },
	[LEAF_OUTSIDE] = { NULL, "work without OpenMP" },
	[LEAF_UNDEFINED] = { NULL, "unknown state (counted as work)" },
	[LEAF_REDUCTION] = { "<OMP-reduction>", "reduction" },
	[LEAF_IDLE] = { "<OMP-idle>", "idle" },
	[LEAF_IMPLICIT_BARRIER] = { "<OMP-implicit_barrier>", "implicit barrier" },
	[LEAF_EXPLICIT_BARRIER] = { "<OMP-explicit_barrier>", "explicit barrier" },
	[LEAF_BARRIER] = { "<OMP-barrier>", "barrier (explicit or at a construct's end)" },
	[LEAF_LOCK] = { "<OMP-lock_wait>", "lock wait" },
	[LEAF_CRITICAL] = { "<OMP-critical_section_wait>", "critical section wait" },
	[LEAF_ORDERED] = { "<OMP-ordered_section_wait>", "ordered section wait" },
	[LEAF_ATOMIC] = { "<OMP-atomic_wait>", "atomic wait" },
	[LEAF_TASKWAIT] = { "<OMP-taskwait>", "taskwait" },
	[LEAF_TASKGROUP] = { "<OMP-taskgroup_wait>", "taskgroup wait" },
	[LEAF_DEPEND] = { "<OMP-depend_wait>", "depend wait" },
	[LEAF_DOACROSS] = { "<OMP-doacross_wait>", "doacross wait" },
	[LEAF_TARGET] = { "<OMP-target_wait>", "target wait" },
	[LEAF_FORK_JOIN] = { "<OMP-fork_join>", "fork and join" },
	[LEAF_DISPATCH] = { "<OMP-dispatch>", "dispatch of iterations" },
	[LEAF_TASK_CREATION] = { "<OMP-task_creation>", "task creation" },
	[LEAF_OVERHEAD] = { "<OMP-overhead>", "overhead" },
	[LEAF_MPI] = { NULL, "MPI" },
	[LEAF_MPI_THREAD] = { "<MPI-progress_thread>", "MPI's own threads" },
	[LEAF_BLOCKED] = { NULL, "blocked" },
	[LEAF_READY] = { NULL, "without a CPU" },
};

const char *leaf_function(enum omp_leaf leaf)
{
	return leaf < LEAFS ? infos[leaf].function : NULL;
}

const char *leaf_label(enum omp_leaf leaf)
{
	return leaf < LEAFS ? infos[leaf].label : "unknown";
}

const char *omp_class_name(enum omp_class class)
{
	static const char *const names[OMP_CLASSES] = { "work", "wait", "overhead", "mpi",
							"blocked" };

	return class < OMP_CLASSES ? names[class] : "unknown";
}

unsigned omp_classes_count(unsigned classes)
{
	unsigned n = 0;

	for (unsigned c = 0; c < OMP_CLASSES; c++)
		n += omp_has_class(classes, c);
	return n;
}

unsigned omp_class_index(unsigned classes, unsigned class)
{
	return omp_classes_count(classes & (OMP_CLASS(class) - 1));
}
