/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_pmu_phase.c - the samples of short and long threads, of a kernel that the test plays.
 *
 * Of many threads that count the same the mean of the samples' weights is compared with what
 * one counts. Threads' numbers are not random here, so the result is the same each time but
 * for the process's seed; 4.5 standard deviations are exceeded in 7 of 10^6 comparisons.
 */
#include "config.h"

#include <check.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>

#include "pmu/counter.h"
#include "pmu/perf_event.h"
#include "pmu/phase.h"
#include "tests/support/suite_main.h"

enum {
	PAGE = 4096,
	FD = 1000,
	PERIOD = 1000000,
	THREADS = 20000,
	KERNEL_LEAST = 10000,
	SLOW_INTERRUPT = 50000
};

int __wrap_ioctl(int fd, unsigned long request, ...);

static _Alignas(8) char ring[2 * PAGE];
static uint64_t period; /* as the kernel has it */
static int calls;

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	va_list more;

	ck_assert_int_eq(fd, FD);
	va_start(more, request);
	if (request == PERF_EVENT_IOC_PERIOD)
		period = *va_arg(more, uint64_t *);
	va_end(more);
	calls++;
	return 0;
}

static struct pmu_counter opened(enum pmu_delivery delivery, uint32_t hz, pid_t tid)
{
	struct pmu_counter c = { .kind = PMU_PERF,
				 .delivery = delivery,
				 .fd = FD,
				 .period = hz ? 0 : PERIOD,
				 .freq_hz = hz,
				 .running = true };

	phase_choose(&c, tid);
	period = c.step;
	calls = 0;
	return c;
}

static void with_ring(struct pmu_counter *c)
{
	memset(ring, 0, PAGE);
	c->ring = ring;
	c->ring_bytes = sizeof(ring);
	c->sample_type = PERF_SAMPLE_READ;
}

static struct pmu_counter opened_clock(pid_t tid)
{
	struct pmu_counter c = opened(PMU_DELIVERY_SIGTRAP, 0, tid);

	c.is_clock = true;
	phase_choose(&c, tid);
	period = c.step;
	with_ring(&c);
	return c;
}

/* A record of the event's value after ran_ns. */
static void record(struct pmu_counter *c, uint64_t value, uint64_t ran_ns)
{
	struct perf_event_mmap_page *page = c->ring;
	const struct perf_event_header h = { PERF_RECORD_SAMPLE, 0, 32 };
	uint64_t words[4] = { 0, value, ran_ns, ran_ns };

	memcpy(words, &h, sizeof(h));
	for (int i = 0; i < 4; i++, page->data_head += 8)
		memcpy(ring + PAGE + page->data_head % PAGE, &words[i], 8);
}

static uint64_t signalled(struct pmu_counter *c)
{
	const siginfo_t info = { .si_code = POLL_HUP };
	uint64_t overrun, weight = pmu_counter_weight(c, &info, &overrun);

	ck_assert(c->untimely == (weight == 0));
	pmu_counter_rearm(c);
	return weight;
}

/* Sums of weights, of many threads. */
struct sums {
	double n, sum, squares;
};

static void sums_add(struct sums *s, double x)
{
	s->n++;
	s->sum += x;
	s->squares += x * x;
}

static void agrees(const struct sums *s, double truth)
{
	const double mean = s->sum / s->n;
	const double sd = sqrt((s->squares / s->n - mean * mean) / s->n);

	ck_assert_msg(fabs(mean - truth) <= 4.5 * sd + 1e-9 * truth, "%g, in truth %g, +- %g", mean,
		      truth, sd);
}

