/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_caller.c - the callers of code without unwind rules, against the truth: each kernel is
 * executed instruction by instruction, and its stack walked at each. The kernels find on the
 * stack what earlier calls left there. A walk may end at the kernel; it may never go on to a
 * function that did not call it.
 */
#include "config.h"

#include <check.h>
#include <elf.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ucontext.h>

#include "ompt_tool/unwind/caller.h"
#include "ompt_tool/unwind/caller_parts.h"
#include "ompt_tool/unwind/find_object.h"
#include "ompt_tool/unwind/pages.h"
#include "ompt_tool/unwind/unwind.h"
#include "src/code/callsite_code.h"
#include "tests/support/caller_code.h"
#include "tests/support/suite_main.h"

enum { TRAP_FLAG = 0x100, FRAMES_MAX = 200, ALTERNATE_BYTES = 1 << 17 };

static struct unwind_cache cache;
static struct unwind_stack stack;

/* The running kernel, and how its walks went. */
static uintptr_t kernel_lo, kernel_hi, slot;
static uintptr_t frame_bytes; /* that the first walk finds */
static int right, unknown, wrong, unfinished;

static void judge(struct unwind_cursor *c)
{
	const uintptr_t caller = *(const uintptr_t *)slot;
	enum unwind_step end = unwind_step(c, &cache, &stack);
	int n = 0;

	if (end != UNWIND_OK) {
		unknown++;
		return;
	}
	if (!c->guessed || c->pc != caller || c->sp != slot + sizeof(uintptr_t)) {
		wrong++;
		return;
	}
	right++;
	while ((end = unwind_step(c, &cache, &stack)) == UNWIND_OK && n < FRAMES_MAX)
		n++;
	unfinished += end != UNWIND_END;
}

static void on_step(int sig, siginfo_t *info, void *ucontext)
{
	const greg_t *g = ((const ucontext_t *)ucontext)->uc_mcontext.gregs;
	const uintptr_t pc = (uintptr_t)g[REG_RIP];
	struct unwind_cursor c;

	(void)sig;
	(void)info;
	if (pc < kernel_lo || pc >= kernel_hi)
		return;
	if (!slot)
		slot = (uintptr_t)g[REG_RSP] + frame_bytes;
	unwind_begin_ucontext(&c, ucontext);
	judge(&c);
}

/* What kernel_calls calls: the kernel's frame is a caller's. */
static __attribute__((noinline)) void look(void)
{
	struct unwind_cursor c;
	int n = 0;

	unwind_begin_here(&c);
	for (; n < FRAMES_MAX && (c.pc < kernel_lo || c.pc >= kernel_hi); n++)
		if (unwind_step(&c, &cache, &stack) != UNWIND_OK)
			return;
	judge(&c);
}

static void step_on(void)
{
	__asm__ volatile("pushfq; orl %0, (%%rsp); popfq" : : "i"(TRAP_FLAG) : "memory", "cc");
}

static void step_off(void)
{
	__asm__ volatile("pushfq; andl %0, (%%rsp); popfq" : : "i"(~TRAP_FLAG) : "memory", "cc");
}

/* ---- what is left on the stack ----------------------------------------- */

static kernel *volatile by_pointer = kernel_leaf;
static void (*volatile nothing_by_pointer)(int);

static __attribute__((noinline)) void nothing(int n)
{
	__asm__ volatile("" : : "r"(n) : "memory");
}

/* Leaves return addresses of calls by name, by pointer, and of kernels. */
static __attribute__((noinline)) void litter(int depth)
{
	nothing(depth);
	nothing_by_pointer(depth);
	by_pointer(look);
	kernel_leaf(look);
	if (depth > 0)
		litter(depth - 1);
	__asm__ volatile("" : : : "memory");
}

static __attribute__((noinline)) void litter_by_pointer(void (*f)(int), int depth)
{
	f(depth);
	__asm__ volatile("" : : : "memory");
}

/* ---- the kernels' callers ---------------------------------------------- */

static __attribute__((noinline)) void run_by_pointer(kernel *k)
{
	litter(300);
	litter_by_pointer(litter, 100);
	step_on();
	k(look);
	step_off();
}

