/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * conform_states.c - group: every state with its wait_id, made to happen.
 *
 * Of three threads one keeps the others waiting. It asks them, each in a signal handler of
 * its own, what they are in, until both wait where they have to; then it looks at what was
 * told of them, and lets them go. All that is done without any event registered and again
 * with all.
 */
#include "tests/collector/conform.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { TEAM = 3 };

/* The region's scene: which state it is about, and what was heard before. */
static const char *scene;
static bool listening;
static unsigned listened, began, body_began[TEAM];
static atomic_bool inside, done;
static atomic_int ready;
static int tids[TEAM];
static uint64_t scene_wait_id;

/* What gcc calls for an atomic update of a long double. */
extern void GOMP_atomic_start(void);
extern void GOMP_atomic_end(void);

static omp_lock_t lock, lock2;
static omp_nest_lock_t nest_lock;
static long double sum;

static void await_inside(void)
{
	while (!atomic_load(&inside))
		sleep_ms(1);
}

/* ---- what is reported ----------------------------------------------------- */

static OMP_COLLECTORAPI_EVENT begin_of(int state)
{
	switch (state) {
	case THR_IBAR_STATE: return OMP_EVENT_THR_BEGIN_IBAR;
	case THR_EBAR_STATE: return OMP_EVENT_THR_BEGIN_EBAR;
	case THR_IDLE_STATE: return OMP_EVENT_THR_BEGIN_IDLE;
	case THR_LKWT_STATE: return OMP_EVENT_THR_BEGIN_LKWT;
	case THR_CTWT_STATE: return OMP_EVENT_THR_BEGIN_CTWT;
	case THR_ODWT_STATE: return OMP_EVENT_THR_BEGIN_ODWT;
	default: return OMP_EVENT_THR_BEGIN_ATWT;
	}
}

/* A thread that waits was told to have begun, and not to have ended. */
static void told_of_wait(int slot, int state)
{
	const int begin = (int)begin_of(state);
	char what[96];

	if (!listening || state == THR_WORK_STATE || !supported[begin])
		return;
	snprintf(what, sizeof(what), "%s: thread %d: a %s while it waits", scene, slot,
		 event_name(begin));
	expect_equal(what, heard_since(body_began[slot], begin, tids[slot]), 1);
	if (!supported[begin + 1])
		return;
	snprintf(what, sizeof(what), "%s: thread %d: no %s while it waits", scene, slot,
		 event_name(begin + 1));
	expect_equal(what, heard_since(body_began[slot], begin + 1, tids[slot]), 0);
}

/* In BEGIN's callback the thread has the state already. */
static void look_at_begin(const struct heard *h, void *arg)
{
	if (h->event == ((int *)arg)[0] && h->answer.state != ((int *)arg)[1])
		((int *)arg)[2]++;
}

static void told_after(int state)
{
	int look[3] = { (int)begin_of(state), state, 0 };
	const int64_t deadline = now_ms() + 1000;
	unsigned begins, ends;
	char what[96];

	if (!listening || !supported[look[0]] || !supported[look[0] + 1] || state == THR_IDLE_STATE)
		return;
	/* Workers may still be on their way. */
	do {
		sleep_ms(1);
		begins = heard_since(listened, look[0], 0);
		ends = heard_since(listened, look[0] + 1, 0);
	} while (begins != ends && now_ms() < deadline);
	snprintf(what, sizeof(what), "%s: %s and %s balance", scene, event_name(look[0]),
		 event_name(look[0] + 1));
	expect(begins == ends && heard_since(began, look[0], 0) >= 1, what, "%u and %u, %u in this",
	       begins, ends, heard_since(began, look[0], 0));
	hear_each(began, look_at_begin, look);
	if (look[2])
		note("%s: in %d of %u %s callbacks the thread is not in %s", scene, look[2], begins,
		     event_name(look[0]), state_name(state));
}

/* ---- scenes ----------------------------------------------------------- */

static bool has_wait_id(int state)
{
	return state != THR_WORK_STATE && state != THR_IDLE_STATE && state != THR_SERIAL_STATE;
}

/* One of the others is in the state, or in another that is as right; in the region. */
static uint64_t one_is_in(int slot, int state, int other, uint64_t region)
{
	struct answer a;
	char what[96];

	snprintf(what, sizeof(what), "%s: thread %d is in %s", scene, slot, state_name(state));
	if (!probe_either(slot, state, other, what, &a))
		return 0;
	if (a.state != state)
		note("%s: thread %d is in %s, not in %s", scene, slot, state_name(a.state),
		     state_name(state));
	snprintf(what, sizeof(what), "%s: thread %d is in that region", scene, slot);
	expect_equal(what, a.id, region);
	told_of_wait(slot, a.state);
	return a.wait_id;
}

/* The caller keeps the two others waiting. */
static void others_are_in(int me, int state, int other)
{
	const int a = (me + 1) % TEAM, b = (me + 2) % TEAM;
	const uint64_t region = ask_region();
	const uint64_t x = one_is_in(a, state, other, region),
		       y = one_is_in(b, state, other, region);
	char what[96];

	if (!has_wait_id(state))
		return;
	snprintf(what, sizeof(what), "%s: the wait_id is one of something", scene);
	expect(x != 0, what, "it is 0");
	snprintf(what, sizeof(what), "%s: both threads have the same wait_id", scene);
	expect_equal(what, y, x);
	scene_wait_id = x;
}

