/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * conform_threads.c - groups: requests of threads that the runtime did not make; pairs of
 * events.
 */
#include "tests/collector/conform.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* ---- threads of the program ------------------------------------------- */

static void outside(const char *who)
{
	const struct answer a = ask();
	uint64_t parent;
	char what[96];
	int code;

	snprintf(what, sizeof(what), "the state of %s", who);
	expect(a.state_code == OMP_ERRCODE_OK && a.state == THR_SERIAL_STATE, what, "%s, %s",
	       code_name(a.state_code), state_name(a.state));
	snprintf(what, sizeof(what), "the region of %s", who);
	expect(a.id_code == OMP_ERRCODE_OK && a.id == 0, what, "%s, %llu", code_name(a.id_code),
	       (unsigned long long)a.id);
	snprintf(what, sizeof(what), "PARENT_PRID of %s", who);
	code = ask_id(OMP_REQ_PARENT_PRID, &parent);
	if (code == OMP_ERRCODE_UNSUPPORTED)
		note("PARENT_PRID is not supported");
	else
		expect_code(what, code, OMP_ERRCODE_THREAD_ERR);
}

static void *before_openmp(void *arg)
{
	session_begin();
	outside("a thread of the program before OpenMP");
	expect_code("REGISTER by it", ask_register(OMP_EVENT_FORK, hear), OMP_ERRCODE_OK);
	return arg;
}

/* A region whose master is a thread of the program. */
static void *master_of_its_own(void *arg)
{
	const unsigned since = moment();
	uint64_t ids[2] = { 0, 0 }, parent = ~UINT64_C(0);
	int code = 0;

	(void)arg;
#pragma omp parallel num_threads(2)
	{
		ids[omp_get_thread_num()] = ask_region();
		if (omp_get_thread_num() == 0)
			code = ask_id(OMP_REQ_PARENT_PRID, &parent);
	}
	expect(ids[0] != 0 && ids[0] == ids[1], "the region of a team of such a thread",
	       "%llu and %llu", (unsigned long long)ids[0], (unsigned long long)ids[1]);
	expect_equal("its FORK, in that thread", heard_since(since, OMP_EVENT_FORK, own_tid()), 1);
	if (code != OMP_ERRCODE_UNSUPPORTED)
		expect(code == OMP_ERRCODE_OK && parent == 0, "PARENT_PRID of its master",
		       "%s, %llu", code_name(code), (unsigned long long)parent);
	outside("that thread after its region");
	return NULL;
}

static void *during_region(void *arg)
{
	outside("a thread of the program while another is in a region");
	return arg;
}

static bool run_thread(void *(*run)(void *))
{
	pthread_t thread;

	if (!expect(pthread_create(&thread, NULL, run, NULL) == 0, "a thread", "none"))
		return false;
	pthread_join(thread, NULL);
	return true;
}

void group_threads(void)
{
	unsigned since;

	if (!run_thread(before_openmp))
		return;
	since = moment();
#pragma omp parallel num_threads(2)
#pragma omp master
	run_thread(during_region);
	expect_equal("FORK in the initial thread, registered by another",
		     heard_since(since, OMP_EVENT_FORK, own_tid()), 1);
	run_thread(master_of_its_own);
	run_thread(master_of_its_own);
}

/* ---- pairs ------------------------------------------------------------ */

static omp_lock_t lock;
static omp_nest_lock_t nest_lock;
static long double far;
static int near;

static void burn(int n)
{
	volatile double x = 1;
	int i;

	for (i = 0; i < n * 1000; i++)
		x = x * 0.999 + 0.5;
}

static void loops(void)
{
	int i;

#pragma omp for schedule(static) nowait
	for (i = 0; i < 16; i++)
		burn(1);
#pragma omp for schedule(dynamic, 2)
	for (i = 0; i < 16; i++)
		burn(i % 3);
#pragma omp for schedule(guided) nowait
	for (i = 0; i < 16; i++)
		burn(i % 3);
#pragma omp for schedule(runtime)
	for (i = 0; i < 16; i++)
		burn(i % 3);
#pragma omp for schedule(dynamic, 1) ordered
	for (i = 0; i < 16; i++) {
		burn(i % 4);
#pragma omp ordered
		burn(1);
	}
#pragma omp for schedule(static, 2) ordered
	for (i = 0; i < 16; i++) {
#pragma omp ordered
		burn(1);
	}
}

static void locks(void)
{
	int i;

	for (i = 0; i < 4; i++) {
#pragma omp critical
		burn(1);
#pragma omp critical(conform_pairs)
		burn(1);
		omp_set_lock(&lock);
		burn(1);
		omp_unset_lock(&lock);
		omp_set_nest_lock(&nest_lock);
		omp_set_nest_lock(&nest_lock);
		burn(1);
		omp_unset_nest_lock(&nest_lock);
		omp_unset_nest_lock(&nest_lock);
#pragma omp atomic
		far += 1;
	}
}