#define BY_NAME(name) \
	static __attribute__((noinline)) void run_##name(kernel *k) \
	{ \
		(void)k; \
		litter(300); \
		step_on(); \
		name(look); \
		step_off(); \
	}

BY_NAME(kernel_leaf)
BY_NAME(kernel_hole)
BY_NAME(kernel_pushes)
BY_NAME(kernel_record)
BY_NAME(kernel_memory)
BY_NAME(kernel_early)
BY_NAME(kernel_calls)
BY_NAME(kernel_jumps)

/* At how many instructions a walk may end: where the code behind does not show where the return
   address is, and (by pointer) nor does the call. */
static const struct {
	const char *name;
	kernel *k;
	void (*run)(kernel *k);
	int unknown_by_name, unknown_by_pointer;
} kernels[] = {
	{ "leaf", kernel_leaf, run_kernel_leaf, 0, 0 },
	{ "hole", kernel_hole, run_kernel_hole, 0, 0 },
	{ "pushes", kernel_pushes, run_kernel_pushes, 0, 0 },
	{ "record", kernel_record, run_kernel_record, 0, 0 },
	{ "memory", kernel_memory, run_kernel_memory, 0, 4 },
	{ "early", kernel_early, run_kernel_early, 0, 0 },
	{ "calls", kernel_calls, run_kernel_calls, 0, 0 },
	{ "jumps", kernel_jumps, run_kernel_jumps, 1, 14 },
};

enum { KERNELS = sizeof(kernels) / sizeof(*kernels), TIMES = 3 };

static void begin(kernel *k, uintptr_t bytes)
{
	kernel_lo = (uintptr_t)k;
	kernel_hi = kernel_lo + bytes;
	slot = 0;
	right = unknown = wrong = unfinished = 0;
}

static uintptr_t length_of(kernel *k)
{
	uintptr_t end = (uintptr_t)kernels_end;

	for (int i = 0; i < KERNELS; i++)
		if ((uintptr_t)kernels[i].k > (uintptr_t)k && (uintptr_t)kernels[i].k < end)
			end = (uintptr_t)kernels[i].k;
	return end - (uintptr_t)k;
}

static void setup(void)
{
	static char alternate[ALTERNATE_BYTES];
	const stack_t ss = { .ss_sp = alternate, .ss_size = sizeof(alternate) };
	struct sigaction sa = { .sa_sigaction = on_step, .sa_flags = SA_SIGINFO | SA_ONSTACK };
	pthread_attr_t a;
	size_t bytes;
	void *lo;

	pthread_getattr_np(pthread_self(), &a);
	pthread_attr_getstack(&a, &lo, &bytes);
	pthread_attr_destroy(&a);
	stack = (struct unwind_stack){ (uintptr_t)lo, (uintptr_t)lo + bytes, 0, 0, NULL };
	memset(&cache, 0, sizeof(cache));
	nothing_by_pointer = nothing;
	ck_assert_int_eq(sigaltstack(&ss, NULL), 0);
	ck_assert_int_eq(sigaction(SIGTRAP, &sa, NULL), 0);
}

static void report(const char *how, int i)
{
	printf("kernel %s, called by %s: %d right, %d unknown, %d wrong\n", kernels[i].name, how,
	       right, unknown, wrong);
	ck_assert_int_eq(wrong, 0);
	ck_assert_int_eq(unfinished, 0);
	ck_assert_int_gt(right + unknown, 0);
}

START_TEST(test_by_name)
{
	for (int n = 0; n < TIMES; n++) {
		begin(kernels[_i].k, length_of(kernels[_i].k));
		kernels[_i].run(kernels[_i].k);
		report("name", _i);
		ck_assert_int_le(unknown, kernels[_i].unknown_by_name);
	}
}
END_TEST

START_TEST(test_by_pointer)
{
	for (int n = 0; n < TIMES; n++) {
		begin(kernels[_i].k, length_of(kernels[_i].k));
		run_by_pointer(kernels[_i].k);
		report("pointer", _i);
		ck_assert_int_le(unknown, kernels[_i].unknown_by_pointer);
	}
}
END_TEST

