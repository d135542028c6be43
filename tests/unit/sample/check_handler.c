/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_handler.c - how the handler treats each signal: from a counter's descriptor, from a
 * timer, by SIGTRAP, by SIGIO in place of a lost one, and foreign signals; and where it
 * counts samples.
 *
 * The counters are simulated, with rings of the test.  The signals are real, so that they
 * interrupt a real place; their contents are the test's, too.
 */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "ompt_tool/omp/locks.h"
#include "ompt_tool/omp/runtime.h"
#include "ompt_tool/sample/data.h"
#include "ompt_tool/sample/handler.h"
#include "ompt_tool/sample/sampling.h"
#include "ompt_tool/sample/thread.h"
#include "ompt_tool/tree/latest.h"
#include "ompt_tool/tree/module.h"
#include "ompt_tool/tree/process.h"
#include "pmu/perf_event.h"
#include "pmu/rearm.h"
#include "src/profile/clock.h"
#include "tests/support/mock_runtime.h"
#include "tests/support/suite_main.h"
#include "tests/support/writer_fixture.h"

enum {
	STRANGERS_FD = 900000, /* files that are none */
	FIRST_FD = 900001,
	TRAP_CODE = 6, /* TRAP_PERF */
	PERIOD = 1000,
	PAGE = 4096,
	PLACES = 64,
};

#define LONG_NS UINT64_C(10000000000)
#define MOMENT_NS UINT64_C(4000000000) /* what a test may take, on a busy machine */

static struct thread thread;
static const volatile unsigned char alive = 1, dead;
static struct runtime_view view; /* what the runtime says */

static void query(struct runtime_view *v)
{
	*v = view;
}

static const struct runtime runtime = { .name = "played", .query = query };

/* ---- counters ------------------------------------------------------------------- */

static struct {
	_Alignas(PAGE) unsigned char bytes[2 * PAGE];
} rings[4];

static void add_counter(enum pmu_kind kind, enum pmu_delivery delivery)
{
	const int i = thread.ncounters++;
	struct pmu_counter *c = &thread.counter[i];

	*c = (struct pmu_counter){
		.kind = kind,
		.delivery = delivery,
		.fd = kind == PMU_WALL ? -1 : FIRST_FD + i,
		.timer_open = kind == PMU_WALL,
		.tag = (uint32_t)i,
		.event = (uint32_t)i,
		.period = PERIOD,
		.running = kind == PMU_WALL,
		.wall = { .waking = -1 },
	};
	if (kind == PMU_WALL)
		ck_assert_int_eq(timer_create(CLOCK_MONOTONIC,
					      &(struct sigevent){ .sigev_notify = SIGEV_NONE },
					      &c->timer),
				 0);
}

static struct perf_event_mmap_page *map_ring(int i, uint32_t sample_type)
{
	struct pmu_counter *c = &thread.counter[i];

	memset(&rings[i], 0, sizeof(rings[i]));
	c->ring = &rings[i];
	c->ring_bytes = sizeof(rings[i]);
	c->sample_type = sample_type;
	return c->ring;
}

/* Puts a record with these words into the ring. */
static void tell(int i, uint32_t type, const uint64_t *words, size_t n)
{
	struct perf_event_mmap_page *page = thread.counter[i].ring;
	struct perf_event_header h = { .type = type };
	unsigned char *at = rings[i].bytes + PAGE + page->data_head;

	h.size = (uint16_t)(sizeof(h) + n * 8);
	memcpy(at, &h, sizeof(h));
	memcpy(at + sizeof(h), words, n * 8);
	page->data_head += h.size;
}

#define TELL(i, type, ...) \
	tell(i, type, (const uint64_t[]){ __VA_ARGS__ }, \
	     sizeof((const uint64_t[]){ __VA_ARGS__ }) / 8)

/* ---- signals ----------------------------------------------------------------------- */

static struct {
	int signo;
	siginfo_t info;
	uint64_t back; /* not 0: the sample is so far before the place; see below */
	bool held;     /* a call that sleeps held the signal back */
	bool taken;
} come;

/* A sample that shows the place itself, some instructions before where its signal came. */
static void tell_place(const void *ucontext)
{
	struct unwind_cursor c;

	unwind_begin_ucontext(&c, ucontext);
	TELL(0, PERF_RECORD_SAMPLE, c.pc - come.back, 0x1000, 1, 1, 1, 0, PERF_MEM_S(OP, LOAD));
}

static void on_signal(int signo, siginfo_t *info, void *ucontext)
{
	(void)signo;
	(void)info;
	if (come.back != 0)
		tell_place(ucontext);
	come.taken =
		(come.held ? handler_take_held : handler_take)(come.signo, &come.info, ucontext);
}

static __attribute__((noinline)) bool deliver(void)
{
	come.info.si_signo = come.signo;
	raise(SIGUSR2);
	return come.taken;
}

static bool of_file(int fd, int code)
{
	come.signo = SIGRTMIN + 5;
	come.info = (siginfo_t){ .si_code = code };
	come.info.si_fd = fd;
	return deliver();
}

static bool of_timer(const void *token, int overrun)
{
	come.signo = SIGRTMIN + 5;
	come.info = (siginfo_t){ .si_code = SI_TIMER };
	come.info.si_value.sival_ptr = (void *)(uintptr_t)token;
	come.info.si_overrun = overrun;
	return deliver();
}

static bool of_timer_held(const void *token)
{
	come.held = true;
	const bool taken = of_timer(token, 0);
	come.held = false;
	return taken;
}

static bool of_trap(const void *token, int code)
{
	const uintptr_t data = (uintptr_t)token;

	come.signo = SIGTRAP;
	come.info = (siginfo_t){ .si_code = code };
	memcpy((char *)&come.info.si_addr + sizeof(void *), &data, sizeof(data));
	return deliver();
}

/* The data's address goes with it. */
static bool of_trap_at(const void *token, const void *address)
{
	const uintptr_t data = (uintptr_t)token;

	come.signo = SIGTRAP;
	come.info = (siginfo_t){ .si_code = TRAP_CODE };
	come.info.si_addr = (void *)(uintptr_t)address;
	memcpy((char *)&come.info.si_addr + sizeof(void *), &data, sizeof(data));
	return deliver();
}

