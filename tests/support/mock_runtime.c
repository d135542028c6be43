/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mock_runtime.c - see mock_runtime.h.  Only one region at a time has workers; one lock
 * protects all shared data.
 */
#include "config.h"

#include "tests/support/mock_runtime.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define KEEP __attribute__((noinline))

enum { WORKERS_MAX = 8, TASKS_MAX = 256, LOST_MAX = 256, NESTED_MAX = 128 };

struct task {
	ompt_data_t data;
	ompt_frame_t frame;
	struct team *team;
	void (*in)(const struct mock_step *);
	const struct mock_step *inner;
};

struct team {
	ompt_data_t data;
	unsigned int n, faults;
	int left; /* workers that have not come to its end */
	void (*in)(const struct mock_step *);
	const struct mock_step *inner;
};

struct worker {
	pthread_t id;
	struct team *job;
	unsigned int index;
	bool sample, end;
};

EXPORT void *mock_weird;
EXPORT uint64_t mock_stale;
EXPORT uint64_t mock_never, mock_sometimes;
EXPORT void (*mock_sampler)(void);

static ompt_start_tool_result_t *(*starter)(unsigned int, const char *);
static ompt_start_tool_result_t *tool;
static ompt_callback_t callbacks[64];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static struct worker workers[WORKERS_MAX];
static unsigned int nworkers;
static struct task queue[TASKS_MAX];
static int nqueued;
static ompt_data_t lost[LOST_MAX]; /* regions whose end has not been reported */
static int nlost;

/* The calling thread's. */
static __thread struct task initial, *current;
static __thread int state;
static __thread ompt_wait_id_t wait_id;
static __thread unsigned int inquiry_faults;
static __thread struct team serial[NESTED_MAX];
static __thread struct task serial_task[NESTED_MAX], *serial_outer[NESTED_MAX];
static __thread int nserial;

#define CALLBACK(event, type, ...) \
	do { \
		type f_ = (type)callbacks[event]; \
		if (f_ != NULL) \
			f_(__VA_ARGS__); \
	} while (0)

/* ---- what the tool may ask ------------------------------------------------ */

static int get_state(ompt_wait_id_t *id)
{
	if (id != NULL)
		*id = wait_id;
	return state;
}

static int get_task_info(int level, int *flags, ompt_data_t **task, ompt_frame_t **frame,
			 ompt_data_t **parallel, int *number)
{
	static ompt_data_t freed;

	if (level != 0 || current == NULL)
		return 0;
	*flags = 0;
	*number = 0;
	*task = &current->data;
	*frame = &current->frame;
	*parallel = current->team != NULL ? &current->team->data : NULL;
	if ((inquiry_faults & FAULT_STALE) != 0) {
		freed.value = mock_stale;
		*task = *parallel = &freed;
	}
	if ((inquiry_faults & FAULT_NULL_DATA) != 0)
		*task = *parallel = NULL;
	if ((inquiry_faults & FAULT_NO_FRAME) != 0)
		*frame = NULL;
	return 2;
}

static ompt_set_result_t set_callback(ompt_callbacks_t event, ompt_callback_t function)
{
	if ((mock_never >> event & 1) != 0)
		return event % 2 != 0 ? ompt_set_never : ompt_set_impossible;
	callbacks[event] = function;
	return (mock_sometimes >> event & 1) != 0 ? ompt_set_sometimes : ompt_set_always;
}

static ompt_interface_fn_t lookup(const char *name)
{
	static const struct {
		const char *name;
		ompt_interface_fn_t function;
	} known[] = {
		{ "ompt_set_callback", (ompt_interface_fn_t)set_callback },
		{ "ompt_get_state", (ompt_interface_fn_t)get_state },
		{ "ompt_get_task_info", (ompt_interface_fn_t)get_task_info },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strcmp(known[i].name, name) == 0)
			return known[i].function;
	return NULL;
}

/* ---- life ------------------------------------------------------------------- */

static void begin_thread(ompt_thread_t kind)
{
	static __thread ompt_data_t data;

	CALLBACK(ompt_callback_thread_begin, ompt_callback_thread_begin_t, kind, &data);
}

EXPORT int mock_initialize(ompt_start_tool_result_t *(*start)(unsigned int, const char *))
{
	starter = start;
	tool = start(201811, "mock runtime");
	if (tool == NULL || tool->initialize(lookup, 0, &tool->tool_data) == 0)
		return 0;
	begin_thread(ompt_thread_initial);
	current = &initial;
	CALLBACK(ompt_callback_implicit_task, ompt_callback_implicit_task_t, ompt_scope_begin, NULL,
		 &initial.data, 1, 1, ompt_task_initial);
	return 1;
}

