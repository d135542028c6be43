/* SPDX-License-Identifier: BSD-3-Clause */
/* check_leaf.c - what a thread was doing, for all kinds of evidence. */
#include "config.h"

#include <check.h>
#include <stdlib.h>

#include "src/toolchain/toolchain.h"
#include "src/view/build/verdict.h"
#include "tests/support/suite_main.h"

struct expectation {
	struct leaf_evidence e;
	enum omp_leaf leaf;
	enum omp_class class;
};

/* In the runtime, called through this entry. */
#define IN(s, name) .e = { .state = PROF_STATE_##s, .entry = name, .in_runtime = true }

static const struct expectation expectations[] = {
	/* The user's own code */
	{ .e = { .state = PROF_STATE_SERIAL }, LEAF_SERIAL, OMP_WORK },
	{ .e = { .state = PROF_STATE_PARALLEL }, LEAF_PARALLEL, OMP_WORK },
	{ .e = { .state = PROF_STATE_NO_OPENMP }, LEAF_OUTSIDE, OMP_WORK },
	{ .e = { .state = PROF_STATE_UNDEFINED }, LEAF_UNDEFINED, OMP_WORK },
	/* The C library's spin lock, and another function of its */
	{ .e = { .state = PROF_STATE_PARALLEL, .library = "pthread_spin_lock" },
	  LEAF_LOCK,
	  OMP_WAIT },
	{ .e = { .state = PROF_STATE_PARALLEL, .library = "pthread_mutex_lock" },
	  LEAF_LOCK,
	  OMP_WAIT },
	{ .e = { .state = PROF_STATE_PARALLEL, .library = "pthread_mutex_lock", .asleep = true },
	  LEAF_BLOCKED,
	  OMP_BLOCKED },
	{ .e = { .state = PROF_STATE_PARALLEL, .library = "pthread_mutex_unlock" },
	  LEAF_PARALLEL,
	  OMP_WORK },
	{ .e = { .state = PROF_STATE_PARALLEL, .library = "pthread_spin_lock", .alone = true },
	  LEAF_PARALLEL,
	  OMP_WORK },
	/* libomp 14's one state for three barriers */
	{ IN(BARRIER, "__kmpc_barrier"), LEAF_IMPLICIT_BARRIER, OMP_WAIT },
	{ .e = { .state = PROF_STATE_BARRIER,
		 .entry = "__kmpc_barrier",
		 .in_runtime = true,
		 .barrier = BARRIER_EXPLICIT },
	  LEAF_EXPLICIT_BARRIER,
	  OMP_WAIT },
	{ .e = { .state = PROF_STATE_BARRIER,
		 .entry = "__kmpc_barrier",
		 .in_runtime = true,
		 .barrier = BARRIER_IMPLICIT },
	  LEAF_IMPLICIT_BARRIER,
	  OMP_WAIT },
	/* gcc's, also at the end of loops: the code shows, and no state */
	{ IN(BARRIER, "GOMP_barrier"), LEAF_BARRIER, OMP_WAIT },
	{ IN(BARRIER_EXPLICIT, "__kmp_api_GOMP_barrier"), LEAF_BARRIER, OMP_WAIT },
	{ .e = { .state = PROF_STATE_BARRIER_EXPLICIT,
		 .entry = "__kmp_api_GOMP_barrier",
		 .in_runtime = true,
		 .barrier = BARRIER_IMPLICIT },
	  LEAF_IMPLICIT_BARRIER,
	  OMP_WAIT },
	{ .e = { .state = PROF_STATE_BARRIER_IMPL,
		 .entry = "GOMP_barrier",
		 .in_runtime = true,
		 .barrier = BARRIER_EXPLICIT },
	  LEAF_EXPLICIT_BARRIER,
	  OMP_WAIT },
	{ .e = { .state = PROF_STATE_BARRIER,
		 .entry = "GOMP_barrier",
		 .in_runtime = true,
		 .barrier = BARRIER_IMPLICIT },
	  LEAF_IMPLICIT_BARRIER,
	  OMP_WAIT },
	{ IN(BARRIER_IMPL, "GOMP_loop_end"), LEAF_IMPLICIT_BARRIER, OMP_WAIT },
	{ IN(BARRIER_IMPL, "__kmpc_copyprivate"), LEAF_IMPLICIT_BARRIER, OMP_WAIT },
	{ IN(BARRIER, "__kmpc_reduce"), LEAF_REDUCTION, OMP_WAIT },
	{ IN(BARRIER_IMPL, "__kmpc_end_reduce"), LEAF_REDUCTION, OMP_WAIT },
	{ IN(PARALLEL, "__kmpc_reduce_nowait"), LEAF_REDUCTION, OMP_WORK },
	/* libomp 19 reports */
	{ IN(BARRIER_EXPLICIT, "__kmpc_barrier"), LEAF_EXPLICIT_BARRIER, OMP_WAIT },
	{ IN(BARRIER_WORKSHARE, "__kmpc_barrier"), LEAF_IMPLICIT_BARRIER, OMP_WAIT },
	{ .e = { .state = PROF_STATE_BARRIER_EXPLICIT,
		 .entry = "__kmpc_barrier",
		 .in_runtime = true,
		 .barrier = BARRIER_IMPLICIT },
	  LEAF_EXPLICIT_BARRIER,
	  OMP_WAIT },
	{ IN(BARRIER_IMPLICIT, NULL), LEAF_IMPLICIT_BARRIER, OMP_WAIT },
	{ IN(BARRIER_TEAMS, NULL), LEAF_IMPLICIT_BARRIER, OMP_WAIT },
	/* Locks: one state for all */
	{ IN(LOCK, "__kmpc_critical"), LEAF_CRITICAL, OMP_WAIT },
	{ IN(LOCK, "__kmpc_critical_with_hint"), LEAF_CRITICAL, OMP_WAIT },
	{ IN(LOCK, "GOMP_critical_name_start"), LEAF_CRITICAL, OMP_WAIT },
	{ IN(LOCK, "omp_set_lock"), LEAF_LOCK, OMP_WAIT },
	{ IN(LOCK, "omp_set_nest_lock"), LEAF_LOCK, OMP_WAIT },
	/* Kinds of locks of which no state is reported */
	{ IN(PARALLEL, "omp_set_lock"), LEAF_LOCK, OMP_WAIT },
	{ IN(OVERHEAD, "omp_set_nest_lock_"), LEAF_LOCK, OMP_WAIT },
	{ IN(SERIAL, "__kmpc_set_lock"), LEAF_LOCK, OMP_WAIT },
	{ IN(PARALLEL, "__kmpc_critical_with_hint"), LEAF_CRITICAL, OMP_WAIT },
	{ IN(OVERHEAD, "__kmp_api_GOMP_critical_start"), LEAF_CRITICAL, OMP_WAIT },
	{ IN(PARALLEL, "__kmpc_ordered"), LEAF_ORDERED, OMP_WAIT },
	{ IN(OVERHEAD, "GOMP_ordered_start"), LEAF_ORDERED, OMP_WAIT },
	{ IN(PARALLEL, "omp_unset_lock"), LEAF_OVERHEAD, OMP_OVERHEAD },
	{ IN(PARALLEL, "__kmpc_end_critical"), LEAF_OVERHEAD, OMP_OVERHEAD },
	{ IN(PARALLEL, "omp_test_lock"), LEAF_OVERHEAD, OMP_OVERHEAD },
	{ IN(LOCK, NULL), LEAF_LOCK, OMP_WAIT },
	{ IN(MUTEX, NULL), LEAF_LOCK, OMP_WAIT },
	{ IN(CRITICAL, NULL), LEAF_CRITICAL, OMP_WAIT },
	{ IN(ATOMIC, NULL), LEAF_ATOMIC, OMP_WAIT },
	{ IN(ORDERED, NULL), LEAF_ORDERED, OMP_WAIT },
	{ IN(REDUCTION, NULL), LEAF_REDUCTION, OMP_WORK },
	{ IN(LOCK, "GOMP_atomic_start"), LEAF_ATOMIC, OMP_WAIT },
	{ IN(PARALLEL, "__kmpc_atomic_cmplx8_add"), LEAF_ATOMIC, OMP_WAIT },
	{ IN(ORDERED, "__kmpc_ordered"), LEAF_ORDERED, OMP_WAIT },
	{ .e = { .state = PROF_STATE_LOCK,
		 .in_runtime = true,
		 .object = ".gomp_critical_user_queue.var" },
	  LEAF_CRITICAL,
	  OMP_WAIT },
	{ .e = { .state = PROF_STATE_LOCK,
		 .in_runtime = true,
		 .object = ".gomp_critical_user_.reduction.var" },
	  LEAF_REDUCTION,
	  OMP_WAIT },
	{ .e = { .state = PROF_STATE_LOCK,
		 .entry = "__kmpc_critical",
		 .in_runtime = true,
		 .object = ".gomp_critical_user_.atomic_reduction.var" },
	  LEAF_REDUCTION,
	  OMP_WAIT },
	{ .e = { .state = PROF_STATE_LOCK, .in_runtime = true, .object = "mutex" },
	  LEAF_LOCK,
	  OMP_WAIT },
	/* States that say work where the thread waits */
	{ IN(PARALLEL, "__kmpc_omp_taskwait"), LEAF_TASKWAIT, OMP_WAIT },
	{ IN(SERIAL, "GOMP_taskwait"), LEAF_TASKWAIT, OMP_WAIT },
	{ IN(PARALLEL, "__kmpc_end_taskgroup"), LEAF_TASKGROUP, OMP_WAIT },
	{ .e = { .state = PROF_STATE_PARALLEL,
		 .entry = "GOMP_taskloop",
		 .inner = "__kmpc_end_taskgroup",
		 .in_runtime = true },
	  LEAF_TASKGROUP,
	  OMP_WAIT },
	{ IN(PARALLEL, "GOMP_taskloop"), LEAF_TASK_CREATION, OMP_OVERHEAD },
	{ IN(PARALLEL, "__kmpc_omp_wait_deps"), LEAF_DEPEND, OMP_WAIT },
	{ IN(PARALLEL, "__kmpc_omp_taskwait_deps_51"), LEAF_DEPEND, OMP_WAIT },
	{ IN(PARALLEL, "__kmpc_doacross_wait"), LEAF_DOACROSS, OMP_WAIT },
	{ IN(TASKWAIT, NULL), LEAF_TASKWAIT, OMP_WAIT },
	{ IN(TASKGROUP, NULL), LEAF_TASKGROUP, OMP_WAIT },
	{ IN(TARGET, NULL), LEAF_TARGET, OMP_WAIT },
	{ IN(SERIAL, "GOMP_target_ext"), LEAF_TARGET, OMP_WAIT },
	{ .e = { .state = PROF_STATE_SERIAL,
		 .entry = "GOMP_target_ext",
		 .in_runtime = true,
		 .no_device = true },
	  LEAF_OVERHEAD,
	  OMP_OVERHEAD },
	{ .e = { .state = PROF_STATE_TARGET,
		 .entry = "GOMP_target_ext",
		 .in_runtime = true,
		 .no_device = true },
	  LEAF_TARGET,
	  OMP_WAIT },
	/* The runtime's own work */
	{ IN(PARALLEL, "__kmpc_dispatch_next_4"), LEAF_DISPATCH, OMP_OVERHEAD },
	{ IN(PARALLEL, "GOMP_loop_nonmonotonic_dynamic_next"), LEAF_DISPATCH, OMP_OVERHEAD },
	{ IN(PARALLEL, "GOMP_loop_end_nowait"), LEAF_DISPATCH, OMP_OVERHEAD },
	{ IN(PARALLEL, "__kmpc_omp_task_alloc"), LEAF_TASK_CREATION, OMP_OVERHEAD },
	{ IN(PARALLEL, "__kmpc_omp_task_with_deps"), LEAF_TASK_CREATION, OMP_OVERHEAD },
	{ IN(PARALLEL, "GOMP_task"), LEAF_TASK_CREATION, OMP_OVERHEAD },
	{ IN(PARALLEL, "__kmpc_omp_taskyield"), LEAF_OVERHEAD, OMP_OVERHEAD },
	{ IN(OVERHEAD, "__kmpc_fork_call"), LEAF_FORK_JOIN, OMP_OVERHEAD },
	{ IN(SERIAL, "GOMP_parallel"), LEAF_FORK_JOIN, OMP_OVERHEAD },
	{ IN(PARALLEL, "omp_get_thread_num"), LEAF_OVERHEAD, OMP_OVERHEAD },
	{ IN(PARALLEL, NULL), LEAF_OVERHEAD, OMP_OVERHEAD },
	{ IN(OVERHEAD, NULL), LEAF_OVERHEAD, OMP_OVERHEAD },
	{ .e = { .state = PROF_STATE_PARALLEL, .in_runtime = true, .bodiless = true },
	  LEAF_FORK_JOIN,
	  OMP_OVERHEAD },
	{ .e = { .state = PROF_STATE_BARRIER_IMPLICIT, .in_runtime = true, .bodiless = true },
	  LEAF_IMPLICIT_BARRIER,
	  OMP_WAIT },
	{ .e = { .state = PROF_STATE_PARALLEL,
		 .entry = "__kmpc_barrier",
		 .in_runtime = true,
		 .bodiless = true },
	  LEAF_FORK_JOIN,
	  OMP_OVERHEAD },
	{ .e = { .state = PROF_STATE_OVERHEAD }, LEAF_OVERHEAD, OMP_OVERHEAD },
	{ .e = { .state = PROF_STATE_OVERHEAD, .users = true }, LEAF_PARALLEL, OMP_WORK },
	/* Nobody has the lock, unless the thread itself */
	{ .e = { .state = PROF_STATE_PARALLEL,
		 .entry = "omp_set_lock",
		 .in_runtime = true,
		 .alone = true },
	  LEAF_OVERHEAD,
	  OMP_OVERHEAD },
	{ .e = { .state = PROF_STATE_CRITICAL,
		 .entry = "GOMP_critical_start",
		 .in_runtime = true,
		 .alone = true },
	  LEAF_OVERHEAD,
	  OMP_OVERHEAD },
	{ .e = { .state = PROF_STATE_LOCK,
		 .entry = "omp_set_lock",
		 .in_runtime = true,
		 .alone = true,
		 .asleep = true },
	  LEAF_LOCK,
	  OMP_WAIT },
	{ .e = { .state = PROF_STATE_BARRIER,
		 .entry = "__kmpc_barrier",
		 .in_runtime = true,
		 .alone = true },
	  LEAF_IMPLICIT_BARRIER,
	  OMP_WAIT },
	/* Asleep: not work, and in the runtime its own wait */
	{ .e = { .state = PROF_STATE_PARALLEL, .asleep = true }, LEAF_BLOCKED, OMP_BLOCKED },
	{ .e = { .state = PROF_STATE_OVERHEAD, .users = true, .asleep = true },
	  LEAF_BLOCKED,
	  OMP_BLOCKED },
	{ .e = { .state = PROF_STATE_BARRIER,
		 .entry = "__kmpc_reduce",
		 .callback = true,
		 .asleep = true },
	  LEAF_BLOCKED,
	  OMP_BLOCKED },
	{ .e = { .state = PROF_STATE_OVERHEAD,
		 .entry = "__kmpc_reduce",
		 .in_runtime = true,
		 .asleep = true },
	  LEAF_REDUCTION,
	  OMP_WAIT },
	{ .e = { .state = PROF_STATE_OVERHEAD, .in_runtime = true, .asleep = true },
	  LEAF_OVERHEAD,
	  OMP_OVERHEAD },
	{ .e = { .state = PROF_STATE_IDLE, .asleep = true }, LEAF_IDLE, OMP_WAIT },
	/* Without a CPU: neither work nor the runtime's, but a wait is one */
	{ .e = { .state = PROF_STATE_PARALLEL, .ready = true }, LEAF_READY, OMP_BLOCKED },
	{ .e = { .state = PROF_STATE_OVERHEAD, .in_runtime = true, .ready = true },
	  LEAF_READY,
	  OMP_BLOCKED },
	{ .e = { .state = PROF_STATE_IDLE, .ready = true }, LEAF_IDLE, OMP_WAIT },
	{ .e = { .state = PROF_STATE_SERIAL, .in_mpi = true, .ready = true }, LEAF_MPI, OMP_MPI },
	/* MPI, whatever OpenMP's state */
	{ .e = { .state = PROF_STATE_SERIAL, .in_mpi = true }, LEAF_MPI, OMP_MPI },
	{ .e = { .state = PROF_STATE_PARALLEL, .in_mpi = true, .callback = true },
	  LEAF_MPI,
	  OMP_MPI },
	{ .e = { .state = PROF_STATE_NO_OPENMP, .in_mpi = true, .mpi_thread = true },
	  LEAF_MPI_THREAD,
	  OMP_WAIT },
	{ .e = { .state = PROF_STATE_OVERHEAD, .users = true, .in_runtime = true },
	  LEAF_OVERHEAD,
	  OMP_OVERHEAD },
	{ IN(IDLE, "__kmp_launch_worker"), LEAF_IDLE, OMP_WAIT },
	/* A runtime without OMPT */
	{ .e = { .state = PROF_STATE_NO_OPENMP, .in_runtime = true, .no_user_frames = true },
	  LEAF_IDLE,
	  OMP_WAIT },
	{ IN(NO_OPENMP, "GOMP_critical_start"), LEAF_CRITICAL, OMP_WAIT },
	{ IN(NO_OPENMP, "GOMP_parallel"), LEAF_IMPLICIT_BARRIER, OMP_WAIT },
	{ IN(NO_OPENMP, "GOMP_barrier"), LEAF_BARRIER, OMP_WAIT },
	/* User code that the runtime called */
	{ .e = { .state = PROF_STATE_BARRIER,
		 .entry = "__kmpc_reduce",
		 .callback = true,
		 .helper = true },
	  LEAF_REDUCTION,
	  OMP_WORK },
	{ .e = { .state = PROF_STATE_BARRIER, .entry = "__kmpc_reduce", .callback = true },
	  LEAF_PARALLEL,
	  OMP_WORK },
	{ .e = { .state = PROF_STATE_SERIAL, .entry = "omp_x", .callback = true },
	  LEAF_SERIAL,
	  OMP_WORK },
};