static bool of_sigio(int code)
{
	come.signo = SIGIO;
	come.info = (siginfo_t){ .si_code = code };
	return deliver();
}

/* ---- the process ----------------------------------------------------------------------- */

static const char *as_it_is(const char *path)
{
	(void)path;
	return NULL;
}

static void begin(size_t limit)
{
	struct sigaction act = { .sa_flags = SA_SIGINFO };
	pthread_attr_t attr;
	size_t bytes;
	void *lo;

	ck_assert_int_eq(prof_create(&process.writer, profile, limit), 0);
	prof_header(&process.writer)->nevents = process.writer.nevents = 4;
	module_init(&process.writer, "/proc/self/exe");
	module_scan(as_it_is);
	process_open();
	process.alive = &alive;
	pthread_getattr_np(pthread_self(), &attr);
	pthread_attr_getstack(&attr, &lo, &bytes);
	pthread_attr_destroy(&attr);
	thread.own.lo = (uintptr_t)lo;
	thread.own.hi = (uintptr_t)lo + bytes;
	thread.omp.kind = PROF_THREAD_INITIAL;
	thread.sampling = true;
	thread_self = &thread;
	view.state = PROF_STATE_PARALLEL;
	act.sa_sigaction = on_signal;
	sigfillset(&act.sa_mask);
	sigaction(SIGUSR2, &act, NULL);
}

static void setup(void)
{
	writer_setup();
	begin(64 << 20);
}

static void with_runtime(void)
{
	ck_assert(thread_ready(&thread));
	atomic_store(&runtime_current, &runtime);
}

static const struct prof_file *look(void)
{
	return read_back();
}

static const struct prof_rnode *node(const struct prof_file *f, unsigned kind)
{
	for (size_t i = 0; i < f->nnodes; i++)
		if (f->nodes[i].kind == kind)
			return &f->nodes[i];
	return NULL;
}

static size_t nodes(const struct prof_file *f, unsigned kind)
{
	size_t n = 0;

	for (size_t i = 0; i < f->nnodes; i++)
		n += f->nodes[i].kind == kind;
	return n;
}

/* One sample in all, of that weight. */
static void ck_sample(int event, uint64_t weight)
{
	const struct prof_file *f = look();
	const struct prof_rnode *leaf = node(f, PROF_NODE_LEAF);

	ck_assert_uint_eq(f->nthreads, 1);
	ck_assert_uint_eq(f->threads[0].t.samples[event], 1);
	ck_assert_uint_eq(nodes(f, PROF_NODE_LEAF), 1);
	ck_assert_uint_eq(leaf->event, (unsigned)event);
	ck_assert_uint_eq(leaf->a, 1);
	ck_assert_uint_eq(leaf->b, weight);
}

/* ---- whose it is -------------------------------------------------------------------------- */

/* A thread without a record, one that is not sampled, one of a child behind our back:
   what is ours for certain is swallowed, the rest is the program's. */
START_TEST(where_nothing_is_sampled)
{
	add_counter(PMU_WALL, PMU_DELIVERY_SIGNAL);
	if (_i == 0)
		thread_self = NULL;
	else if (_i == 1)
		thread.sampling = false;
	else
		process.alive = &dead;
	ck_assert(of_timer(&pmu_token[0], 0));
	ck_assert(of_timer(&pmu_token[31], 0));
	ck_assert(!of_timer(&thread, 0));
	ck_assert(of_trap(&pmu_token[3], TRAP_CODE));
	ck_assert(!of_trap(&pmu_token[3], TRAP_BRKPT));
	ck_assert(!of_file(FIRST_FD, POLL_IN));
	ck_assert(!of_sigio(SI_KERNEL));
	ck_assert_uint_eq(look()->nthreads, 0);
}
END_TEST

START_TEST(strangers)
{
	add_counter(PMU_PERF, PMU_DELIVERY_SIGNAL);
	map_ring(0, 0);
	add_counter(PMU_PERF, PMU_DELIVERY_SIGTRAP);
	add_counter(PMU_WALL, PMU_DELIVERY_SIGNAL);
	ck_assert(!of_file(STRANGERS_FD, POLL_IN));
	ck_assert(!of_file(FIRST_FD, SI_USER));
	ck_assert(!of_file(FIRST_FD, SI_QUEUE));
	ck_assert(!of_file(FIRST_FD + 1, POLL_IN)); /* signals otherwise */
	ck_assert(!of_timer(NULL, 0));
	ck_assert(!of_trap(&pmu_token[1], TRAP_BRKPT));
	ck_assert(!of_trap(&thread, TRAP_CODE));
	ck_assert(!of_sigio(SI_USER));
	ck_assert(!of_sigio(POLL_IN));
	ck_assert(!of_sigio(SI_KERNEL)); /* no ring has anything new */
	/* Ours, of counters that are closed by now. */
	ck_assert(of_timer(&pmu_token[7], 0));
	ck_assert(of_trap(&pmu_token[7], TRAP_CODE));
	ck_assert_uint_eq(look()->nthreads, 0);
}
END_TEST

/* ---- ways that they come -------------------------------------------------------------------- */

START_TEST(of_a_file)
{
	add_counter(PMU_PERF, PMU_DELIVERY_SIGNAL);
	add_counter(PMU_PERF, PMU_DELIVERY_SIGNAL);
	ck_assert(of_file(FIRST_FD + 1, POLL_HUP));
	ck_sample(1, PERIOD);
	/* A surplus is taken too. */
	thread.counter[1].running = true;
	ck_assert(of_file(FIRST_FD + 1, POLL_IN));
	ck_assert(!thread.counter[1].armed);
	ck_assert_uint_eq(look()->threads[0].t.samples[1], 2);
	ck_assert_uint_eq(node(look(), PROF_NODE_LEAF)->state, PROF_STATE_NO_OPENMP);
}
END_TEST

START_TEST(of_a_frequency)
{
	add_counter(PMU_PERF, PMU_DELIVERY_SIGNAL);
	thread.counter[0].period = 0;
	map_ring(0, PERF_SAMPLE_IP | PERF_SAMPLE_READ);
	TELL(0, PERF_RECORD_SAMPLE, 0x1000, 700, 1, 1);
	TELL(0, PERF_RECORD_SAMPLE, 0x1000, 777, 1, 1);
	ck_assert(of_file(FIRST_FD, POLL_HUP));
	ck_sample(0, 777);
}
END_TEST

