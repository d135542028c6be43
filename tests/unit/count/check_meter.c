/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_meter.c - counts are assigned to the places where they arose, none is lost, and
 * counts that cannot be read separately are marked.  The counters are the test's own.
 */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ompt_tool/count/meter.h"
#include "ompt_tool/machine/ticks.h"
#include "ompt_tool/sample/thread.h"
#include "ompt_tool/tree/cct.h"
#include "ompt_tool/tree/process.h"
#include "pmu/perf_event.h"
#include "tests/support/suite_main.h"

enum { FIRST = 3 };

/* Minutes, which no busy machine takes. */
#define LONG_TICKS (UINT64_C(1) << 40)

static struct thread t;
static struct meters m;
static struct pmu_value now[PMU_COUNTS_MAX]; /* what the counters hold */
static bool parked[PMU_COUNTS_MAX], broken;
static int reads;
static char path[] = "/tmp/omphwc-meter.XXXXXX";

static int index_of(const struct pmu_fastread *f)
{
	for (int i = 0; i < m.counts.n; i++)
		if (&m.counts.counts[i].fast == f)
			return i;
	ck_abort_msg("no counter of ours");
}

int pmu_fastread(const struct pmu_fastread *f, struct pmu_value *v)
{
	if (parked[index_of(f)] || broken)
		return -EAGAIN;
	*v = now[index_of(f)];
	return 0;
}

int pmu_fastread_parked(const struct pmu_fastread *f, struct pmu_value *v)
{
	if (!parked[index_of(f)] || broken)
		return -EAGAIN;
	*v = now[index_of(f)];
	return 0;
}

/* Steady readings look at these pages and registers. An event whose value pmu_fastread()
   would refuse, or whose time stepped back, has another lock. */
static struct perf_event_mmap_page page[PMU_COUNTS_MAX];
static struct pmu_value first[PMU_COUNTS_MAX];
static uint64_t last_ns[PMU_COUNTS_MAX];
static int steady_reads;

static uint64_t read_register(uint32_t index)
{
	steady_reads += index == 0;
	/* The clock stands still, so these are the nanoseconds that have passed. */
	if (index == 0)
		m.steady.passed_ns = last_ns[0] - now[0].enabled_ns;
	last_ns[index] = now[index].enabled_ns;
	return now[index].value;
}

int pmu_steady_begin(struct pmu_steady *s, const struct pmu_fastread *const *events, int n,
		     struct pmu_value *values)
{
	s->n = 0;
	for (int i = 0; i < n; i++)
		if (pmu_fastread(events[i], &values[i]) != 0)
			return -EAGAIN;
	for (int i = 0; i < n; i++) {
		const int k = index_of(events[i]);

		ck_assert_int_eq(i, k);
		first[i] = values[i];
		last_ns[i] = values[i].enabled_ns;
		s->events[i] = (struct pmu_steady_event){
			.page = &page[i],
			.read = read_register,
			.raw = values[i].value,
			.begun = values[i].value,
			.lock = page[i].lock,
			.index = (uint32_t)i,
		};
	}
	s->time_mult = 0;
	s->begun_clock = ticks_now();
	s->passed_ns = 0;
	s->n = n;
	return n > 0 ? 0 : -EAGAIN;
}

uint64_t pmu_steady_gained(const struct pmu_steady *s, int i)
{
	return s->events[i].raw - first[i].value;
}

uint64_t pmu_steady_passed(const struct pmu_steady *s)
{
	(void)s;
	return last_ns[0] - first[0].enabled_ns;
}

/* Before each move: what the kernel would have done to the pages. */
static void touch_pages(void)
{
	for (int i = 0; i < m.steady.n; i++)
		if (parked[i] || broken || now[i].enabled_ns < last_ns[i])
			page[i].lock++;
}

int pmu_counts_read(const struct pmu_counts *c, int group, struct pmu_value *values)
{
	reads++;
	if (c->size[group] == 0)
		return -ESTALE;
	for (int i = 0; i < c->size[group]; i++)
		values[i] = now[c->first[group] + i];
	return 0;
}

static void add_group(bool fast, int size)
{
	const int g = m.counts.ngroups++;

	m.counts.first[g] = (uint8_t)m.counts.n;
	m.counts.size[g] = (uint8_t)size;
	m.counts.fast[g] = fast;
	for (int i = 0; i < size; i++) {
		m.counts.counts[m.counts.n].number = (uint8_t)(FIRST + m.counts.n);
		m.counts.counts[m.counts.n++].group = (uint8_t)g;
	}
}

