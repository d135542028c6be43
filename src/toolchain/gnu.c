/* SPDX-License-Identifier: BSD-3-Clause */
/* gnu.c - gcc, gfortran and libgomp. */
#include "config.h"

#include "src/toolchain/toolchains.h"

static const char *const identities[] = { "GNU libgomp*", NULL };
static const char *const files[] = { "libgomp*", NULL };
static const char *const names[] = { "GOMP_*", "gomp_*", NULL };

static const char *const noreturn[] = {
	"_gfortran_stop_string",	"_gfortran_stop_numeric",  "_gfortran_error_stop_string",
	"_gfortran_error_stop_numeric", "_gfortran_runtime_error", "_gfortran_runtime_error_at",
	"_gfortran_os_error",		"_gfortran_os_error_at",   NULL,
};

static const char *const outputs[] = { "_gfortran_transfer_*_write", "_gfortran_st_write*", NULL };
static const char *const inputs[] = { "_gfortran_transfer_*", "_gfortran_st_read*", NULL };

static const struct toolchain_entry entries[] = {
	{ "GOMP_cancel*", .flags = ENTRY_CANCELS },
	{ "GOMP_barrier_cancel", .flags = ENTRY_CANCELS, .construct = CONSTRUCT_BARRIER,
	  .gnu = GNU_BARRIER },
	{ "GOMP_barrier*", .construct = CONSTRUCT_BARRIER, .gnu = GNU_BARRIER },
	{ "GOMP_parallel_end", .flags = ENTRY_FORK },
	{ "GOMP_parallel_loop_*runtime*", .flags = ENTRY_FORK, .construct = CONSTRUCT_FOR_RUNTIME,
	  .body = ARGUMENT(0) },
	{ "GOMP_parallel_loop_*static*", .flags = ENTRY_FORK, .construct = CONSTRUCT_FOR_STATIC,
	  .body = ARGUMENT(0) },
	{ "GOMP_parallel_loop_*dynamic*", .flags = ENTRY_FORK, .construct = CONSTRUCT_FOR_DYNAMIC,
	  .body = ARGUMENT(0) },
	{ "GOMP_parallel_loop_*guided*", .flags = ENTRY_FORK, .construct = CONSTRUCT_FOR_GUIDED,
	  .body = ARGUMENT(0) },
	{ "GOMP_parallel_sections*", .flags = ENTRY_FORK, .construct = CONSTRUCT_SECTIONS,
	  .body = ARGUMENT(0), .sections = ARGUMENT(3) },
	{ "GOMP_parallel*", .flags = ENTRY_FORK, .body = ARGUMENT(0) },
	{ "GOMP_teams_reg*", .flags = ENTRY_FORK, .construct = CONSTRUCT_TEAMS,
	  .body = ARGUMENT(0) },
	{ "GOMP_teams*", .flags = ENTRY_FORK },

	{ "GOMP_loop_static_worksharing", .flags = ENTRY_UNPLACED, .gnu = GNU_SHARE_OF },
	{ "GOMP_loop_static_worksharing_start", .flags = ENTRY_UNPLACED,
	  .construct = CONSTRUCT_FOR_STATIC },
	{ "GOMP_loop_static_worksharing_*", .flags = ENTRY_UNPLACED },
	{ "GOMP_distribute_static_worksharing*", .flags = ENTRY_UNPLACED,
	  .construct = CONSTRUCT_DISTRIBUTE },
	{ "GOMP_has_masked_thread_num*", .flags = ENTRY_UNPLACED, .construct = CONSTRUCT_MASKED },
	{ "GOMP_masked_end", .flags = ENTRY_UNPLACED },

	{ "GOMP_loop_end_cancel", .flags = ENTRY_UNPLACED | ENTRY_ITERATIONS | ENTRY_CANCELS,
	  .gnu = GNU_SHARE },
	{ "GOMP_sections_end_cancel", .flags = ENTRY_UNPLACED | ENTRY_CANCELS, .gnu = GNU_SHARE },
	{ "GOMP_loop_*runtime_*", .flags = ENTRY_UNPLACED | ENTRY_ITERATIONS,
	  .construct = CONSTRUCT_FOR_RUNTIME, .gnu = GNU_SHARE },
	{ "GOMP_loop_*static_*", .flags = ENTRY_UNPLACED | ENTRY_ITERATIONS,
	  .construct = CONSTRUCT_FOR_STATIC, .gnu = GNU_SHARE },
	{ "GOMP_loop_*dynamic_*", .flags = ENTRY_UNPLACED | ENTRY_ITERATIONS,
	  .construct = CONSTRUCT_FOR_DYNAMIC, .gnu = GNU_SHARE },
	{ "GOMP_loop_*guided_*", .flags = ENTRY_UNPLACED | ENTRY_ITERATIONS,
	  .construct = CONSTRUCT_FOR_GUIDED, .gnu = GNU_SHARE },
	{ "GOMP_loop_*start*", .flags = ENTRY_UNPLACED | ENTRY_ITERATIONS,
	  .construct = CONSTRUCT_FOR, .gnu = GNU_SHARE },
	{ "GOMP_loop_*", .flags = ENTRY_UNPLACED | ENTRY_ITERATIONS, .gnu = GNU_SHARE },
	{ "GOMP_sections_start*", .flags = ENTRY_UNPLACED, .construct = CONSTRUCT_SECTIONS,
	  .gnu = GNU_SHARE, .sections = ARGUMENT(0) },
	{ "GOMP_sections2_start*", .flags = ENTRY_UNPLACED, .construct = CONSTRUCT_SECTIONS,
	  .gnu = GNU_SHARE, .sections = ARGUMENT(0) },
	{ "GOMP_sections*", .flags = ENTRY_UNPLACED, .gnu = GNU_SHARE },
	{ "GOMP_single_start", .flags = ENTRY_UNPLACED, .gnu = GNU_SINGLE },
	{ "GOMP_single_start_with_end", .flags = ENTRY_UNPLACED | ENTRY_ENDED, .gnu = GNU_SINGLE },
	{ "GOMP_single_copy_start", .flags = ENTRY_UNPLACED, .gnu = GNU_SINGLE_COPY },
	{ "GOMP_single_*", .flags = ENTRY_UNPLACED },
	{ "GOMP_ordered_start*", .flags = ENTRY_UNPLACED },
	{ "GOMP_atomic_start", .gnu = GNU_ATOMIC },
	{ "GOMP_atomic_end", .gnu = GNU_ATOMIC },
	{ "GOMP_critical_start*", .flags = ENTRY_CRITICAL | ENTRY_UNNAMED },
	{ "GOMP_critical_*", .flags = ENTRY_CRITICAL },

	{ "GOMP_task", .flags = ENTRY_TASK, .body = ARGUMENT(0) },
	{ "GOMP_taskloop*", .flags = ENTRY_TASK, .construct = CONSTRUCT_TASKLOOP,
	  .body = ARGUMENT(0) },
	{ "GOMP_taskgroup_start*", .flags = ENTRY_UNPLACED },
	{ "GOMP_target_ext*", .flags = ENTRY_TARGET, .body = ARGUMENT(1) },
	{ "GOMP_target*", .flags = ENTRY_TARGET },
};

