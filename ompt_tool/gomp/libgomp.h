/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libgomp.h - the functions of libgomp that this library wraps or calls, and a table of
 * where one copy of libgomp has them.
 *
 * Prototypes are those of GCC 12, of later entries those of the release that added them. Older
 * compilers pass fewer arguments to GOMP_task: the missing ones are read from the caller's frame
 * and handed on, and libgomp looks at them only where a flag says that they are there.
 */
#ifndef OMPHWC_OMPT_TOOL_GOMP_LIBGOMP_H
#define OMPHWC_OMPT_TOOL_GOMP_LIBGOMP_H

#include <stdbool.h>
#include <stdint.h>

typedef void body_fn(void *data);
typedef void copy_fn(void *to, void *from);
typedef unsigned long long ull;
typedef _Complex int share; /* how many threads or teams there are, and which one this is */

/* clang-format off */

/* Parameters that several functions share, and the same as arguments. */
#define P_FORK		body_fn *fn, void *data, unsigned threads
#define P_LOOP		long start, long end, long incr
#define A_LOOP		start, end, incr
#define P_LOOP_ULL	bool up, ull start, ull end, ull incr
#define A_LOOP_ULL	up, start, end, incr
#define P_RANGE		long *first, long *last
#define P_RANGE_ULL	ull *first, ull *last
#define A_RANGE		first, last
#define P_REDUCE	uintptr_t *reductions, void **mem
#define A_REDUCE	reductions, mem
#define P_DOACROSS	unsigned n, long *counts
#define P_DOACROSS_ULL	unsigned n, ull *counts
#define A_DOACROSS	n, counts
#define P_TASK		body_fn *fn, void *data, copy_fn *copier, long size, long align, \
			bool deferred, unsigned flags, void **depend, int priority, void *detach
#define P_TASKLOOP	body_fn *fn, void *data, copy_fn *copier, long size, long align, \
			unsigned flags, unsigned long tasks, int priority
#define A_TASKLOOP(body, block, cpy, bytes, al) \
			body, block, cpy, bytes, al, flags, tasks, priority
/* The variadic waits of doacross loops, as the ABIs of our machines pass them: integers
   in registers, then in consecutive words of the stack. */
#define WORDS(X)	X(1), X(2), X(3), X(4), X(5), X(6), X(7), X(8), X(9), X(10), X(11), \
			X(12), X(13), X(14), X(15), X(16), X(17), X(18), X(19), X(20), X(21), \
			X(22), X(23), X(24)
#define P_WORD(i)	long w##i
#define A_WORD(i)	w##i
enum { DOACROSS_WORDS = 24 };

/* Loops: X(name without prefix, kind, modifier). They have a _start in a signed and an
   unsigned form, with chunk size. */
#define LOOPS_CHUNKED(X) \
	X(static, GOMP_WORK_LOOP_STATIC, 0) \
	X(dynamic, GOMP_WORK_LOOP_DYNAMIC, 0) \
	X(guided, GOMP_WORK_LOOP_GUIDED, 0) \
	X(nonmonotonic_dynamic, GOMP_WORK_LOOP_DYNAMIC, 0) \
	X(nonmonotonic_guided, GOMP_WORK_LOOP_GUIDED, 0) \
	X(ordered_static, GOMP_WORK_LOOP_STATIC, GOMP_WORK_ORDERED) \
	X(ordered_dynamic, GOMP_WORK_LOOP_DYNAMIC, GOMP_WORK_ORDERED) \
	X(ordered_guided, GOMP_WORK_LOOP_GUIDED, GOMP_WORK_ORDERED)
/* And without chunk size. */
#define LOOPS_RUNTIME(X) \
	X(runtime, GOMP_WORK_LOOP_RUNTIME, 0) \
	X(nonmonotonic_runtime, GOMP_WORK_LOOP_RUNTIME, 0) \
	X(maybe_nonmonotonic_runtime, GOMP_WORK_LOOP_RUNTIME, 0) \
	X(ordered_runtime, GOMP_WORK_LOOP_RUNTIME, GOMP_WORK_ORDERED)