START_TEST(leaf_is_decided)
{
	const struct expectation *x = &expectations[_i];
	struct leaf_verdict v = leaf_decide(&x->e);

	ck_assert_msg(v.leaf == x->leaf && v.class == x->class, "state %d, entry %s: %s, %s",
		      x->e.state, x->e.entry ? x->e.entry : "-", leaf_label(v.leaf),
		      omp_class_name(v.class));
}
END_TEST

/* Whatever a file says, there is an answer, and it has a name. */
START_TEST(leaf_always_answers)
{
	static const char *const entries[] = { NULL, "", "*", "__kmpc_", "GOMP_barrier", "x" };

	for (unsigned s = 0; s < PROF_STATES; s++)
		for (size_t i = 0; i < sizeof(entries) / sizeof(*entries); i++)
			for (unsigned bits = 0; bits < 128; bits++) {
				const struct leaf_evidence e = {
					.state = (enum prof_state)s,
					.entry = entries[i],
					.in_runtime = bits & 1,
					.callback = bits & 2,
					.helper = bits & 4,
					.no_user_frames = bits & 8,
					.bodiless = bits & 16,
					.asleep = bits & 32,
					.alone = bits & 64,
				};
				struct leaf_verdict v = leaf_decide(&e);

				ck_assert_uint_lt(v.leaf, LEAFS);
				ck_assert_uint_lt(v.class, OMP_CLASSES);
				ck_assert_ptr_nonnull(leaf_label(v.leaf));
				ck_assert(!e.asleep || v.class != OMP_WORK);
			}
}
END_TEST

