/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pomp_functions.c - libomphwc-pomp.so: the functions that OPARI2 puts into programs (POMP2), for
 * C, C++ and Fortran.
 *
 * Each hands its event on to libomphwc.so. Where that is not loaded, a function tests a pointer,
 * and locks are the runtime's. What a function does not look at is not among its parameters: the
 * calling conventions of our machines allow that.
 */
#include "config.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ompt_tool/runtime/pomp_link.h"
#include "ompt_tool/tool/omphwc.h"
#include "src/base/fnv.h"
#include "src/profile/format.h"

#define EXPORT __attribute__((visibility("default")))
#define UNUSED __attribute__((unused))

enum { TEXT_MOST = 2000 };

/* Owned by this file. */
static struct pomp_descriptor *_Atomic latest;

/* ---- descriptors ----------------------------------------------------------- */

/* Fortran's texts end with blanks, and without a NUL. */
static uint32_t text_bytes(const char *text, uint32_t most)
{
	uint32_t n = 0;

	while (n < most && text[n] != '\0' && (n == 0 || text[n - 1] != '*' || text[n] != '*'))
		n++;
	return n;
}

/* The value of a key in d's text, as text of its own; "": it has none. */
static const char *value_of(const struct pomp_descriptor *d, const char *key)
{
	const char *at = strstr(d->text, key);

	return at ? strndup(at + strlen(key), strcspn(at + strlen(key), "*")) : "";
}