static void hold(int me, int state)
{
	atomic_store(&inside, true);
	others_are_in(me, state, state);
}

static void at_critical(int me)
{
	if (me)
		await_inside();
#pragma omp critical(conform_a)
	if (!me)
		hold(me, THR_CTWT_STATE);
}

static void at_critical_b(int me)
{
	if (me)
		await_inside();
#pragma omp critical(conform_b)
	if (!me)
		hold(me, THR_CTWT_STATE);
}

static void at_unnamed(int me)
{
	if (me)
		await_inside();
#pragma omp critical
	if (!me)
		hold(me, THR_CTWT_STATE);
}

static void at_a_lock(int me, omp_lock_t *l)
{
	if (me)
		await_inside();
	omp_set_lock(l);
	if (!me)
		hold(me, THR_LKWT_STATE);
	omp_unset_lock(l);
}

static void at_lock(int me)
{
	at_a_lock(me, &lock);
}

static void at_lock2(int me)
{
	at_a_lock(me, &lock2);
}

static void at_nest_lock(int me)
{
	if (me)
		await_inside();
	omp_set_nest_lock(&nest_lock);
	omp_set_nest_lock(&nest_lock);
	if (!me)
		hold(me, THR_LKWT_STATE);
	omp_unset_nest_lock(&nest_lock);
	omp_unset_nest_lock(&nest_lock);
}

static void at_atomic(int me)
{
	if (!me) {
		GOMP_atomic_start();
		hold(me, THR_ATWT_STATE);
		GOMP_atomic_end();
		return;
	}
	await_inside();
#pragma omp atomic
	sum += 1;
}

static void at_ordered(int me)
{
	int i;

#pragma omp for ordered schedule(static, 1)
	for (i = 0; i < TEAM; i++) {
		if (me)
			await_inside();
#pragma omp ordered
		if (!me)
			hold(me, THR_ODWT_STATE);
	}
}

static void at_barrier(int me)
{
	if (!me)
		hold(me, THR_EBAR_STATE);
#pragma omp barrier
}

static void at_end(int me)
{
	if (!me)
		hold(me, THR_IBAR_STATE);
}

/* The master and a worker wait for the other worker. */
static void at_end_too(int me)
{
	if (me == TEAM - 1)
		hold(me, THR_IBAR_STATE);
}

/* Which thread gets the iteration that waits is not known. */
static void at_dynamic(int me)
{
	int i;

#pragma omp for schedule(dynamic, 1)
	for (i = 0; i < TEAM; i++) {
		if (i == 0)
			hold(me, THR_IBAR_STATE);
	}
}

static void at_sections(int me)
{
#pragma omp sections
	{
#pragma omp section
		hold(me, THR_IBAR_STATE);
#pragma omp section
		await_inside();
	}
}

/* gcc ends these two, but not the one with copyprivate, by the function that it has for barrier directives. */
static void at_static(int me)
{
	int i;

#pragma omp for schedule(static, 1)
	for (i = 0; i < TEAM; i++) {
		if (i == 0)
			others_are_in(me, THR_IBAR_STATE, THR_EBAR_STATE);
	}
}

static void at_single(int me)
{
#pragma omp single
	others_are_in(me, THR_IBAR_STATE, THR_EBAR_STATE);
}

static void at_copyprivate(int me)
{
	int n;

#pragma omp single copyprivate(n)
	{
		n = me;
		hold(me, THR_IBAR_STATE);
	}
	if (n < 0)
		sleep_ms(1);
}

static void compute(void)
{
	volatile double x = 1;

	while (!atomic_load(&done))
		x = x * 0.999 + 0.5;
}

static void at_work(int me)
{
	if (me) {
		compute();
		return;
	}
	hold(me, THR_WORK_STATE);
	atomic_store(&done, true);
}

/* It was in an inner region, and is now in the outer one's barrier. */
static void at_outer_barrier(int me)
{
	if (me) {
#pragma omp parallel num_threads(2)
		sleep_ms(1);
	}
	at_barrier(me);
}

static const struct scene {
	const char *name;
	void (*body)(int me);
	int state; /* that waits, for what is told of it; 0: none */
} scenes[] = {
	{ "critical(a)", at_critical, THR_CTWT_STATE },
	{ "critical(b)", at_critical_b, THR_CTWT_STATE },
	{ "critical", at_unnamed, THR_CTWT_STATE },
	{ "a lock", at_lock, THR_LKWT_STATE },
	{ "another lock", at_lock2, THR_LKWT_STATE },
	{ "a nest lock", at_nest_lock, THR_LKWT_STATE },
	{ "atomic", at_atomic, THR_ATWT_STATE },
	{ "ordered", at_ordered, THR_ODWT_STATE },
	{ "barrier", at_barrier, THR_EBAR_STATE },
	{ "the region's end, workers", at_end, THR_IBAR_STATE },
	{ "the region's end, master", at_end_too, THR_IBAR_STATE },
	{ "for schedule(dynamic)", at_dynamic, THR_IBAR_STATE },
	{ "sections", at_sections, THR_IBAR_STATE },
	{ "for schedule(static)", at_static, 0 },
	{ "single", at_single, 0 },
	{ "single copyprivate", at_copyprivate, THR_IBAR_STATE },
	{ "work", at_work, 0 },
	{ "barrier around an inner region", at_outer_barrier, 0 },
};
enum { SCENES = sizeof(scenes) / sizeof(scenes[0]) };

