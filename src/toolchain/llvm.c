/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * llvm.c - clang, flang, icx and ifx, whose code calls the entry points of libomp, Intel's and
 * NVIDIA's runtimes, which have them in common.
 */
#include "config.h"

#include <string.h>

#include "src/toolchain/toolchains.h"

static const char *const identities[] = { "LLVM*", "Intel*", NULL };
static const char *const files[] = { "libomp.*", "libomp5.*", "libiomp*", NULL };
static const char *const names[] = { "__kmpc_*", "__kmp_*", "__tgt_*", NULL };
static const char *const linked_names[] = { "kmp_*", "kmpc_*", "___kmp_*", NULL };
static const char *const mangled[] = { "kmp_", "KMP", NULL };
static const char *const target_bodies[] = { "__omp_offloading_*", NULL };
static const char *const noreturn[] = { "__clang_call_terminate", NULL };

static const struct toolchain_entry entries[] = {
	{ "__kmpc_fork_call*", .flags = ENTRY_FORK, .body = ARGUMENT(2) },
	{ "__kmpc_fork_teams", .flags = ENTRY_FORK, .construct = CONSTRUCT_TEAMS,
	  .body = ARGUMENT(2) },
	{ "__kmpc_serialized_parallel", .flags = ENTRY_FORK | ENTRY_IN_PLACE },
	{ "__kmpc_end_serialized_parallel", .flags = ENTRY_FORK },
	{ "__kmpc_push_num_*", .flags = ENTRY_FORK },
	{ "__kmpc_push_proc_bind", .flags = ENTRY_FORK },

	{ "__kmpc_for_static_init*", .construct = CONSTRUCT_FOR_STATIC },
	{ "__kmpc_dist_for_static_init*", .construct = CONSTRUCT_FOR_STATIC },
	{ "__kmpc_distribute_static_init*", .construct = CONSTRUCT_DISTRIBUTE },
	{ "__kmpc_team_static_init*", .construct = CONSTRUCT_DISTRIBUTE },
	{ "__kmpc_dispatch_init*", .flags = ENTRY_SCHEDULE, .construct = CONSTRUCT_FOR },
	{ "__kmpc_dist_dispatch_init*", .flags = ENTRY_SCHEDULE, .construct = CONSTRUCT_FOR },
	{ "__kmpc_master*", .construct = CONSTRUCT_MASTER },
	{ "__kmpc_critical*", .flags = ENTRY_CRITICAL },
	{ "__kmpc_end_critical*", .flags = ENTRY_CRITICAL },
	{ "__kmpc_barrier*", .flags = ENTRY_IDENT },
	{ "__kmpc_cancel_barrier", .flags = ENTRY_IDENT | ENTRY_CANCELS },
	{ "__kmpc_cancel*", .flags = ENTRY_CANCELS },
	{ "__kmpc_end_barrier*", .flags = ENTRY_IDENT },

	{ "__kmpc_taskloop*", .flags = ENTRY_TASK | ENTRY_ALLOCATED,
	  .construct = CONSTRUCT_TASKLOOP },
	{ "__kmpc_omp_task_alloc*", .flags = ENTRY_ALLOCATES },
	{ "__kmpc_omp_task", .flags = ENTRY_TASK | ENTRY_ALLOCATED },
	{ "__kmpc_omp_task_with_deps", .flags = ENTRY_TASK | ENTRY_ALLOCATED },
	{ "__kmpc_omp_task*", .flags = ENTRY_ALLOCATED },
	{ "__tgt_*", .flags = ENTRY_TARGET },
	{ "__kmp_invoke_microtask", .flags = ENTRY_MICROTASK },
};

