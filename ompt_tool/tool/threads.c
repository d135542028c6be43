/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All thread records form a list that only grows. A new thread takes the record of
 * one that has ended (compare-and-swap on `live`). So a program that makes
 * thousands of threads has as many records as it ever had threads at once.
 */
#include "config.h"

#include "ompt_tool/tool/threads.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ompt_tool/count/counting.h"
#include "ompt_tool/omp/blame.h"
#include "ompt_tool/omp/depend.h"
#include "ompt_tool/omp/entries.h"
#include "ompt_tool/omp/lives.h"
#include "ompt_tool/omp/trace.h"
#include "ompt_tool/program/program.h"
#include "ompt_tool/sample/handler.h"
#include "ompt_tool/sample/sampling.h"
#include "ompt_tool/sample/thread.h"
#include "ompt_tool/tool/profile.h"
#include "ompt_tool/tool/tool_parts.h"
#include "ompt_tool/tree/process.h"
#include "ompt_tool/unwind/object.h"
#include "pmu/explain.h"
#include "pmu/wall.h"
#include "src/profile/clock.h"

enum {
	/* From so many thread records in the file on, a new thread continues the record
	   of an ended one, so that the file's size stays bounded. */
	RECORDS_MANY = 1024,
};

/* Owned by this file. Any thread may push to the list. */
static _Atomic(struct thread *) all;
static pthread_key_t ending;
static pthread_once_t ending_once = PTHREAD_ONCE_INIT;
static struct pmu_opening openings[PMU_COUNTERS_MAX];
static int nopenings;
static enum pmu_delivery delivery;
static int signo;
static _Atomic uint32_t paused, over; /* words: some machines have no atomic exchange of bytes
					   without a library */
/* How many claims the calling thread holds, and pauses it carries out. */
static __thread volatile int busy __attribute__((tls_model("initial-exec")));

void threads_prepare(enum pmu_delivery d, int s, bool p)
{
	delivery = d;
	signo = s;
	paused = p;
	nopenings =
		pmu_event_openings(sampling.events, sampling.nsampled, openings, PMU_COUNTERS_MAX);
}

/*
 * One thread at a time opens, stops or closes t's counters: t itself at its end, or
 * the thread that ends or pauses the process. Otherwise this one might read a
 * descriptor that t has closed and that is a file of the application's by now.
 * claim() gives up after a while: a signal handler that interrupted the holder may
 * call exit().
 */
static bool claim(struct thread *t)
{
	busy++;
	for (int tries = 0; tries < 1000; tries++) {
		if (!atomic_exchange(&t->claimed, true))
			return true;
		sched_yield();
	}
	busy--;
	return false;
}

static void unclaim(struct thread *t)
{
	atomic_store(&t->claimed, false);
	busy--;
}

bool threads_are_busy(void)
{
	return busy != 0;
}

/* Stops the counters, and writes their values into the thread's record. */
static void counters_stop(struct thread *t)
{
	if (t == thread_self)
		counting_flush(&t->omp);
	counting_stop(&t->omp);
	counting_total(&t->omp);
	for (int i = 0; i < t->ncounters; i++)
		pmu_counter_stop(&t->counter[i]);
	handler_rest(t);
	if (t->omp.record) {
		/* An event that has a counter for each kind of core is the sum of these
		   counters, over the time during which all were enabled. */
		struct prof_value sum[PMU_EVENTS_MAX];
		uint32_t known = 0;

		memcpy(sum, t->omp.base, sizeof(sum));
		for (int i = 0; i < t->ncounters; i++) {
			const uint32_t e = t->counter[i].event;
			struct pmu_value v;
			const int error = pmu_counter_read(&t->counter[i], &v);

			if (error != 0 && error != -ENOTSUP)
				t->missing |= 1u << e;
			if (error != 0)
				continue;
			known |= 1u << e;
			sum[e].value += v.value;
			sum[e].running_ns += v.running_ns;
			if (t->omp.base[e].enabled_ns + v.enabled_ns > sum[e].enabled_ns)
				sum[e].enabled_ns = t->omp.base[e].enabled_ns + v.enabled_ns;
		}
		for (uint32_t seen = known; seen != 0; seen &= seen - 1)
			t->omp.record->values[__builtin_ctz(seen)] = sum[__builtin_ctz(seen)];
		t->omp.record->values_known |= known | t->missing << PROF_VALUES_MISSING;
	}
	schedule_read(t);
}

/* Notes that the program has closed a counter's descriptor, as daemons do that close
   all: no samples from then on. */