static void play(const struct scene *s)
{
	scene = s->name;
	inside = done = false;
	ready = 0;
	began = moment();
#pragma omp parallel num_threads(TEAM)
	{
		const int me = omp_get_thread_num();

		probe_here(me);
		tids[me] = own_tid();
#pragma omp barrier
		body_began[me] = moment();
		atomic_fetch_add(&ready, 1);
		/* None is still on its way out of the barrier. */
		while (atomic_load(&ready) < TEAM)
			sleep_ms(1);
		s->body(me);
	}
	if (s->state)
		told_after(s->state);
}

/* Who waits for different things has different wait_ids. */
static void differ(const char *what, uint64_t a, uint64_t b)
{
	expect(a != b, what, "both are %#llx", (unsigned long long)a);
}

static void play_all(void)
{
	uint64_t ids_[SCENES];
	int i;

	for (i = 0; i < SCENES; i++) {
		play(&scenes[i]);
		ids_[i] = scene_wait_id;
	}
	differ("two criticals of different names have different wait_ids", ids_[0], ids_[1]);
	differ("a critical with a name and one without have different wait_ids", ids_[0], ids_[2]);
	differ("two locks have different wait_ids", ids_[3], ids_[4]);
	play(&scenes[3]);
	expect_equal("a lock has the same wait_id in the next region", scene_wait_id, ids_[3]);
}

/* ---- outside of regions ----------------------------------------------- */

/* It was idle when events began to be heard. */
static void told_of_idle(int slot)
{
	unsigned begins, ends;
	char what[64];

	if (!listening || !supported[OMP_EVENT_THR_BEGIN_IDLE] ||
	    !supported[OMP_EVENT_THR_END_IDLE])
		return;
	begins = heard_since(listened, OMP_EVENT_THR_BEGIN_IDLE, tids[slot]);
	ends = heard_since(listened, OMP_EVENT_THR_END_IDLE, tids[slot]);
	snprintf(what, sizeof(what), "worker %d: as many BEGIN_IDLEs as END_IDLEs", slot);
	expect(begins > 0 && (begins == ends || begins == ends + 1), what, "%u and %u", begins,
	       ends);
}

static void idle_workers(void)
{
	struct answer a;
	char what[64];
	int i;

	scene = "no region";
	for (i = 1; i < TEAM; i++) {
		snprintf(what, sizeof(what), "worker %d is in IDLE after its region", i);
		if (!probe_until(i, THR_IDLE_STATE, what, &a))
			continue;
		snprintf(what, sizeof(what), "worker %d is in no region then", i);
		expect_equal(what, a.id, 0);
		snprintf(what, sizeof(what), "worker %d: CURRENT_PRID", i);
		expect_code(what, a.id_code, OMP_ERRCODE_OK);
		told_of_idle(i);
	}
	a = ask();
	expect_equal("the state of the initial thread between regions", (uint64_t)a.state,
		     THR_SERIAL_STATE);
	expect_equal("the region of the initial thread between regions", a.id, 0);
}

/* ---- reductions ------------------------------------------------------- */

struct slow {
	int x;
};
static int reducing;

static void combine(struct slow *out, const struct slow *in)
{
	out->x += in->x;
	reducing = ask().state;
}

#pragma omp declare reduction(slowly \
			      : struct slow \
			      : combine(&omp_out, &omp_in)) \
	initializer(omp_priv = (struct slow){ 0 })

static void reduction(void)
{
	struct slow s = { 0 };

#pragma omp parallel num_threads(TEAM) reduction(slowly : s)
	s.x++;
	expect_equal("a reduction", (uint64_t)s.x, TEAM);
	expect(reducing == THR_REDUC_STATE || reducing == THR_WORK_STATE,
	       "combining is REDUC, or WORK", "%s", state_name(reducing));
	note("combining a reduction's parts: %s", state_name(reducing));
}

void group_states(void)
{
	struct answer a;

	omp_set_max_active_levels(2);
	omp_init_lock(&lock);
	omp_init_lock(&lock2);
	omp_init_nest_lock(&nest_lock);
	session_begin();
	a = ask();
	expect_equal("the state of the initial thread at first", (uint64_t)a.state,
		     THR_SERIAL_STATE);
	expect_equal("the region of the initial thread at first", a.id, 0);
	play_all();
	reduction();
	/* Also: none is still on its way out of a barrier when events begin to be heard. */
	idle_workers();
	listened = moment();
	hear_all();
	listening = true;
	play_all();
	idle_workers();
	expect(heard_all(), "all events were noted", "some were not");
}