/* The sample before ended here; what the thread slept until now, as for a file's page, is over. */
static void begin_interval(struct wall *clock)
{
	struct rusage usage;

	ck_assert_int_eq(getrusage(RUSAGE_THREAD, &usage), 0);
	clock->sleeps = (uint64_t)usage.ru_nvcsw;
	clock->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	clock->since_ns = clock_ns(CLOCK_MONOTONIC) - LONG_NS;
}

START_TEST(of_a_timer)
{
	add_counter(PMU_PERF, PMU_DELIVERY_SIGNAL);
	add_counter(PMU_WALL, PMU_DELIVERY_SIGNAL);
	begin_interval(&thread.counter[1].wall);
	ck_assert(of_timer(&pmu_token[1], 0));
	const struct prof_file *f = look();

	/* It had no CPU. */
	ck_assert_uint_eq(nodes(f, PROF_NODE_LEAF), 2);
	ck_assert_uint_eq(f->threads[0].t.samples[1], 2);
	for (size_t i = 0; i < f->nnodes; i++) {
		const struct prof_rnode *n = &f->nodes[i];

		if (n->kind == PROF_NODE_LEAF && (n->state & PROF_READY) != 0)
			ck_assert_uint_ge(n->b, LONG_NS - MOMENT_NS);
		else if (n->kind == PROF_NODE_LEAF)
			ck_assert_uint_le(n->b, MOMENT_NS);
	}
}
END_TEST

/* Awake after a pause: what it ran since counts here, and the sleep where it slept. */
START_TEST(of_a_timer_after_a_sleep)
{
	struct wall *clock = &thread.counter[0].wall;
	const struct prof_file *f;

	add_counter(PMU_WALL, PMU_DELIVERY_SIGNAL);
	clock->since_ns = clock_ns(CLOCK_MONOTONIC) - LONG_NS;
	clock->fresh = true;
	ck_assert(of_timer_held(&pmu_token[0]));
	ck_assert(clock->asleep);
	clock->since_ns -= 2 * LONG_NS;
	clock->next_ns = 2 * LONG_NS + MOMENT_NS; /* the tick is not late */
	clock->paused = true;
	ck_assert(of_timer(&pmu_token[0], 0));
	ck_assert(!clock->asleep);
	f = look();
	ck_assert_uint_eq(f->threads[0].t.samples[0], 3);
	ck_assert_uint_eq(nodes(f, PROF_NODE_LEAF), 2);
	for (size_t i = 0; i < f->nnodes; i++) {
		const struct prof_rnode *n = &f->nodes[i];

		if (n->kind != PROF_NODE_LEAF)
			continue;
		if ((n->state & PROF_ASLEEP) != 0) {
			ck_assert_uint_eq(n->a, 2);
			ck_assert_uint_ge(n->b, 3 * LONG_NS - MOMENT_NS);
		} else {
			ck_assert_uint_eq(n->a, 1);
			ck_assert_uint_le(n->b, MOMENT_NS);
		}
	}
}
END_TEST

/* What is not counted of a sleep is, once, when it is over; a tick meanwhile takes none of it. */
START_TEST(of_a_sleep_that_is_over)
{
	struct wall *clock = &thread.counter[0].wall;

	add_counter(PMU_WALL, PMU_DELIVERY_SIGNAL);
	clock->since_ns = clock_ns(CLOCK_MONOTONIC) - LONG_NS;
	clock->fresh = true;
	ck_assert(of_timer_held(&pmu_token[0]));
	ck_assert(thread.asleep);
	clock->since_ns -= LONG_NS;
	thread.waking = true;
	ck_assert(of_timer(&pmu_token[0], 0));
	thread.waking = false;
	ck_assert_uint_eq(look()->threads[0].t.samples[0], 1);
	handler_wake(&thread);
	ck_assert(!thread.asleep && !thread.in_handler);
	handler_wake(&thread);
	ck_assert_uint_eq(look()->threads[0].t.samples[0], 2);
	ck_assert_uint_eq(nodes(look(), PROF_NODE_LEAF), 1);
	ck_assert_uint_eq(node(look(), PROF_NODE_LEAF)->state & PROF_ASLEEP, PROF_ASLEEP);
	ck_assert_uint_ge(node(look(), PROF_NODE_LEAF)->b, 2 * LONG_NS - MOMENT_NS);
}
END_TEST

/* A thread's end: what is left counts where its last sample was. */
START_TEST(of_a_timer_at_the_end)
{
	struct wall *clock = &thread.counter[0].wall;

	add_counter(PMU_WALL, PMU_DELIVERY_SIGNAL);
	begin_interval(clock);
	clock->cpu_ns -= 2 * LONG_NS; /* at no time it had no CPU */
	ck_assert(of_timer(&pmu_token[0], 0));
	clock->since_ns -= LONG_NS;
	handler_rest(&thread);
	handler_rest(&thread); /* of a process that is paused: not once more */
	ck_assert_uint_ge(node(look(), PROF_NODE_LEAF)->b, 2 * LONG_NS);
	ck_assert_uint_le(node(look(), PROF_NODE_LEAF)->b, 2 * LONG_NS + MOMENT_NS);
	ck_assert_uint_eq(node(look(), PROF_NODE_LEAF)->a, 2);
	ck_assert_uint_eq(look()->threads[0].t.samples[0], 2);
}
END_TEST

/* A sample reads the clocks, as far as a reading is due. */
START_TEST(of_the_clocks)
{
	const struct prof_header *h;

	latest_begin();
	add_counter(PMU_WALL, PMU_DELIVERY_SIGNAL);
	ck_assert(of_timer(&pmu_token[0], 0));
	h = &look()->header;
	ck_assert_uint_eq(h->nlatest, 1);
	ck_assert_uint_ge(h->latest[0].monotonic_ns, h->start_monotonic_ns);
	ck_assert_uint_ne(h->latest[0].ticks, 0);
}
END_TEST

START_TEST(of_a_trap)
{
	add_counter(PMU_PERF, PMU_DELIVERY_SIGTRAP);
	add_counter(PMU_PERF, PMU_DELIVERY_SIGTRAP);
	ck_assert(of_trap(&pmu_token[1], TRAP_CODE));
	ck_sample(1, PERIOD);
}
END_TEST