static void *assign(void **handle, const char *text, uint32_t most)
{
	const uint32_t bytes = text ? text_bytes(text, most) : 0;
	struct pomp_descriptor *d = bytes != 0 ? calloc(1, sizeof(*d) + bytes + 1) : NULL;
	void *none = NULL;

	if (!d)
		return NULL;
	memcpy(d->text, text, bytes);
	d->bytes = bytes;
	d->hash = PROF_PHASE_HASH(fnv(FNV_BEGIN, d->text, bytes));
	d->region = !!strstr(d->text, "*regionType=parallel");
	d->combined = d->region && !strstr(d->text, "*regionType=parallel*");
	d->name = value_of(d, "*userRegionName=");
	/* Two threads may meet the construct at once. */
	if (!__atomic_compare_exchange_n(handle, &none, d, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
		free(d);
		return none;
	}
	d->next = atomic_load(&latest);
	while (!atomic_compare_exchange_weak(&latest, &d->next, d))
		;
	return d;
}

static void assign_new(void **handle, const char *text, uint32_t most)
{
	if (omphwc_pomp_event && !__atomic_load_n(handle, __ATOMIC_ACQUIRE))
		assign(handle, text, most < TEXT_MOST ? most : TEXT_MOST);
}

/* By OPARI2's other programs; those that it instruments last define them. */
extern void POMP2_Init_regions(void) __attribute__((weak));
extern void POMP2_USER_Init_regions(void) __attribute__((weak));

/* The runtime's. */
extern int omp_get_max_threads(void) __attribute__((weak));
extern int omp_get_num_threads(void) __attribute__((weak));
extern int omp_get_thread_num(void) __attribute__((weak));

__attribute__((constructor)) static void begin(void)
{
	if (!omphwc_pomp_list)
		return;
	omphwc_pomp_list(&latest, (const void *)(uintptr_t)omp_get_max_threads);
	if (POMP2_Init_regions)
		POMP2_Init_regions();
	if (POMP2_USER_Init_regions)
		POMP2_USER_Init_regions();
}

/* ---- events ------------------------------------------------------------------ */

static void event(struct pomp_event *e, void **handle, const char *text)
{
	e->descriptor = __atomic_load_n(handle, __ATOMIC_ACQUIRE);
	if (!e->descriptor)
		e->descriptor = assign(handle, text, TEXT_MOST);
	if (!e->descriptor)
		return;
	if (e->kind == POMP_REGION)
		omphwc_call(e->step == POMP_ENTER ? OMPHWC_BEGIN : OMPHWC_END, e->descriptor->name);
	if (e->kind == POMP_PARALLEL && e->step == POMP_BEGIN && omp_get_thread_num) {
		e->number = (uint32_t)omp_get_thread_num();
		e->threads = (uint32_t)omp_get_num_threads();
	}
	omphwc_pomp_event(e);
}

/* What functions are called with: their parameters, the text and the task among them. */
#define ARGS_HANDLE (void **handle), NULL, NULL
#define ARGS_TEXT (void **handle, const char *text), text, NULL
#define ARGS_OLD_TEXT (void **handle, UNUSED int64_t *old, const char *text), text, NULL
#define ARGS_FORK \
	(void **handle, UNUSED intptr_t if_clause, UNUSED intptr_t threads, UNUSED int64_t *old, \
	 const char *text), \
		text, NULL
#define ARGS_CREATE \
	(void **handle, int64_t *task, UNUSED int64_t *old, UNUSED intptr_t if_clause, \
	 const char *text), \
		text, task
#define ARGS_TASK (void **handle, int64_t task), NULL, &task
#define ARGS_TASK_BY_REFERENCE (void **handle, int64_t *task), NULL, task

/* clang-format off */
/* C's name, Fortran's, the construct, the step, C's parameters, Fortran's */
#define POMP_FUNCTIONS(F) \
	F(Atomic_enter, atomic_enter, ATOMIC, ENTER, TEXT, TEXT) \
	F(Atomic_exit, atomic_exit, ATOMIC, EXIT, HANDLE, HANDLE) \
	F(Barrier_enter, barrier_enter, BARRIER, ENTER, OLD_TEXT, OLD_TEXT) \
	F(Barrier_exit, barrier_exit, BARRIER, EXIT, HANDLE, HANDLE) \
	F(Begin, begin, REGION, ENTER, TEXT, TEXT) \
	F(End, end, REGION, EXIT, HANDLE, HANDLE) \
	F(Critical_enter, critical_enter, CRITICAL, ENTER, TEXT, TEXT) \
	F(Critical_begin, critical_begin, CRITICAL, BEGIN, HANDLE, HANDLE) \
	F(Critical_end, critical_end, CRITICAL, END, HANDLE, HANDLE) \
	F(Critical_exit, critical_exit, CRITICAL, EXIT, HANDLE, HANDLE) \
	F(Flush_enter, flush_enter, FLUSH, ENTER, TEXT, TEXT) \
	F(Flush_exit, flush_exit, FLUSH, EXIT, HANDLE, HANDLE) \
	F(For_enter, do_enter, FOR, ENTER, TEXT, TEXT) \
	F(For_exit, do_exit, FOR, EXIT, HANDLE, HANDLE) \
	F(Implicit_barrier_enter, implicit_barrier_enter, BARRIER, WAIT, HANDLE, HANDLE) \
	F(Implicit_barrier_exit, implicit_barrier_exit, BARRIER, WAITED, HANDLE, HANDLE) \
	F(Master_begin, master_begin, MASTER, ENTER, TEXT, TEXT) \
	F(Master_end, master_end, MASTER, EXIT, HANDLE, HANDLE) \
	F(Ordered_enter, ordered_enter, ORDERED, ENTER, TEXT, TEXT) \
	F(Ordered_begin, ordered_begin, ORDERED, BEGIN, HANDLE, HANDLE) \
	F(Ordered_end, ordered_end, ORDERED, END, HANDLE, HANDLE) \
	F(Ordered_exit, ordered_exit, ORDERED, EXIT, HANDLE, HANDLE) \
	F(Parallel_fork, parallel_fork, PARALLEL, ENTER, FORK, FORK) \
	F(Parallel_begin, parallel_begin, PARALLEL, BEGIN, HANDLE, HANDLE) \
	F(Parallel_end, parallel_end, PARALLEL, END, HANDLE, HANDLE) \
	F(Parallel_join, parallel_join, PARALLEL, EXIT, HANDLE, HANDLE) \
	F(Section_begin, section_begin, SECTION, BEGIN, TEXT, TEXT) \
	F(Section_end, section_end, SECTION, END, HANDLE, HANDLE) \
	F(Sections_enter, sections_enter, SECTIONS, ENTER, TEXT, TEXT) \
	F(Sections_exit, sections_exit, SECTIONS, EXIT, HANDLE, HANDLE) \
	F(Single_enter, single_enter, SINGLE, ENTER, TEXT, TEXT) \
	F(Single_begin, single_begin, SINGLE, BEGIN, HANDLE, HANDLE) \
	F(Single_end, single_end, SINGLE, END, HANDLE, HANDLE) \
	F(Single_exit, single_exit, SINGLE, EXIT, HANDLE, HANDLE) \
	F(Task_create_begin, task_create_begin, TASK, ENTER, CREATE, CREATE) \
	F(Task_create_end, task_create_end, TASK, EXIT, HANDLE, HANDLE) \
	F(Task_begin, task_begin, TASK, BEGIN, TASK, TASK_BY_REFERENCE) \
	F(Task_end, task_end, TASK, END, HANDLE, HANDLE) \
	F(Untied_task_create_begin, untied_task_create_begin, TASK, ENTER, CREATE, CREATE) \
	F(Untied_task_create_end, untied_task_create_end, TASK, EXIT, HANDLE, HANDLE) \
	F(Untied_task_begin, untied_task_begin, TASK, BEGIN, TASK, TASK_BY_REFERENCE) \
	F(Untied_task_end, untied_task_end, TASK, END, HANDLE, HANDLE) \
	F(Taskwait_begin, taskwait_begin, TASKWAIT, ENTER, OLD_TEXT, OLD_TEXT) \
	F(Taskwait_end, taskwait_end, TASKWAIT, EXIT, HANDLE, HANDLE) \
	F(Workshare_enter, workshare_enter, WORKSHARE, ENTER, TEXT, TEXT) \
	F(Workshare_exit, workshare_exit, WORKSHARE, EXIT, HANDLE, HANDLE)
/* clang-format on */

#define FUNCTION_OF(function, of_kind, of_step, parameters, text_of, task_of) \
	EXPORT void function parameters; \
	EXPORT void function parameters \
	{ \
		if (omphwc_pomp_event) \
			event(&(struct pomp_event){ .kind = POMP_##of_kind, \
						    .step = POMP_##of_step, \
						    .call = __builtin_return_address(0), \
						    .frame = __builtin_frame_address(0), \
						    .task = task_of }, \
			      handle, text_of); \
	}
#define FUNCTION(function, kind, step, args) FUNCTION_OF(function, kind, step, args)
#define FUNCTIONS(c, fortran, kind, step, args, fortran_args) \
	FUNCTION(POMP2_##c, kind, step, ARGS_##args) \
	FUNCTION(pomp2_##fortran##_, kind, step, ARGS_##fortran_args)

POMP_FUNCTIONS(FUNCTIONS)

/* ---- without a construct ------------------------------------------------------ */

/* Assign a handle; take what the measurement begins and ends with, which is the process here. */
#define BOTH(result, c, fortran, parameters) \
	EXPORT result POMP2_##c parameters; \
	EXPORT result pomp2_##fortran##_ parameters __attribute__((alias("POMP2_" #c))); \
	EXPORT result POMP2_##c parameters

#define ASSIGNS(c, fortran) \
	EXPORT void POMP2_##c(void **handle, const char *text); \
	EXPORT void POMP2_##c(void **handle, const char *text) \
	{ \
		assign_new(handle, text, TEXT_MOST); \
	} \
	EXPORT void pomp2_##fortran##_(void **handle, const char *text, int bytes); \
	EXPORT void pomp2_##fortran##_(void **handle, const char *text, int bytes) \
	{ \
		assign_new(handle, text, bytes > 0 ? (uint32_t)bytes : 0); \
	}

ASSIGNS(Assign_handle, assign_handle)
ASSIGNS(USER_Assign_handle, user_assign_handle)

BOTH(void, Init, init, (void))
{
}

BOTH(void, Finalize, finalize, (void))
{
}

extern int omp_control_tool(int command, int modifier, void *arg) __attribute__((weak));
enum { CONTROL_START = 1, CONTROL_PAUSE = 2 };

BOTH(void, Off, off, (void))
{
	if (omp_control_tool)
		omp_control_tool(CONTROL_PAUSE, 0, NULL);
}

BOTH(void, On, on, (void))
{
	if (omp_control_tool)
		omp_control_tool(CONTROL_START, 0, NULL);
}

BOTH(int64_t, Get_new_task_handle, get_new_task_handle, (void))
{
	static _Atomic int64_t last;

	return atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
}

/* ---- the runtime's functions -------------------------------------------------- */

BOTH(int, Lib_get_max_threads, lib_get_max_threads, (void))
{
	return omp_get_max_threads ? omp_get_max_threads() : 1;
}

/* Each goes on in the runtime's function: what that reports is of the program's call. */
#define LOCK_FUNCTION(result, ours, runtimes) \
	extern result runtimes(void *lock) __attribute__((weak)); \
	EXPORT result ours(void *lock); \
	EXPORT result ours(void *lock) \
	{ \
		return runtimes(lock); \
	}
#define LOCK(result, c, function) \
	LOCK_FUNCTION(result, POMP2_##c, omp_##function) \
	LOCK_FUNCTION(result, pomp2_##function##_, omp_##function##_)

LOCK(void, Init_lock, init_lock)
LOCK(void, Destroy_lock, destroy_lock)
LOCK(void, Set_lock, set_lock)
LOCK(void, Unset_lock, unset_lock)
LOCK(int, Test_lock, test_lock)
LOCK(void, Init_nest_lock, init_nest_lock)
LOCK(void, Destroy_nest_lock, destroy_nest_lock)
LOCK(void, Set_nest_lock, set_nest_lock)
LOCK(void, Unset_nest_lock, unset_nest_lock)
LOCK(int, Test_nest_lock, test_nest_lock)