static void setup(void)
{
	static const unsigned char alive = 1;

	ck_assert_int_ge(mkstemp(path), 0);
	ck_assert_int_eq(prof_create(&process.writer, path, 1 << 24), 0);
	process.alive = &alive;
	process_open();
	ck_assert(thread_record(&t));
	memset(&m, 0, sizeof(m));
	memset(now, 0, sizeof(now));
	memset(parked, 0, sizeof(parked));
	broken = false;
	reads = steady_reads = 0;
}

static void teardown(void)
{
	unlink(path);
}

static void run(uint64_t value)
{
	for (int i = 0; i < m.counts.n; i++) {
		now[i].enabled_ns += value;
		if (parked[i])
			continue;
		now[i].value += value * (unsigned)(i + 1);
		now[i].running_ns += value;
	}
}

static void go(uint32_t context, enum prof_part part)
{
	touch_pages();
	meters_move(&t.omp, &m, (struct place){ context, part });
}

/* value and times of an event at a place; they were made if any was counted. */
static struct pmu_value counted(uint32_t context, enum prof_part part, int event)
{
	uint32_t node = cct_root(&t.omp.cct), value, time;

	if (context != 0)
		node = cct_child(&t.omp.cct, node,
				 PROF_BOUNDARY_INFO(PROF_BOUNDARY_REGION, PROF_TEAM_UNKNOWN),
				 context);
	value = cct_child(&t.omp.cct, node,
			  PROF_NODE_INFO(PROF_NODE_COUNT, FIRST + event, part, PROF_COUNT_VALUE),
			  0);
	time = cct_child(&t.omp.cct, node,
			 PROF_NODE_INFO(PROF_NODE_COUNT, FIRST + event, part, PROF_COUNT_TIME), 0);
	return (struct pmu_value){ cct_node(&process.writer, value)->a,
				   cct_node(&process.writer, value)->b,
				   cct_node(&process.writer, time)->a };
}

static void is(uint32_t context, enum prof_part part, int event, uint64_t value)
{
	ck_assert_uint_eq(counted(context, part, event).value, value);
}

/* So many went by. */
static void wait_ticks(uint64_t ticks)
{
	m.slow.read_ticks -= ticks;
	m.slow.since_ticks -= ticks;
}

START_TEST(each_place_has_its_own)
{
	add_group(true, 2);
	run(1000); /* before it begins: nobody's */
	meters_begin(&m, (struct place){ 0, PROF_PART_WORK }, 0);
	reads = 0;
	run(10);
	go(77, PROF_PART_WORK);
	run(20);
	go(77, PROF_PART_WAIT);
	run(30);
	go(77, PROF_PART_WORK);
	run(40);
	go(0, PROF_PART_WORK);
	run(5);
	touch_pages();
	meters_flush(&t.omp, &m);
	ck_assert_int_eq(reads, 0);
	ck_assert_int_eq(steady_reads, 4); /* all but the first */
	is(0, PROF_PART_WORK, 0, 15);
	is(0, PROF_PART_WORK, 1, 30);
	is(77, PROF_PART_WORK, 0, 60);
	is(77, PROF_PART_WORK, 1, 120);
	is(77, PROF_PART_WAIT, 0, 30);
	ck_assert_uint_eq(counted(77, PROF_PART_WORK, 1).enabled_ns, 60);
	ck_assert_uint_eq(counted(77, PROF_PART_WORK, 1).running_ns, 60);
}
END_TEST

START_TEST(many_places)
{
	add_group(true, 1);
	meters_begin(&m, (struct place){ 0, PROF_PART_WORK }, 0);
	for (uint32_t i = 0; i < 5000; i++) {
		go(100 + i % 500, PROF_PART_WORK);
		run(1 + i % 500);
	}
	touch_pages();
	meters_flush(&t.omp, &m);
	for (uint32_t i = 0; i < 500; i++)
		is(100 + i, PROF_PART_WORK, 0, 10 * (1 + i));
}
END_TEST

START_TEST(a_wait_that_was_another)
{
	add_group(true, 1);
	meters_begin(&m, (struct place){ 7, PROF_PART_WAIT }, 0);
	run(10);
	meters_rename(&m, (struct place){ 7, PROF_PART_WAIT }, (struct place){ 7, PROF_PART_IDLE });
	go(0, PROF_PART_WORK);
	is(7, PROF_PART_WAIT, 0, 0);
	is(7, PROF_PART_IDLE, 0, 10);
}
END_TEST