static const struct toolchain_rule rules[] = {
	{ "__kmpc_reduce*", BARRIERS | LOCKS | NONE, { LEAF_REDUCTION, OMP_WAIT } },
	{ "__kmpc_end_reduce*", BARRIERS | LOCKS | NONE, { LEAF_REDUCTION, OMP_WAIT } },
	{ "__kmpc_reduce*", ANY, { LEAF_REDUCTION, OMP_WORK } },
	{ "__kmpc_end_reduce*", ANY, { LEAF_REDUCTION, OMP_WORK } },
	{ "__kmpc_copyprivate", BARRIERS, { LEAF_IMPLICIT_BARRIER, OMP_WAIT } },

	/* libomp reports no state while it waits for a lock of another kind than queuing:
	   KMP_LOCK_KIND, omp_sync_hint_uncontended. */
	{ "__kmpc_critical*", LOCKS | BUSY, { LEAF_CRITICAL, OMP_WAIT } },
	{ "__kmpc_atomic_*", LOCKS | BUSY, { LEAF_ATOMIC, OMP_WAIT } },
	{ "__kmpc_ordered*", LOCKS | BUSY, { LEAF_ORDERED, OMP_WAIT } },
	{ "__kmpc_set_lock*", LOCKS | BUSY, { LEAF_LOCK, OMP_WAIT } },
	{ "__kmpc_set_nest_lock*", LOCKS | BUSY, { LEAF_LOCK, OMP_WAIT } },

	{ "__kmpc_omp_taskwait_deps*", BUSY, { LEAF_DEPEND, OMP_WAIT } },
	{ "__kmpc_omp_wait_deps", BUSY, { LEAF_DEPEND, OMP_WAIT } },
	{ "__kmpc_omp_taskwait*", BUSY, { LEAF_TASKWAIT, OMP_WAIT } },
	{ "__kmpc_end_taskgroup", BUSY, { LEAF_TASKGROUP, OMP_WAIT } },
	{ "__kmpc_doacross_wait", BUSY, { LEAF_DOACROSS, OMP_WAIT } },

	{ "__kmpc_omp_taskyield", BUSY, { LEAF_OVERHEAD, OMP_OVERHEAD } },
	{ "__kmpc_omp_task*", BUSY, { LEAF_TASK_CREATION, OMP_OVERHEAD } },
	{ "__kmpc_omp_target_task*", BUSY, { LEAF_TASK_CREATION, OMP_OVERHEAD } },
	{ "__kmpc_task*", BUSY, { LEAF_TASK_CREATION, OMP_OVERHEAD } },
	{ "__kmpc_dispatch_*", BUSY, { LEAF_DISPATCH, OMP_OVERHEAD } },
	{ "__kmpc_next_section", BUSY, { LEAF_DISPATCH, OMP_OVERHEAD } },

	{ "__kmpc_fork_call*", NONE, { LEAF_IMPLICIT_BARRIER, OMP_WAIT } },
	{ "__kmpc_barrier*", NONE, { LEAF_IMPLICIT_BARRIER, OMP_WAIT } },
	{ "__kmpc_copyprivate", NONE, { LEAF_IMPLICIT_BARRIER, OMP_WAIT } },
	{ "__tgt_*", BUSY, { LEAF_TARGET, OMP_WAIT } },
};

static const struct toolchain_span spans[] = {
	{ "__kmpc_for_static_init*", ENTERS_ALL, "__kmpc_for_static_fini*", NULL, false },
	{ "__kmpc_dist_for_static_init*", ENTERS_ALL, "__kmpc_for_static_fini*", NULL, false },
	{ "__kmpc_distribute_static_init*", ENTERS_ALL, "__kmpc_distribute_static_fini*", NULL,
	  false },
	{ "__kmpc_dispatch_init*", ENTERS_ALL, NULL, "__kmpc_dispatch_next*", false },
	{ "__kmpc_dist_dispatch_init*", ENTERS_ALL, NULL, "__kmpc_dispatch_next*", false },
	{ "__kmpc_single*", ENTERS_IF_NOT_0, "__kmpc_end_single*", NULL, false },
	{ "__kmpc_master*", ENTERS_IF_NOT_0, "__kmpc_end_master*", NULL, false },
	{ "__kmpc_masked*", ENTERS_IF_NOT_0, "__kmpc_end_masked*", NULL, false },
	{ "__kmpc_critical*", ENTERS_ALL, "__kmpc_end_critical*", NULL, false },
	{ "__kmpc_ordered*", ENTERS_ALL, "__kmpc_end_ordered*", NULL, false },
	{ "__kmpc_taskgroup*", ENTERS_ALL, "__kmpc_end_taskgroup*", NULL, false },
};

/* ---- arguments ------------------------------------------------------- */

enum construct_kind toolchain_schedule(uint64_t number)
{
	/* enum sched_type of kmp.h.  Modifiers (monotonic, nonmonotonic) are the topmost bits; what
	   is distributed, ordered or not merged has its own numbers, 32 apart. */
	switch (number & 0x1fffffff) {
	case 33:
	case 34:
	case 65:
	case 66:
	case 161:
	case 162:
	case 193:
	case 194: return CONSTRUCT_FOR_STATIC;
	case 35:
	case 67:
	case 163:
	case 195: return CONSTRUCT_FOR_DYNAMIC;
	case 36:
	case 42:
	case 43:
	case 68:
	case 164:
	case 196: return CONSTRUCT_FOR_GUIDED;
	case 37:
	case 69:
	case 165:
	case 197: return CONSTRUCT_FOR_RUNTIME;
	case 38:
	case 70:
	case 166:
	case 198: return CONSTRUCT_FOR_AUTO;
	}
	return CONSTRUCT_FOR;
}

enum {
	IDENT_KMPC = 0x02, /* kmp.h, KMP_IDENT_… */
	IDENT_BARRIER_EXPLICIT = 0x20,
	IDENT_BARRIER_IMPLICIT = 0x40,
	IDENT_BARRIER_MASK = 0x1e0,
	IDENT_KNOWN = 0x1fff | 0xff000000,
};

