/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_pmu_counter.c - samples threads with real counters and every delivery.
 */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pmu/counter.h"
#include "src/profile/clock.h"
#include "tests/support/descriptors.h"
#include "tests/support/suite_main.h"

enum { THREADS = 3, PERIOD_NS = 1000000, BURN_NS = 60000000 };

/* One sampled thread; only it and its own handler touch this. */
struct sampled {
	struct pmu_counter counter;
	pid_t tid;
	volatile long samples, strangers, wrong_thread, hangups, errno_lost;
	volatile uint64_t weight, overrun;
	volatile uint64_t address[16]; /* of the last samples */
};

static __thread struct sampled *self;
static volatile sig_atomic_t orphans;
static int signo;

static void handle(int sig, siginfo_t *info, void *context)
{
	struct sampled *s = self;
	uint64_t overrun;

	(void)sig;
	(void)context;
	if (!s) {
		orphans++;
		return;
	}
	if (pmu_counter_which(&s->counter, 1, info) != 0) {
		s->strangers++;
		return;
	}
	if (gettid() != s->tid)
		s->wrong_thread++;
	s->hangups += info->si_code == POLL_HUP;
	s->weight += pmu_counter_weight(&s->counter, info, &overrun);
	s->samples += !s->counter.untimely;
	s->overrun += overrun;
	s->address[s->samples % 16] = s->counter.sample.address;
	errno = 4711;
	pmu_counter_rearm(&s->counter);
	s->errno_lost += errno != 4711;
}

static void take_signals_by(int number)
{
	struct sigaction sa;

	signo = number;
	memset(&sa, 0, sizeof(sa));
	sa.sa_sigaction = handle;
	sa.sa_flags = SA_SIGINFO | SA_RESTART;
	ck_assert_int_eq(sigaction(signo, &sa, NULL), 0);
	ck_assert_int_eq(sigaction(SIGTRAP, &sa, NULL), 0);
}

static void take_signals(void)
{
	take_signals_by(SIGRTMIN + 5);
}

static void run_chunk(void)
{
	for (volatile int i = 0; i < 10000; i++)
		;
}

/* Returns how often it ran the chunk. */
static uint64_t burn(uint64_t ns)
{
	uint64_t end = clock_ns(CLOCK_THREAD_CPUTIME_ID) + ns, chunks = 0;

	for (; clock_ns(CLOCK_THREAD_CPUTIME_ID) < end; chunks++)
		run_chunk();
	return chunks;
}

/* What a chunk takes of user time: the shortest time of many, which has no interrupt. */
static double chunk_ns(void)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < 1000; i++) {
		const uint64_t begin = clock_ns(CLOCK_MONOTONIC);

		run_chunk();
		const uint64_t took = clock_ns(CLOCK_MONOTONIC) - begin;

		least = took < least ? took : least;
	}
	return (double)least;
}

static struct pmu_event event(const char *name, const struct pmu_rate *rate)
{
	struct pmu_refusal why;
	struct pmu_event ev;
	int answer = pmu_event_parse(name, rate, &ev, &why);

	ck_assert_msg(!answer, "%s: %s", why.what, why.why);
	return ev;
}

static struct pmu_event clock_event(const char *name)
{
	const struct pmu_rate rate = { .period = PERIOD_NS };

	return event(name, &rate);
}

/* Counters that this user or machine may not have are no fault of ours. */
static bool can(const struct pmu_event *ev, enum pmu_delivery delivery)
{
	struct pmu_refusal why;

	if (delivery == PMU_DELIVERY_SIGTRAP && !pmu_delivery_sigtrap_works())
		printf("SKIP: %s: this kernel's sigtrap is not to be relied on\n", ev->label);
	else if (pmu_event_probe(ev, &why))
		printf("SKIP: %s: %s\n", ev->label, why.why);
	else
		return true;
	fflush(stdout);
	return false;
}

static void open_here(struct sampled *s, const struct pmu_event *ev, enum pmu_delivery delivery)
{
	struct pmu_refusal why;
	int answer;

	memset(s, 0, sizeof(*s));
	s->tid = gettid();
	answer = pmu_counter_open(&s->counter, ev, s->tid, delivery, signo, 3, &why);
	ck_assert_msg(!answer, "%s: %s", why.what, why.why);
	self = s;
}

struct ways {
	const char *name;
	enum pmu_delivery delivery;
} ways[] = {
	{ "cpu-clock", PMU_DELIVERY_SIGNAL },  { "task-clock", PMU_DELIVERY_SIGNAL },
	{ "cpu-clock", PMU_DELIVERY_SIGTRAP }, { "task-clock", PMU_DELIVERY_SIGTRAP },
	{ "wall", PMU_DELIVERY_SIGNAL },
};