/* With an ordered(n) clause. */
#define LOOPS_DOACROSS(X) \
	X(static, GOMP_WORK_LOOP_STATIC) \
	X(dynamic, GOMP_WORK_LOOP_DYNAMIC) \
	X(guided, GOMP_WORK_LOOP_GUIDED)
/* Those whose _next waits for the iteration's turn. */
#define LOOPS_NEXT_WAITS(X) \
	X(ordered_static) X(ordered_dynamic) X(ordered_guided) X(ordered_runtime)
/* Regions with a loop. */
#define PARALLEL_LOOPS_CHUNKED(X) \
	X(static, GOMP_WORK_LOOP_STATIC) \
	X(dynamic, GOMP_WORK_LOOP_DYNAMIC) \
	X(guided, GOMP_WORK_LOOP_GUIDED) \
	X(nonmonotonic_dynamic, GOMP_WORK_LOOP_DYNAMIC) \
	X(nonmonotonic_guided, GOMP_WORK_LOOP_GUIDED)
#define PARALLEL_LOOPS_RUNTIME(X) \
	X(runtime, GOMP_WORK_LOOP_RUNTIME) \
	X(nonmonotonic_runtime, GOMP_WORK_LOOP_RUNTIME) \
	X(maybe_nonmonotonic_runtime, GOMP_WORK_LOOP_RUNTIME)
/* Before GCC 4.9: the compiler's code runs the master's body, between _start and _end. */
#define LEGACY_LOOPS_CHUNKED(X) \
	X(static, GOMP_WORK_LOOP_STATIC) \
	X(dynamic, GOMP_WORK_LOOP_DYNAMIC) \
	X(guided, GOMP_WORK_LOOP_GUIDED)

/* Nest locks have two sizes, and a version for each: X(suffix, version). */
#define NEST_LOCK_VERSIONS(X) \
	X(1, "OMP_1.0") \
	X(3, "OMP_3.0")

