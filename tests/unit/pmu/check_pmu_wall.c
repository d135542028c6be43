/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_pmu_wall.c - what a wall clock's samples stand for, by readings that the test makes up.
 */
#include "config.h"

#include <check.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "pmu/wall.h"
#include "src/profile/clock.h"
#include "tests/support/suite_main.h"

#define PERIOD_NS UINT64_C(1000000)
#define LONG_NS UINT64_C(10000000000)
#define MOMENT_NS UINT64_C(4000000000) /* what a test may take, on a busy machine */

static const struct wall_place here = { 0x1000, 0x2000, WALL_WAITS, false },
			       there = { 0x3000, 0x2000, WALL_WAITS, false },
			       awake = { 0x1000, 0x2000, WALL_RUNS, false },
			       left = { 0x1000, 0x2000, WALL_LEAVES, false },
			       has_run = { 0x1000, 0x2000, WALL_RUNS, true };

/* A clock whose last sample was so long ago. */
static struct pmu_counter clock_since(uint64_t ns)
{
	return (struct pmu_counter){
		.kind = PMU_WALL,
		.fd = -1,
		.period = PERIOD_NS,
		.running = true,
		.wall = { .since_ns = clock_ns(CLOCK_MONOTONIC) - ns, .waking = -1, .seed = 1 },
	};
}

/* The thread gives up its CPU, once. */
static void sleep_once(void)
{
	const struct timespec t = { .tv_nsec = 1000000 };

	nanosleep(&t, NULL);
}

static struct wall_share take(struct pmu_counter *c, const struct wall_place *p)
{
	struct wall_share share;

	ck_assert(wall_take(c, p, &share));
	return share;
}

static uint64_t rest_of(struct pmu_counter *c, pid_t other)
{
	struct wall_share share;

	wall_rest(c, other, &share);
	return share.here_ns + share.ready_ns;
}

/* Begins with a sample that found it asleep here; then so much time passes in a pause. */
static struct pmu_counter asleep_here(uint64_t ns)
{
	struct pmu_counter c = clock_since(1);

	sleep_once();
	ck_assert(take(&c, &here).asleep);
	c.wall.since_ns -= ns;
	c.wall.paused = true;
	return c;
}

/* Nothing is lost, or counted twice. */
START_TEST(adds_up_to_the_time)
{
	const uint64_t begin = clock_ns(CLOCK_MONOTONIC);
	struct pmu_counter c = clock_since(0);
	uint64_t sum = 0;

	for (int i = 0; i < 100; i++) {
		const struct wall_share s = take(&c, i % 3 == 0 ? &awake : &here);

		sum += s.here_ns + s.before_ns + s.ready_ns;
		if (i % 7 == 0)
			sum += wall_wake(&c);
		c.wall.paused = i % 2 == 0;
		if (i % 5 == 0)
			sleep_once();
	}
	sum += rest_of(&c, 0);
	ck_assert_uint_le(sum, clock_ns(CLOCK_MONOTONIC) - begin);
	ck_assert_uint_ge(sum + 1000000, clock_ns(CLOCK_MONOTONIC) - begin);
	ck_assert_uint_eq(rest_of(&c, 0), 0);
}
END_TEST

START_TEST(knows_who_sleeps)
{
	struct pmu_counter c = clock_since(LONG_NS);

	sleep_once();
	ck_assert(!take(&c, &awake).asleep);
	sleep_once();
	ck_assert(take(&c, &here).asleep);
	/* About to call, or back already: it has not slept since. */
	c = clock_since(LONG_NS);
	take(&c, &awake);
	ck_assert(!take(&c, &here).asleep);
	/* A call that no signal interrupts: it slept for most of the time, or ran. */
	c = clock_since(LONG_NS);
	take(&c, &awake);
	c.wall.since_ns -= LONG_NS;
	sleep_once();
	ck_assert(take(&c, &left).asleep);
	c.wall.since_ns -= LONG_NS;
	ck_assert(!take(&c, &left).asleep);
	sleep_once();
	c.wall.cpu_ns -= LONG_NS;
	ck_assert(!take(&c, &left).asleep);
}
END_TEST

START_TEST(a_sleep_goes_on)
{
	struct pmu_counter c = asleep_here(LONG_NS);
	const uint64_t slept = c.wall.slept_ns;
	struct wall_share s;

	sleep_once();
	s = take(&c, &here);
	ck_assert(s.asleep);
	ck_assert_uint_eq(s.before_ns, 0);
	ck_assert_uint_ge(s.here_ns, LONG_NS);
	ck_assert_uint_ge(c.wall.slept_ns, slept + LONG_NS);
	/* Two ticks at once: it had no time to sleep again. */
	ck_assert(take(&c, &here).asleep);
	ck_assert_uint_ge(c.wall.slept_ns, LONG_NS);
	/* It has waked meanwhile, and sleeps again where it slept. */
	sleep_once();
	sleep_once();
	ck_assert(take(&c, &here).asleep);
	ck_assert_uint_eq(c.wall.slept_ns, 0);
}
END_TEST