EXPORT void mock_finalize(void)
{
	tool->finalize(&tool->tool_data);
	memset(callbacks, 0, sizeof(callbacks));
}

/* ---- implicit tasks ----------------------------------------------------------- */

static KEEP void invoke(struct task *t)
{
	void *here = __builtin_frame_address(0);

	t->frame.exit_frame.ptr =
		t->team != NULL && (t->team->faults & FAULT_WEIRD_EXIT) != 0 ? mock_weird : here;
	t->in(t->inner);
	__asm__ volatile("" ::: "memory");
	t->frame.exit_frame.ptr = NULL;
}

static KEEP void run_implicit(struct team *team, unsigned int index)
{
	struct task t = { .team = team, .in = team->in, .inner = team->inner }, *outer = current;
	int before = state;

	t.data.value = 0;
	current = &t;
	inquiry_faults = team->faults;
	if ((team->faults & FAULT_NO_IMPLICIT) == 0)
		CALLBACK(ompt_callback_implicit_task, ompt_callback_implicit_task_t,
			 ompt_scope_begin, &team->data, &t.data, team->n, index,
			 (team->faults & FAULT_LEAGUE) != 0 ? ompt_task_initial :
							      ompt_task_implicit);
	state = ompt_state_work_parallel;
	invoke(&t);
	state = ompt_state_wait_barrier_implicit;
	if ((team->faults & FAULT_JOIN_SAMPLE) != 0)
		mock_sampler();
	state = before;
	current = outer;
	inquiry_faults = 0;
}

/* As libomp's workers that have seen the signal to go: the task is the last region's,
   the team the next one's. */
static void go(struct task *last, struct team *team)
{
	last->team = team;
	state = ompt_state_overhead;
	mock_sampler();
	last->team = NULL;
}

/* What an idle worker still says of itself: its last implicit task, of a team
   that is gone. */
