/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_stack.c - a stack whose unchanged part was reused equals the result of a complete
 * walk: at every instruction of all kinds of code, at arbitrary instants, and after callers
 * were changed deceptively.
 */
#include "config.h"

#include <check.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "ompt_tool/sample/thread.h"
#include "ompt_tool/tree/stack.h"
#include "ompt_tool/unwind/bounds.h"
#include "src/profile/clock.h"
#include "tests/support/interrupt.h"
#include "tests/support/suite_main.h"
#include "tests/support/unwind_work.h"

void (*unwind_work_hook)(void);

static const struct unwind_work *const tables[] = {
	unwind_work_plain,
	unwind_work_fast,
	unwind_work_faster,
};

enum { TABLES = sizeof(tables) / sizeof(*tables) };

/* A stack that is kept from sample to sample, all of them or one in `every`. */
struct keeper {
	struct stack stack;
	uint32_t every;
};

static struct keeper keepers[] = { { .every = 1 }, { .every = 7 }, { .every = 150 } };
static struct stack fresh;
static struct unwind_cache kept_rules, fresh_rules;
static struct thread thread; /* for its bounds */
/* raise() is declared to call nothing of this file. */
static volatile uint64_t samples, wrong, whole, frames, kept, random_state = 1;
static char first_wrong[200];
static char alternate[256 * 1024];

static void reset(void)
{
	pthread_attr_t attr;
	size_t bytes;
	void *lo;

	pthread_getattr_np(pthread_self(), &attr);
	pthread_attr_getstack(&attr, &lo, &bytes);
	pthread_attr_destroy(&attr);
	thread.own.lo = (uintptr_t)lo;
	thread.own.hi = (uintptr_t)lo + bytes;
	samples = wrong = whole = frames = kept = 0;
	for (size_t i = 0; i < sizeof(keepers) / sizeof(*keepers); i++) {
		stack_reset(&keepers[i].stack);
	}
}

static void walk(struct stack *s, struct unwind_cache *rules, const ucontext_t *uc)
{
	struct unwind_cursor c;
	struct bounds b;

	unwind_begin_ucontext(&c, uc);
	bounds_begin(&b, &thread.own, c.sp, uc);
	if (!bounds_steady(&b))
		stack_reset(s);
	stack_walk(s, &c, rules, &b);
}

static bool same_frame(const struct walked_frame *a, const struct walked_frame *b)
{
	if (a->pc != b->pc || a->sp != b->sp || a->exact != b->exact || a->pc_slot != b->pc_slot)
		return false;
	/* Without the outermost frames nobody knows whose fp matters. */
	return fresh.cause == PROF_CAUSE_DEPTH ||
	       (a->fp_matters == b->fp_matters && (!a->fp_matters || a->fp == b->fp));
}

static void note_wrong(const struct stack *s, uint32_t i)
{
	if (wrong++ != 0)
		return;
	const struct walked_frame *a = &s->frame[i], *b = &fresh.frame[i];

	snprintf(first_wrong, sizeof(first_wrong),
		 "frame %u of %u, %u, kept %u: pc %lx %lx sp %lx %lx fp %lx %lx", i, s->n, fresh.n,
		 s->kept, a->pc, b->pc, a->sp, b->sp, a->fp, b->fp);
}

static void compare(struct keeper *k, const ucontext_t *uc)
{
	walk(&k->stack, &kept_rules, uc);
	frames += k->stack.n;
	kept += k->stack.kept;
	if (k->stack.n != fresh.n || k->stack.cause != fresh.cause) {
		note_wrong(&k->stack, 0);
		return;
	}
	for (uint32_t i = 0; i < fresh.n; i++)
		if (!same_frame(&k->stack.frame[i], &fresh.frame[i]) ||
		    k->stack.loc[i] != fresh.loc[i]) {
			note_wrong(&k->stack, i);
			return;
		}
}

static void sample(const ucontext_t *uc)
{
	stack_reset(&fresh);
	walk(&fresh, &fresh_rules, uc);
	samples++;
	whole += fresh.cause == PROF_CAUSE_NONE;
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	for (size_t i = 0; i < sizeof(keepers) / sizeof(*keepers); i++)
		if ((random_state >> 33) % keepers[i].every == 0)
			compare(&keepers[i], uc);
}