static bool is_fork(const char *entry)
{
	return toolchain_entry(entry)->flags & ENTRY_FORK;
}

START_TEST(leaf_knows_forks)
{
	ck_assert(is_fork("__kmpc_fork_call"));
	ck_assert(is_fork("GOMP_parallel_loop_dynamic"));
	ck_assert(is_fork("__kmp_api_GOMP_parallel"));
	ck_assert(!is_fork("__kmpc_barrier"));
	ck_assert(!is_fork(NULL));
	ck_assert(toolchain_is_runtime_name("gomp_team_end"));
	ck_assert(!toolchain_is_runtime_name("omp_my_function"));
	/* In an executable that has a runtime in it, also what else a runtime has. */
	ck_assert(toolchain_is_linked_runtime_name("__kmp_launch_thread"));
	ck_assert(toolchain_is_linked_runtime_name("omp_get_num_threads"));
	ck_assert(
		toolchain_is_linked_runtime_name("_ZL29__kmp_hyper_barrier_release12barrier_type"));
	ck_assert(toolchain_is_linked_runtime_name("_ZN11KMPAffinity4MaskD2Ev"));
	ck_assert(!toolchain_is_linked_runtime_name("omp_my_function"));
	ck_assert(!toolchain_is_linked_runtime_name("solve"));
	ck_assert(!toolchain_is_linked_runtime_name("_ZN5solve3runEv"));
	ck_assert(!toolchain_is_linked_runtime_name(NULL));
}
END_TEST