static void is_about(uint64_t ns, uint64_t expected)
{
	ck_assert_uint_ge(ns + 1000000, expected);
	ck_assert_uint_le(ns, expected + MOMENT_NS);
}

/* Awake: what it ran is here, the rest where it slept. */
START_TEST(awake_after_a_sleep)
{
	for (int paused = 0; paused < 2; paused++) {
		struct pmu_counter c = asleep_here(LONG_NS);
		struct wall_share s;

		c.wall.paused = paused;
		c.wall.cpu_ns -= LONG_NS / 4;
		s = take(&c, &awake);
		ck_assert(!s.asleep);
		is_about(s.here_ns, LONG_NS / 4);
		is_about(s.before_ns, LONG_NS * 3 / 4);
		/* More CPU time than time cannot be. */
		c = asleep_here(LONG_NS);
		c.wall.cpu_ns -= 2 * LONG_NS;
		ck_assert_uint_eq(take(&c, &awake).before_ns, 0);
	}
}
END_TEST

/* What a thread ran before a sleep goes to the next sample that finds it awake. */
START_TEST(asleep_after_it_ran)
{
	struct pmu_counter c = clock_since(LONG_NS);
	struct wall_share s;

	take(&c, &awake);
	c.wall.since_ns -= LONG_NS;
	c.wall.cpu_ns -= LONG_NS / 4;
	sleep_once();
	s = take(&c, &there);
	ck_assert(s.asleep);
	ck_assert_uint_eq(s.before_ns, 0);
	is_about(s.here_ns, LONG_NS * 3 / 4);
	c.wall.since_ns -= LONG_NS;
	c.wall.cpu_ns -= LONG_NS / 2;
	s = take(&c, &awake);
	is_about(s.here_ns, LONG_NS * 3 / 4);
	is_about(s.before_ns, LONG_NS / 2);
}
END_TEST

/* What it slept between two samples that found it awake goes to the next one that finds it asleep;
   without a sleep it waited for a CPU. */
START_TEST(a_sleep_that_no_sample_saw)
{
	struct pmu_counter c = clock_since(LONG_NS);
	struct wall_share s;

	take(&c, &awake);
	c.wall.since_ns -= LONG_NS;
	s = take(&c, &awake);
	is_about(s.here_ns, 0);
	is_about(s.ready_ns, LONG_NS);
	ck_assert_uint_eq(s.before_ns, 0);
	c.wall.since_ns -= LONG_NS;
	c.wall.cpu_ns -= LONG_NS / 4;
	sleep_once();
	is_about(take(&c, &awake).here_ns, LONG_NS / 4);
	sleep_once();
	s = take(&c, &here);
	is_about(s.here_ns, LONG_NS * 3 / 4);
	ck_assert_uint_eq(s.before_ns, 0);
}
END_TEST

/* Asleep elsewhere: when it woke between is not known. */
START_TEST(asleep_elsewhere)
{
	struct pmu_counter c = asleep_here(LONG_NS);
	struct wall_share s;

	sleep_once();
	s = take(&c, &there);
	ck_assert(s.asleep);
	is_about(s.here_ns, LONG_NS / 2);
	is_about(s.before_ns, LONG_NS / 2);
}
END_TEST

/* Unless something shows that the sleep is over. */
START_TEST(a_sleep_is_over)
{
	struct pmu_counter c = asleep_here(LONG_NS);
	struct wall_share s;

	c.wall.cpu_ns -= LONG_NS / 4;
	is_about(wall_wake(&c), LONG_NS * 3 / 4);
	ck_assert_uint_eq(wall_wake(&c), 0);
	c.wall.since_ns -= LONG_NS;
	sleep_once();
	s = take(&c, &there);
	ck_assert_uint_eq(s.before_ns, 0);
	is_about(s.here_ns, LONG_NS);
	s = take(&c, &awake);
	is_about(s.here_ns, LONG_NS / 4);
}
END_TEST

/* Of another thread: its tick is overdue, so it sleeps where none comes. */
START_TEST(what_is_not_known_of_another_thread)
{
	for (int overdue = 0; overdue < 2; overdue++) {
		struct pmu_counter c = clock_since(LONG_NS);

		take(&c, &awake);
		c.wall.next_ns = LONG_NS;
		c.wall.since_ns -= overdue ? 3 * LONG_NS : LONG_NS;
		if (overdue)
			ck_assert_uint_eq(rest_of(&c, getppid()), 0);
		else
			ck_assert_uint_ge(rest_of(&c, getppid()), LONG_NS);
	}
}
END_TEST