struct job {
	struct pmu_event ev;
	enum pmu_delivery delivery;
	struct sampled s;
	bool started;
	uint64_t burn_ns, took_ns, counted, chunks;
};

static void *sample_thread(void *arg)
{
	struct job *j = arg;
	struct pmu_value v;
	uint64_t begin;

	open_here(&j->s, &j->ev, j->delivery);
	begin = clock_ns(CLOCK_MONOTONIC);
	j->started = !pmu_counter_start(&j->s.counter);
	j->chunks = burn(j->burn_ns ? j->burn_ns : BURN_NS);
	pmu_counter_stop(&j->s.counter);
	j->took_ns = clock_ns(CLOCK_MONOTONIC) - begin;
	j->counted = pmu_counter_read(&j->s.counter, &v) == 0 ? v.value : j->took_ns;
	pmu_counter_close(&j->s.counter);
	return NULL;
}

START_TEST(samples_each_thread_by_itself)
{
	struct job jobs[THREADS] = { { .started = false } };
	pthread_t threads[THREADS];

	jobs[0].ev = clock_event(ways[_i].name);
	if (!can(&jobs[0].ev, ways[_i].delivery))
		return;
	take_signals();
	for (int i = 0; i < THREADS; i++) {
		jobs[i].ev = jobs[0].ev;
		jobs[i].delivery = ways[_i].delivery;
		ck_assert_int_eq(pthread_create(&threads[i], NULL, sample_thread, &jobs[i]), 0);
	}
	for (int i = 0; i < THREADS; i++) {
		struct sampled *s = &jobs[i].s;
		/* The kernel's clocks of a thread's time and of its event disagree
		   about what interrupts and the host take; neither outruns the wall. */
		double least = (double)BURN_NS / PERIOD_NS, most;

		pthread_join(threads[i], NULL);
		most = (double)jobs[i].took_ns / PERIOD_NS;
		ck_assert(jobs[i].started);
		ck_assert_int_eq(s->strangers, 0);
		ck_assert_int_eq(s->wrong_thread, 0);
		ck_assert_int_eq(s->errno_lost, 0);
		/* A timer's sample stands for the time since the last, of half a period at
		   least. */
		if (jobs[i].ev.kind == PMU_WALL) {
			ck_assert_uint_le(s->weight, jobs[i].took_ns);
			most *= 2;
		} else {
			ck_assert_uint_eq(s->weight, (uint64_t)s->samples * PERIOD_NS);
		}
		/* An emulated machine with more threads than CPUs loses most. */
		ck_assert_double_ge((double)s->weight / PERIOD_NS, least / 5);
		ck_assert_double_le((double)s->samples, most + 2);
	}
	ck_assert_int_eq(orphans, 0);
}
END_TEST

/* Threads that live for a quarter of a period: together they have their share of samples. */
START_TEST(short_threads_are_sampled)
{
	enum { N = 1200, LIFE_NS = PERIOD_NS / 4 };
	struct pmu_event ev = clock_event(ways[_i].name);
	double weight = 0, took = 0, ran = 0, one = chunk_ns();

	if (!can(&ev, ways[_i].delivery))
		return;
	take_signals();
	for (int i = 0; i < N; i++) {
		struct job j = { .ev = ev, .delivery = ways[_i].delivery, .burn_ns = LIFE_NS };
		pthread_t thread;

		ck_assert_int_eq(pthread_create(&thread, NULL, sample_thread, &j), 0);
		pthread_join(thread, NULL);
		weight += (double)j.s.weight;
		took += (double)j.counted;
		ran += (double)j.chunks;
	}
	/* 300 samples have a standard deviation of 15; the kernel's part is not sampled. */
	one = fmin(one, chunk_ns());
	ck_assert_double_ge(weight, 0.75 * ran * one);
	ck_assert_double_le(weight, 1.25 * took);
}
END_TEST

START_TEST(stops_and_goes_on)
{
	struct pmu_event ev = clock_event(ways[_i].name);
	struct sampled s;
	long before;

	if (!can(&ev, ways[_i].delivery))
		return;
	take_signals();
	open_here(&s, &ev, ways[_i].delivery);
	burn(20000000);
	ck_assert_int_eq(s.samples, 0);
	for (int round = 0; round < 2; round++) {
		ck_assert_int_eq(pmu_counter_start(&s.counter), 0);
		before = s.samples;
		burn(20000000);
		ck_assert_int_gt(s.samples, before + 4);
		ck_assert_int_eq(pmu_counter_stop(&s.counter), 0);
		before = s.samples;
		burn(10000000);
		ck_assert_int_le(s.samples, before + 1);
	}
	pmu_counter_close(&s.counter);
	ck_assert_int_eq(pmu_counter_stop(&s.counter), -EBADF);
	ck_assert_int_eq(pmu_counter_start(&s.counter), -EBADF);
	ck_assert_int_eq(s.strangers, 0);
}
END_TEST

