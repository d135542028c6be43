/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * testomp_team.c - libtestomp's threads and regions.
 *
 * Workers lie on a stack while they are idle. The master of a team takes them from it and
 * puts them back in the reverse order, so that a thread number is the same thread in the
 * next region (threadprivate variables need that). A worker that is put back may still be
 * on its way to its dock: its mail waits for it.
 */
#include "config.h"

#include <stdlib.h>
#include <unistd.h>

#include "tests/collector/testomp.h"

struct worker {
	struct worker *below;
	atomic_uint mail; /* how many teams it has been called to */
	struct team *team;
	unsigned number;
	struct share *first;
	struct member member;
};

_Thread_local struct thread self;

static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static struct worker *pool;
static _Atomic uint64_t last_id;
atomic_int max_active_levels = 1;

unsigned usual_threads(void)
{
	static atomic_uint usual;
	const char *text;
	long n;

	if (self.wanted)
		return self.wanted;
	if (usual == 0) {
		text = getenv("OMP_NUM_THREADS");
		n = text ? strtol(text, NULL, 10) : sysconf(_SC_NPROCESSORS_ONLN);
		usual = n > 0 ? (unsigned)n : 1;
	}
	return usual;
}

/* ---- teams ------------------------------------------------------------ */

static struct team *team_new(void)
{
	struct team *t = calloc(1, sizeof(*t));

	if (!t)
		testomp_die("no memory for a team");
	pthread_mutex_init(&t->lock, NULL);
	return t;
}

static void team_leave(struct team *t)
{
	if (atomic_fetch_sub(&t->members, 1) != 1)
		return;
	pthread_mutex_destroy(&t->lock);
	free(t->workers);
	free(t);
}

struct member *here(void)
{
	static _Thread_local struct member alone;
	static _Thread_local struct team own;

	if (self.at)
		return self.at;
	if (!alone.team) {
		pthread_mutex_init(&own.lock, NULL);
		own.size = 1;
		own.members = 1;
		alone.team = &own;
	}
	return &alone;
}

/* ---- workers ---------------------------------------------------------- */

static void enter(struct member *m, struct team *t, unsigned number, struct share *first)
{
	*m = (struct member){ .team = t, .number = number, .share = first };
	m->shares = first ? 1 : 0;
}

static void worker_work(struct worker *w)
{
	struct team *t = w->team;

	enter(&w->member, t, w->number, w->first);
	wait_begin(fault(FAULT_WORK_EARLY) ? THR_WORK_STATE : THR_OVHD_STATE, 0);
	self.at = &w->member;
	wait_begin(THR_WORK_STATE, 0);
	t->body(t->data);
	overhead_begin();
	team_barrier(&w->member, THR_IBAR_STATE);
	if (!fault(FAULT_IDLE_REGION)) {
		self.at = NULL;
		team_leave(t);
	}
}

static void *worker_run(void *arg)
{
	struct worker *w = arg;
	unsigned had;

	for (had = 0;; had++) {
		wait_begin(fault(FAULT_IDLE_WORKS) ? THR_WORK_STATE : THR_IDLE_STATE, 0);
		tell(OMP_EVENT_THR_BEGIN_IDLE);
		word_wait(&w->mail, had);
		if (!fault(FAULT_WRONG_THREAD))
			tell(OMP_EVENT_THR_END_IDLE);
		worker_work(w);
	}
	return NULL;
}

static struct worker *worker_new(void)
{
	struct worker *w = calloc(1, sizeof(*w));
	pthread_attr_t detached;
	pthread_t thread;

	if (!w)
		return NULL;
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	if (pthread_create(&thread, &detached, worker_run, w) != 0) {
		free(w);
		w = NULL;
	}
	pthread_attr_destroy(&detached);
	return w;
}

static struct worker *pool_take(void)
{
	struct worker *w;

	pthread_mutex_lock(&pool_lock);
	w = pool;
	if (w)
		pool = w->below;
	pthread_mutex_unlock(&pool_lock);
	return w ? w : worker_new();
}

static void pool_put(struct worker *w)
{
	pthread_mutex_lock(&pool_lock);
	w->below = pool;
	pool = w;
	pthread_mutex_unlock(&pool_lock);
}

/* A fork's child has none of these threads. */
static void pool_forget(void)
{
	pthread_mutex_init(&pool_lock, NULL);
	pool = NULL;
	if (fault(FAULT_CHILD_REPEATS))
		last_id--;
}

static __attribute__((constructor)) void pool_watch_forks(void)
{
	pthread_atfork(NULL, NULL, pool_forget);
}

/* ---- regions ---------------------------------------------------------- */

static uint64_t next_id(void)
{
	const uint64_t id = atomic_fetch_add(&last_id, 1) + 1;

	return fault(FAULT_SAME_ID) ? id % 90000 + 1 : id;
}

static unsigned team_size(const struct team *outer, unsigned n)
{
	if (n == 0)
		n = usual_threads();
	return outer->active_level >= (unsigned)max_active_levels ? 1 : n;
}

/* A team of n threads, or of as many as there can be. */
static struct team *gather(struct member *creator, void (*body)(void *), void *data, unsigned n)
{
	const struct team *outer = creator->team;
	struct team *t = team_new();

	t->body = body;
	t->data = data;
	t->creator = creator;
	n = team_size(outer, n);
	t->workers = calloc(n, sizeof(struct worker *));
	for (t->size = 1; t->workers && t->size < n; t->size++) {
		t->workers[t->size] = pool_take();
		if (!t->workers[t->size])
			break;
	}
	t->members = t->size;
	t->level = outer->level + 1;
	t->active_level = outer->active_level + (t->size > 1);
	t->id = next_id();
	return t;
}

static void call_workers(struct team *t, struct share *first)
{
	unsigned i;

	for (i = 1; i < t->size; i++) {
		struct worker *w = t->workers[i];

		w->team = t;
		w->number = i;
		w->first = first;
		if (fault(FAULT_WRONG_THREAD))
			tell(OMP_EVENT_THR_END_IDLE);
		atomic_fetch_add(&w->mail, 1);
		futex_wake(&w->mail, 1);
	}
}

/* Until all are at the end. */
static void dismiss(struct member *m)
{
	struct team *t = m->team;
	unsigned i;

	if (fault(FAULT_EARLY_JOIN))
		tell(OMP_EVENT_JOIN);
	team_barrier(m, THR_IBAR_STATE);
	for (i = t->size - 1; i > 0; i--)
		pool_put(t->workers[i]);
}

void region_run(void (*body)(void *), void *data, unsigned n, struct share *first)
{
	struct member *outer = self.at, m;
	struct team *t = gather(here(), body, data, n);
	struct wait before;

	if (first)
		share_give(t, first);
	enter(&m, t, 0, first);
	m.outer = outer;
	before = wait_begin(THR_OVHD_STATE, 0);
	if (!fault(FAULT_OLD_ID))
		self.at = &m;
	if (!fault(FAULT_LATE_FORK))
		tell(OMP_EVENT_FORK);
	self.at = &m;
	call_workers(t, first);
	if (fault(FAULT_LATE_FORK)) {
		usleep(2000);
		tell(OMP_EVENT_FORK);
	}
	wait_begin(THR_WORK_STATE, 0);
	body(data);
	overhead_begin();
	dismiss(&m);
	self.at = outer;
	wait_end(before);
	if (!fault(FAULT_EARLY_JOIN))
		tell(OMP_EVENT_JOIN);
	team_leave(t);
}