/* Code that was made at run time, in no object. */
START_TEST(test_made_at_run_time)
{
	const uintptr_t bytes = length_of(kernels[_i].k);
	char *m = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert(m != MAP_FAILED);
	memcpy(m, (const char *)(uintptr_t)kernels[_i].k, bytes);
	ck_assert_int_eq(mprotect(m, bytes, PROT_READ | PROT_EXEC), 0);
	begin((kernel *)(uintptr_t)m, bytes);
	run_by_pointer((kernel *)(uintptr_t)m);
	report("pointer, made at run time", _i);
	ck_assert_int_le(unknown, kernels[_i].unknown_by_pointer);
}
END_TEST

static const unsigned char *bytes_at(void *self, uint64_t address, uint64_t n)
{
	return address + n <= 4 ? (const unsigned char *)self + address : NULL;
}

/* sub %rax,%rsp; ret */
START_TEST(test_moved_by_register)
{
	unsigned char bytes[] = { 0x48, 0x29, 0xc4, 0xc3 };
	const struct callsite_code code = { .at = bytes_at, .self = bytes, .machine = EM_X86_64 };
	struct epilogue e;

	ck_assert_ptr_null(epilogue_read(&code, 0, NULL, 0, &e));
	ck_assert(!e.known);
	ck_assert_ptr_null(epilogue_read(&code, 3, NULL, 0, &e));
	ck_assert(e.known);
}
END_TEST

/* The caller has no rules itself. */
START_TEST(test_caller_without_rules)
{
	for (int n = 0; n < TIMES; n++) {
		begin((kernel *)(uintptr_t)kernel_inner,
		      (uintptr_t)(kernel_inner_end - kernel_inner));
		run_by_pointer(kernel_outer);
		printf("inner: %d right, %d unknown, %d wrong\n", right, unknown, wrong);
		ck_assert_int_eq(wrong + unknown + unfinished, 0);
		ck_assert_int_gt(right, 0);
	}
}
END_TEST

enum { WIDE = 136, DEEP = 72 };

/* Of two functions with the same stack pointer, and the same words above it, each has its own
   caller. */
START_TEST(test_same_stack_pointer)
{
	kernel *const kernels_run[] = { kernel_wide, kernel_narrow };
	const char *const body[] = { kernel_wide_body, kernel_deep_body };
	const char *const end[] = { kernel_wide_end, kernel_deep_end };
	const uintptr_t depth[] = { WIDE, DEEP };

	for (int i = 0; i < 2; i++) {
		begin((kernel *)(uintptr_t)body[i], (uintptr_t)(end[i] - body[i]));
		frame_bytes = depth[i];
		run_by_pointer(kernels_run[i]);
		frame_bytes = 0;
		ck_assert_int_eq(wrong + unknown + unfinished, 0);
		ck_assert_int_eq(right, 2);
	}
}
END_TEST

/* ---- code that is freed meanwhile ------------------------------------------ */

enum { FREED_BYTES = 1 << 15, NOP = 0x90, RET = 0xc3, FREED_WALKS = 1000 };

static atomic_bool over;

/* Takes away all but the first page, again and again. */
static void *free_code(void *code)
{
	char *rest = (char *)code + PAGES_BYTES;

	while (!atomic_load(&over)) {
		mprotect(rest, FREED_BYTES - PAGES_BYTES, PROT_NONE);
		mprotect(rest, FREED_BYTES - PAGES_BYTES, PROT_READ | PROT_EXEC);
	}
	return NULL;
}

