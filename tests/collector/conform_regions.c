/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * conform_regions.c - groups: region IDs, FORK and JOIN, and their order.
 */
#define _GNU_SOURCE
#include "tests/collector/conform.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- order ------------------------------------------------------------ */

enum { REGIONS = 60, LARGEST = 5 };

/* What the bodies saw of one region. */
struct seen {
	atomic_uint first, last; /* moments: the first body's beginning, the last one's end */
	_Atomic uint64_t id;
	atomic_uint others; /* threads that saw another ID */
	atomic_uint states; /* threads that were not in WORK */
};

struct forks {
	unsigned number, late, strange, parents;
	const struct seen *seen;
	int tid;
	unsigned joins, early, joined, in_outer;
};

static void look_at(const struct heard *h, void *arg)
{
	struct forks *f = arg;
	const struct seen *s;

	if (h->event == OMP_EVENT_FORK && f->number < REGIONS) {
		s = &f->seen[f->number++];
		f->late += h->order > s->first;
		f->strange += h->answer.id != s->id || h->tid != f->tid;
		f->parents += h->parent_code == OMP_ERRCODE_OK && h->parent == 0;
	} else if (h->event == OMP_EVENT_JOIN && f->joins < REGIONS) {
		s = &f->seen[f->joins++];
		f->early += h->order < s->last;
		f->in_outer += h->answer.id == 0;
		f->joined += (h->answer.id == 0 || h->answer.id == s->id) && h->tid == f->tid;
	}
}

static void body_seen(struct seen *s)
{
	const unsigned now = moment();
	unsigned before = 0;
	const struct answer a = ask();
	uint64_t none = 0;

	if (!atomic_compare_exchange_strong(&s->id, &none, a.id) && none != a.id)
		atomic_fetch_add(&s->others, 1);
	if (a.state != THR_WORK_STATE)
		atomic_fetch_add(&s->states, 1);
	while ((before == 0 || now < before) &&
	       !atomic_compare_exchange_weak(&s->first, &before, now))
		;
}

static void body_end(struct seen *s)
{
	const unsigned now = moment();
	unsigned before = atomic_load(&s->last);

	while (now > before && !atomic_compare_exchange_weak(&s->last, &before, now))
		;
}

static void order_is_right(const struct forks *f)
{
	expect_equal("a FORK for each region", f->number, REGIONS);
	expect_equal("FORKs that came after a body's begin", f->late, 0);
	expect_equal("FORKs with another ID or thread than the bodies'", f->strange, 0);
	if (f->parents == 0)
		note("PARENT_PRID in FORK is not answered");
	else
		expect_equal("FORKs whose parent is no region", f->parents, REGIONS);
	if (!supported[OMP_EVENT_JOIN])
		return;
	expect_equal("a JOIN for each region", f->joins, REGIONS);
	expect_equal("JOINs that came before a body's end", f->early, 0);
	expect_equal("JOINs with the region's ID or none, in its master", f->joined, REGIONS);
	note("CURRENT_PRID in JOIN is %s",
	     f->in_outer ? "the enclosing region" : "the region that ends");
}

void group_order(void)
{
	static struct seen seen[REGIONS];
	struct forks f = { .seen = seen, .tid = own_tid() };
	unsigned i, since, others = 0, states = 0, none = 0;

	session_begin();
	hear_all();
	since = moment();
	for (i = 0; i < REGIONS; i++) {
#pragma omp parallel num_threads(2 + i % (LARGEST - 1))
		{
			body_seen(&seen[i]);
			body_end(&seen[i]);
		}
	}
	for (i = 0; i < REGIONS; i++) {
		others += seen[i].others;
		states += seen[i].states;
		none += seen[i].id == 0;
	}
	expect_equal("threads whose region is not that of their team", others, 0);
	expect_equal("regions without an ID", none, 0);
	expect_equal("bodies that are not in WORK", states, 0);
	hear_each(since, look_at, &f);
	order_is_right(&f);
	expect(heard_all(), "all events were noted", "some were not");
}

/* ---- unique IDs ------------------------------------------------------- */

enum { MANY = 100000, MASTERS = 4, EACH = 5000, AGAIN = 1000, ALL = MANY + MASTERS * EACH + AGAIN };

static uint64_t *ids;
static atomic_uint ids_noted;
static _Thread_local volatile uint64_t forked;

static void note_id(OMP_COLLECTORAPI_EVENT event)
{
	const unsigned n = atomic_fetch_add(&ids_noted, 1);

	(void)event;
	forked = ask_region();
	if (n < ALL)
		ids[n] = forked;
}

static atomic_uint wrong_ids;

static void region_of_two(void)
{
	volatile uint64_t *id = &forked;

#pragma omp parallel num_threads(2)
	{
		if (ask_region() != *id)
			atomic_fetch_add(&wrong_ids, 1);
	}
}

static void *be_master(void *arg)
{
	int i;

	for (i = 0; i < EACH; i++)
		region_of_two();
	return arg;
}

static void many_masters(void)
{
	pthread_t threads[MASTERS];
	int i, made = 0;

	for (i = 0; i < MASTERS; i++)
		made += pthread_create(&threads[i], NULL, be_master, NULL) == 0;
	for (i = 0; i < made; i++)
		pthread_join(threads[i], NULL);
	expect_equal("threads that begin regions", (uint64_t)made, MASTERS);
}