/* Closes while it runs: a sample may come in the middle of it. */
START_TEST(may_be_closed_while_it_samples)
{
	const struct pmu_rate rate = { .period = 20000 };
	struct pmu_event ev = event(ways[_i].name, &rate);
	struct sampled s;
	long samples = 0;

	if (!can(&ev, ways[_i].delivery))
		return;
	take_signals();
	for (int i = 0; i < 2000; i++) {
		open_here(&s, &ev, ways[_i].delivery);
		ck_assert_int_eq(pmu_counter_start(&s.counter), 0);
		burn(3 * rate.period);
		pmu_counter_close(&s.counter);
		samples += s.samples;
	}
	ck_assert_int_gt(samples, 0);
}
END_TEST

START_TEST(counts)
{
	struct pmu_event ev = clock_event("task-clock");
	uint64_t begin;
	struct pmu_value v;
	struct sampled s;

	if (!can(&ev, PMU_DELIVERY_SIGNAL))
		return;
	take_signals();
	open_here(&s, &ev, PMU_DELIVERY_SIGNAL);
	begin = clock_ns(CLOCK_MONOTONIC);
	ck_assert_int_eq(pmu_counter_start(&s.counter), 0);
	burn(50000000);
	ck_assert_int_eq(pmu_counter_read(&s.counter, &v), 0);
	ck_assert_uint_ge(v.value, 45000000);
	ck_assert_uint_le(v.value, clock_ns(CLOCK_MONOTONIC) - begin);
	ck_assert_uint_ge(v.enabled_ns, v.running_ns);
	ck_assert_uint_gt(v.running_ns, 0);
	pmu_counter_close(&s.counter);
	ck_assert_int_eq(pmu_counter_read(&s.counter, &v), -EBADF);
	ev = clock_event("wall");
	open_here(&s, &ev, PMU_DELIVERY_SIGNAL);
	ck_assert_int_eq(pmu_counter_read(&s.counter, &v), -ENOTSUP);
	pmu_counter_close(&s.counter);
}
END_TEST

/* A REFRESH too many must not leave the counter running free for ever. */
START_TEST(surplus_refreshes_wear_off)
{
	struct pmu_event ev = clock_event("cpu-clock");
	struct sampled s;

	if (!can(&ev, PMU_DELIVERY_SIGNAL))
		return;
	take_signals();
	open_here(&s, &ev, PMU_DELIVERY_SIGNAL);
	ck_assert_int_eq(pmu_counter_start(&s.counter), 0);
	for (int i = 0; i < 5; i++)
		pmu_counter_rearm(&s.counter);
	burn(60000000);
	ck_assert_int_gt(s.samples, 20);
	ck_assert_int_ge(s.hangups, s.samples - 5);
	pmu_counter_close(&s.counter);
}
END_TEST

START_TEST(a_stopped_counter_is_not_armed_again)
{
	struct pmu_event ev = clock_event("cpu-clock");
	struct sampled s;

	if (!can(&ev, PMU_DELIVERY_SIGNAL))
		return;
	take_signals();
	open_here(&s, &ev, PMU_DELIVERY_SIGNAL);
	ck_assert_int_eq(pmu_counter_start(&s.counter), 0);
	ck_assert_int_eq(pmu_counter_stop(&s.counter), 0);
	s.samples = 0;
	pmu_counter_rearm(&s.counter);
	burn(20000000);
	ck_assert_int_le(s.samples, 0);
	pmu_counter_close(&s.counter);
}
END_TEST

/* The last signal by the old number pends behind the thread's mask. */
START_TEST(a_renumbered_counter_goes_on)
{
	struct pmu_event ev = clock_event("cpu-clock");
	struct sampled s;
	sigset_t old, pending;

	if (!can(&ev, PMU_DELIVERY_SIGNAL))
		return;
	take_signals();
	sigemptyset(&old);
	sigaddset(&old, signo);
	open_here(&s, &ev, PMU_DELIVERY_SIGNAL);
	ck_assert_int_eq(pthread_sigmask(SIG_BLOCK, &old, NULL), 0);
	ck_assert_int_eq(pmu_counter_start(&s.counter), 0);
	do
		burn(PERIOD_NS);
	while (sigpending(&pending) == 0 && sigismember(&pending, signo) == 0);
	take_signals_by(signo + 1);
	ck_assert_int_eq(pmu_counter_renumber(&s.counter, s.tid, signo), 0);
	burn(60000000);
	ck_assert_int_gt(s.samples, 20);
	ck_assert_int_eq(pthread_sigmask(SIG_UNBLOCK, &old, NULL), 0);
	s.samples = s.hangups = 0;
	burn(60000000);
	ck_assert_int_ge(s.hangups, s.samples - 2);
	pmu_counter_close(&s.counter);
}
END_TEST

