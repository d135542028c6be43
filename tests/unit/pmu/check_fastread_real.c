/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_fastread_real.c - reads counters of this machine in both ways.  Where user code may
 * not read them, the test only verifies that.
 */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "pmu/counter.h"
#include "pmu/fastread.h"
#include "pmu/perf.h"
#include "pmu/perf_event.h"
#include "src/profile/clock.h"
#include "tests/programs/instructions.h"
#include "tests/support/suite_main.h"

enum { ROUNDS = 300, THREADS = 3, SETTLED = 20 };

static const uint64_t codes[] = { PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS };

enum { NCODES = sizeof(codes) / sizeof(codes[0]) };

struct counted {
	int fd;
	struct pmu_fastread fast;
};

/* Opened and running; false: this machine doesn't count it, or not so. */
static bool start(struct counted *c, uint64_t code)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = code,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
	struct pmu_value v;

	pmu_fastread_request(&attr);
	c->fd = pmu_perf_open(&attr, 0);
	if (c->fd < 0)
		return false;
	if (!pmu_fastread_open(&c->fast, c->fd) && !pmu_fastread(&c->fast, &v))
		return true;
	pmu_fastread_close(&c->fast);
	close(c->fd);
	return false;
}

static void stop(struct counted *c)
{
	pmu_fastread_close(&c->fast);
	ck_assert_int_eq(pmu_fastread(&c->fast, &(struct pmu_value){ 0 }), -EAGAIN);
	close(c->fd);
}

static bool can(struct counted *c, uint64_t code)
{
	if (start(c, code))
		return true;
	printf("SKIP: event %d: no counter that user code may read here\n", (int)code);
	fflush(stdout);
	return false;
}

static struct pmu_value by_kernel(const struct counted *c)
{
	struct pmu_value v;

	ck_assert_int_eq(read(c->fd, &v, sizeof(v)), (int)sizeof(v));
	return v;
}

static struct pmu_value by_hand(const struct counted *c)
{
	struct pmu_value v;

	for (int i = 0; i < 1000; i++)
		if (!pmu_fastread(&c->fast, &v))
			return v;
	ck_abort_msg("it has no counter");
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* A read by hand after one by the kernel is later, by less than what the call
   costs; and the other way round. */
static void *alternate(void *arg)
{
	struct counted c;
	uint64_t between[ROUNDS];

	if (!start(&c, *(const uint64_t *)arg))
		return (void *)1;
	for (int i = 0; i < ROUNDS; i++) {
		struct pmu_value a = by_hand(&c), b = by_kernel(&c), d = by_hand(&c);

		ck_assert_uint_le(a.value, b.value);
		ck_assert_uint_le(b.value, d.value);
		ck_assert_uint_le(a.enabled_ns, b.enabled_ns + SETTLED);
		ck_assert_uint_le(b.enabled_ns, d.enabled_ns + SETTLED);
		ck_assert_uint_le(d.running_ns, d.enabled_ns);
		between[i] = d.value - a.value;
		run_instructions(1000);
	}
	qsort(between, ROUNDS, sizeof(*between), compare);
	ck_assert_uint_lt(between[ROUNDS / 2], 20000);
	stop(&c);
	return NULL;
}

START_TEST(agrees_with_read)
{
	struct counted c;

	if (!can(&c, codes[_i]))
		return;
	stop(&c);
	ck_assert_ptr_null(alternate((void *)(uintptr_t)&codes[_i]));
}
END_TEST

/* Each thread has its own, wherever it runs. */
START_TEST(agrees_in_each_thread)
{
	pthread_t thread[THREADS];
	struct counted c;
	void *result;

	if (!can(&c, codes[_i]))
		return;
	stop(&c);
	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&thread[i], NULL, alternate,
						(void *)(uintptr_t)&codes[_i]),
				 0);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(thread[i], &result);
		ck_assert_ptr_null(result);
	}
}
END_TEST

/* Known instructions, read by hand on both sides of them. */
START_TEST(counts_what_is_known)
{
	struct pmu_value a, b;
	struct counted c;

	if (!can(&c, PERF_COUNT_HW_INSTRUCTIONS))
		return;
	a = by_hand(&c);
	run_instructions(3000000);
	b = by_hand(&c);
	ck_assert_uint_ge(b.value - a.value, 3000000);
	ck_assert_uint_le(b.value - a.value, 3003000);
	stop(&c);
}
END_TEST

START_TEST(costs_less_than_a_call)
{
	uint64_t t[3];
	struct pmu_value v;
	struct counted c;
	int64_t hand, kernel;

	if (!can(&c, codes[_i]))
		return;
	t[0] = clock_ns(CLOCK_MONOTONIC);
	for (int i = 0; i < ROUNDS; i++)
		v = by_hand(&c);
	t[1] = clock_ns(CLOCK_MONOTONIC);
	for (int i = 0; i < ROUNDS; i++)
		v = by_kernel(&c);
	t[2] = clock_ns(CLOCK_MONOTONIC);
	ck_assert_uint_gt(v.value, 0);
	hand = (int64_t)(t[1] - t[0]);
	kernel = (int64_t)(t[2] - t[1]);
	printf("event %d: %d ns by hand, %d ns by the kernel\n", (int)codes[_i],
	       (int)(hand / ROUNDS), (int)(kernel / ROUNDS));
	fflush(stdout);
	ck_assert_int_lt(hand, kernel);
	stop(&c);
}
END_TEST

START_TEST(stopped_it_is_for_the_kernel)
{
	struct counted c;
	struct pmu_value v;

	if (!can(&c, codes[_i]))
		return;
	ck_assert_int_eq(ioctl(c.fd, PERF_EVENT_IOC_DISABLE, 0), 0);
	ck_assert_int_eq(pmu_fastread(&c.fast, &v), -EAGAIN);
	ck_assert_int_eq(ioctl(c.fd, PERF_EVENT_IOC_ENABLE, 0), 0);
	by_hand(&c);
	stop(&c);
}
END_TEST

/* A clock has no counter register. */
START_TEST(refuses_software_events)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.exclude_kernel = 1,
	};
	struct pmu_fastread fast;
	int fd;

	pmu_fastread_request(&attr);
	fd = pmu_perf_open(&attr, 0);
	if (fd < 0) {
		printf("SKIP: software events: %s\n", strerror(-fd));
		fflush(stdout);
		return;
	}
	ck_assert_int_eq(pmu_fastread_open(&fast, fd), -ENOTSUP);
	close(fd);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("fastread_real");
	TCase *t = tcase_create("counters");

	tcase_add_loop_test(t, agrees_with_read, 0, NCODES);
	tcase_add_loop_test(t, agrees_in_each_thread, 0, NCODES);
	tcase_add_test(t, counts_what_is_known);
	tcase_add_loop_test(t, costs_less_than_a_call, 0, NCODES);
	tcase_add_loop_test(t, stopped_it_is_for_the_kernel, 0, NCODES);
	tcase_add_test(t, refuses_software_events);
	tcase_set_timeout(t, 60);
	suite_add_tcase(s, t);
	return suite_main(s);
}