static bool pinned_to(unsigned cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) == 0 && cpus_now() == cpu;
}

static uint64_t samples_on(const struct prof_file *f, unsigned cpu)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < f->nnodes; i++)
		if (f->nodes[i].kind == PROF_NODE_CPU && f->nodes[i].state == cpu)
			sum += f->nodes[i].a;
	return sum;
}

/* Each on the CPU where the thread was, and the moves between. */
START_TEST(on_two_cpus)
{
	const struct prof_file *f;
	uint64_t moves = 0;

	cpus_prepare();
	add_counter(PMU_PERF, PMU_DELIVERY_SIGTRAP);
	if (!pinned_to(0))
		return; /* CPU 0 is not to be had, or nothing shows it */
	ck_assert(of_trap(&pmu_token[0], TRAP_CODE));
	if (!pinned_to(1))
		return;
	ck_assert(of_trap(&pmu_token[0], TRAP_CODE));
	ck_assert(of_trap(&pmu_token[0], TRAP_CODE));
	ck_assert(pinned_to(0));
	ck_assert(of_trap(&pmu_token[0], TRAP_CODE));
	f = look();
	ck_assert_uint_eq(samples_on(f, 0), 2);
	ck_assert_uint_eq(samples_on(f, 1), 2);
	for (size_t i = 0; i < f->nnodes; i++)
		if (f->nodes[i].kind == PROF_NODE_STATS && f->nodes[i].flags == PROF_STATS_MOVES)
			moves += f->nodes[i].a;
	ck_assert_uint_eq(moves, 2);
}
END_TEST

/* It does not tell of which counter: the rings do. */
START_TEST(of_sigio_in_the_place_of_another)
{
	add_counter(PMU_PERF, PMU_DELIVERY_SIGNAL);
	add_counter(PMU_PERF, PMU_DELIVERY_SIGNAL);
	add_counter(PMU_PERF, PMU_DELIVERY_SIGTRAP);
	add_counter(PMU_WALL, PMU_DELIVERY_SIGNAL);
	map_ring(0, PERF_SAMPLE_IP | PERF_SAMPLE_READ);
	map_ring(1, PERF_SAMPLE_IP | PERF_SAMPLE_READ);
	TELL(1, PERF_RECORD_SAMPLE, 0x1000, 777, 1, 1);
	ck_assert(of_sigio(SI_KERNEL));
	ck_sample(1, PERIOD);
	/* What was read is not read again. */
	ck_assert(!of_sigio(SI_KERNEL));
	ck_sample(1, PERIOD);
	/* One without a ring may always have been it; or the program's file was. */
	thread.counter[0].ring = NULL;
	ck_assert(!of_sigio(SI_KERNEL));
	ck_assert_uint_eq(look()->threads[0].t.samples[0], 1);
	ck_assert_uint_eq(look()->threads[0].t.samples[1], 1);
}
END_TEST

/* The program's own SIGIO, between an overflow and its signal; and one in the place of
   another counter's signal, while that one waits. */
START_TEST(of_sigio_beside_a_signal)
{
	const int signo = SIGRTMIN + 5;
	sigset_t own, before;
	siginfo_t info;

	add_counter(PMU_PERF, PMU_DELIVERY_SIGNAL);
	add_counter(PMU_PERF, PMU_DELIVERY_SIGNAL);
	for (int i = 0; i < 2; i++) {
		map_ring(i, PERF_SAMPLE_IP | PERF_SAMPLE_READ);
		thread.counter[i].signo = signo;
	}
	sigemptyset(&own);
	sigaddset(&own, signo);
	sigprocmask(SIG_BLOCK, &own, &before);
	raise(signo);
	TELL(0, PERF_RECORD_SAMPLE, 0x1000, 777, 1, 1);
	if (_i == 1)
		TELL(1, PERF_RECORD_SAMPLE, 0x1000, 777, 1, 1);
	ck_assert(!of_sigio(SI_KERNEL));
	ck_assert_uint_eq(look()->nthreads, 0);
	ck_assert_int_eq(sigwaitinfo(&own, &info), signo);
	ck_assert(of_file(FIRST_FD, POLL_IN));
	ck_assert_uint_eq(look()->threads[0].t.samples[0], 1);
	ck_assert_uint_eq(look()->threads[0].t.samples[1], (unsigned)_i);
	ck_assert(!of_sigio(SI_KERNEL));
	sigprocmask(SIG_SETMASK, &before, NULL);
}
END_TEST

static struct thread *redelivered;

static void redeliver(struct thread *t)
{
	redelivered = t;
}

/* Only by SIGTRAP: where it is, no other can have come between. */
START_TEST(signals_otherwise_from_now_on)
{
	add_counter(PMU_PERF, PMU_DELIVERY_SIGNAL);
	add_counter(PMU_PERF, PMU_DELIVERY_SIGTRAP);
	ck_assert(of_trap(&pmu_token[1], TRAP_CODE));
	atomic_store(&sampling.redeliver, redeliver);
	ck_assert(of_file(FIRST_FD, POLL_HUP));
	ck_assert_ptr_null(redelivered);
	ck_assert(of_trap(&pmu_token[1], TRAP_CODE));
	ck_assert_ptr_eq(redelivered, &thread);
}
END_TEST

/* ---- what is lost ---------------------------------------------------------------------------- */

START_TEST(within_the_handler)
{
	add_counter(PMU_PERF, PMU_DELIVERY_SIGNAL);
	/* While the thread gets its record. */
	thread.in_handler = true;
	ck_assert(of_file(FIRST_FD, POLL_HUP));
	ck_assert_uint_eq(look()->header.lost[PROF_LOST_NO_THREAD], 1);
	ck_assert_uint_eq(look()->nthreads, 0);
	thread.in_handler = false;
	ck_assert(of_file(FIRST_FD, POLL_HUP));
	ck_sample(0, PERIOD);
	thread.in_handler = true;
	ck_assert(of_file(FIRST_FD, POLL_HUP));
	ck_assert(thread.in_handler);
	const struct prof_file *f = look();

	ck_assert_uint_eq(f->threads[0].t.samples[0], 2);
	ck_assert_uint_eq(f->threads[0].t.lost[PROF_LOST_REENTRY], 1);
	ck_assert_uint_eq(node(f, PROF_NODE_LEAF)->a, 1);
}
END_TEST