/* Touches fresh pages, each a fault. */
static void fault(size_t pages)
{
	size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, pages * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		       0);

	ck_assert_ptr_ne(p, MAP_FAILED);
	madvise(p, pages * bytes, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < pages; i++)
		((volatile char *)p)[i * bytes] = 1;
	munmap(p, pages * bytes);
}

/* In frequency mode weights add up to the count, but for the last period. */
START_TEST(weights_of_a_frequency_add_up)
{
	static const struct pmu_rate rate = { .freq_hz = 2000 };
	struct pmu_event ev = event("page-faults", &rate);
	struct pmu_value v;
	struct sampled s;

	if (!can(&ev, PMU_DELIVERY_SIGNAL))
		return;
	take_signals();
	open_here(&s, &ev, (enum pmu_delivery)(_i & 1));
	if (_i & 2) {
		/* As where RLIMIT_MEMLOCK forbids the ring. */
		munmap(s.counter.ring, s.counter.ring_bytes);
		s.counter.ring = NULL;
	} else {
		ck_assert_ptr_nonnull(s.counter.ring);
	}
	ck_assert_int_eq(pmu_counter_start(&s.counter), 0);
	/* The kernel finds its period within some ticks; until then it may be long. */
	for (int i = 0; i < 20 || (s.samples < 60 && i < 1000); i++)
		fault(600);
	ck_assert_int_eq(pmu_counter_stop(&s.counter), 0);
	ck_assert_int_eq(pmu_counter_read(&s.counter, &v), 0);
	ck_assert_uint_ge(v.value, 12000);
	ck_assert_int_gt(s.samples, 5);
	ck_assert_uint_le(s.weight, v.value);
	ck_assert_uint_ge(s.weight, v.value / 2);
	pmu_counter_close(&s.counter);
}
END_TEST

static void drain(struct pmu_counter *c)
{
	uint64_t overrun, weight;
	siginfo_t info = { .si_code = POLL_HUP };

	weight = pmu_counter_weight(c, &info, &overrun);
	ck_assert_uint_eq(weight, 0);
	ck_assert_uint_eq(overrun, 0);
}

static void put(char *data, uint32_t bytes, uint64_t *head, const void *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		data[(*head)++ % bytes] = ((const char *)from)[i];
}

static void put_sample(char *data, uint32_t bytes, uint64_t *head, uint64_t value)
{
	const struct perf_event_header h = { PERF_RECORD_SAMPLE, 0, 40 };
	const uint64_t words[4] = { 0x1234, value, 1, 1 };

	put(data, bytes, head, &h, sizeof(h));
	put(data, bytes, head, words, sizeof(words));
}

/* A ring of our own in the kernel's place: every record at every offset. */
START_TEST(reads_the_ring_around_its_end)
{
	enum { PAGE = 4096 };
	static _Alignas(8) char ring[2 * PAGE];
	struct perf_event_mmap_page *page = (void *)ring;
	struct pmu_counter c = { .kind = PMU_PERF,
				 .fd = -1,
				 .ring = ring,
				 .ring_bytes = sizeof(ring),
				 .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_READ };
	const struct perf_event_header lost = { PERF_RECORD_LOST, 0, 24 };
	const uint64_t words[2] = { 1, 5 };
	const siginfo_t info = { .si_code = POLL_HUP };
	uint64_t head = 0, overrun, value = 0;

	drain(&c);
	for (int i = 0; i < 2000; i++) {
		value += 100 + (uint64_t)i;
		put_sample(ring + PAGE, PAGE, &head, value);
		page->data_head = head;
		ck_assert_uint_eq(pmu_counter_weight(&c, &info, &overrun), 100 + i);
		ck_assert_uint_eq(overrun, 0);
		ck_assert_uint_eq(c.sample.ip, 0x1234);
		ck_assert_uint_eq(page->data_tail, head);
	}
	put_sample(ring + PAGE, PAGE, &head, value + 1);
	put(ring + PAGE, PAGE, &head, &lost, sizeof(lost));
	put(ring + PAGE, PAGE, &head, words, 16);
	put_sample(ring + PAGE, PAGE, &head, value + 8);
	page->data_head = head;
	ck_assert_uint_eq(pmu_counter_weight(&c, &info, &overrun), 8);
	ck_assert_uint_eq(overrun, 0);
	/* A header of length 0 would be read for ever. */
	memset(ring + PAGE, 0, PAGE);
	page->data_head = head += 64;
	drain(&c);
	ck_assert_uint_eq(page->data_tail, head);
}
END_TEST

