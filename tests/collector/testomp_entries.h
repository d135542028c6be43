/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * testomp_entries.h - what libtestomp.so shows programs under libgomp's names.
 *
 * Compilers know these functions without a header; their prototypes are facts of the
 * binary interface.
 */
#ifndef OMPHWC_TESTS_TESTOMP_ENTRIES_H
#define OMPHWC_TESTS_TESTOMP_ENTRIES_H

#include "tests/collector/testomp.h"

typedef void body(void *);

/* ---- regions ---------------------------------------------------------- */

TESTOMP_API void GOMP_parallel(body *, void *, unsigned n, unsigned flags);
TESTOMP_API void GOMP_parallel_sections(body *, void *, unsigned n, unsigned count, unsigned flags);
#define PARALLEL_LOOP(name) \
	TESTOMP_API void GOMP_parallel_loop_##name(body *, void *, unsigned n, long start, \
						   long end, long incr, long chunk, \
						   unsigned flags);
#define PARALLEL_LOOP_RUNTIME(name) \
	TESTOMP_API void GOMP_parallel_loop_##name(body *, void *, unsigned n, long start, \
						   long end, long incr, unsigned flags);
PARALLEL_LOOP(static)
PARALLEL_LOOP(dynamic)
PARALLEL_LOOP(guided)
PARALLEL_LOOP(nonmonotonic_dynamic)
PARALLEL_LOOP(nonmonotonic_guided)
PARALLEL_LOOP_RUNTIME(runtime)
PARALLEL_LOOP_RUNTIME(nonmonotonic_runtime)
PARALLEL_LOOP_RUNTIME(maybe_nonmonotonic_runtime)
#undef PARALLEL_LOOP
#undef PARALLEL_LOOP_RUNTIME

/* ---- work shares ------------------------------------------------------ */

#define LOOP(name) \
	TESTOMP_API bool GOMP_loop_##name##_start(long start, long end, long incr, long chunk, \
						  long *from, long *to); \
	TESTOMP_API bool GOMP_loop_##name##_next(long *from, long *to);
#define LOOP_RUNTIME(name) \
	TESTOMP_API bool GOMP_loop_##name##_start(long start, long end, long incr, long *from, \
						  long *to); \
	TESTOMP_API bool GOMP_loop_##name##_next(long *from, long *to);
LOOP(static)
LOOP(dynamic)
LOOP(guided)
LOOP(nonmonotonic_dynamic)
LOOP(nonmonotonic_guided)
LOOP(ordered_static)
LOOP(ordered_dynamic)
LOOP(ordered_guided)
LOOP_RUNTIME(runtime)
LOOP_RUNTIME(nonmonotonic_runtime)
LOOP_RUNTIME(maybe_nonmonotonic_runtime)
LOOP_RUNTIME(ordered_runtime)
#undef LOOP
#undef LOOP_RUNTIME
TESTOMP_API void GOMP_loop_end(void);
TESTOMP_API void GOMP_loop_end_nowait(void);
TESTOMP_API unsigned GOMP_sections_start(unsigned count);
TESTOMP_API unsigned GOMP_sections_next(void);
TESTOMP_API void GOMP_sections_end(void);
TESTOMP_API void GOMP_sections_end_nowait(void);
TESTOMP_API bool GOMP_single_start(void);
TESTOMP_API void *GOMP_single_copy_start(void);
TESTOMP_API void GOMP_single_copy_end(void *);
TESTOMP_API void GOMP_ordered_start(void);
TESTOMP_API void GOMP_ordered_end(void);

/* ---- one after the other, and all together ---------------------------- */

TESTOMP_API void GOMP_barrier(void);
TESTOMP_API void GOMP_critical_start(void);
TESTOMP_API void GOMP_critical_end(void);
TESTOMP_API void GOMP_critical_name_start(void **);
TESTOMP_API void GOMP_critical_name_end(void **);
TESTOMP_API void GOMP_atomic_start(void);
TESTOMP_API void GOMP_atomic_end(void);

/* Cancellation is never on: what these return is that nothing was cancelled. */
TESTOMP_API bool GOMP_cancel(int what, bool really);
TESTOMP_API bool GOMP_cancellation_point(int what);
TESTOMP_API bool GOMP_barrier_cancel(void);
TESTOMP_API bool GOMP_loop_end_cancel(void);
TESTOMP_API bool GOMP_sections_end_cancel(void);

/* ---- tasks, which run at once ----------------------------------------- */

TESTOMP_API void GOMP_task(body *, void *data, void (*copy)(void *, void *), long size, long align,
			   bool deferred, unsigned flags, void **depend, int priority,
			   void *detach);
TESTOMP_API void GOMP_taskloop(body *, void *data, void (*copy)(void *, void *), long size,
			       long align, unsigned flags, unsigned long tasks, int priority,
			       long start, long end, long step);
TESTOMP_API void GOMP_taskwait(void);
TESTOMP_API void GOMP_taskwait_depend(void **depend);
TESTOMP_API void GOMP_taskyield(void);
TESTOMP_API void GOMP_taskgroup_start(void);
TESTOMP_API void GOMP_taskgroup_end(void);

/* ---- omp.h ------------------------------------------------------------ */

typedef struct {
	atomic_uint word;
} omp_lock_t;

/* Some compilers align these to 4 bytes only in older versions of the interface. */
typedef struct {
	atomic_uint word;
	int count;
	void *_Atomic owner;
} omp_nest_lock_t;

TESTOMP_API void omp_init_lock(omp_lock_t *);
TESTOMP_API void omp_destroy_lock(omp_lock_t *);
TESTOMP_API void omp_set_lock(omp_lock_t *);
TESTOMP_API void omp_unset_lock(omp_lock_t *);
TESTOMP_API int omp_test_lock(omp_lock_t *);
TESTOMP_API void omp_init_nest_lock(omp_nest_lock_t *);
TESTOMP_API void omp_destroy_nest_lock(omp_nest_lock_t *);
TESTOMP_API void omp_set_nest_lock(omp_nest_lock_t *);
TESTOMP_API void omp_unset_nest_lock(omp_nest_lock_t *);
TESTOMP_API int omp_test_nest_lock(omp_nest_lock_t *);

TESTOMP_API void omp_set_num_threads(int);
TESTOMP_API int omp_get_num_threads(void);
TESTOMP_API int omp_get_max_threads(void);
TESTOMP_API int omp_get_thread_num(void);
TESTOMP_API int omp_get_num_procs(void);
TESTOMP_API int omp_get_thread_limit(void);
TESTOMP_API int omp_in_parallel(void);
TESTOMP_API int omp_in_final(void);
TESTOMP_API void omp_set_dynamic(int);
TESTOMP_API int omp_get_dynamic(void);
TESTOMP_API void omp_set_nested(int);
TESTOMP_API int omp_get_nested(void);
TESTOMP_API void omp_set_max_active_levels(int);
TESTOMP_API int omp_get_max_active_levels(void);
TESTOMP_API int omp_get_level(void);
TESTOMP_API int omp_get_active_level(void);
TESTOMP_API int omp_get_ancestor_thread_num(int level);
TESTOMP_API int omp_get_team_size(int level);
TESTOMP_API int omp_get_cancellation(void);
TESTOMP_API double omp_get_wtime(void);
TESTOMP_API double omp_get_wtick(void);

#endif