static const struct toolchain_rule rules[] = {
	/* gcc also ends loops and single so: the code of the call may show which. */
	{ "GOMP_barrier*", BARRIERS | NONE, { LEAF_BARRIER, OMP_WAIT } },
	{ "GOMP_loop_end_nowait", ANY, { LEAF_DISPATCH, OMP_OVERHEAD } },
	{ "GOMP_sections_end_nowait", ANY, { LEAF_DISPATCH, OMP_OVERHEAD } },
	{ "GOMP_loop_end*", BARRIERS | NONE, { LEAF_IMPLICIT_BARRIER, OMP_WAIT } },
	{ "GOMP_sections_end*", BARRIERS | NONE, { LEAF_IMPLICIT_BARRIER, OMP_WAIT } },
	{ "GOMP_single_copy*", BARRIERS | NONE, { LEAF_IMPLICIT_BARRIER, OMP_WAIT } },
	{ "GOMP_workshare_task_reduction*", BARRIERS | NONE, { LEAF_IMPLICIT_BARRIER, OMP_WAIT } },
	/* The frame that called GOMP_barrier is gone with a tail call. */
	{ "GOMP_*", S(BARRIER_EXPLICIT), { LEAF_BARRIER, OMP_WAIT } },

	{ "GOMP_critical_start", LOCKS | BUSY, { LEAF_CRITICAL, OMP_WAIT } },
	{ "GOMP_critical_name_start", LOCKS | BUSY, { LEAF_CRITICAL, OMP_WAIT } },
	{ "GOMP_atomic_start", LOCKS | BUSY, { LEAF_ATOMIC, OMP_WAIT } },
	{ "GOMP_ordered_start", LOCKS | BUSY, { LEAF_ORDERED, OMP_WAIT } },

	{ "GOMP_taskwait_depend*", BUSY | S(TASKWAIT), { LEAF_DEPEND, OMP_WAIT } },
	{ "GOMP_taskwait", BUSY, { LEAF_TASKWAIT, OMP_WAIT } },
	{ "GOMP_taskgroup_end", BUSY, { LEAF_TASKGROUP, OMP_WAIT } },
	{ "GOMP_doacross_wait", BUSY | S(ORDERED), { LEAF_DOACROSS, OMP_WAIT } },
	{ "GOMP_doacross_ull_wait", BUSY | S(ORDERED), { LEAF_DOACROSS, OMP_WAIT } },

	/* An undeferred task's dependences. */
	{ "GOMP_task", S(TASKWAIT), { LEAF_DEPEND, OMP_WAIT } },
	{ "GOMP_task", BUSY, { LEAF_TASK_CREATION, OMP_OVERHEAD } },
	{ "GOMP_taskloop*", BUSY, { LEAF_TASK_CREATION, OMP_OVERHEAD } },
	{ "GOMP_taskgroup_start", BUSY, { LEAF_TASK_CREATION, OMP_OVERHEAD } },
	{ "GOMP_loop_*", BUSY, { LEAF_DISPATCH, OMP_OVERHEAD } },
	{ "GOMP_sections*", BUSY, { LEAF_DISPATCH, OMP_OVERHEAD } },

	/* Without OMPT: most of GOMP_parallel's own time is the wait at the region's end, and
	   nothing distinguishes it from the rest. */
	{ "GOMP_parallel*", NONE, { LEAF_IMPLICIT_BARRIER, OMP_WAIT } },
	{ "GOMP_target*", BUSY, { LEAF_TARGET, OMP_WAIT } },
};