static void shares(void)
{
	int n = 0;

#pragma omp sections
	{
#pragma omp section
		burn(3);
#pragma omp section
		burn(1);
	}
#pragma omp single
	burn(2);
#pragma omp single copyprivate(n)
	n = 1;
#pragma omp master
	burn(n);
#pragma omp barrier
#pragma omp task
	burn(1);
#pragma omp taskwait
}

static void all(int levels)
{
#pragma omp parallel num_threads(levels > 1 ? 4 : 2) reduction(+ : near)
	{
		loops();
		locks();
		shares();
		near++;
		if (levels > 1)
			all(levels - 1);
	}
}

/* Of one thread, as its log is read. */
struct pairs {
	int tid, depth[EVENTS];
	bool idle_begun;
	unsigned number[EVENTS], below, open;
	const char *below_name;
};

static void close_thread(struct pairs *p)
{
	int e;

	for (e = OMP_EVENT_THR_BEGIN_IBAR; e < EVENTS; e += 2) {
		if (p->depth[e] == 0 || !supported[e] || !supported[e + 1])
			continue;
		p->open++;
		p->below_name = event_name(e);
	}
	memset(p->depth, 0, sizeof(p->depth));
	p->idle_begun = false;
}

static void look_at(const struct heard *h, void *arg)
{
	struct pairs *p = arg;
	const bool is_begin = h->event % 2;
	const int begin = is_begin ? h->event : h->event - 1;

	if (h->tid != p->tid)
		close_thread(p);
	p->tid = h->tid;
	p->number[h->event]++;
	if (h->event < OMP_EVENT_THR_BEGIN_IDLE || !supported[begin] || !supported[begin + 1])
		return;
	p->depth[begin] += is_begin ? 1 : -1;
	/* A new worker may have been called before it was idle. */
	if (begin == OMP_EVENT_THR_BEGIN_IDLE && p->depth[begin] < 0 && !p->idle_begun)
		p->depth[begin] = 0;
	p->idle_begun = p->idle_begun || h->event == OMP_EVENT_THR_BEGIN_IDLE;
	if (p->depth[begin] >= 0 && (begin != OMP_EVENT_THR_BEGIN_IDLE || p->depth[begin] <= 1))
		return;
	p->below++;
	p->below_name = event_name(h->event);
}

static void expect_number(const struct pairs *p, int event, unsigned number, const char *what)
{
	if (supported[event])
		expect_equal(what, p->number[event], number);
}

/* Masters: the initial thread and two of the program's. */
enum { OTHERS = 2, TIMES = 3, PLAYS = TIMES + OTHERS, IN_TEAMS = 4 + 4 * 2, TEAMS = 1 + 4 };

static void *play_once(void *arg)
{
	/* Each such thread has settings of its own. */
	omp_set_max_active_levels(2);
	all(2);
	return arg;
}

static void play_all(void)
{
	pthread_t threads[OTHERS];
	int i, made = 0;

	for (i = 0; i < OTHERS; i++)
		made += pthread_create(&threads[i], NULL, play_once, NULL) == 0;
	for (i = 0; i < TIMES; i++)
		all(2);
	for (i = 0; i < made; i++)
		pthread_join(threads[i], NULL);
	expect_equal("threads that are masters", (uint64_t)made, OTHERS);
	/* Workers on their way to where they are idle. */
	sleep_ms(50);
}

static void prepare(void)
{
	omp_set_max_active_levels(2);
	omp_init_lock(&lock);
	omp_init_nest_lock(&nest_lock);
	session_begin();
}

void group_pairs(void)
{
	struct pairs p;
	unsigned since;
	int event;

	memset(&p, 0, sizeof(p));
	prepare();
	hear_all();
	since = moment();
	play_all();
	expect_equal("the program's own result", (uint64_t)near, PLAYS * IN_TEAMS);
	hear_each(since, look_at, &p);
	close_thread(&p);
	expect(p.below == 0, "no END without its BEGIN in a thread", "%u, the last is %s", p.below,
	       p.below_name);
	expect(p.open == 0, "no BEGIN without its END in a thread", "%u, the last is %s", p.open,
	       p.below_name);
	expect_number(&p, OMP_EVENT_FORK, PLAYS * TEAMS, "a FORK for each region");
	expect_number(&p, OMP_EVENT_JOIN, PLAYS * TEAMS, "a JOIN for each region");
	expect_number(&p, OMP_EVENT_THR_BEGIN_MASTER, PLAYS * TEAMS, "a BEGIN_MASTER in each team");
	expect_number(&p, OMP_EVENT_THR_BEGIN_SINGLE, PLAYS * TEAMS * 2,
		      "two BEGIN_SINGLEs in each team");
	expect_number(&p, OMP_EVENT_THR_BEGIN_ORDERED, PLAYS * TEAMS * 32,
		      "a BEGIN_ORDERED for each");
	expect_number(&p, OMP_EVENT_THR_END_ORDERED, PLAYS * TEAMS * 32, "an END_ORDERED for each");
	for (event = OMP_EVENT_FORK; event < EVENTS; event++) {
		if (!supported[event] && event != OMP_EVENT_FORK)
			expect_equal("an event that is not supported is never told",
				     p.number[event], 0);
	}
	expect(heard_all(), "all events were noted", "some were not");
}