enum barrier_kind toolchain_ident_barrier(const uint32_t words[IDENT_WORDS])
{
	const uint32_t flags = words[1];

	if (words[0] || words[2] || !(flags & IDENT_KMPC) || flags & ~(uint32_t)IDENT_KNOWN)
		return BARRIER_UNKNOWN;
	if ((flags & IDENT_BARRIER_MASK) == IDENT_BARRIER_EXPLICIT)
		return BARRIER_EXPLICIT;
	return flags & IDENT_BARRIER_IMPLICIT ? BARRIER_IMPLICIT : BARRIER_UNKNOWN;
}

/* ---- outlined functions ---------------------------------------------- */

/* The names of clang's helpers contain those of the regions that they belong to. */
static const struct outlined_mark marks[] = {
	{ ".omp.reduction.", ANYWHERE, SYM_OUTLINED_HELPER, 0 },
	{ ".omp.copyprivate.", ANYWHERE, SYM_OUTLINED_HELPER, 0 },
	{ ".omp_task_privates_map.", ANYWHERE, SYM_OUTLINED_HELPER, 0 },
	{ ".omp_task_destructor.", ANYWHERE, SYM_OUTLINED_HELPER, 0 },
	{ ".omp_task_dup.", ANYWHERE, SYM_OUTLINED_HELPER, 0 },
	{ ".red_init.", ANYWHERE, SYM_OUTLINED_HELPER, 0 },
	{ ".red_comb.", ANYWHERE, SYM_OUTLINED_HELPER, 0 },
	{ ".red_fini.", ANYWHERE, SYM_OUTLINED_HELPER, 0 },
	{ ".omp_combiner.", ANYWHERE, SYM_OUTLINED_HELPER, 0 },
	{ ".omp_initializer.", ANYWHERE, SYM_OUTLINED_HELPER, 0 },
	{ "_omp_reduction_", AT_START, SYM_OUTLINED_HELPER, 0 },
	{ ".omp_task_entry.", ANYWHERE, SYM_OUTLINED_TASK, OUTLINED_TASK_ENTRY },
	{ ".omp_outlined", ANYWHERE, SYM_OUTLINED_REGION, 0 },
	{ "__captured_stmt", AT_START, SYM_OUTLINED_REGION, 0 },
	{ "..omp_par", ANYWHERE, SYM_OUTLINED_REGION, 0 }, /* flang */
	{ "..omp_teams", ANYWHERE, SYM_OUTLINED_REGION, 0 },
	{ "..omp_task", ANYWHERE, SYM_OUTLINED_TASK, 0 },
	{ ".DIR.OMP.TASK", ANYWHERE, SYM_OUTLINED_TASK, 0 }, /* icx, ifx */
	{ ".DIR.OMP.", ANYWHERE, SYM_OUTLINED_REGION, 0 },
};

/* __omp_offloading_DEVICE_FILE_main_l12: a target region.  The name of clang's inner function
   with the body has _debug__ appended. */
static bool llvm_outlined(const char *name, struct outlined *o)
{
	static const char mark[] = "__omp_offloading_", debug[] = "_debug__";
	const char *at = name + strlen(mark), *end;
	size_t n;

	if (strncmp(name, mark, strlen(mark)) != 0)
		return false;
	o->kind = SYM_OUTLINED_REGION;
	for (int i = 0; i < 2; i++) {
		at += strspn(at, "0123456789abcdef");
		if (*at++ != '_')
			return true;
	}
	n = strlen(at);
	o->debug = n > strlen(debug) && !strcmp(at + n - strlen(debug), debug);
	if (o->debug)
		n -= strlen(debug);
	end = outlined_number(at, at + n, "_l", &o->line);
	if (end && end > at) {
		o->origin = at;
		o->origin_bytes = (size_t)(end - at);
	}
	return true;
}

static const char *const affinities[] = { "KMP_AFFINITY", "KMP_HW_SUBSET", NULL };

const struct toolchain toolchain_llvm = {
	.name = "LLVM's libomp",
	.identities = identities,
	.files = files,
	.spin_variable = "KMP_BLOCKTIME",
	.spin = { [SPIN_NOT] = "KMP_BLOCKTIME=0",
		  [SPIN_SHORTLY] = "KMP_BLOCKTIME=1",
		  [SPIN_ALWAYS] = "KMP_BLOCKTIME=infinite" },
	.affinities = affinities,
	.names = names,
	.linked_names = linked_names,
	.mangled = mangled,
	.entries = entries,
	.rules = rules,
	.spans = spans,
	.nentries = COUNT(entries),
	.nrules = COUNT(rules),
	.nspans = COUNT(spans),
	.marks = marks,
	.nmarks = COUNT(marks),
	.lists[LIST_TARGET_BODIES] = target_bodies,
	.outlined = llvm_outlined,
	.lists[LIST_NORETURN] = noreturn,
};