START_TEST(a_call_by_the_linkage_table_is_the_same)
{
	ck_assert(toolchain_entry("GOMP_task@plt")->flags & ENTRY_TASK);
	ck_assert(toolchain_entry("__kmpc_omp_task@plt")->flags & ENTRY_TASK);
	ck_assert(!(toolchain_entry("GOMP_taskwait@plt")->flags & ENTRY_TASK));
	ck_assert_int_eq(toolchain_entry("GOMP_loop_ull_dynamic_start@plt")->construct,
			 CONSTRUCT_FOR_DYNAMIC);
}
END_TEST

START_TEST(a_runtime_is_known_by_its_identity)
{
	const struct toolchain *gnu = toolchain_of_runtime("GNU libgomp 4.5");
	const struct toolchain *llvm = toolchain_of_runtime("LLVM OMP version: 5.0.20140926");
	const struct toolchain *unknown = toolchain_of_runtime("a runtime");

	ck_assert(gnu->traits & RUNTIME_ONE_BARRIER);
	ck_assert_str_eq(llvm->spin[SPIN_NOT], "KMP_BLOCKTIME=0");
	ck_assert_ptr_eq(toolchain_of_file("libgomp-a34b3233.so.1.0.0"), gnu);
	ck_assert_ptr_eq(toolchain_of_file("libiomp5.so"), llvm);
	ck_assert_ptr_eq(toolchain_of_file("libomphwc-gomp.so"), unknown);
	ck_assert_ptr_eq(toolchain_of_runtime(NULL), unknown);
	ck_assert_uint_eq(unknown->traits, 0);
	ck_assert_ptr_null(unknown->spin[SPIN_NOT]);
	ck_assert(toolchain_is_producer("libomphwc-gomp-thread.so"));
	ck_assert(!toolchain_is_producer("libgomp.so.1"));
	ck_assert(toolchain_is_affinity("GOMP_CPU_AFFINITY=0-3"));
	ck_assert(!toolchain_is_affinity("OMP_PROC=true"));
}
END_TEST