/* The code ahead of the PC is not the function's alone: another thread may free it. */
START_TEST(test_freed)
{
	uintptr_t frame[2] = { 0 };
	char *m =
		mmap(NULL, FREED_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct unwind_cursor c;
	pthread_t t;

	ck_assert(m != MAP_FAILED);
	memset(m, NOP, FREED_BYTES);
	m[FREED_BYTES - 1] = (char)RET;
	ck_assert_int_eq(mprotect(m, FREED_BYTES, PROT_READ | PROT_EXEC), 0);
	ck_assert_int_eq(pthread_create(&t, NULL, free_code, m), 0);
	for (int i = 0; i < FREED_WALKS; i++) {
		memset(&cache.budget, 0, sizeof(cache.budget));
		unwind_begin_at(&c, (uintptr_t)m + 1, (uintptr_t)frame, 0);
		unwind_step(&c, &cache, &stack);
	}
	atomic_store(&over, true);
	ck_assert_int_eq(pthread_join(t, NULL), 0);
}
END_TEST

/* While objects are unloaded nothing is searched for. */
START_TEST(test_pause)
{
	find_object_unloading();
	caller_wait();
	begin(kernel_leaf, length_of(kernel_leaf));
	run_by_pointer(kernel_leaf);
	ck_assert_int_eq(right + wrong, 0);
	find_object_unloaded();
	begin(kernel_leaf, length_of(kernel_leaf));
	run_by_pointer(kernel_leaf);
	ck_assert_int_eq(unknown + wrong, 0);
}
END_TEST

/* ---- what searches may cost ---------------------------------------------- */

enum { SAMPLE_TICKS = 300000, SAMPLES = 100000 }; /* 10,000 samples a second at 3 GHz */

/* Asks at each sample, and charges each search as much. Returns how many were allowed. */
static int searches_of(struct caller_budget *b, uint64_t *now, int samples, uint64_t ticks)
{
	int n = 0;

	for (int i = 0; i < samples; i++) {
		*now += SAMPLE_TICKS;
		if (!caller_budget_allows(b, *now))
			continue;
		caller_budget_charge(b, ticks);
		n++;
	}
	return n;
}

/* All searches take a twentieth of the time, beside what is allowed at first. */
START_TEST(test_budget_share)
{
	struct caller_budget b = { 0 };
	uint64_t now = 1;
	const int allowed = searches_of(&b, &now, SAMPLES, SAMPLE_TICKS);

	ck_assert_int_ge(allowed, SAMPLES / 20);
	ck_assert_int_le(allowed, SAMPLES / 20 + 100);
	ck_assert_int_ge(searches_of(&b, &now, SAMPLES, SAMPLE_TICKS / 100), SAMPLES - 20);
}
END_TEST

/* A search that was preempted for a second stops the next ones for no more than 600 samples. */
START_TEST(test_budget_preempted)
{
	struct caller_budget b = { 0 };
	uint64_t now = 1;

	ck_assert(caller_budget_allows(&b, now));
	for (int i = 0; i < 3; i++) {
		caller_budget_charge(&b, UINT64_C(3000000000));
		searches_of(&b, &now, 600, SAMPLE_TICKS / 100);
		ck_assert_int_eq(searches_of(&b, &now, 100, SAMPLE_TICKS / 100), 100);
	}
}
END_TEST

/* Sleep saves no more than the time between two samples may. */
START_TEST(test_budget_asleep)
{
	struct caller_budget b = { 0 };
	uint64_t now = 1;
	int asked = 0;

	while (caller_budget_allows(&b, now))
		caller_budget_charge(&b, 5000000);
	do
		now += UINT64_C(1) << 40;
	while (!caller_budget_allows(&b, now) && asked++ < 100);
	ck_assert_int_ge(asked, 5);
	ck_assert_int_lt(asked, 100);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("caller");
	TCase *t = tcase_create("caller");

	tcase_add_checked_fixture(t, setup, NULL);
	tcase_set_timeout(t, 30);
	tcase_add_loop_test(t, test_by_name, 0, KERNELS);
	tcase_add_loop_test(t, test_by_pointer, 0, KERNELS);
	tcase_add_loop_test(t, test_made_at_run_time, 0, KERNELS);
	tcase_add_test(t, test_moved_by_register);
	tcase_add_test(t, test_caller_without_rules);
	tcase_add_test(t, test_same_stack_pointer);
	tcase_add_test(t, test_freed);
	tcase_add_test(t, test_pause);
	tcase_add_test(t, test_budget_share);
	tcase_add_test(t, test_budget_preempted);
	tcase_add_test(t, test_budget_asleep);
	suite_add_tcase(s, t);
	return suite_main(s);
}