static char throttled_ring[2 * 4096] __attribute__((aligned(8)));
static uint64_t throttled_head;

static void put_throttle(uint32_t type, uint64_t time)
{
	const struct perf_event_header h = { type, 0, 32 };
	const uint64_t words[3] = { time, 1, 1 };

	put(throttled_ring + 4096, 4096, &throttled_head, &h, sizeof(h));
	put(throttled_ring + 4096, 4096, &throttled_head, words, sizeof(words));
}

/* A sample that holds nothing, as a period's. */
static void put_overflow(void)
{
	const struct perf_event_header h = { PERF_RECORD_SAMPLE, 0, 8 };

	put(throttled_ring + 4096, 4096, &throttled_head, &h, sizeof(h));
}

static void drain_throttled(struct pmu_counter *c)
{
	const siginfo_t info = { .si_code = POLL_HUP };
	uint64_t overrun;

	((struct perf_event_mmap_page *)(void *)throttled_ring)->data_head = throttled_head;
	ck_assert_uint_eq(pmu_counter_weight(c, &info, &overrun), 100);
}

static struct pmu_counter throttled_counter(enum pmu_delivery delivery)
{
	memset(throttled_ring, 0, sizeof(throttled_ring));
	throttled_head = 0;
	return (struct pmu_counter){ .kind = PMU_PERF,
				     .fd = -1,
				     .ring = throttled_ring,
				     .ring_bytes = sizeof(throttled_ring),
				     .period = 100,
				     .delivery = delivery };
}

START_TEST(tells_how_long_it_was_throttled)
{
	struct pmu_counter c = throttled_counter(PMU_DELIVERY_SIGTRAP);

	for (uint64_t i = 1; i <= 300; i++) {
		put_throttle(PERF_RECORD_THROTTLE, 1000 * i);
		put_overflow();
		drain_throttled(&c);
		ck_assert_uint_eq(c.throttled, i);
		ck_assert_uint_eq(c.throttled_ns, 70 * (i - 1));
		put_throttle(PERF_RECORD_UNTHROTTLE, 1000 * i + 70);
		put_overflow();
		drain_throttled(&c);
		ck_assert_uint_eq(c.throttled_ns, 70 * i);
	}
	/* A clock that steps back. */
	put_throttle(PERF_RECORD_THROTTLE, 2000);
	put_throttle(PERF_RECORD_UNTHROTTLE, 1000);
	drain_throttled(&c);
	ck_assert_uint_eq(c.throttled_ns, 70 * 300);
}
END_TEST

/* A driver that lets it run all the same; one that each signal arms anew. */
START_TEST(knows_what_throttling_does_not_stop)
{
	struct pmu_counter c = throttled_counter(PMU_DELIVERY_SIGTRAP);

	put_throttle(PERF_RECORD_THROTTLE, 1000);
	put_overflow();
	put_overflow();
	put_throttle(PERF_RECORD_UNTHROTTLE, 2000);
	drain_throttled(&c);
	ck_assert_uint_eq(c.throttled, 1);
	ck_assert_uint_eq(c.throttled_ns, 0);
	c = throttled_counter(PMU_DELIVERY_SIGNAL);
	put_throttle(PERF_RECORD_THROTTLE, 1000);
	put_throttle(PERF_RECORD_UNTHROTTLE, 2000);
	drain_throttled(&c);
	ck_assert_uint_eq(c.throttled, 0);
	ck_assert_uint_eq(c.throttled_ns, 0);
}
END_TEST

START_TEST(wall_runs_while_asleep_and_counts_what_it_missed)
{
	struct pmu_event ev = clock_event("wall");
	struct sampled s;
	sigset_t set, old;

	take_signals();
	open_here(&s, &ev, PMU_DELIVERY_SIGNAL);
	ck_assert_int_eq(pmu_counter_start(&s.counter), 0);
	for (uint64_t end = clock_ns(CLOCK_MONOTONIC) + 100000000; clock_ns(CLOCK_MONOTONIC) < end;)
		poll(NULL, 0, 20);
	ck_assert_int_gt(s.samples, 20);
	sigemptyset(&set);
	sigaddset(&set, signo);
	ck_assert_int_eq(pthread_sigmask(SIG_BLOCK, &set, &old), 0);
	s.weight = 0;
	s.samples = 0;
	poll(NULL, 0, 100);
	ck_assert_int_eq(pthread_sigmask(SIG_SETMASK, &old, NULL), 0);
	ck_assert_uint_ge(s.weight, 80 * (uint64_t)PERIOD_NS);
	ck_assert_int_le(s.samples, 10);
	ck_assert_uint_eq(s.overrun, 0);
	pmu_counter_close(&s.counter);
}
END_TEST