static int by_value(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void ids_are_unique(unsigned n)
{
	unsigned i, twice = 0, none = 0;

	qsort(ids, n, sizeof(*ids), by_value);
	for (i = 0; i < n; i++) {
		twice += i > 0 && ids[i] == ids[i - 1];
		none += ids[i] == 0;
	}
	expect_equal("IDs that came twice", twice, 0);
	expect_equal("IDs that are 0", none, 0);
	expect_equal("bodies with another ID than their FORK's", wrong_ids, 0);
}

void group_ids(void)
{
	unsigned expected = MANY + MASTERS * EACH;
	int i;

	ids = calloc(ALL, sizeof(*ids));
	if (!expect(ids, "memory", "there is none"))
		return;
	session_begin();
	expect_code("REGISTER", ask_register(OMP_EVENT_FORK, note_id), OMP_ERRCODE_OK);
	for (i = 0; i < MANY; i++)
		region_of_two();
	many_masters();
	ask_plain(OMP_REQ_STOP);
	if (ask_plain(OMP_REQ_START) == OMP_ERRCODE_OK) {
		expected = ALL;
		expect_code("REGISTER again", ask_register(OMP_EVENT_FORK, note_id),
			    OMP_ERRCODE_OK);
		for (i = 0; i < AGAIN; i++)
			region_of_two();
	}
	expect_equal("a FORK for each region", ids_noted, expected);
	ids_are_unique(ids_noted < ALL ? ids_noted : ALL);
	free(ids);
}

/* ---- nested regions --------------------------------------------------- */

static atomic_uint wrong_parent, wrong_code, wrong_after, refused, inner_regions;

/* PARENT_PRID in a body whose enclosing region has that ID. */
static void parent_is(uint64_t outer)
{
	uint64_t parent = ~UINT64_C(0);
	const int code = ask_id(OMP_REQ_PARENT_PRID, &parent);

	if (code == OMP_ERRCODE_UNSUPPORTED)
		atomic_fetch_add(&refused, 1);
	else if (omp_get_thread_num() != 0)
		atomic_fetch_add(&wrong_code, code != OMP_ERRCODE_THREAD_ERR);
	else
		atomic_fetch_add(&wrong_parent, code != OMP_ERRCODE_OK || parent != outer);
}

static void after_inner(uint64_t id, int state)
{
	const struct answer a = ask();

	if (a.id != id || a.state != state)
		atomic_fetch_add(&wrong_after, 1);
}

static void nest(int levels, uint64_t outer)
{
#pragma omp parallel num_threads(2)
	{
		const uint64_t id = ask_region();

		parent_is(outer);
		if (id == outer || id == 0)
			atomic_fetch_add(&wrong_parent, 1);
		if (levels > 1) {
			atomic_fetch_add(&inner_regions, 2);
			nest(levels - 1, id);
			after_inner(id, THR_WORK_STATE);
			nest(levels - 1, id);
			after_inner(id, THR_WORK_STATE);
			parent_is(outer);
		}
	}
}

struct nested {
	unsigned forks, children, wrong;
};

static void look_at_fork(const struct heard *h, void *arg)
{
	struct nested *n = arg;

	if (h->event != OMP_EVENT_FORK)
		return;
	n->forks++;
	n->children += h->parent_code == OMP_ERRCODE_OK && h->parent != 0;
	n->wrong += h->parent_code != OMP_ERRCODE_OK || h->parent == h->answer.id;
}

/* A region of one thread is a region for OpenMP, and may be one for the producer. */
static void region_of_one(void)
{
	const unsigned since = moment();
	uint64_t outer = 0, inner = 0, after = 0;

#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0) {
		outer = ask_region();
#pragma omp parallel if (0)
		inner = ask_region();
		after = ask_region();
	}
	expect(inner != 0, "a region of one thread in a region of two", "no region");
	expect_equal("the region after it", after, outer);
	note("a region of one thread %s, %u FORKs",
	     inner == outer ? "is part of the outer one" : "has an ID",
	     heard_since(since, OMP_EVENT_FORK, 0));
	expect_equal("FORKs of these two", heard_since(since, OMP_EVENT_FORK, 0),
		     inner == outer ? 1 : 2);
}

void group_nested(void)
{
	struct nested n = { 0, 0, 0 };
	unsigned since;

	omp_set_max_active_levels(4);
	session_begin();
	hear_all();
	since = moment();
	nest(3, 0);
	after_inner(0, THR_SERIAL_STATE);
	hear_each(since, look_at_fork, &n);
	expect_equal("FORKs of three levels of regions", n.forks, 1 + inner_regions);
	expect_equal("states or IDs that are not the outer's after an inner region", wrong_after,
		     0);
	if (refused) {
		note("PARENT_PRID is not supported");
	} else {
		expect_equal("FORKs with a parent", n.children, inner_regions);
		expect_equal("FORKs with no answer, or that are their own parents", n.wrong, 0);
		expect_equal("masters whose PARENT_PRID is not the enclosing region", wrong_parent,
			     0);
		expect_equal("PARENT_PRIDs of other threads that are not THREAD_ERR", wrong_code,
			     0);
	}
	region_of_one();
}