/* A thread that had no CPU: where it ends, only what it ran belongs to its last place. */
START_TEST(what_ran_of_the_rest)
{
	for (int starved = 0; starved < 2; starved++) {
		struct pmu_counter c = clock_since(LONG_NS);
		struct wall_share s;

		c.wall.cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - (starved ? 0 : LONG_NS);
		take(&c, &awake);
		ck_assert_int_eq(c.wall.starved, starved);
		c.wall.since_ns -= LONG_NS;
		wall_rest(&c, 0, &s);
		ck_assert_uint_ge(s.here_ns + s.ready_ns, LONG_NS);
		is_about(s.ready_ns, starved ? LONG_NS : 0);
	}
}
END_TEST

/* What a thread ran is where it is found running, not where it waits for a CPU. */
START_TEST(what_ran_is_where_it_ran)
{
	struct pmu_counter c = clock_since(0);
	struct wall_share s;

	take(&c, &awake);
	c.wall.next_ns = _i ? LONG_NS : PERIOD_NS;
	c.wall.since_ns -= LONG_NS;
	c.wall.cpu_ns -= LONG_NS / 4;
	s = take(&c, &awake);
	is_about(s.ready_ns, LONG_NS * 3 / 4);
	is_about(s.here_ns, _i ? LONG_NS / 4 : 0);
	s = take(&c, &has_run);
	is_about(s.here_ns, _i ? 0 : LONG_NS / 4);
}
END_TEST

/* Where many hardly run, each is asked when it has run for a period, and else rarely. */
START_TEST(who_has_no_cpu_is_left_alone)
{
	enum { MANY = 100 };
	struct pmu_counter c[MANY];

	for (int i = 0; i < MANY; i++) {
		c[i] = clock_since(LONG_NS);
		ck_assert_int_eq(timer_create(CLOCK_MONOTONIC,
					      &(struct sigevent){ .sigev_notify = SIGEV_NONE },
					      &c[i].timer),
				 0);
		c[i].timer_open = true;
		c[i].wall.signo = SIGURG;
		take(&c[i], &awake);
		wall_rearm(&c[i]);
	}
	ck_assert_uint_le(c[0].wall.next_ns, 2 * PERIOD_NS);
	ck_assert_uint_ge(c[MANY - 1].wall.next_ns, MANY / 2 * PERIOD_NS - PERIOD_NS);
	ck_assert_uint_ne(c[MANY - 1].wall.watched_ns, 0);
	/* It runs again. */
	c[0].wall.cpu_ns -= LONG_NS;
	c[0].wall.since_ns -= PERIOD_NS;
	take(&c[0], &awake);
	wall_rearm(&c[0]);
	ck_assert_uint_le(c[0].wall.next_ns, 2 * PERIOD_NS);
	for (int i = 0; i < MANY; i++) {
		wall_close(&c[i]);
		timer_delete(c[i].timer);
	}
}
END_TEST

START_TEST(a_stopped_one_counts_nothing)
{
	struct pmu_counter c = clock_since(LONG_NS);
	struct wall_share s;

	c.running = false;
	ck_assert(!wall_take(&c, &awake, &s));
}
END_TEST

/* A thread that ends within its first period: a sample of it stands for those without any. */
START_TEST(a_short_life)
{
	struct pmu_counter c = clock_since(0);

	c.period = LONG_NS;
	ck_assert_uint_eq(rest_of(&c, 0), 0);
	c = clock_since(1000);
	c.period = LONG_NS;
	const struct wall_share s = take(&c, &awake);
	ck_assert_uint_eq(s.here_ns + rest_of(&c, 0), LONG_NS);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("pmu_wall");
	TCase *c = tcase_create("shares");

	tcase_add_test(c, adds_up_to_the_time);
	tcase_add_test(c, knows_who_sleeps);
	tcase_add_test(c, a_sleep_goes_on);
	tcase_add_test(c, awake_after_a_sleep);
	tcase_add_test(c, asleep_after_it_ran);
	tcase_add_test(c, a_sleep_that_no_sample_saw);
	tcase_add_test(c, asleep_elsewhere);
	tcase_add_test(c, a_sleep_is_over);
	tcase_add_test(c, what_is_not_known_of_another_thread);
	tcase_add_test(c, what_ran_of_the_rest);
	tcase_add_loop_test(c, what_ran_is_where_it_ran, 0, 2);
	tcase_add_test(c, who_has_no_cpu_is_left_alone);
	tcase_add_test(c, a_stopped_one_counts_nothing);
	tcase_add_test(c, a_short_life);
	suite_add_tcase(s, c);
	return suite_main(s);
}