START_TEST(what_reads_and_what_writes)
{
	static const char *const reads[] = { "fgets", "std::getline<char>",
					     "_gfortran_transfer_real" };
	static const char *const writes[] = { "fprintf", "__printf_chk", "std::operator<< <char>",
					      "_gfortran_transfer_real_write" };
	static const char *const neither[] = {
		"rewrite_printf_fields", "sprintf", "sscanf", "writer", "flush_all", "fputsome"
	};

	for (size_t i = 0; i < sizeof(reads) / sizeof(*reads); i++)
		ck_assert_msg(toolchain_lists(LIST_INPUT, reads[i]) &&
				      !toolchain_lists(LIST_OUTPUT, reads[i]),
			      "%s", reads[i]);
	for (size_t i = 0; i < sizeof(writes) / sizeof(*writes); i++)
		ck_assert_msg(toolchain_lists(LIST_OUTPUT, writes[i]), "%s", writes[i]);
	for (size_t i = 0; i < sizeof(neither) / sizeof(*neither); i++)
		ck_assert_msg(!toolchain_lists(LIST_INPUT, neither[i]) &&
				      !toolchain_lists(LIST_OUTPUT, neither[i]),
			      "%s", neither[i]);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("leaf");
	TCase *c = tcase_create("leaf");

	tcase_add_loop_test(c, leaf_is_decided, 0, sizeof(expectations) / sizeof(*expectations));
	tcase_add_test(c, leaf_always_answers);
	tcase_add_test(c, what_reads_and_what_writes);
	tcase_add_test(c, leaf_knows_forks);
	tcase_add_test(c, a_call_by_the_linkage_table_is_the_same);
	tcase_add_test(c, a_runtime_is_known_by_its_identity);
	suite_add_tcase(s, c);
	return suite_main(s);
}