static const struct {
	enum pmu_delivery delivery;
	double periods;
} lives[] = {
	{ PMU_DELIVERY_SIGNAL, 0.01 },	{ PMU_DELIVERY_SIGNAL, 0.4 },
	{ PMU_DELIVERY_SIGNAL, 1 },	{ PMU_DELIVERY_SIGNAL, 3.3 },
	{ PMU_DELIVERY_SIGTRAP, 0.01 }, { PMU_DELIVERY_SIGTRAP, 0.4 },
	{ PMU_DELIVERY_SIGTRAP, 1 },	{ PMU_DELIVERY_SIGTRAP, 3.3 },
};

/* An event of the processor: it stands still while the handler runs, or nearly so. */
START_TEST(threads_of_any_length_have_their_share)
{
	const uint64_t life = (uint64_t)(lives[_i].periods * PERIOD);
	struct sums s = { 0 };

	for (pid_t tid = 1; tid <= THREADS; tid++) {
		struct pmu_counter c = opened(lives[_i].delivery, 0, tid);
		double weight = 0;

		ck_assert_uint_ge(period, 1);
		ck_assert_uint_le(period, PERIOD);
		for (uint64_t at = period; at <= life; at += period) {
			weight += (double)signalled(&c);
			ck_assert_uint_eq(period, PERIOD);
		}
		sums_add(&s, weight);
	}
	agrees(&s, (double)life);
}
END_TEST

/* After the first sample nothing more is set. */
START_TEST(only_the_first_sample_costs_more)
{
	struct pmu_counter c = opened(PMU_DELIVERY_SIGNAL, 0, 1);

	signalled(&c);
	ck_assert_int_eq(calls, 2);
	for (int i = 0; i < 10; i++)
		signalled(&c);
	ck_assert_int_eq(calls, 12);
	c = opened(PMU_DELIVERY_SIGTRAP, 0, 1);
	signalled(&c);
	ck_assert_int_eq(calls, 3);
	signalled(&c);
	ck_assert_int_eq(calls, 3);
}
END_TEST

START_TEST(each_event_is_a_sample_where_asked_for)
{
	for (pid_t tid = 1; tid < 1000; tid++) {
		struct pmu_counter c = {
			.kind = PMU_PERF, .delivery = PMU_DELIVERY_SIGTRAP, .fd = FD, .period = 1
		};

		phase_choose(&c, tid);
		ck_assert_uint_eq(c.first, 1);
		calls = 0;
		ck_assert_uint_eq(signalled(&c), 1);
		ck_assert_uint_eq(signalled(&c), 1);
		ck_assert_int_eq(calls, 0);
	}
}
END_TEST

/* A thread's code, in pieces of one length; each is the kernel's or the user's by chance. */
static const struct pattern {
	uint64_t piece;
	unsigned users; /* percent */
} patterns[] = { { 10000, 20 }, { 200000, 50 }, { 50000, 90 } };

static bool is_user(const struct pattern *p, pid_t tid, uint64_t at)
{
	uint64_t x = (at / p->piece + 1) * UINT64_C(0x9e3779b97f4a7c15) +
		     (uint64_t)tid * UINT64_C(0xbf58476d1ce4e5b9);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (x >> 32) % 100 < p->users;
}

/* The timer of a clock that samples user code only; it is started anew where the period is
   set, as the counter is. What the samples stand for is more than the user time by that. */
static double clock_samples(struct pmu_counter *c, const struct pattern *p, pid_t tid,
			    uint64_t life, int *strays)
{
	double more = 0;

	for (uint64_t at = 0; at < life; at += 10000)
		more -= is_user(p, tid, at) ? 10000 : 0;
	for (uint64_t at = period; at <= life;) {
		const int before = calls;

		if (is_user(p, tid, at)) {
			record(c, at, at);
			const uint64_t one = signalled(c);

			more += (double)one;
			*strays += one == 0;
		}
		at += calls != before || period > KERNEL_LEAST ? period : KERNEL_LEAST;
	}
	return more;
}