static void check_all(const char *what, uint64_t least)
{
	ck_assert_msg(wrong == 0, "%s: %lu of %lu samples differ; %s", what, wrong, samples,
		      first_wrong);
	ck_assert_msg(samples >= least, "%s: %lu samples", what, samples);
	/* Else nothing was kept, and nothing proven. */
	ck_assert_msg(kept > frames / 4, "%s: kept %lu of %lu frames", what, kept, frames);
	ck_assert_msg(whole > samples * 99 / 100, "%s: %lu of %lu are whole", what, whole, samples);
}

/* ---- at instants that nobody chose ----------------------------------------- */

enum { INTERVAL_NS = 25000 };

static struct interrupt timer;

/* What is interrupted gets most of the time, however slow the walks are. */
static void on_interrupt(int signo, siginfo_t *info, void *ucontext)
{
	const uint64_t begin = clock_ns(CLOCK_MONOTONIC);

	(void)signo;
	(void)info;
	sample(ucontext);
	const long after = 3 * (long)(clock_ns(CLOCK_MONOTONIC) - begin);

	interrupt_after(&timer, after > INTERVAL_NS ? after : INTERVAL_NS);
}

static void interrupted(void (*run)(int), int rounds)
{
	ck_assert_int_eq(interrupt_handle(SIGRTMIN + 1, on_interrupt), 0);
	ck_assert_int_eq(interrupt_start(&timer, SIGRTMIN + 1, INTERVAL_NS), 0);
	for (int i = 0; i < rounds * 1000 && (i < rounds || samples < 1000); i++)
		run(i);
	interrupt_stop(&timer);
}

static void every_work(int n)
{
	for (const struct unwind_work *w = tables[n % TABLES]; w->name != NULL; w++)
		w->run(n);
}

START_TEST(interrupted_anywhere)
{
	reset();
	interrupted(every_work, 400);
	check_all("all work", 1000);
}
END_TEST

/* ---- at every instruction ---------------------------------------------------- */

#ifdef __x86_64__
enum { TRAP_FLAG = 0x100, STEPS = 3000 };

static volatile bool stepping;

static void on_step(int signo, siginfo_t *info, void *ucontext)
{
	ucontext_t *uc = ucontext;

	(void)signo;
	(void)info;
	sample(uc);
	if (stepping && samples < STEPS)
		uc->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
	else
		uc->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}

static void step_in_handler(void)
{
	if (stepping)
		raise(SIGTRAP);
}

static void stepped(void (*run)(int), int n)
{
	ck_assert_int_eq(interrupt_handle(SIGTRAP, on_step), 0);
	stepping = true;
	raise(SIGTRAP);
	run(n);
	stepping = false;
}

START_TEST(at_every_instruction)
{
	unwind_work_hook = step_in_handler;
	for (const struct unwind_work *w = tables[_i]; w->name != NULL; w++) {
		reset();
		stepped(w->run, 3);
		/* Of other stacks nothing is kept. */
		if (strcmp(w->name, "signal elsewhere") == 0)
			kept = frames;
		check_all(w->name, 1000);
	}
}
END_TEST
#endif

/* ---- made to deceive ------------------------------------------------------------ */

static volatile long sink;

/* The innermost function: its frame is at the same place and its return address
   the same, whoever called its caller. */
static __attribute__((noinline)) long bottom(int n)
{
	long sum = 0;

	for (int i = 0; i < 20; i++)
		sum += i * n;
	return sum;
}

static __attribute__((noinline)) long middle(int n)
{
	return bottom(n) + 1;
}

/* Two callers alike but for their name: the slot is the same, its value isn't. */
static __attribute__((noinline)) long one(int n)
{
	return middle(n) + 1;
}

static __attribute__((noinline)) long other(int n)
{
	return middle(n) + 2;
}

/* Has a frame pointer, and saves its caller's. */
static __attribute__((noinline)) long third(int n, size_t room)
{
	volatile char *p = __builtin_alloca(room);

	p[0] = 1;
	return (n % 2 != 0 ? one(n) : other(n)) + p[0];
}

/* What one frame has more of, the next has less: everything further in is where
   it was, and only the frame pointer shows the difference: return addresses of
   before still lie where they lay. */