/* Who has no counter stands still, and his time goes on. */
START_TEST(groups_that_take_turns)
{
	struct pmu_value v;

	add_group(true, 1);
	add_group(true, 1);
	meters_begin(&m, (struct place){ 0, PROF_PART_WORK }, 0);
	parked[1] = true;
	for (int i = 0; i < 10; i++) {
		run(10);
		now[1].enabled_ns = 0; /* its page is as old as its last turn */
		go(i % 2 ? 0 : 7, PROF_PART_WORK);
	}
	is(0, PROF_PART_WORK, 0, 50);
	is(7, PROF_PART_WORK, 0, 50);
	v = counted(7, PROF_PART_WORK, 1);
	ck_assert_uint_eq(v.value, 0);
	ck_assert_uint_eq(v.running_ns, 0);
	ck_assert_uint_ge(v.enabled_ns, 40);
	/* Its turn comes, and its page says the truth. */
	parked[1] = false;
	parked[0] = true;
	now[1].enabled_ns = 100;
	run(10);
	go(7, PROF_PART_WORK);
	v = counted(7, PROF_PART_WORK, 1);
	is(0, PROF_PART_WORK, 1, 20);
	ck_assert_uint_eq(counted(0, PROF_PART_WORK, 1).enabled_ns + v.enabled_ns, 110);
}
END_TEST

/* Closed, with late callbacks still to come. */
START_TEST(nothing_after_the_end)
{
	add_group(true, 1);
	add_group(false, 1);
	meters_begin(&m, (struct place){ 0, PROF_PART_WORK }, 0);
	run(10);
	go(7, PROF_PART_WORK);
	meters_end(&m);
	reads = steady_reads = 0;
	run(10);
	go(0, PROF_PART_WORK);
	go(7, PROF_PART_WORK);
	touch_pages();
	meters_flush(&t.omp, &m);
	ck_assert_int_eq(reads + steady_reads, 0);
	is(7, PROF_PART_WORK, 0, 0);
}
END_TEST

START_TEST(pages_that_tell_nothing)
{
	add_group(true, 1);
	meters_begin(&m, (struct place){ 0, PROF_PART_WORK }, 0);
	broken = true;
	reads = 0;
	run(10);
	go(7, PROF_PART_WORK);
	ck_assert_int_eq(reads, 1);
	is(0, PROF_PART_WORK, 0, 10);
}
END_TEST

START_TEST(clocks_that_step_back)
{
	add_group(true, 1);
	meters_begin(&m, (struct place){ 0, PROF_PART_WORK }, 0);
	run(100);
	go(7, PROF_PART_WORK);
	now[0].enabled_ns -= 30;
	now[0].value += 1;
	go(0, PROF_PART_WORK);
	now[0].enabled_ns += 40;
	go(7, PROF_PART_WORK);
	is(7, PROF_PART_WORK, 0, 1);
	ck_assert_uint_eq(counted(7, PROF_PART_WORK, 0).enabled_ns, 0);
	ck_assert_uint_eq(counted(0, PROF_PART_WORK, 0).enabled_ns, 110);
}
END_TEST

/* Of a slow event, while a fast one is read steadily: its counts are booked once. */
START_TEST(a_slow_clock_that_steps_back)
{
	enum { MOVES = 20, EACH = 10 };

	add_group(true, 1);
	add_group(false, 1);
	meters_begin(&m, (struct place){ 0, PROF_PART_WORK }, 0);
	for (int i = 0; i < MOVES; i++) {
		run(EACH);
		if (i == MOVES / 2)
			now[1].enabled_ns -= 3 * EACH;
		go(i % 2 == 0 ? 7 : 0, PROF_PART_WORK);
	}
	ck_assert_int_gt(steady_reads, MOVES / 2);
	is(0, PROF_PART_WORK, 0, MOVES / 2 * EACH);
	is(7, PROF_PART_WORK, 0, MOVES / 2 * EACH);
}
END_TEST