/* Its timer expires in the kernel, and no signal says so. */
START_TEST(a_clock_that_samples_user_code_leaves_out_the_kernel)
{
	static const uint64_t lives_ns[] = { 200000, 800000, 2200000, 4700000, 15000000 };
	struct sums s = { 0 };
	int strays = 0;

	for (pid_t tid = 1; tid <= THREADS; tid++) {
		struct pmu_counter c = opened_clock(tid);

		ck_assert_uint_ge(period, SLOW_INTERRUPT);
		sums_add(&s, clock_samples(&c, &patterns[_i / 5], tid, lives_ns[_i % 5], &strays));
	}
	ck_assert_int_gt(strays, THREADS / 100);
	agrees(&s, 0);
}
END_TEST

/* A thread that counts per_us events a microsecond. */
static double frequency_samples(struct pmu_counter *c, double per_us, uint64_t life)
{
	double weight = 0;

	for (uint64_t at = period; at <= life; at += period) {
		record(c, at, (uint64_t)((double)at / per_us * 1000));
		weight += (double)signalled(c);
	}
	return weight;
}

START_TEST(a_frequency_has_its_period_from_other_threads)
{
	static const double lives_ms[] = { 0.2, 0.7, 5 };
	const uint64_t life = (uint64_t)(lives_ms[_i] * 3e6);
	struct pmu_counter c = opened(PMU_DELIVERY_SIGTRAP, 1000, 1);
	struct sums s = { 0 };

	ck_assert_uint_eq(c.pace, 0);
	ck_assert_uint_eq(c.first, 0);
	phase_learn(&c, 30000, 10000); /* too short a time */
	c = opened(PMU_DELIVERY_SIGTRAP, 1000, 1);
	ck_assert_uint_eq(c.pace, 0);
	phase_learn(&c, 3000000000, 1000000000);
	for (pid_t tid = 1; tid <= THREADS; tid++) {
		c = opened(PMU_DELIVERY_SIGTRAP, 1000, tid);
		ck_assert_double_eq_tol((double)c.pace, 3e6, 30);
		with_ring(&c);
		sums_add(&s, frequency_samples(&c, 3000, life));
	}
	agrees(&s, (double)life);
}
END_TEST

/* From another thread's rate to its own, up and down; all but the rest is in the weights. */
START_TEST(a_frequency_is_kept)
{
	static const double per_us[] = { 3000, 0.5, 40000 };
	struct pmu_counter c = opened(PMU_DELIVERY_SIGNAL, 1000, 1);
	int samples = 0;

	phase_learn(&c, 3000000000, 1000000000);
	c = opened(PMU_DELIVERY_SIGNAL, 1000, 1);
	with_ring(&c);
	const uint64_t first = c.first;
	uint64_t at = 0, ran_ns = 0;
	double weight = 0;

	while (ran_ns < 1000000000) {
		at += period;
		ran_ns += (uint64_t)((double)period / per_us[_i] * 1000);
		record(&c, at, ran_ns);
		weight += (double)signalled(&c);
		samples += ran_ns > 100000000;
	}
	ck_assert_double_eq(weight, (double)at + 3000000 - (double)first);
	/* A rate that is within twice the frequency changes nothing. */
	ck_assert_int_ge(samples, per_us[_i] < 1 ? 1 : 450);
	ck_assert_int_le(samples, 1900);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("pmu_phase");
	TCase *t = tcase_create("phase");

	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, threads_of_any_length_have_their_share, 0,
			    sizeof(lives) / sizeof(lives[0]));
	tcase_add_test(t, only_the_first_sample_costs_more);
	tcase_add_test(t, each_event_is_a_sample_where_asked_for);
	tcase_add_loop_test(t, a_clock_that_samples_user_code_leaves_out_the_kernel, 0, 15);
	tcase_add_loop_test(t, a_frequency_has_its_period_from_other_threads, 0, 3);
	tcase_add_loop_test(t, a_frequency_is_kept, 0, 3);
	suite_add_tcase(s, t);
	return suite_main(s);
}