static void note_closed(const struct pmu_counter *c)
{
	static atomic_flag noted = ATOMIC_FLAG_INIT;

	if (c->kind == PMU_PERF && !pmu_counter_holds(c) && !atomic_flag_test_and_set(&noted))
		profile_note("the program closed descriptors of counters: "
			     "what their threads did from then on is not in the profile");
}

/* t's lifetime is over, or the process's. */
static void thread_lived(struct thread *t)
{
	const uint64_t begun_ns = t->begun_ns;

	phases_lived(t);
	t->begun_ns = 0;
	if (begun_ns != 0)
		lives_lived(t->omp.kind, clock_ns(CLOCK_MONOTONIC) - begun_ns);
}

/* Runs when the thread ends, as a destructor of thread-specific data. */
static void thread_ends(void *arg)
{
	struct thread *t = arg;
	int cancel;

	if (t != thread_self || *process.alive == 0)
		return;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	if (claim(t)) { /* else another thread ends the process */
		counters_stop(t);
		t->sampling = false;
		for (int i = 0; i < t->ncounters; i++) {
			note_closed(&t->counter[i]);
			pmu_counter_close(&t->counter[i]);
		}
		t->ncounters = 0;
		counting_end(&t->omp);
		blame_end(&t->omp);
		trace_end(&t->omp);
		if (t->omp.record)
			t->omp.record->end_ns = clock_ns(CLOCK_MONOTONIC);
		thread_lived(t);
		lives_end(t->omp.kind);
		thread_self = NULL;
		t->omp.ready = NULL;
		program_thread_ends();
		atomic_store(&t->live, false);
		unclaim(t);
	}
	pthread_setcancelstate(cancel, NULL);
}

static void make_ending(void)
{
	if (pthread_key_create(&ending, thread_ends) != 0)
		ending = (pthread_key_t)-1;
}

static struct thread *thread_new(void)
{
	for (struct thread *t = atomic_load(&all); t; t = t->next) {
		uint32_t live = false;

		if (!atomic_load(&t->live) && atomic_compare_exchange_strong(&t->live, &live, true))
			return t;
	}
	struct thread *t =
		mmap(NULL, sizeof(*t), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (t == MAP_FAILED)
		return NULL;
	atomic_store(&t->live, true);
	t->next = atomic_load(&all);
	while (!atomic_compare_exchange_weak(&all, &t->next, t))
		;
	return t;
}

/* The bounds of the thread's stack. The main thread's stack grows down to its limit,
   and is not mapped before. */
static void stack_bounds(struct thread *t)
{
	pthread_attr_t attr;
	void *lo;
	size_t bytes;

	t->own.lo = t->own.hi = 0;
	if (pthread_getattr_np(pthread_self(), &attr) != 0)
		return;
	if (pthread_attr_getstack(&attr, &lo, &bytes) == 0) {
		t->own.lo = (uintptr_t)lo;
		t->own.hi = (uintptr_t)lo + bytes;
	}
	pthread_attr_destroy(&attr);
}

/* Notes once that a thread's event is not what it should be. */
static void note_refusal(const struct thread *t, const char *what, const struct pmu_refusal *why,
			 atomic_flag *noted)
{
	char line[sizeof(why->what) + sizeof(why->why) + sizeof(why->todo) + 64];

	if (atomic_flag_test_and_set(noted))
		return;
	snprintf(line, sizeof(line), "thread %u is not %s: %s: %s%s%s", t->omp.index, what,
		 why->what, why->why, why->todo[0] != '\0' ? ": " : "", why->todo);
	profile_note(line);
}

/* Opens the thread's counters. The profile notes once why one can't be opened, or has no ring. */
static void counters_open(struct thread *t)
{
	static atomic_flag noted = ATOMIC_FLAG_INIT, noted_ring = ATOMIC_FLAG_INIT;
	struct pmu_refusal why;

	t->missing = 0;
	for (int i = 0; i < nopenings; i++) {
		struct pmu_counter *c = &t->counter[t->ncounters];

		if (pmu_counter_open(c, &openings[i].event, t->tid, delivery, signo, (uint32_t)i,
				     &why) == 0) {
			c->event = openings[i].number;
			t->ncounters++;
			if (c->unrecorded) {
				pmu_explain_ring(&openings[i].event, &why);
				note_refusal(t, "sampled in full", &why, &noted_ring);
			}
			continue;
		}
		t->missing |= 1u << openings[i].number;
		note_refusal(t, "counted in full", &why, &noted);
	}
	if (t->omp.record)
		t->omp.record->values_known |= t->missing << PROF_VALUES_MISSING;
}

static void counters_start(struct thread *t)
{
	for (int i = 0; i < t->ncounters; i++)
		pmu_counter_start(&t->counter[i]);
	counting_start(&t->omp);
}

/* Clears what the record's previous thread has left. */
static void thread_forget(struct thread *t)
{
	memset(t->omp.base, 0, sizeof(t->omp.base));
	memset(t->omp.task_run, 0, sizeof(t->omp.task_run));
	t->data_nodes = 0;
	t->omp.running.time = NULL;
	t->omp.scheduled = 0;
	construct_forget(&t->omp.constructs);
	entries_forget(&t->omp);
	depend_forget(&t->omp);
	stack_reset(&t->stack);
	phases_forget(&t->phases);
	context_forget(&t->omp.contexts);
	t->in_handler = t->traced = false;
	t->omp.record = NULL;
	t->omp.ready = NULL;
}

/* Gives t a record and a tree: those of the record's previous thread, when there are
   many: true. Where there is no profile yet (in a fork's child), the first sample makes both. */
static bool enter_profile(struct thread *t)
{
	struct prof_thread *record = t->omp.record;

	thread_forget(t);
	t->omp.constructs.n = 0;
	t->omp.undeferred.n = 0;
	t->omp.forks.n = 0;
	entries_begin(&t->omp);
	blame_begin(&t->omp);
	if (!process_has_profile())
		return false;
	if (!record || atomic_load(&process.writer.nthreads) < RECORDS_MANY) {
		thread_record(t);
		return false;
	}
	record->tid = (uint32_t)t->tid;
	record->kind = t->omp.kind;
	record->end_ns = 0;
	memcpy(t->omp.base, record->values, sizeof(t->omp.base));
	record->values_known &= UINT32_MAX << PROF_VALUES_MISSING;
	t->omp.record = record;
	return true;
}

static void note_kind(struct thread *t, enum prof_thread_kind kind)
{
	if (kind == PROF_THREAD_UNKNOWN)
		return;
	if (kind == PROF_THREAD_WORKER)
		profile_worker();
	lives_become((enum prof_thread_kind)t->omp.kind, kind);
	t->omp.kind = kind;
	if (t->omp.record)
		t->omp.record->kind = kind;
	blame_kind(&t->omp);
}

static struct thread *thread_begin(enum prof_thread_kind kind)
{
	struct thread *t = thread_new();