static __attribute__((noinline)) long second(int n, size_t more)
{
	volatile char *p = __builtin_alloca(more);

	p[0] = 1;
	return (n % 3 != 0 ? third(n, 64) : one(n)) + p[0];
}

static __attribute__((noinline)) long first(int n, size_t more)
{
	volatile char *p = __builtin_alloca(more);

	p[0] = 1;
	return second(n, 4096 - more) + p[0];
}

static __attribute__((noinline)) long another_first(int n, size_t more)
{
	volatile char *p = __builtin_alloca(more);

	p[0] = 1;
	return second(n, 4096 - more) + p[0];
}

static void deceive(int n)
{
	for (int i = 0; i < 40; i++) {
		size_t more = (size_t)((n + i) % 16 + 1) * 128;
		/* One call for both: their return addresses are the same. */
		long (*volatile f)(int, size_t) = i % 3 != 0 ? first : another_first;

		sink += f(i, more);
	}
}

START_TEST(callers_that_are_alike)
{
	reset();
	interrupted(deceive, 2000);
	check_all("callers alike", 1000);
#ifdef __x86_64__
	reset();
	stepped(deceive, 0);
	check_all("callers alike, stepped", 1000);
#endif
}
END_TEST

/* ---- depth -------------------------------------------------------------------------- */

/* A walk of so many frames takes longer than the program needs for them: behind a timer
   it would starve on a slow machine.  So it is interrupted where the test says, once in
   so many calls and returns, and for some instructions from there on. */
enum { DEEP_SAMPLES = 3000, DEEP_STEPS = 60, DEEP_APART = 200 };

static volatile struct {
	int apart; /* calls and returns until the next; 0: not now */
	int steps; /* instructions left */
} deep;

static void on_deep(int signo, siginfo_t *info, void *ucontext)
{
	(void)signo;
	(void)info;
	sample(ucontext);
#ifdef __x86_64__
	ucontext_t *uc = ucontext;

	if (deep.steps-- > 0)
		uc->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
	else
		uc->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
#endif
}

static inline void maybe_sample(void)
{
	if (deep.apart == 0 || --deep.apart != 0)
		return;
	deep.apart = 1 + (int)((random_state >> 33) % DEEP_APART);
	deep.steps = DEEP_STEPS;
	raise(SIGTRAP);
}

static __attribute__((noinline)) long dig(int n)
{
	volatile long x = n;

	maybe_sample();
	x += n == 0 ? bottom(3) : dig(n - 1);
	maybe_sample();
	return x;
}

/* To n frames, and there to both sides of the limit and back, again and again. */
static __attribute__((noinline)) long dig_about(int n, int k)
{
	volatile long x = n;

	if (n > 0)
		x += dig_about(n - 1, k);
	else
		for (int i = 0; i < 8; i++)
			x += dig((k + i * 37) % 100);
	return x;
}

START_TEST(deeper_than_can_be_kept)
{
	reset();
	ck_assert_int_eq(interrupt_handle(SIGTRAP, on_deep), 0);
	deep.apart = 1;
	for (int k = 0; samples < DEEP_SAMPLES; k++) {
		sink += dig_about(STACK_FRAMES_MAX - 40, k);
		sink += dig(20);
	}
	deep.apart = 0;
	ck_assert_msg(wrong == 0, "%lu of %lu samples differ; %s", wrong, samples, first_wrong);
	/* Many of either kind. */
	ck_assert_msg(whole > samples / 10, "%lu of %lu are whole", whole, samples);
	ck_assert_msg(whole < samples - samples / 10, "%lu of %lu are whole", whole, samples);
}
END_TEST

/* ---- pages that can't be read any more ------------------------------------------- */

enum { ROOM = 300, DEPTH = 100, PAGE = 4096 };

/* What is done about the page before it is made unreadable. */
enum { NEVER_WALKED, TOLD, TOLD_BY_ANOTHER, WAYS };

static void walk_from_here(struct stack *s)
{
	ucontext_t uc;

	getcontext(&uc);
	walk(s, &kept_rules, &uc);
}