/* ---- each event without the others ------------------------------------ */

static atomic_int wanted, formerly;
static atomic_uint calls, strange, late;

/* The worker may begin a call just when the event before is unregistered: it ends an implicit
   barrier, for one, when the region is over. */
static bool is_late(OMP_COLLECTORAPI_EVENT event)
{
	return (int)event == formerly && atomic_fetch_add(&late, 1) == 0;
}

static void hear_one(OMP_COLLECTORAPI_EVENT event)
{
	const struct answer a = ask();

	if (is_late(event))
		return;
	atomic_fetch_add(&calls, 1);
	if ((int)event != wanted || a.state_code != OMP_ERRCODE_OK || a.id_code != OMP_ERRCODE_OK)
		atomic_fetch_add(&strange, 1);
}

static void play_for(int event)
{
	const struct answer before = ask();
	char what[64];

	formerly = wanted;
	wanted = event;
	strange = calls = late = 0;
	near = 0;
	if (ask_register(event, hear_one) != OMP_ERRCODE_OK)
		return;
	all(2);
	snprintf(what, sizeof(what), "%s alone: the program's own result", event_name(event));
	expect_equal(what, (uint64_t)near, IN_TEAMS);
	snprintf(what, sizeof(what), "%s alone: calls with another event, or without answers",
		 event_name(event));
	expect_equal(what, strange, 0);
	snprintf(what, sizeof(what), "%s alone: the state afterwards", event_name(event));
	expect_equal(what, (uint64_t)ask().state, (uint64_t)before.state);
	if (event == OMP_EVENT_FORK || event == OMP_EVENT_JOIN) {
		snprintf(what, sizeof(what), "%s alone: calls", event_name(event));
		expect_equal(what, calls, TEAMS);
	}
	ask_unregister(event);
}

/* Registered by the master in a region, and forgotten in the next. */
static void play_between(void)
{
	int event;

#pragma omp parallel num_threads(2)
	{
#pragma omp master
		hear_all();
#pragma omp barrier
		locks();
	}
#pragma omp parallel num_threads(2)
	{
		locks();
#pragma omp barrier
#pragma omp master
		for (event = OMP_EVENT_FORK; event < EVENTS; event++)
			ask_unregister(event);
#pragma omp barrier
		locks();
	}
}

void group_alone(void)
{
	struct answer a;
	int event;

	prepare();
	for (event = OMP_EVENT_FORK; event < EVENTS; event++)
		play_for(event);
	play_between();
	a = ask();
	expect(a.state == THR_SERIAL_STATE && a.id == 0,
	       "after registering in a region and unregistering in the next", "%s, region %llu",
	       state_name(a.state), (unsigned long long)a.id);
}

/* ---- cancelled regions ------------------------------------------------ */

enum { CANCELLED = 200 };

static void region_to_cancel(int when)
{
	int i;

#pragma omp parallel num_threads(3)
	{
		if (when % 4 == 0 && omp_get_thread_num() == when % 3) {
#pragma omp cancel parallel
		}
#pragma omp barrier
#pragma omp critical(conform_cancel)
		near++;
#pragma omp for schedule(dynamic, 1)
		for (i = 0; i < 8; i++) {
			burn(1);
			if (when % 4 == 1 && i == 5) {
#pragma omp cancel for
			}
		}
#pragma omp cancellation point parallel
#pragma omp sections
		{
#pragma omp section
			if (when % 4 == 2) {
#pragma omp cancel sections
			}
#pragma omp section
			burn(1);
		}
		if (when % 4 == 3 && omp_get_thread_num() == when % 3) {
#pragma omp cancel parallel
		}
#pragma omp barrier
		burn(1);
	}
}

void group_cancel(void)
{
	struct answer a;
	struct pairs p;
	unsigned since;
	int i;

	if (!omp_get_cancellation())
		note("regions are not cancelled: OMP_CANCELLATION=true would allow that");
	memset(&p, 0, sizeof(p));
	session_begin();
	hear_all();
	since = moment();
	for (i = 0; i < CANCELLED; i++)
		region_to_cancel(i);
	sleep_ms(50);
	hear_each(since, look_at, &p);
	close_thread(&p);
	expect(p.below == 0, "no END without its BEGIN in a thread", "%u, the last is %s", p.below,
	       p.below_name);
	expect(p.open == 0, "no BEGIN without its END in a thread", "%u, the last is %s", p.open,
	       p.below_name);
	expect_number(&p, OMP_EVENT_FORK, CANCELLED, "a FORK for each region");
	expect_number(&p, OMP_EVENT_JOIN, CANCELLED, "a JOIN for each region");
	a = ask();
	expect(a.state == THR_SERIAL_STATE && a.id == 0, "the initial thread after that",
	       "%s, region %llu", state_name(a.state), (unsigned long long)a.id);
	expect(heard_all(), "all events were noted", "some were not");
}