	if (!t)
		return NULL;
	t->tid = (pid_t)syscall(SYS_gettid);
	t->omp.kind = kind;
	t->ncounters = 0;
	t->omp.lock = 0;
	t->omp.contexts.thread = &t->omp;
	stack_bounds(t);
	t->omp.contexts.own.lo = t->own.lo;
	t->omp.contexts.own.hi = t->own.hi;
	if (!claim(t)) {
		atomic_store(&t->live, false);
		return NULL;
	}
	t->begun_ns = clock_ns(CLOCK_MONOTONIC);
	object_look();
	lives_begin(kind, enter_profile(t));
	if (!atomic_load(&lives.outermost))
		lives_main(&t->omp.regions);
	schedule_begin(t);
	counters_open(t);
	thread_self = t;
	pthread_once(&ending_once, make_ending);
	if (ending != (pthread_key_t)-1)
		pthread_setspecific(ending, t);
	program_thread_begins(t->own.hi - t->own.lo);
	t->sampling = true;
	counting_begin(&t->omp, paused);
	if (!paused)
		counters_start(t);
	unclaim(t);
	if (kind == PROF_THREAD_WORKER)
		profile_worker();
	return t;
}

struct thread *threads_start(enum prof_thread_kind kind)
{
	struct thread *t = thread_self;
	int cancel;