/* A program whose rhythm is the period is seen at all its phases, and the ticks show the time. */
START_TEST(wall_is_not_in_step_and_loses_no_time)
{
	enum { QUARTERS = 4, TICKS = 2000, PERIOD = 200000 };
	const struct pmu_rate rate = { .period = PERIOD };
	const struct pmu_event ev = event("wall", &rate);
	long seen[QUARTERS] = { 0 }, all = 0;
	uint64_t begin, now, lag, least = UINT64_MAX;
	struct sampled s;

	take_signals();
	open_here(&s, &ev, PMU_DELIVERY_SIGNAL);
	begin = clock_ns(CLOCK_MONOTONIC);
	ck_assert_int_eq(pmu_counter_start(&s.counter), 0);
	for (long last = 0; s.weight < (uint64_t)TICKS * PERIOD;) {
		now = clock_ns(CLOCK_MONOTONIC) - begin;
		if (last == s.samples)
			continue;
		last = s.samples;
		seen[now % PERIOD * QUARTERS / PERIOD]++;
		all++;
		now = clock_ns(CLOCK_MONOTONIC) - begin;
		ck_assert_uint_le(s.weight, now);
		lag = now - s.weight;
		if (lag < least && s.weight > (uint64_t)TICKS * PERIOD * 3 / 4)
			least = lag;
	}
	ck_assert_uint_lt(least, 2 * PERIOD);
	for (int i = 0; i < QUARTERS; i++)
		ck_assert_msg(seen[i] * 2 < all, "quarter %d: %ld of %ld ticks", i, seen[i], all);
	ck_assert_int_eq(pmu_counter_stop(&s.counter), 0);
	pmu_counter_close(&s.counter);
}
END_TEST

/* The file behind the descriptor is shared: a child that stops its copy stops
   the parent's.  Abandoning must not; and the test must notice if it did. */