static int cannot_make(void)
{
	return -ENOSPC;
}

static int made;

static int can_make(void)
{
	made++;
	return 0;
}

START_TEST(without_a_profile)
{
	add_counter(PMU_PERF, PMU_DELIVERY_SIGNAL);
	/* Another thread is making it. */
	atomic_store(&process.profile, PROFILE_BEING_MADE);
	ck_assert(of_file(FIRST_FD, POLL_HUP));
	ck_assert_uint_eq(process.unplaced, 1);
	ck_assert_ptr_null(thread.omp.record);
	atomic_store(&process.profile, PROFILE_DUE);
	process.make_profile = can_make;
	ck_assert(of_file(FIRST_FD, POLL_HUP));
	ck_assert(of_file(FIRST_FD, POLL_HUP));
	ck_assert_int_eq(made, 1);
	ck_assert_uint_eq(process.unplaced, 0);
	const struct prof_file *f = look();

	ck_assert_uint_eq(f->header.lost[PROF_LOST_NO_THREAD], 1);
	ck_assert_uint_eq(f->threads[0].t.samples[0], 2);
	/* It can't be had, and is not tried again. */
	thread.omp.record = NULL;
	atomic_store(&process.profile, PROFILE_DUE);
	process.make_profile = cannot_make;
	ck_assert(of_file(FIRST_FD, POLL_HUP));
	ck_assert_int_eq(process.profile, PROFILE_NONE);
	process.make_profile = can_make;
	ck_assert(of_file(FIRST_FD, POLL_HUP));
	ck_assert_int_eq(made, 1);
	ck_assert_uint_eq(process.unplaced, 2);
	/* Nor for those who are no handler. */
	ck_assert(!thread_ready(&thread));
	process.alive = &dead;
	ck_assert(!process_ready());
}
END_TEST

START_TEST(the_tools_own_memory)
{
	add_counter(PMU_PERF, PMU_DELIVERY_SIGNAL);
	map_ring(0, PERF_SAMPLE_IP | PERF_SAMPLE_ADDR | PERF_SAMPLE_READ);
	TELL(0, PERF_RECORD_SAMPLE, 0x1000, (uintptr_t)&thread.stack, 1, 1, 1);
	ck_assert(of_file(FIRST_FD, POLL_HUP));
	ck_assert_uint_eq(look()->threads[0].t.lost[PROF_LOST_OWN], 1);
	TELL(0, PERF_RECORD_SAMPLE, 0x1000, (uintptr_t)&rings, 2, 2, 2);
	ck_assert(of_file(FIRST_FD, POLL_HUP));
	const struct prof_file *f = look();

	ck_assert_uint_eq(f->threads[0].t.lost[PROF_LOST_OWN], 1);
	ck_assert_uint_eq(f->threads[0].t.samples[0], 2);
	ck_assert_uint_eq(nodes(f, PROF_NODE_DATA), 1);
	ck_assert_uint_eq(node(f, PROF_NODE_DATA)->flags, PROF_DATA_GLOBAL);
}
END_TEST

/* SIGTRAP's counters run on in the handler: what they count there is nobody's. */
START_TEST(the_tools_own_code)
{
	const uintptr_t ours = (uintptr_t)mock_do;

	add_counter(PMU_PERF, PMU_DELIVERY_SIGTRAP);
	map_ring(0, PERF_SAMPLE_IP | PERF_SAMPLE_READ);
	module_mark((const void *)ours, PROF_MODULE_TOOL);
	TELL(0, PERF_RECORD_SAMPLE, ours, 1, 1, 1);
	ck_assert(of_trap(&pmu_token[0], TRAP_CODE));
	ck_assert_uint_eq(look()->threads[0].t.lost[PROF_LOST_OWN], 1);
	ck_assert_uint_eq(nodes(look(), PROF_NODE_LEAF), 0);
	TELL(0, PERF_RECORD_SAMPLE, (uintptr_t)deliver, 2, 2, 2);
	ck_assert(of_trap(&pmu_token[0], TRAP_CODE));
	ck_assert_uint_eq(look()->threads[0].t.lost[PROF_LOST_OWN], 1);
	ck_assert_uint_eq(nodes(look(), PROF_NODE_LEAF), 1);
}
END_TEST

/* Where the kernel's record has no room, each sample is marked. The signal shows whose a fault is:
   by its place, or by the address that SIGTRAP has. */
START_TEST(faults_without_a_record)
{
	const struct prof_thread *t;

	add_counter(PMU_PERF, PMU_DELIVERY_SIGNAL);
	add_counter(PMU_PERF, PMU_DELIVERY_SIGTRAP);
	for (int i = 0; i < 2; i++)
		thread.counter[i].faults = thread.counter[i].unrecorded = true;
	ck_assert(of_file(FIRST_FD, POLL_HUP));
	ck_assert(of_trap_at(&pmu_token[1], &rings));
	ck_assert(of_trap_at(&pmu_token[1], &thread.stack));
	t = &look()->threads[0].t;
	ck_assert_uint_eq(t->lost[PROF_LOST_OWN], 1);
	ck_assert_uint_eq(t->lost[PROF_LOST_RECORDS], 3);
	ck_assert_uint_eq(nodes(look(), PROF_NODE_DATA), 1);
	/* It comes in the C library, which is marked for once. */
	module_mark((const void *)(uintptr_t)raise, PROF_MODULE_TOOL);
	ck_assert(of_file(FIRST_FD, POLL_HUP));
	ck_assert_uint_eq(look()->threads[0].t.lost[PROF_LOST_OWN], 2);
	thread.counter[0].faults = thread.counter[0].unrecorded = false;
	ck_assert(of_file(FIRST_FD, POLL_HUP));
	t = &look()->threads[0].t;
	ck_assert_uint_eq(t->lost[PROF_LOST_OWN], 2);
	ck_assert_uint_eq(t->lost[PROF_LOST_RECORDS], 4);
	ck_assert_uint_eq(t->samples[0], 3);
}
END_TEST