static const struct toolchain_span spans[] = {
	{ "GOMP_loop_static_worksharing_start", ENTERS_ALL, "GOMP_loop_static_worksharing_end",
	  "GOMP_loop_static_worksharing_dispatch", false },
	{ "GOMP_distribute_static_worksharing_start", ENTERS_ALL,
	  "GOMP_distribute_static_worksharing_end", "GOMP_distribute_static_worksharing_dispatch",
	  false },
	{ "GOMP_single_start_with_end", ENTERS_IF_NOT_0, "GOMP_single_end", NULL, false },
	{ "GOMP_has_masked_thread_num_with_end", ENTERS_IF_NOT_0, "GOMP_masked_end", NULL, false },
	{ "GOMP_loop_*start*", ENTERS_IF_NOT_0, "GOMP_loop_end*", "GOMP_loop_*next*", false },
	{ "GOMP_sections*_start*", ENTERS_ALL, "GOMP_sections_end*", NULL, false },
	{ "GOMP_single_start*", ENTERS_IF_NOT_0, NULL, NULL, true },
	{ "GOMP_single_copy_start*", ENTERS_IF_0, "GOMP_single_copy_end*", NULL, false },
	{ "GOMP_critical_start*", ENTERS_ALL, "GOMP_critical_end*", NULL, false },
	{ "GOMP_critical_name_start*", ENTERS_ALL, "GOMP_critical_name_end*", NULL, false },
	{ "GOMP_ordered_start*", ENTERS_ALL, "GOMP_ordered_end*", NULL, false },
	{ "GOMP_taskgroup_start*", ENTERS_ALL, "GOMP_taskgroup_end*", NULL, false },
};

static const struct outlined_mark marks[] = {
	{ "._omp_cpyfn.", ANYWHERE, SYM_OUTLINED_HELPER, 0 },
	{ "._omp_fn.", ANYWHERE, SYM_OUTLINED_REGION, OUTLINED_GNU },
	{ "._loopfn.", ANYWHERE, SYM_OUTLINED_REGION, 0 }, /* -ftree-parallelize-loops */
};

static const char *const affinities[] = { "GOMP_CPU_AFFINITY", NULL };

const struct toolchain toolchain_gnu = {
	.name = "GCC's libgomp",
	.identities = identities,
	.files = files,
	.producer = "libomphwc-gomp.so",
	.traits = RUNTIME_NO_CANCEL | RUNTIME_NO_SINGLE_END | RUNTIME_ONE_BARRIER |
		  RUNTIME_STATIC_LOOPS | RUNTIME_DYNAMIC | RUNTIME_TEAM_FORKS,
	.barrier = "GOMP_barrier",
	.taskwait = "GOMP_taskwait",
	.device = "libgomp-plugin-*",
	.spin_variable = "GOMP_SPINCOUNT",
	.spin = { [SPIN_NOT] = "GOMP_SPINCOUNT=0",
		  [SPIN_SHORTLY] = "GOMP_SPINCOUNT=10000",
		  [SPIN_ALWAYS] = "GOMP_SPINCOUNT=infinity" },
	.affinities = affinities,
	.names = names,
	.entries = entries,
	.rules = rules,
	.spans = spans,
	.nentries = COUNT(entries),
	.nrules = COUNT(rules),
	.nspans = COUNT(spans),
	.marks = marks,
	.nmarks = COUNT(marks),
	.lists[LIST_NORETURN] = noreturn,
	.lists[LIST_OUTPUT] = outputs,
	.lists[LIST_INPUT] = inputs,
};