	if (*process.alive == 0)
		return NULL;
	if (t) {
		note_kind(t, kind);
		return t;
	}
	/* Cancellation stays disabled meanwhile: the application may have been about to
	   disable it itself. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	t = thread_begin(kind);
	pthread_setcancelstate(cancel, NULL);
	return t;
}

/* Notes that threads that did not run were sampled rarely, because there were many. */
static void note_bounded(void)
{
	enum { MS_NS = 1000000, WORTH_SAYING_MS = 100 };
	static atomic_flag noted = ATOMIC_FLAG_INIT;
	const unsigned long long ms = wall_bounded_ns() / MS_NS;
	char line[160];

	if (ms < WORTH_SAYING_MS || atomic_flag_test_and_set(&noted))
		return;
	snprintf(line, sizeof(line),
		 "so many threads slept, or had no CPU, at once that each was sampled about every "
		 "%llu ms: its time is counted in full, by fewer samples",
		 ms);
	profile_note(line);
}

void threads_stop_all(bool final)
{
	if (final)
		note_bounded();

	for (struct thread *t = atomic_load(&all); t; t = t->next) {
		if (!atomic_load(&t->live) || !claim(t))
			continue;
		counters_stop(t);
		if (final && t->omp.record && t->omp.record->end_ns == 0)
			t->omp.record->end_ns = clock_ns(CLOCK_MONOTONIC);
		if (final)
			thread_lived(t);
		unclaim(t);
	}
}

bool threads_took_none(void)
{
	for (struct thread *t = atomic_load(&all); t; t = t->next)
		for (int e = 0; t->omp.record && e < PROF_EVENTS_MAX; e++)
			if (t->omp.record->samples[e])
				return false;
	return true;
}

void threads_start_all(void)
{
	for (struct thread *t = atomic_load(&all); t && !paused; t = t->next) {
		if (!atomic_load(&t->live) || t->traced || !claim(t))
			continue;
		counters_start(t);
		unclaim(t);
	}
}

bool threads_traced(bool traced)
{
	struct thread *t = thread_self;

	if (!t || t->traced == traced || !claim(t))
		return false;
	t->traced = traced;
	if (traced)
		counters_stop(t);
	else if (!paused)
		counters_start(t);
	unclaim(t);
	return true;
}

/*
 * Opens the counters that send SIGTRAP anew, to signal by signo. Runs in the thread
 * itself, at the end of a sample or where its handler cannot interrupt.
 */
static void redeliver(struct thread *t)
{
	for (int i = 0; i < t->ncounters; i++) {
		struct pmu_counter *c = &t->counter[i];
		struct pmu_value last = { 0 };

		if (c->kind != PMU_PERF || c->delivery != PMU_DELIVERY_SIGTRAP ||
		    pmu_counter_redeliver(c, &openings[c->tag].event, t->tid, signo, &last) != 0)
			continue;
		t->omp.base[c->event].value += last.value;
		t->omp.base[c->event].enabled_ns += last.enabled_ns;
		t->omp.base[c->event].running_ns += last.running_ns;
	}
}

void threads_settle(void)
{
	struct thread *t = thread_self;

	if (!t || !atomic_load(&sampling.redeliver) || !claim(t))
		return;
	redeliver(t);
	unclaim(t);
}

void threads_renumber(int s)
{
	signo = s;
	if (delivery == PMU_DELIVERY_SIGTRAP) {
		delivery = PMU_DELIVERY_SIGNAL;
		atomic_store(&sampling.redeliver, redeliver);
		if (thread_self && claim(thread_self)) {
			redeliver(thread_self);
			unclaim(thread_self);
		}
	}
	for (struct thread *t = atomic_load(&all); t; t = t->next) {
		if (!atomic_load(&t->live) || !claim(t))
			continue;
		for (int i = 0; i < t->ncounters; i++)
			pmu_counter_renumber(&t->counter[i], t->tid, s);
		unclaim(t);
	}
}

bool threads_pause(bool p)
{
	if (over)
		return p;
	busy++;
	if (atomic_exchange(&paused, p) != p) {
		if (p)
			threads_stop_all(false);
		else
			threads_start_all();
	}
	busy--;
	return true;
}

void threads_end_all(void)
{
	threads_pause(true);
	over = true;
}

void threads_fork_child(void)
{
	struct thread *self = thread_self;

	/* Ended threads' records too: theirs are in the parent's profile. */
	for (struct thread *t = atomic_load(&all); t; t = t->next) {
		t->sampling = false;
		for (int i = 0; i < t->ncounters; i++)
			pmu_counter_abandon(&t->counter[i]);
		t->ncounters = 0;
		counting_abandon(&t->omp);
		t->omp.record = NULL;
		t->omp.ready = NULL;
		region_forget(&t->omp.regions);
		atomic_store(&t->claimed, false); /* who held it is in the parent only */
		atomic_store(&t->live, t == self);
	}
	blame_fork_child(self ? &self->omp : NULL);
	trace_fork_child();
	depend_prepare(false);
	if (!self)
		return;
	thread_forget(self);
	self->tid = (pid_t)syscall(SYS_gettid);
	self->begun_ns = clock_ns(CLOCK_MONOTONIC);
	lives_fork_child((enum prof_thread_kind)self->omp.kind, &self->omp.regions);
	counters_open(self);
	self->sampling = true;
	counting_begin(&self->omp, paused);
	if (!paused)
		counters_start(self);
}