START_TEST(what_the_kernel_held_back)
{
	add_counter(PMU_PERF, PMU_DELIVERY_SIGTRAP);
	map_ring(0, PERF_SAMPLE_IP | PERF_SAMPLE_READ);
	TELL(0, PERF_RECORD_THROTTLE, 100, 1, 1);
	TELL(0, PERF_RECORD_UNTHROTTLE, 500, 1, 1);
	ck_assert(of_trap(&pmu_token[0], TRAP_CODE));
#ifndef __riscv
	ck_assert_uint_eq(look()->threads[0].t.lost[PROF_LOST_THROTTLED], 1);
	ck_assert_uint_eq(thread.counter[0].throttled_ns, 400);
#endif
	ck_assert(of_trap(&pmu_token[0], TRAP_CODE));
	ck_assert_uint_le(look()->threads[0].t.lost[PROF_LOST_THROTTLED], 1);
}
END_TEST

/* The file may not grow: every sample is counted, with its leaf or as lost. */
START_TEST(without_room)
{
	enum { SAMPLES = 40000 };
	uint64_t kept = 0;

	prof_abandon(&process.writer);
	unlink(profile);
	begin(256 << 10);
	add_counter(PMU_PERF, PMU_DELIVERY_SIGNAL);
	map_ring(0, PERF_SAMPLE_IP | PERF_SAMPLE_ADDR | PERF_SAMPLE_READ);
	for (int i = 0; i < SAMPLES; i++) {
		map_ring(0, thread.counter[0].sample_type);
		TELL(0, PERF_RECORD_SAMPLE, 0x1000, UINT64_C(0x100000000000) + (uint64_t)i * PAGE,
		     1, 1, 1);
		ck_assert(of_file(FIRST_FD, POLL_HUP));
		if (thread.omp.record != NULL && thread.omp.record->lost[PROF_LOST_NO_ROOM] > 20)
			break;
	}
	const struct prof_file *f = look();

	for (size_t i = 0; i < f->nnodes; i++)
		if (f->nodes[i].kind == PROF_NODE_LEAF)
			kept += f->nodes[i].a;
	ck_assert_uint_eq(f->threads[0].t.lost[PROF_LOST_NO_ROOM], 21);
	ck_assert_uint_eq(kept + 21, f->threads[0].t.samples[0]);
}
END_TEST

/* ---- what a sample shows --------------------------------------------------------------------- */

START_TEST(frames_of_the_kernel)
{
	const uint64_t inner = UINT64_C(0xffffffff81000010), outer = UINT64_C(0xffffffff81000020);

	add_counter(PMU_PERF, PMU_DELIVERY_SIGNAL);
	map_ring(0, PERF_SAMPLE_IP | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN);
	TELL(0, PERF_RECORD_SAMPLE, inner, 1, 1, 1, 3, (uint64_t)PERF_CONTEXT_KERNEL, inner, outer);
	ck_assert(of_file(FIRST_FD, POLL_HUP));
	const struct prof_file *f = look();
	const struct prof_rnode *n = &f->nodes[node(f, PROF_NODE_LEAF)->parent];

	ck_assert_uint_eq(PROF_LOC_MODULE(n->a), PROF_MODULE_ID_KERNEL);
	ck_assert_uint_eq(PROF_LOC_ADDRESS(n->a), PROF_LOC_ADDRESS(inner));
	ck_assert_uint_ne(n->flags & PROF_FRAME_EXACT, 0);
	n = &f->nodes[n->parent];
	ck_assert_uint_eq(PROF_LOC_ADDRESS(n->a), PROF_LOC_ADDRESS(outer));
	ck_assert_uint_eq(n->flags & PROF_FRAME_EXACT, 0);
	n = &f->nodes[n->parent];
	ck_assert_uint_ne(PROF_LOC_MODULE(n->a), PROF_MODULE_ID_KERNEL);
}
END_TEST

/* The hardware reports the instruction; the signal comes later, in the same function or
   in another one. */
START_TEST(the_instruction_itself)
{
	add_counter(PMU_PERF, PMU_DELIVERY_SIGNAL);
	thread.counter[0].precise = true;
	map_ring(0, PERF_SAMPLE_IP | PERF_SAMPLE_ADDR | PERF_SAMPLE_READ | PERF_SAMPLE_WEIGHT |
			    PERF_SAMPLE_DATA_SRC);
	come.back = 2;
	ck_assert(of_file(FIRST_FD, POLL_HUP));
	const struct prof_file *f = look();
	const struct prof_rnode *n = &f->nodes[f->nodes[node(f, PROF_NODE_LEAF)->parent].parent];
	uint64_t came = 0;

	/* Both places are in the tree, side by side; the leaf is at the instruction's. */
	for (size_t i = 0; i < f->nnodes; i++)
		if (f->nodes[i].kind == PROF_NODE_FRAME && f->nodes[i].parent == n->parent &&
		    &f->nodes[i] != n)
			came = f->nodes[i].a;
	ck_assert_uint_eq(n->kind, PROF_NODE_FRAME);
	ck_assert_uint_eq(came - n->a, 2);
	/* One that is far off is not believed. */
	come.back = 1 << 20;
	ck_assert(of_file(FIRST_FD, POLL_HUP));
	f = look();
	ck_assert_uint_eq(nodes(f, PROF_NODE_LEAF), 2);
	for (size_t i = 0; i < f->nnodes; i++)
		if (f->nodes[i].kind == PROF_NODE_FRAME)
			ck_assert_uint_ne(f->nodes[i].a, came - (1 << 20));
}
END_TEST

/* PEBS and IBS leave addresses in samples of other instructions, too. */
START_TEST(the_address_of_an_access)
{
	static const struct {
		uint64_t source;
		size_t nodes;
	} cells[] = {
		{ 0, 0 },
		{ PERF_MEM_S(OP, NA) | PERF_MEM_S(LVL, NA), 0 },
		{ PERF_MEM_S(OP, LOAD) | PERF_MEM_S(LVL, NA), 1 },
		{ PERF_MEM_S(OP, STORE) | PERF_MEM_S(LVL, L1), 1 },
		{ PERF_MEM_S(OP, LOAD) | PERF_MEM_S(OP, STORE), 1 },
	};

	add_counter(PMU_PERF, PMU_DELIVERY_SIGNAL);
	thread.counter[0].precise = true;
	map_ring(0, PERF_SAMPLE_IP | PERF_SAMPLE_ADDR | PERF_SAMPLE_READ | PERF_SAMPLE_WEIGHT |
			    PERF_SAMPLE_DATA_SRC);
	TELL(0, PERF_RECORD_SAMPLE, 0x1000, (uintptr_t)&rings, 1, 1, 1, 20, cells[_i].source);
	ck_assert(of_file(FIRST_FD, POLL_HUP));
	ck_assert_uint_eq(nodes(look(), PROF_NODE_LEAF), 1);
	ck_assert_uint_eq(nodes(look(), PROF_NODE_DATA), cells[_i].nodes);
}
END_TEST

