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

enum { TIMES = 3, IN_TEAMS = 4 + 4 * 2, TEAMS = 1 + 4 };

void group_pairs(void)
{
	struct pairs p;
	unsigned since;
	int i, event;

	memset(&p, 0, sizeof(p));
	omp_set_max_active_levels(2);
	omp_init_lock(&lock);
	omp_init_nest_lock(&nest_lock);
	session_begin();
	hear_all();
	since = moment();
	for (i = 0; i < TIMES; i++)
		all(2);
	sleep_ms(50);
	expect_equal("the program's own result", (uint64_t)near, TIMES * IN_TEAMS);
	hear_each(since, look_at, &p);
	close_thread(&p);
	expect(p.below == 0, "no END without its BEGIN in a thread", "%u, the last is %s", p.below,
	       p.below_name);
	expect(p.open == 0, "no BEGIN without its END in a thread", "%u, the last is %s", p.open,
	       p.below_name);
	expect_number(&p, OMP_EVENT_FORK, TIMES * TEAMS, "a FORK for each region");
	expect_number(&p, OMP_EVENT_JOIN, TIMES * TEAMS, "a JOIN for each region");
	expect_number(&p, OMP_EVENT_THR_BEGIN_MASTER, TIMES * TEAMS, "a BEGIN_MASTER in each team");
	expect_number(&p, OMP_EVENT_THR_BEGIN_SINGLE, TIMES * TEAMS * 2,
		      "two BEGIN_SINGLEs in each team");
	expect_number(&p, OMP_EVENT_THR_BEGIN_ORDERED, TIMES * TEAMS * 32,
		      "a BEGIN_ORDERED for each");
	expect_number(&p, OMP_EVENT_THR_END_ORDERED, TIMES * TEAMS * 32, "an END_ORDERED for each");
	for (event = OMP_EVENT_FORK; event < EVENTS; event++) {
		if (!supported[event] && event != OMP_EVENT_FORK)
			expect_equal("an event that is not supported is never told",
				     p.number[event], 0);
	}
	expect(heard_all(), "all events were noted", "some were not");
}