static void *work(void *arg)
{
	struct worker *w = arg;
	struct task last = { .data = { .value = 0 } };

	pthread_mutex_lock(&lock);
	if (w->job == NULL || (w->job->faults & FAULT_NO_THREAD) == 0)
		begin_thread(ompt_thread_worker);
	while (!w->end) {
		state = ompt_state_wait_barrier_implicit;
		current = &last;
		if (w->job == NULL && !w->sample) {
			pthread_cond_wait(&change, &lock);
			continue;
		}
		if (w->sample) {
			mock_sampler();
			w->sample = false;
			pthread_cond_broadcast(&change);
			continue;
		}
		struct team *team = w->job;

		if ((team->faults & FAULT_FORK_SAMPLE) != 0)
			go(&last, team);
		last.data = team->data;
		pthread_mutex_unlock(&lock);
		run_implicit(team, w->index);
		pthread_mutex_lock(&lock);
		w->job = NULL;
		team->left--;
		pthread_cond_broadcast(&change);
	}
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void hire(struct team *team)
{
	pthread_mutex_lock(&lock);
	for (unsigned int i = 0; i + 1 < team->n; i++) {
		workers[i].job = team;
		workers[i].index = i + 1;
		if (i == nworkers) {
			workers[i].end = false;
			if (pthread_create(&workers[i].id, NULL, work, &workers[i]) != 0)
				abort();
			nworkers++;
		}
	}
	team->left = (int)team->n - 1;
	pthread_cond_broadcast(&change);
	pthread_mutex_unlock(&lock);
}

static void join(struct team *team)
{
	pthread_mutex_lock(&lock);
	while (team->left > 0)
		pthread_cond_wait(&change, &lock);
	pthread_mutex_unlock(&lock);
}

static void dismiss(void)
{
	pthread_mutex_lock(&lock);
	for (unsigned int i = 0; i < nworkers; i++)
		workers[i].end = true;
	pthread_cond_broadcast(&change);
	pthread_mutex_unlock(&lock);
	for (unsigned int i = 0; i < nworkers; i++)
		pthread_join(workers[i].id, NULL);
	nworkers = 0;
}

/* ---- regions ------------------------------------------------------------------- */

static const void *call_of(const struct mock_step *s, const void *call)
{
	return (s->faults & FAULT_NO_CALL) != 0	    ? NULL :
	       (s->faults & FAULT_CALL_INSIDE) != 0 ? (const char *)(uintptr_t)invoke + 9 :
						      call;
}

static void report_begin(const struct mock_step *s, struct team *team, const void *call)
{
	bool no_data = (s->faults & FAULT_NULL_DATA) != 0;

	if ((s->faults & FAULT_NO_BEGIN) != 0)
		return;
	CALLBACK(ompt_callback_parallel_begin, ompt_callback_parallel_begin_t,
		 no_data ? NULL : &current->data,
		 (s->faults & FAULT_NO_FRAME) != 0 ? NULL : &current->frame,
		 no_data ? NULL : &team->data, team->n, ompt_parallel_team, call_of(s, call));
}

static void report_end(ompt_data_t *data)
{
	CALLBACK(ompt_callback_parallel_end, ompt_callback_parallel_end_t, data, &current->data,
		 ompt_parallel_team, NULL);
}

static void *tell_end_elsewhere(void *data)
{
	current = &initial;
	report_end(data);
	return NULL;
}

static void end_team(const struct mock_step *s, struct team *team)
{
	pthread_t t;

	if ((s->faults & FAULT_LATE) != 0 && nlost < LOST_MAX)
		lost[nlost++] = team->data;
	if ((s->faults & (FAULT_NO_END | FAULT_LATE)) != 0)
		return;
	if ((s->faults & FAULT_END_ELSEWHERE) != 0) {
		if (pthread_create(&t, NULL, tell_end_elsewhere, &team->data) != 0)
			abort();
		pthread_join(t, NULL);
		return;
	}
	report_end((s->faults & FAULT_NULL_DATA) != 0 ? NULL : &team->data);
	if ((s->faults & FAULT_END_TWICE) != 0)
		report_end(&team->data);
}

static KEEP void parallel(const struct mock_step *s, const void *call)
{
	struct team team = {
		.n = (unsigned int)s->n, .faults = s->faults, .in = s->in, .inner = s->inner
	};

	report_begin(s, &team, call);
	hire(&team);
	run_implicit(&team, 0);
	join(&team);
	end_team(s, &team);
	if ((s->faults & FAULT_WORKERS_END) != 0)
		dismiss();
}

static void serial_begin(const struct mock_step *s, const void *call)
{
	struct team *team = &serial[nserial];
	struct task *t = &serial_task[nserial];

	memset(team, 0, sizeof(*team));
	memset(t, 0, sizeof(*t));
	team->n = 1;
	t->team = team;
	report_begin(s, team, call);
	serial_outer[nserial++] = current;
	current = t;
	CALLBACK(ompt_callback_implicit_task, ompt_callback_implicit_task_t, ompt_scope_begin,
		 &team->data, &t->data, 1, 0, ompt_task_implicit);
	/* The body is no call: exit lies beneath it, where nothing is. */
	t->frame.exit_frame.ptr = __builtin_frame_address(0);
	state = ompt_state_work_parallel;
}

static void serial_end(const struct mock_step *s)
{
	current = serial_outer[--nserial];
	end_team(s, &serial[nserial]);
	state = current == &initial ? ompt_state_work_serial : ompt_state_work_parallel;
}

/* ---- tasks ------------------------------------------------------------------------ */

static void tell_schedule(struct task *prior, ompt_task_status_t status, struct task *next)
{
	CALLBACK(ompt_callback_task_schedule, ompt_callback_task_schedule_t, &prior->data, status,
		 next != NULL ? &next->data : NULL);
}

static KEEP void run_task(struct task t, unsigned int faults)
{
	struct task *outer = current;

	tell_schedule(outer, ompt_task_switch, &t);
	current = &t;
	invoke(&t);
	current = outer;
	if ((faults & FAULT_NO_END) == 0)
		tell_schedule(&t, ompt_task_complete, outer);
}

static void create(const struct mock_step *s, const void *call)
{
	struct task t = { .team = current->team, .in = s->in, .inner = s->inner };

	if ((s->faults & FAULT_NO_BEGIN) == 0)
		CALLBACK(ompt_callback_task_create, ompt_callback_task_create_t,
			 (s->faults & FAULT_NULL_DATA) != 0 ? NULL : &current->data,
			 (s->faults & FAULT_NO_FRAME) != 0 ? NULL : &current->frame, &t.data,
			 ompt_task_explicit, 0, call_of(s, call));
	if (s->n != 0) {
		run_task(t, s->faults);
		return;
	}
	pthread_mutex_lock(&lock);
	if (nqueued < TASKS_MAX)
		queue[nqueued++] = t;
	pthread_mutex_unlock(&lock);
}

static KEEP void taskwait(unsigned int faults)
{
	for (;;) {
		struct task t;

		pthread_mutex_lock(&lock);
		bool some = nqueued > 0;
		if (some)
			t = queue[--nqueued];
		pthread_mutex_unlock(&lock);
		if (!some)
			return;
		run_task(t, faults);
	}
}

/* ---- the rest ------------------------------------------------------------------------ */

static void idle(void)
{
	pthread_mutex_lock(&lock);
	for (unsigned int i = 0; i < nworkers; i++)
		workers[i].sample = true;
	pthread_cond_broadcast(&change);
	for (unsigned int i = 0; i < nworkers; i++)
		while (workers[i].sample)
			pthread_cond_wait(&change, &lock);
	pthread_mutex_unlock(&lock);
}

static void tell_work(const struct mock_step *s, const void *call)
{
	CALLBACK(ompt_callback_work, ompt_callback_work_t, (ompt_work_t)(s->n & 0xff),
		 (s->n & MOCK_WORK_END) != 0 ? ompt_scope_end : ompt_scope_begin,
		 current->team != NULL ? &current->team->data : NULL,
		 (s->faults & FAULT_NULL_DATA) != 0 ? NULL : &current->data, 1, call_of(s, call));
}

static void tell_mutex(const struct mock_step *s, const void *call)
{
	if (s->op == MOCK_ACQUIRED)
		CALLBACK(ompt_callback_mutex_acquired, ompt_callback_mutex_t, (ompt_mutex_t)s->n,
			 s->object, call_of(s, call));
	else if (s->op == MOCK_RELEASED)
		CALLBACK(ompt_callback_mutex_released, ompt_callback_mutex_t, (ompt_mutex_t)s->n,
			 s->object, NULL);
	else
		CALLBACK(ompt_callback_nest_lock, ompt_callback_nest_lock_t,
			 s->n != 0 ? ompt_scope_end : ompt_scope_begin, s->object,
			 call_of(s, call));
}

static void tell_sync(const struct mock_step *s, const void *call)
{
	/* As libomp's taskgroups: of the task's data it shows a copy. */
	ompt_data_t copy = current->data;

	CALLBACK(ompt_callback_sync_region, ompt_callback_sync_region_t,
		 (ompt_sync_region_t)(s->n & 0xff),
		 (s->n & MOCK_WORK_END) != 0 ? ompt_scope_end : ompt_scope_begin,
		 current->team != NULL ? &current->team->data : NULL,
		 (s->faults & FAULT_NULL_DATA) != 0 ? NULL : &copy, call_of(s, call));
}

static void tell_depend(const struct mock_step *s, const void *call)
{
	ompt_data_t created = { .value = 0 };

	CALLBACK(ompt_callback_task_create, ompt_callback_task_create_t, &current->data,
		 &current->frame, &created, ompt_task_taskwait | ompt_task_undeferred, 1,
		 call_of(s, call));
}

EXPORT void mock_do(const struct mock_step *s)
{
	const void *call = __builtin_return_address(0);
	struct task *here = current;

	here->frame.enter_frame.ptr =
		(s->faults & FAULT_WEIRD_ENTER) != 0 ? mock_weird : __builtin_frame_address(0);
	switch (s->op) {
	case MOCK_PARALLEL: parallel(s, call); break;
	case MOCK_SERIAL_BEGIN: serial_begin(s, call); break;
	case MOCK_SERIAL_END: serial_end(s); break;
	case MOCK_TASK: create(s, call); break;
	case MOCK_TASKWAIT: taskwait(s->faults); break;
	case MOCK_STATE: state = s->n; break;
	case MOCK_WORK: tell_work(s, call); break;
	case MOCK_ACQUIRED:
	case MOCK_RELEASED:
	case MOCK_NEST: tell_mutex(s, call); break;
	case MOCK_SYNC: tell_sync(s, call); break;
	case MOCK_DEPEND: tell_depend(s, call); break;
	case MOCK_IDLE: idle(); break;
	case MOCK_END_LOST:
		while (nlost > 0)
			report_end(&lost[--nlost]);
		break;
	case MOCK_PAUSE:
		mock_finalize();
		mock_initialize(starter);
		break;
	default: abort();
	}
	here->frame.enter_frame.ptr = NULL;
}

EXPORT KEEP void mock_encounter(void (*callback)(uintptr_t call, uintptr_t enter))
{
	callback((uintptr_t)__builtin_return_address(0), (uintptr_t)__builtin_frame_address(0));
	__asm__ volatile("" ::: "memory");
}

EXPORT KEEP void mock_invoke(void (*body)(int), int n, uintptr_t *exit)
{
	uintptr_t outer = *exit;

	*exit = (uintptr_t)__builtin_frame_address(0);
	body(n);
	*exit = outer;
}