#define E_LOOP(kind, w, m) \
	E(bool, GOMP_loop_##kind##_start, (P_LOOP, long chunk, P_RANGE)) \
	E(bool, GOMP_loop_ull_##kind##_start, (P_LOOP_ULL, ull chunk, P_RANGE_ULL))
#define E_LOOP_RUNTIME(kind, w, m) \
	E(bool, GOMP_loop_##kind##_start, (P_LOOP, P_RANGE)) \
	E(bool, GOMP_loop_ull_##kind##_start, (P_LOOP_ULL, P_RANGE_ULL))
#define E_LOOP_DOACROSS(kind, w) \
	E(bool, GOMP_loop_doacross_##kind##_start, (P_DOACROSS, long chunk, P_RANGE)) \
	E(bool, GOMP_loop_ull_doacross_##kind##_start, (P_DOACROSS_ULL, ull chunk, P_RANGE_ULL))
#define E_LOOP_NEXT(kind) \
	E(bool, GOMP_loop_##kind##_next, (P_RANGE)) \
	E(bool, GOMP_loop_ull_##kind##_next, (P_RANGE_ULL))
#define E_PARALLEL_LOOP(kind, w) \
	E(void, GOMP_parallel_loop_##kind, (P_FORK, P_LOOP, long chunk, unsigned flags))
#define E_PARALLEL_LOOP_RUNTIME(kind, w) \
	E(void, GOMP_parallel_loop_##kind, (P_FORK, P_LOOP, unsigned flags))
#define E_LEGACY_LOOP(kind, w) \
	E(void, GOMP_parallel_loop_##kind##_start, (P_FORK, P_LOOP, long chunk))
#define E_NEST_LOCK(v, version) \
	V(void, omp_init_nest_lock_##v, (void *lock), "omp_init_nest_lock", version) \
	V(void, omp_init_nest_lock_f##v, (void *lock), "omp_init_nest_lock_", version) \
	V(void, omp_set_nest_lock_##v, (void *lock), "omp_set_nest_lock", version) \
	V(void, omp_unset_nest_lock_##v, (void *lock), "omp_unset_nest_lock", version) \
	V(int, omp_test_nest_lock_##v, (void *lock), "omp_test_nest_lock", version) \
	V(void, omp_set_nest_lock_f##v, (void *lock), "omp_set_nest_lock_", version) \
	V(void, omp_unset_nest_lock_f##v, (void *lock), "omp_unset_nest_lock_", version) \
	V(int, omp_test_nest_lock_f##v, (void *lock), "omp_test_nest_lock_", version)

/* E(result, name, parameters) and V(result, field, parameters, name, version) are defined
   by who uses this. */
#define LIBGOMP_FUNCTIONS \
	/* regions */ \
	E(void, GOMP_parallel, (P_FORK, unsigned flags)) \
	E(unsigned, GOMP_parallel_reductions, (P_FORK, unsigned flags)) \
	E(void, GOMP_parallel_sections, (P_FORK, unsigned count, unsigned flags)) \
	PARALLEL_LOOPS_CHUNKED(E_PARALLEL_LOOP) \
	PARALLEL_LOOPS_RUNTIME(E_PARALLEL_LOOP_RUNTIME) \
	E(void, GOMP_parallel_start, (P_FORK)) \
	E(void, GOMP_parallel_sections_start, (P_FORK, unsigned count)) \
	E(void, GOMP_parallel_loop_runtime_start, (P_FORK, P_LOOP)) \
	LEGACY_LOOPS_CHUNKED(E_LEGACY_LOOP) \
	E(void, GOMP_parallel_end, (void)) \
	E(void, GOMP_teams_reg, (body_fn *fn, void *data, unsigned teams, unsigned limit, \
				 unsigned flags)) \
	/* work shares */ \
	LOOPS_CHUNKED(E_LOOP) \
	LOOPS_RUNTIME(E_LOOP_RUNTIME) \
	LOOPS_DOACROSS(E_LOOP_DOACROSS) \
	LOOPS_NEXT_WAITS(E_LOOP_NEXT) \
	E(bool, GOMP_loop_doacross_runtime_start, (P_DOACROSS, P_RANGE)) \
	E(bool, GOMP_loop_ull_doacross_runtime_start, (P_DOACROSS_ULL, P_RANGE_ULL)) \
	E(bool, GOMP_loop_start, (P_LOOP, long schedule, long chunk, P_RANGE, P_REDUCE)) \
	E(bool, GOMP_loop_ordered_start, (P_LOOP, long schedule, long chunk, P_RANGE, P_REDUCE)) \
	E(bool, GOMP_loop_doacross_start, (P_DOACROSS, long schedule, long chunk, P_RANGE, \
					   P_REDUCE)) \
	E(bool, GOMP_loop_ull_start, (P_LOOP_ULL, long schedule, ull chunk, P_RANGE_ULL, \
				      P_REDUCE)) \
	E(bool, GOMP_loop_ull_ordered_start, (P_LOOP_ULL, long schedule, ull chunk, P_RANGE_ULL, \
					      P_REDUCE)) \
	E(bool, GOMP_loop_ull_doacross_start, (P_DOACROSS_ULL, long schedule, ull chunk, \
					       P_RANGE_ULL, P_REDUCE)) \
	E(void, GOMP_loop_end, (void)) \
	E(void, GOMP_loop_end_nowait, (void)) \
	E(bool, GOMP_loop_end_cancel, (void)) \
	E(unsigned, GOMP_sections_start, (unsigned count)) \
	E(unsigned, GOMP_sections2_start, (unsigned count, P_REDUCE)) \
	E(void, GOMP_sections_end, (void)) \
	E(void, GOMP_sections_end_nowait, (void)) \
	E(bool, GOMP_sections_end_cancel, (void)) \
	E(bool, GOMP_single_start, (void)) \
	E(bool, GOMP_single_start_with_end, (void)) \
	E(void, GOMP_single_end, (void)) \
	E(bool, GOMP_has_masked_thread_num_with_end, (int filter)) \
	E(void, GOMP_masked_end, (void)) \
	E(share, GOMP_loop_static_worksharing, (ull count)) \
	E(share, GOMP_loop_static_worksharing_start, (ull count)) \
	E(void, GOMP_loop_static_worksharing_end, (void)) \
	E(share, GOMP_distribute_static_worksharing_start, (ull count)) \
	E(void, GOMP_distribute_static_worksharing_end, (void)) \
	E(void *, GOMP_single_copy_start, (void)) \
	E(void, GOMP_single_copy_end, (void *data)) \
	E(void, GOMP_scope_start, (uintptr_t *reductions)) \
	E(void, GOMP_workshare_task_reduction_unregister, (bool cancelled)) \
	/* waits */ \
	E(void, GOMP_barrier, (void)) \
	E(bool, GOMP_barrier_cancel, (void)) \
	E(void, GOMP_critical_start, (void)) \
	E(void, GOMP_critical_end, (void)) \
	E(void, GOMP_critical_name_start, (void **name)) \
	E(void, GOMP_critical_name_end, (void **name)) \
	E(void, GOMP_atomic_start, (void)) \
	E(void, GOMP_atomic_end, (void)) \
	E(void, GOMP_ordered_start, (void)) \
	E(void, GOMP_ordered_end, (void)) \
	E(void, GOMP_doacross_wait, (WORDS(P_WORD))) \
	E(void, GOMP_doacross_ull_wait, (WORDS(P_WORD))) \
	E(void, omp_init_lock, (void *lock)) \
	E(void, omp_init_lock_, (void *lock)) \
	E(void, omp_set_lock, (void *lock)) \
	E(void, omp_unset_lock, (void *lock)) \
	E(int, omp_test_lock, (void *lock)) \
	E(void, omp_set_lock_, (void *lock)) \
	E(void, omp_unset_lock_, (void *lock)) \
	E(int, omp_test_lock_, (void *lock)) \
	NEST_LOCK_VERSIONS(E_NEST_LOCK) \
	/* tasks */ \
	E(void, GOMP_task, (P_TASK)) \
	E(void, GOMP_taskloop, (P_TASKLOOP, long start, long end, long step)) \
	E(void, GOMP_taskloop_ull, (P_TASKLOOP, ull start, ull end, ull step)) \
	E(void, GOMP_taskwait, (void)) \
	E(void, GOMP_taskwait_depend, (void **depend)) \
	E(void, GOMP_taskwait_depend_nowait, (void **depend)) \
	E(void, GOMP_taskyield, (void)) \
	E(void, GOMP_taskgroup_start, (void)) \
	E(void, GOMP_taskgroup_end, (void)) \
	/* called, not wrapped */ \
	E(bool, GOMP_cancellation_point, (int which)) \
	E(int, omp_get_thread_num, (void)) \
	E(int, omp_get_num_threads, (void)) \
	E(int, omp_get_level, (void))
/* clang-format on */

/* Schedules in arguments of GOMP_loop_start and its like; other bits are modifiers. */
enum {
	SCHEDULE_RUNTIME,
	SCHEDULE_STATIC,
	SCHEDULE_DYNAMIC,
	SCHEDULE_GUIDED,
	SCHEDULE_AUTO,
	SCHEDULE_KIND = 0x7,
};

/* What GOMP_cancellation_point asks for. */
enum { CANCEL_PARALLEL = 1 };

/* Flags of GOMP_task and GOMP_taskloop. */
enum {
	TASK_UNTIED = 1 << 0,
	TASK_FINAL = 1 << 1,
	TASK_MERGEABLE = 1 << 2,
	TASK_DEPEND = 1 << 3,
	TASK_PRIORITY = 1 << 4,
	TASK_UP = 1 << 8,
	TASK_IF = 1 << 10, /* taskloops: may be deferred */
	TASK_NOGROUP = 1 << 11,
	TASK_REDUCTION = 1 << 12,
	TASK_DETACH = 1 << 13,
};

/*
 * A loaded libgomp. Functions that it lacks end the process as the loader would, with a
 * message. Constant once copies_find() has given it out; never freed.
 */
struct libgomp {
#define E(result, name, parameters) result(*name) parameters;
#define V(result, field, parameters, name, version) result(*field) parameters;
	LIBGOMP_FUNCTIONS
#undef E
#undef V
	bool has_barrier_cancel;
	bool events;	  /* reported for it: a libgomp without a tools interface that is used */
	uintptr_t lo, hi; /* where it is mapped; 0: unknown */
	const void *object;
	bool ready;	       /* all of the above is written */
	struct libgomp *older; /* list of all */
};

#endif