START_TEST(a_child_abandons_without_stopping_its_parent)
{
	struct pmu_event ev = clock_event("cpu-clock");
	struct sampled s;
	int status;
	pid_t pid;
	long before;

	if (!can(&ev, PMU_DELIVERY_SIGNAL))
		return;
	take_signals();
	open_here(&s, &ev, PMU_DELIVERY_SIGNAL);
	ck_assert_int_eq(pmu_counter_start(&s.counter), 0);
	burn(5000000);
	pid = fork();
	if (pid == 0) {
		int fd = s.counter.fd;

		if (_i)
			pmu_counter_stop(&s.counter);
		pmu_counter_abandon(&s.counter);
		pmu_counter_abandon(&s.counter);
		pmu_counter_close(&s.counter);
		s.samples = 0;
		burn(20000000);
		_exit(fcntl(fd, F_GETFD) == -1 && s.samples == 0 ? 0 : 1);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	before = s.samples;
	burn(30000000);
	if (_i)
		ck_assert_int_le(s.samples, before + 1);
	else
		ck_assert_int_gt(s.samples, before + 8);
	pmu_counter_close(&s.counter);
}
END_TEST

/* In a child, the parent's ring is not there: nothing may touch it. */
START_TEST(a_child_forgets_the_ring)
{
	static const struct pmu_rate rate = { .freq_hz = 1000 };
	struct pmu_event ev = event("page-faults", &rate);
	struct sampled s;
	int status;
	pid_t pid;

	if (!can(&ev, PMU_DELIVERY_SIGNAL))
		return;
	open_here(&s, &ev, PMU_DELIVERY_SIGNAL);
	pid = fork();
	if (pid == 0) {
		pmu_counter_abandon(&s.counter);
		pmu_counter_close(&s.counter);
		_exit(s.counter.ring != NULL);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	pmu_counter_close(&s.counter);
}
END_TEST

START_TEST(keeps_its_descriptors_to_itself)
{
	struct pmu_event ev = clock_event(ways[_i].name);
	int before = descriptors(), status;
	struct sampled s;
	pid_t pid;

	if (!can(&ev, ways[_i].delivery))
		return;
	take_signals();
	pid = fork();
	if (pid == 0) {
		for (int fd = 0; fd < 3; fd++)
			close(fd);
		open_here(&s, &ev, ways[_i].delivery);
		if (ev.kind == PMU_PERF &&
		    (s.counter.fd < 3 || fcntl(s.counter.fd, F_GETFD) != FD_CLOEXEC))
			_exit(1);
		/* The application gets the numbers that it would get without us. */
		_exit(open("/dev/null", O_RDONLY) != 0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	for (int i = 0; i < 50; i++) {
		open_here(&s, &ev, ways[_i].delivery);
		if (i & 1)
			pmu_counter_start(&s.counter);
		pmu_counter_close(&s.counter);
		pmu_counter_close(&s.counter);
	}
	ck_assert_int_eq(descriptors(), before);
}
END_TEST

START_TEST(a_zeroed_counter_is_closed)
{
	struct pmu_counter c;
	siginfo_t info;

	memset(&c, 0, sizeof(c));
	memset(&info, 0, sizeof(info));
	pmu_counter_close(&c);
	memset(&c, 0, sizeof(c));
	pmu_counter_abandon(&c);
	ck_assert_int_ge(fcntl(0, F_GETFD), 0);
	memset(&c, 0, sizeof(c));
	pmu_counter_rearm(&c);
	info.si_code = POLL_HUP;
	ck_assert_int_eq(pmu_counter_which(&c, 1, &info), -1);
	ck_assert_int_eq(pmu_counter_start(&c), -EBADF);
}
END_TEST

static siginfo_t said;

static void note(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)context;
	said = *info;
}

/* Signals that are none of ours must be distinguished from those that are. */
START_TEST(strangers_are_nobodys)
{
	struct pmu_counter c[3] = {
		{ .kind = PMU_PERF, .delivery = PMU_DELIVERY_SIGNAL, .fd = 700, .tag = 0 },
		{ .kind = PMU_PERF, .delivery = PMU_DELIVERY_SIGTRAP, .fd = 701, .tag = 1 },
		{ .kind = PMU_WALL, .fd = -1, .timer_open = true, .tag = 2 },
	};
	struct sigaction sa = { .sa_sigaction = note, .sa_flags = SA_SIGINFO };
	union sigval number = { .sival_int = 2 };
	siginfo_t info;

	ck_assert_int_eq(sigaction(SIGRTMIN + 5, &sa, NULL), 0);
	ck_assert_int_eq(sigaction(SIGTRAP, &sa, NULL), 0);
	ck_assert_int_eq(sigaction(SIGIO, &sa, NULL), 0);
	sigqueue(getpid(), SIGRTMIN + 5, number);
	ck_assert_int_eq(said.si_code, SI_QUEUE);
	ck_assert_int_eq(pmu_counter_which(c, 3, &said), -1);
	raise(SIGRTMIN + 5);
	ck_assert_int_eq(pmu_counter_which(c, 3, &said), -1);
	raise(SIGTRAP);
	ck_assert_int_eq(said.si_signo, SIGTRAP);
	ck_assert_int_eq(pmu_counter_which(c, 3, &said), -1);
#if defined(__x86_64__)
	__asm__ volatile("int3");
#elif defined(__aarch64__)
	raise(SIGTRAP);
#endif
	ck_assert_int_eq(pmu_counter_which(c, 3, &said), -1);
	raise(SIGIO);
	ck_assert_int_eq(pmu_counter_which(c, 3, &said), -1);
	memset(&info, 0, sizeof(info));
	info.si_signo = SIGRTMIN + 5;
	info.si_code = POLL_HUP;
	info.si_fd = 700;
	ck_assert_int_eq(pmu_counter_which(c, 3, &info), 0);
	info.si_fd = 701; /* a sigtrap counter never sends this */
	ck_assert_int_eq(pmu_counter_which(c, 3, &info), -1);
	info.si_fd = -1;
	ck_assert_int_eq(pmu_counter_which(c, 3, &info), -1);
	info.si_code = SI_TIMER;
	info.si_value.sival_ptr = NULL;
	info.si_value.sival_int = 2;
	ck_assert_int_eq(pmu_counter_which(c, 3, &info), -1);
}
END_TEST

/* Two events in one thread, distinguished by every way. */
START_TEST(several_in_one_thread)
{
	static struct pmu_counter c[3];
	struct pmu_event clock = clock_event("cpu-clock"), wall = clock_event("wall");
	long seen[4] = { 0 };
	struct pmu_refusal why;
	sigset_t set;

	if (!can(&clock, PMU_DELIVERY_SIGTRAP))
		return;
	sigemptyset(&set);
	sigaddset(&set, signo = SIGRTMIN + 5);
	sigaddset(&set, SIGTRAP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	ck_assert_int_eq(pmu_counter_open(&c[0], &clock, gettid(), PMU_DELIVERY_SIGNAL, signo, 0,
					  &why),
			 0);
	ck_assert_int_eq(pmu_counter_open(&c[1], &clock, gettid(), PMU_DELIVERY_SIGTRAP, signo, 1,
					  &why),
			 0);
	ck_assert_int_eq(pmu_counter_open(&c[2], &wall, gettid(), PMU_DELIVERY_SIGNAL, signo, 31,
					  &why),
			 0);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(pmu_counter_start(&c[i]), 0);
	for (int i = 0; i < 60; i++) {
		static const struct timespec none = { 0, 0 };
		siginfo_t info;
		int who;

		burn(1000000);
		while (sigtimedwait(&set, &info, &none) > 0) {
			who = pmu_counter_which(c, 3, &info);
			seen[who < 0 ? 3 : who]++;
			if (who >= 0)
				pmu_counter_rearm(&c[who]);
		}
	}
	for (int i = 0; i < 3; i++) {
		pmu_counter_close(&c[i]);
		ck_assert_int_gt(seen[i], 10);
	}
	ck_assert_int_eq(seen[3], 0);
	ck_assert_int_eq(pmu_counter_open(&c[0], &clock, gettid(), PMU_DELIVERY_SIGNAL, signo, 32,
					  &why),
			 -1);
	ck_assert_int_eq(why.error, EINVAL);
}
END_TEST

/* The page that was touched, whatever way the signal comes. */
START_TEST(a_fault_tells_its_address)
{
	const struct pmu_rate rate = { .period = 1 };
	struct pmu_event ev = event("page-faults", &rate);
	const enum pmu_delivery delivery = _i ? PMU_DELIVERY_SIGTRAP : PMU_DELIVERY_SIGNAL;
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct sampled s;
	char *memory;

	if (!can(&ev, delivery))
		return;
	take_signals();
	memory = mmap(NULL, 8 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(memory, MAP_FAILED);
	madvise(memory, 8 * page, MADV_NOHUGEPAGE);
	open_here(&s, &ev, delivery);
	ck_assert_int_eq(pmu_counter_start(&s.counter), 0);
	for (size_t i = 0; i < 8; i++) {
		memory[i * page + 40] = 1;
		/* The handler may touch a page for the first time as well. */
		bool told = false;

		for (size_t k = 0; k < 16; k++)
			told = told || s.address[k] == (uintptr_t)memory + i * page + 40;
		ck_assert(told);
		ck_assert_uint_ne(s.counter.sample.ip, 0);
		ck_assert_uint_eq(s.counter.sample.source, 0);
	}
	pmu_counter_close(&s.counter);
	ck_assert_int_ge(s.samples, 8);
	ck_assert_uint_eq(s.weight, (uint64_t)s.samples);
	munmap(memory, 8 * page);
}
END_TEST

int main(void)
{
	const int all = (int)(sizeof(ways) / sizeof(ways[0]));
	Suite *s = suite_create("pmu_counter");
	TCase *sampling = tcase_create("sampling"), *rest = tcase_create("rest");

	tcase_set_timeout(sampling, 60);
	tcase_add_loop_test(sampling, samples_each_thread_by_itself, 0, all);
	tcase_add_loop_test(sampling, short_threads_are_sampled, 0, all - 1);
	tcase_add_loop_test(sampling, stops_and_goes_on, 0, all);
	tcase_add_loop_test(sampling, may_be_closed_while_it_samples, 0, all);
	tcase_add_test(sampling, counts);
	tcase_add_test(sampling, surplus_refreshes_wear_off);
	tcase_add_test(sampling, a_stopped_counter_is_not_armed_again);
	tcase_add_test(sampling, a_renumbered_counter_goes_on);
	tcase_add_loop_test(sampling, weights_of_a_frequency_add_up, 0, 4);
	tcase_add_test(sampling, wall_runs_while_asleep_and_counts_what_it_missed);
	tcase_add_test(sampling, wall_is_not_in_step_and_loses_no_time);
	tcase_add_loop_test(sampling, a_child_abandons_without_stopping_its_parent, 0, 2);
	tcase_add_test(sampling, several_in_one_thread);
	tcase_add_loop_test(sampling, a_fault_tells_its_address, 0, 2);
	suite_add_tcase(s, sampling);
	tcase_add_test(rest, reads_the_ring_around_its_end);
	tcase_add_test(rest, tells_how_long_it_was_throttled);
	tcase_add_test(rest, knows_what_throttling_does_not_stop);
	tcase_add_test(rest, a_child_forgets_the_ring);
	tcase_add_loop_test(rest, keeps_its_descriptors_to_itself, 0, all);
	tcase_add_test(rest, a_zeroed_counter_is_closed);
	tcase_add_test(rest, strangers_are_nobodys);
	suite_add_tcase(s, rest);
	return suite_main(s);
}