START_TEST(what_a_thread_waits_for)
{
	add_counter(PMU_PERF, PMU_DELIVERY_SIGNAL);
	with_runtime();
	view.state = PROF_STATE_CRITICAL;
	view.wait_id = (uintptr_t)&come;
	ck_assert(of_file(FIRST_FD, POLL_HUP));
	const struct prof_rnode *n = node(look(), PROF_NODE_OBJECT);

	ck_assert_ptr_nonnull(n);
	ck_assert_uint_eq(n->flags, PROF_OBJECT_LOCATION);
	/* In the heap, and initialized by the code at come. */
	locks_made(0x20, (uintptr_t)&come);
	view.wait_id = 0x20;
	ck_assert(of_file(FIRST_FD, POLL_HUP));
	view.wait_id = 0x10;
	ck_assert(of_file(FIRST_FD, POLL_HUP));
	const struct prof_file *f = look();
	int unknown = 0, in_heap = 0;

	for (size_t i = 0; i < f->nnodes; i++) {
		const struct prof_rnode *o = &f->nodes[i];

		if (o->kind != PROF_NODE_OBJECT)
			continue;
		unknown += o->flags == PROF_OBJECT_ADDRESS && o->a == 0x10;
		in_heap += o->flags == PROF_OBJECT_MADE;
	}
	ck_assert_int_eq(unknown, 1);
	ck_assert_int_eq(in_heap, 1);
}
END_TEST

static const struct {
	uint8_t thread, state, told;
	bool over;
} states[] = {
	{ PROF_THREAD_WORKER, PROF_STATE_BARRIER_IMPLICIT, PROF_STATE_IDLE, false },
	{ PROF_THREAD_WORKER, PROF_STATE_BARRIER, PROF_STATE_IDLE, false },
	{ PROF_THREAD_WORKER, PROF_STATE_IDLE, PROF_STATE_IDLE, false },
	{ PROF_THREAD_WORKER, PROF_STATE_UNDEFINED, PROF_STATE_IDLE, false },
	{ PROF_THREAD_WORKER, PROF_STATE_OVERHEAD, PROF_STATE_OVERHEAD, false },
	{ PROF_THREAD_INITIAL, PROF_STATE_BARRIER, PROF_STATE_BARRIER, false },
	{ PROF_THREAD_INITIAL, PROF_STATE_BARRIER, PROF_STATE_IDLE, true },
	{ PROF_THREAD_UNKNOWN, PROF_STATE_BARRIER, PROF_STATE_NO_OPENMP, true },
};

START_TEST(states_as_they_are)
{
	struct region *r;

	add_counter(PMU_PERF, PMU_DELIVERY_SIGNAL);
	with_runtime();
	thread.omp.kind = states[_i].thread;
	view.state = states[_i].state;
	if (states[_i].over) {
		r = region_begin(&thread.omp.regions, (uintptr_t)__builtin_frame_address(0));
		ck_assert_ptr_nonnull(r);
		view.token = region_token(r);
		region_end(r);
	}
	ck_assert(of_file(FIRST_FD, POLL_HUP));
	ck_assert_uint_eq(node(look(), PROF_NODE_LEAF)->state, states[_i].told);
	ck_assert_ptr_null(node(look(), PROF_NODE_BOUNDARY));
}
END_TEST

/* ---- where a task begins -------------------------------------------------------------------------- */

static uint32_t context_for(void)
{
	return cct_child(&thread.omp.cct, cct_root(&thread.omp.cct),
			 PROF_NODE_INFO(PROF_NODE_FRAME, 0, 0, 0), PROF_LOC(1, 0x40));
}

/* Where there is a boundary, how many frames are above it. */
static int above_boundary(const struct prof_file *f)
{
	int n = 0;

	for (uint32_t at = node(f, PROF_NODE_LEAF)->parent; at != PROF_NONE;
	     at = f->nodes[at].parent) {
		if (f->nodes[at].kind == PROF_NODE_BOUNDARY)
			return n;
		n += f->nodes[at].kind == PROF_NODE_FRAME;
	}
	return -1;
}

static volatile int sink;

/* A task that is not deferred is a part of the function that creates it: it begins
   above that one. */
static __attribute__((noinline)) void undeferred_here(void)
{
	undeferred_begin(&thread.omp.undeferred, &view, (uintptr_t)__builtin_dwarf_cfa(),
			 (uintptr_t)__builtin_frame_address(0) - 4096);
	ck_assert(of_file(FIRST_FD, POLL_HUP));
	undeferred_end(&thread.omp.undeferred, &view);
	sink++;
}

START_TEST(a_task_that_is_not_deferred)
{
	add_counter(PMU_PERF, PMU_DELIVERY_SIGNAL);
	with_runtime();
	view.token = task_token(context_for(), 0);
	task_begin(&view.token);
	view.task = &view;
	view.exit = 8; /* whatever the register held */
	undeferred_here();
	ck_assert_uint_eq(thread.omp.undeferred.n, 0);
	const struct prof_file *f = look();

	ck_assert_int_gt(above_boundary(f), 0);
	ck_assert_uint_eq(node(f, PROF_NODE_BOUNDARY)->flags, PROF_BOUNDARY_TASK);
	ck_assert_uint_ne(node(f, PROF_NODE_BOUNDARY)->context, PROF_NONE);
}
END_TEST

/* The boundary shows the team's size, or that the runtime told of another region. */
START_TEST(a_team_of_many)
{
	static const uint32_t threads[] = { 0, 3, 300, 70000 };
	static const unsigned told[] = { PROF_TEAM_STALE, 3, 300, PROF_TEAM_MOST };

	add_counter(PMU_PERF, PMU_DELIVERY_SIGNAL);
	with_runtime();
	view.token = task_token(context_for(), 0);
	task_begin(&view.token);
	view.task = &view;
	view.threads = threads[_i];
	view.stale = threads[_i] == 0;
	undeferred_here();
	const struct prof_file *f = look();
	const struct prof_rnode *b = node(f, PROF_NODE_BOUNDARY);

	ck_assert_uint_eq(b->flags, PROF_BOUNDARY_TASK);
	ck_assert_uint_eq(b->event | (unsigned)b->state << 8, told[_i]);
	ck_assert_uint_eq(f->damaged, 0);
}
END_TEST