/* Long ones are read, short ones are with the thread, and all is there. */
START_TEST(reading_costs_too_much)
{
	add_group(false, 2);
	meters_begin(&m, (struct place){ 0, PROF_PART_WORK }, LONG_TICKS);
	reads = 0;
	run(10);
	wait_ticks(LONG_TICKS);
	go(7, PROF_PART_WORK);
	ck_assert_int_eq(reads, 1);
	for (int i = 0; i < 1000; i++) { /* short regions */
		run(1);
		go(0, PROF_PART_WORK);
		run(1);
		go(7, PROF_PART_WORK);
	}
	wait_ticks(LONG_TICKS + 40 * (LONG_TICKS / 10));
	run(50);
	go(0, PROF_PART_WORK);
	wait_ticks(LONG_TICKS);
	run(60);
	touch_pages();
	meters_flush(&t.omp, &m);
	is(0, PROF_PART_WORK, 0, 70);
	is(0, PROF_PART_WORK, 1, 140);
	ck_assert_uint_eq(counted(7, PROF_PART_WORK, 0).value +
				  counted(0, PROF_PART_MIXED, 0).value,
			  2050);
	ck_assert_uint_ge(counted(7, PROF_PART_WORK, 0).value, 50);
	ck_assert_int_lt(reads, 1000);
}
END_TEST

/* Half here, half there, each too short: nobody's but the thread's. */
START_TEST(a_stretch_of_two)
{
	add_group(false, 1);
	meters_begin(&m, (struct place){ 0, PROF_PART_WORK }, LONG_TICKS);
	run(3);
	wait_ticks(LONG_TICKS * 3 / 4);
	go(7, PROF_PART_WORK);
	run(4);
	wait_ticks(LONG_TICKS * 3 / 4);
	go(0, PROF_PART_WORK);
	run(5);
	touch_pages();
	meters_flush(&t.omp, &m);
	is(0, PROF_PART_MIXED, 0, 7);
	is(7, PROF_PART_WORK, 0, 0);
	is(0, PROF_PART_WORK, 0, 5);
}
END_TEST

/* One event behind which two stand, one for each kind of core. */
START_TEST(two_kinds_of_cores)
{
	struct pmu_value total[PROF_EVENTS_MAX];

	add_group(true, 1);
	add_group(true, 1);
	m.counts.counts[1].number = FIRST;
	meters_begin(&m, (struct place){ 0, PROF_PART_WORK }, 0);
	parked[1] = true;
	run(10);
	go(7, PROF_PART_WORK);
	parked[1] = false;
	parked[0] = true;
	run(10); /* counts double on the second */
	go(0, PROF_PART_WORK);
	is(0, PROF_PART_WORK, 0, 10);
	is(7, PROF_PART_WORK, 0, 20);
	ck_assert_uint_eq(meters_total(&m, total), 1u << FIRST);
	ck_assert_uint_eq(total[FIRST].value, 30);
	ck_assert_uint_eq(total[FIRST].running_ns, 20);
	ck_assert_uint_eq(total[FIRST].enabled_ns, 20);
}
END_TEST

/* The thread could open it for one kind of core only: nothing is known of it then. */
START_TEST(one_kind_of_two)
{
	struct pmu_value total[PROF_EVENTS_MAX];
	struct prof_header before;

	add_group(false, 1);
	add_group(false, 1);
	add_group(false, 1);
	m.counts.counts[1].number = FIRST;
	m.counts.size[1] = 0;
	meters_begin(&m, (struct place){ 0, PROF_PART_WORK }, 0);
	memcpy(&before, process.writer.base, sizeof(before));
	run(10);
	go(7, PROF_PART_WORK);
	is(0, PROF_PART_WORK, 2, 30);
	ck_assert_int_eq(memcmp(&before, process.writer.base,
				offsetof(struct prof_header, used_bytes)),
			 0);
	ck_assert_uint_eq(meters_total(&m, total), 1u << (FIRST + 2));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("meter");
	TCase *c = tcase_create("meter");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, each_place_has_its_own);
	tcase_add_test(c, many_places);
	tcase_add_test(c, a_wait_that_was_another);
	tcase_add_test(c, groups_that_take_turns);
	tcase_add_test(c, pages_that_tell_nothing);
	tcase_add_test(c, nothing_after_the_end);
	tcase_add_test(c, clocks_that_step_back);
	tcase_add_test(c, a_slow_clock_that_steps_back);
	tcase_add_test(c, reading_costs_too_much);
	tcase_add_test(c, a_stretch_of_two);
	tcase_add_test(c, two_kinds_of_cores);
	tcase_add_test(c, one_kind_of_two);
	suite_add_tcase(suite, c);
	return suite_main(suite);
}