static void protect(char *page, int way)
{
	struct stack *s = &keepers[0].stack;
	uint32_t n, frames_there = 0;

	if (way != NEVER_WALKED) {
		walk_from_here(s);
		ck_assert_uint_eq(s->cause, PROF_CAUSE_NONE);
		for (uint32_t i = 0; i < s->n; i++)
			frames_there += s->frame[i].pc_slot - (uintptr_t)page < PAGE;
		ck_assert_uint_gt(frames_there, 2);
		pages_changed((uintptr_t)page, (uintptr_t)page + PAGE,
			      way == TOLD ? &thread.own.pages : NULL, NULL);
		/* A sample that comes before the change. */
		if (way == TOLD)
			walk_from_here(s);
	}
	n = s->n;
	ck_assert_int_eq(mprotect(page, PAGE, PROT_NONE), 0);
	if (way == TOLD_BY_ANOTHER)
		pages_changed((uintptr_t)page, (uintptr_t)page + PAGE, NULL, NULL);
	walk_from_here(s);
	walk_from_here(s);
	pages_changed((uintptr_t)page, (uintptr_t)page + PAGE, NULL, NULL);
	mprotect(page, PAGE, PROT_READ | PROT_WRITE);
	ck_assert_uint_eq(s->cause, PROF_CAUSE_BOUNDS);
	ck_assert_uint_gt(s->n, 10);
	walk_from_here(s);
	ck_assert_uint_eq(s->cause, PROF_CAUSE_NONE);
	ck_assert(way == NEVER_WALKED || s->n == n);
}

static __attribute__((noinline)) long descend(int n, int way, uintptr_t top)
{
	volatile char room[ROOM];

	room[n % ROOM] = 1;
	if (n == 0)
		protect((char *)((top - 3 * PAGE) & ~(uintptr_t)(PAGE - 1)), way);
	else
		sink += descend(n - 1, way, top);
	return room[n % ROOM];
}

START_TEST(pages_made_unreadable)
{
	reset();
	memset(&thread.own.pages, 0, sizeof(thread.own.pages));
	sink += descend(DEPTH, _i, (uintptr_t)__builtin_frame_address(0));
}
END_TEST

/* ---- stacks that nobody told of ------------------------------------------------- */

static ucontext_t here, there;

static void coroutine(void)
{
	for (int i = 0;; i++) {
		for (int k = 0; k < 100; k++)
			sink += dig(150 + (i * 7 + k) % 250);
		swapcontext(&there, &here);
	}
}

/* Each on new pages, with nothing to be read on either side, and gone again. */
static void on_new_pages(int n)
{
	size_t bytes = 65536, guard = 4096;
	char *p = mmap(NULL, bytes + 2 * guard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(p, MAP_FAILED);
	mprotect(p + guard, bytes, PROT_READ | PROT_WRITE);
	getcontext(&there);
	there.uc_stack.ss_sp = p + guard;
	there.uc_stack.ss_size = bytes;
	there.uc_link = &here;
	makecontext(&there, coroutine, 0);
	for (int i = 0; i < 3; i++) {
		sink += dig(n % 50);
		swapcontext(&here, &there);
	}
	munmap(p, bytes + 2 * guard);
}

START_TEST(coroutines)
{
	reset();
	bounds_learn();
	ck_assert_uint_ne(bounds_foot, 0);
	interrupted(on_new_pages, 100);
	ck_assert_msg(wrong == 0, "%lu of %lu samples differ; %s", wrong, samples, first_wrong);
	ck_assert_uint_ge(samples, 500);
	/* Some instant finds a switch half done. */
	ck_assert_uint_gt(whole, samples * 95 / 100);
}
END_TEST

int main(void)
{
	stack_t ss = { .ss_sp = alternate, .ss_size = sizeof(alternate) };
	Suite *s = suite_create("stack");
	TCase *c = tcase_create("stack");

	sigaltstack(&ss, NULL);
	tcase_set_timeout(c, 100);
	tcase_add_test(c, interrupted_anywhere);
#ifdef __x86_64__
	tcase_add_loop_test(c, at_every_instruction, 0, TABLES);
#endif
	tcase_add_test(c, callers_that_are_alike);
	tcase_add_test(c, deeper_than_can_be_kept);
	tcase_add_test(c, coroutines);
	tcase_add_loop_test(c, pages_made_unreadable, 0, WAYS);
	suite_add_tcase(s, c);
	return suite_main(s);
}