START_TEST(a_task_that_is_not_known_as_such)
{
	add_counter(PMU_PERF, PMU_DELIVERY_SIGNAL);
	with_runtime();
	view.token = task_token(context_for(), 0);
	view.task = &view;
	undeferred_begin(&thread.omp.undeferred, &thread, thread.own.hi - 64,
			 (uintptr_t)__builtin_frame_address(0));
	ck_assert(of_file(FIRST_FD, POLL_HUP));
	ck_assert_int_eq(above_boundary(look()), -1);
	/* Of a worker nothing that is on its stack is the task's. */
	thread.omp.kind = PROF_THREAD_WORKER;
	ck_assert(of_file(FIRST_FD, POLL_HUP));
	ck_assert_ptr_nonnull(node(look(), PROF_NODE_BOUNDARY));
}
END_TEST

/* The frame is none that can be found: nothing is guessed. */
START_TEST(a_region_whose_frame_is_gone)
{
	add_counter(PMU_PERF, PMU_DELIVERY_SIGNAL);
	with_runtime();
	struct region *r = region_begin(&thread.omp.regions, (uintptr_t)__builtin_frame_address(0));

	ck_assert_ptr_nonnull(r);
	r->owner = thread.omp.index;
	r->cfa = (uintptr_t)__builtin_frame_address(0) + 1;
	r->context = context_for();
	view.token = region_token(r);
	ck_assert(of_file(FIRST_FD, POLL_HUP));
	ck_assert_int_eq(above_boundary(look()), -1);
}
END_TEST

static uintptr_t outer_frame;
static int found_above;

static __attribute__((noinline)) void go_deep(int n)
{
	char room[32];

	memset(room, n, sizeof(room));
	if (n > 0)
		go_deep(n - 1);
	else
		ck_assert(of_file(FIRST_FD, POLL_HUP));
	sink += room[n % 32];
}

/* Deeper than a walk goes: where the task began is out of its reach, and all that it
   saw is the task's. */
START_TEST(deeper_than_a_walk_goes)
{
	add_counter(PMU_PERF, PMU_DELIVERY_SIGNAL);
	with_runtime();
	view.token = task_token(context_for(), 0);
	task_begin(&view.token);
	outer_frame = (uintptr_t)__builtin_frame_address(0);
	view.exit = outer_frame;
	go_deep(2 * STACK_FRAMES_MAX);
	ck_assert_int_eq(thread.stack.cause, PROF_CAUSE_DEPTH);
	found_above = above_boundary(look());
	ck_assert_int_ge(found_above, 100);
}
END_TEST

static void mark_in_body(int n)
{
	(void)n;
	ck_assert(of_file(FIRST_FD, POLL_HUP));
	sink++;
}

/* An exit frame is the runtime's: the body lies above it. */
START_TEST(an_implicit_task_of_another_thread)
{
	add_counter(PMU_PERF, PMU_DELIVERY_SIGNAL);
	with_runtime();
	struct region *r = region_begin(&thread.omp.regions, (uintptr_t)__builtin_frame_address(0));

	ck_assert_ptr_nonnull(r);
	r->owner = 7;
	r->context = context_for();
	view.token = region_token(r);
	module_mark((const void *)(uintptr_t)mock_do, PROF_MODULE_RUNTIME);
	mock_invoke(mark_in_body, 0, &view.exit);
	const int with = above_boundary(look());

	ck_assert_int_gt(with, 0);
	ck_assert_uint_eq(node(look(), PROF_NODE_BOUNDARY)->flags, PROF_BOUNDARY_REGION);
}
END_TEST

static void add(TCase *c)
{
	tcase_add_loop_test(c, where_nothing_is_sampled, 0, 3);
	tcase_add_test(c, strangers);
	tcase_add_test(c, of_a_file);
	tcase_add_test(c, of_a_frequency);
	tcase_add_test(c, of_a_timer);
	tcase_add_test(c, of_a_timer_after_a_sleep);
	tcase_add_test(c, of_a_sleep_that_is_over);
	tcase_add_test(c, of_a_timer_at_the_end);
	tcase_add_test(c, of_the_clocks);
	tcase_add_test(c, of_a_trap);
	tcase_add_test(c, on_two_cpus);
	tcase_add_test(c, of_sigio_in_the_place_of_another);
	tcase_add_loop_test(c, of_sigio_beside_a_signal, 0, 2);
	tcase_add_test(c, signals_otherwise_from_now_on);
	tcase_add_test(c, within_the_handler);
	tcase_add_test(c, without_a_profile);
	tcase_add_test(c, the_tools_own_memory);
	tcase_add_test(c, the_tools_own_code);
	tcase_add_test(c, faults_without_a_record);
	tcase_add_test(c, what_the_kernel_held_back);
	tcase_add_test(c, without_room);
	tcase_add_test(c, frames_of_the_kernel);
	tcase_add_test(c, the_instruction_itself);
	tcase_add_loop_test(c, the_address_of_an_access, 0, 5);
	tcase_add_test(c, what_a_thread_waits_for);
	tcase_add_loop_test(c, states_as_they_are, 0, sizeof(states) / sizeof(*states));
	tcase_add_test(c, a_task_that_is_not_deferred);
	tcase_add_test(c, a_task_that_is_not_known_as_such);
	tcase_add_test(c, a_region_whose_frame_is_gone);
	tcase_add_test(c, deeper_than_a_walk_goes);
	tcase_add_loop_test(c, a_team_of_many, 0, 4);
	tcase_add_test(c, an_implicit_task_of_another_thread);
}

static void teardown(void)
{
	prof_abandon(&process.writer);
	writer_teardown();
}

int main(void)
{
	Suite *s = suite_create("handler");
	TCase *c = tcase_create("handler");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_set_timeout(c, 60);
	add(c);
	suite_add_tcase(s, c);
	return suite_main(s);
}
