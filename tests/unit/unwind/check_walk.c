/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_walk.c - walks with a known result: through code without unwind rules or with
 * unusual ones, through libraries that replace each other, to the ends of threads and of
 * readable memory.
 */
#include "config.h"

#include <check.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "ompt_tool/machine/arch.h"
#include "ompt_tool/unwind/object.h"
#include "ompt_tool/unwind/unwind.h"
#include "tests/support/suite_main.h"
#include "tests/support/walk_code.h"

enum { FRAMES_MAX = 512, DEEP = 100 };

struct seen {
	uintptr_t pc, sp, cfa, pc_slot, fp_slot;
	bool exact, guessed, plain;
};

static struct walk {
	struct seen frame[FRAMES_MAX];
	int n;
	enum unwind_step end;
} walk;

static struct unwind_cache cache;
static struct unwind_stack stack;

/* The caller of landmark(), which a walk from within must come to. */
static struct seen expected;

static void use_stack_of_this_thread(void)
{
	pthread_attr_t a;
	size_t bytes;
	void *lo;

	pthread_getattr_np(pthread_self(), &a);
	pthread_attr_getstack(&a, &lo, &bytes);
	pthread_attr_destroy(&a);
	stack = (struct unwind_stack){ (uintptr_t)lo, (uintptr_t)lo + bytes, 0, 0, NULL };
}

static void walk_from(struct unwind_cursor *c, struct walk *w, const struct unwind_stack *s)
{
	w->n = 0;
	do {
		w->frame[w->n++] = (struct seen){ c->pc,      c->sp,	c->cfa,	    c->pc_slot,
						  c->fp_slot, c->exact, c->guessed, c->plain };
		w->end = unwind_step(c, &cache, s);
	} while (w->end == UNWIND_OK && w->n < FRAMES_MAX);
}

static __attribute__((noinline)) void look(void)
{
	struct unwind_cursor c;

	unwind_begin_here(&c);
	walk_from(&c, &walk, &stack);
}

static int compare(const void *a, const void *b)
{
	if (!walk.n)
		look();
	return *(const int *)a - *(const int *)b;
}

/* From within code that saves and changes registers of its own. */
static void look_deeper(void)
{
	int v[] = { 3, 1, 2 };

	walk.n = 0;
	qsort(v, 3, sizeof(*v), compare);
}

static __attribute__((noinline)) void landmark(walk_call *via, void (*f)(void))
{
	expected.pc = (uintptr_t)__builtin_return_address(0);
	expected.sp = (uintptr_t)__builtin_dwarf_cfa();
	via(f);
	__asm__ volatile("" : : : "memory");
}

static int place_of_landmark(void)
{
	for (int i = 0; i < walk.n; i++)
		if (walk.frame[i].pc == expected.pc)
			return i;
	return -1;
}

/* The last walk came to the landmark, and from there to the end. */
static void expect_landmark(void)
{
	int i = place_of_landmark();

	ck_assert_msg(i > 0, "not met in %d frames, which end with %d", walk.n, walk.end);
	ck_assert_uint_eq(walk.frame[i].sp, expected.sp);
	ck_assert_int_eq(walk.end, UNWIND_END);
}

static void call_it(void (*f)(void))
{
	f();
	__asm__ volatile("" : : : "memory");
}

static void setup(void)
{
	use_stack_of_this_thread();
	memset(&cache, 0, sizeof(cache));
	walk.n = 0;
}

/* ---- beginnings ------------------------------------------------------- */

static struct seen here, above;

static __attribute__((noinline)) void begin_in_callee(void)
{
	struct unwind_cursor c;

	unwind_begin_here(&c);
	here.pc = (uintptr_t)__builtin_return_address(0);
	here.sp = (uintptr_t)__builtin_dwarf_cfa();
	ck_assert_uint_eq(c.pc, here.pc);
	ck_assert_uint_eq(c.sp, here.sp);
	ck_assert(!c.exact);
	ck_assert_int_eq(unwind_step(&c, &cache, &stack), UNWIND_OK);
	ck_assert_uint_eq(c.pc, above.pc);
	ck_assert_uint_eq(c.sp, above.sp);
	ck_assert_uint_eq(c.cfa, above.sp);
	ck_assert(!c.exact);
	ck_assert(!c.guessed);
	ck_assert(c.plain);
	ck_assert_uint_eq(arch_strip(*(const uintptr_t *)c.pc_slot), c.pc);
}

static __attribute__((noinline)) void begin_in_caller(void)
{
	above.pc = (uintptr_t)__builtin_return_address(0);
	above.sp = (uintptr_t)__builtin_dwarf_cfa();
	begin_in_callee();
	__asm__ volatile("" : : : "memory");
}

START_TEST(test_begin_here)
{
	begin_in_caller();
}
END_TEST

/* A walk that begins at an outer frame of another yields the same frames. */
START_TEST(test_begin_at)
{
	static struct walk outer;
	struct unwind_cursor c;
	uintptr_t pc, sp, fp;

	unwind_begin_here(&c);
	ck_assert_int_eq(unwind_step(&c, &cache, &stack), UNWIND_OK);
	pc = c.pc;
	sp = c.sp;
	fp = c.fp;
	walk_from(&c, &walk, &stack);
	unwind_begin_at(&c, pc, sp, fp);
	walk_from(&c, &outer, &stack);
	ck_assert_int_eq(outer.n, walk.n);
	ck_assert_int_ge(outer.n, 3);
	for (int i = 1; i < outer.n; i++) {
		ck_assert_uint_eq(outer.frame[i].pc, walk.frame[i].pc);
		ck_assert_uint_eq(outer.frame[i].sp, walk.frame[i].sp);
	}
}
END_TEST

START_TEST(test_begin_ucontext)
{
	struct unwind_cursor c;
	ucontext_t u;

	expected.sp = (uintptr_t)__builtin_frame_address(0);
	getcontext(&u);
	unwind_begin_ucontext(&c, &u);
	ck_assert(c.exact);
	ck_assert_uint_le(c.sp, expected.sp);
	walk_from(&c, &walk, &stack);
	ck_assert_int_eq(walk.end, UNWIND_END);
	ck_assert_int_ge(walk.n, 4);
}
END_TEST

/* ---- ends ------------------------------------------------------------- */

START_TEST(test_end_of_process)
{
	landmark(call_it, look);
	expect_landmark();
}
END_TEST

static void *in_thread(void *arg)
{
	(void)arg;
	use_stack_of_this_thread();
	landmark(call_it, look_deeper);
	return NULL;
}

START_TEST(test_end_of_thread)
{
	pthread_t t;

	ck_assert_int_eq(pthread_create(&t, NULL, in_thread, NULL), 0);
	pthread_join(t, NULL);
	expect_landmark();
	ck_assert_int_le(walk.n, 12);
}
END_TEST

static ucontext_t back;

static void in_coroutine(void)
{
	landmark(call_it, look);
	setcontext(&back);
}

START_TEST(test_end_of_coroutine)
{
	static char room[65536];
	ucontext_t u;

	stack = (struct unwind_stack){ (uintptr_t)room, (uintptr_t)room + sizeof(room), 0, 0,
				       NULL };
	getcontext(&u);
	u.uc_stack.ss_sp = room;
	u.uc_stack.ss_size = sizeof(room);
	u.uc_link = NULL;
	makecontext(&u, in_coroutine, 0);
	swapcontext(&back, &u);
	expect_landmark();
}
END_TEST

/* ---- bounds ------------------------------------------------------------ */

static __attribute__((noinline)) int descend(int n, void (*f)(void))
{
	volatile char room[100];
	int below;

	room[n % 100] = 1;
	if (!n)
		f();
	below = n ? descend(n - 1, f) : 0;
	return below + room[n % 100];
}

/* Whether a walk within cut shows the same frames as the whole one, up to the
   first whose words aren't within. */
static bool is_beginning_of(const struct walk *whole, const struct walk *w,
			    const struct unwind_stack *cut)
{
	const struct seen *next = &whole->frame[w->n];

	for (int i = 1; i < w->n; i++) {
		const struct seen *f = &w->frame[i];

		if (f->pc != whole->frame[i].pc || f->pc_slot > cut->hi - 8 ||
		    (f->fp_slot && f->fp_slot > cut->hi - 8))
			return false;
	}
	/* The last frames' own words may lie below their ends. */
	if (w->n == whole->n)
		return w->end == UNWIND_END;
	return w->end == UNWIND_BOUNDS &&
	       (next->pc_slot > cut->hi - 8 || next->fp_slot > cut->hi - 8);
}

/* Every word of the stack as the end of what may be read. */
static void cut_everywhere(void)
{
	static struct walk whole;
	struct unwind_cursor c;
	struct unwind_stack cut = stack;
	int bounded = 0, wrong = 0;

	unwind_begin_here(&c);
	walk_from(&c, &whole, &stack);
	ck_assert_int_eq(whole.end, UNWIND_END);
	ck_assert_int_ge(whole.n, DEEP);
	for (cut.hi = whole.frame[0].sp; cut.hi < whole.frame[whole.n - 1].sp; cut.hi += 8) {
		unwind_begin_here(&c);
		walk_from(&c, &walk, &cut);
		wrong += !is_beginning_of(&whole, &walk, &cut);
		bounded += walk.end == UNWIND_BOUNDS;
	}
	ck_assert_int_eq(wrong, 0);
	ck_assert_int_gt(bounded, DEEP * 10);
}

START_TEST(test_bounds_everywhere)
{
	descend(DEEP, cut_everywhere);
}
END_TEST

START_TEST(test_bounds_none)
{
	static const struct unwind_stack none[] = {
		{ 0, 0, 0, 0, NULL },
		{ 1, 0, 1, 0, NULL },
		{ UINTPTR_MAX, 0, UINTPTR_MAX, 8, NULL },
	};
	struct unwind_cursor c;

	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		unwind_begin_here(&c);
		ck_assert_int_eq(unwind_step(&c, &cache, &none[i]), UNWIND_BOUNDS);
		/* From the cache too. */
		unwind_begin_here(&c);
		ck_assert_int_eq(unwind_step(&c, &cache, &none[i]), UNWIND_BOUNDS);
		ck_assert_uint_eq(c.pc, (uintptr_t)__builtin_return_address(0));
	}
}
END_TEST

START_TEST(test_bounds_unaligned)
{
	struct unwind_cursor c;

	for (uintptr_t off = 1; off < 8; off++) {
		unwind_begin_here(&c);
		unwind_begin_at(&c, c.pc, c.sp + off, c.fp + off);
		ck_assert_int_ne(unwind_step(&c, &cache, &stack), UNWIND_OK);
	}
}
END_TEST

/* ---- hostile stacks ----------------------------------------------------- */

enum { REGION = 65536, GUARD = 65536, WALKS = 20000 };

static uint64_t seed = 0x9e3779b97f4a7c15;

static uint64_t next_random(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

/* Readable memory between memory that isn't. */
static char *map_region(void)
{
	char *m = mmap(NULL, REGION + 2 * GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert(m != MAP_FAILED);
	ck_assert_int_eq(mprotect(m + GUARD, REGION, PROT_READ | PROT_WRITE), 0);
	return m + GUARD;
}

static uintptr_t random_code(void)
{
	static const struct object *o[3];

	if (!o[0]) {
		o[0] = object_find((uintptr_t)random_code);
		o[1] = object_find((uintptr_t)dlsym(RTLD_DEFAULT, "qsort"));
		o[2] = object_find((uintptr_t)dlsym(RTLD_DEFAULT, "__tls_get_addr"));
	}
	const struct object *in = o[next_random() % 3];

	return in->text[0].start + next_random() % in->text[0].bytes;
}

static uintptr_t random_word(const char *region, const char *other)
{
	switch (next_random() % 8) {
	case 0: return next_random();
	case 1: return (uintptr_t)other + next_random() % REGION;
	case 2:
	case 3: return (uintptr_t)region + next_random() % (REGION + 16);
	case 4: return (uintptr_t)region + next_random() % REGION / 8 * 8;
	default: return random_code();
	}
}

START_TEST(test_hostile_stack)
{
	char *region[] = { map_region(), map_region() };
	int longest = 0, ends[4] = { 0 };

	stack.lo = (uintptr_t)region[0];
	stack.alt_lo = (uintptr_t)region[1];
	stack.hi = stack.lo + REGION;
	stack.alt_hi = stack.alt_lo + REGION;
	for (int i = 0; i < REGION / 4; i++)
		((uintptr_t *)region[i % 2])[i / 2] = random_word(region[i % 2], region[!(i % 2)]);
	for (int i = 0; i < WALKS; i++) {
		struct unwind_cursor c;
		uintptr_t *word = (uintptr_t *)region[i % 2];
		int n = 0;
		enum unwind_step end;

		for (int k = 0; k < 64; k++)
			word[next_random() % (REGION / 8)] =
				random_word(region[i % 2], region[!(i % 2)]);
		unwind_begin_at(&c, random_code(), random_word(region[i % 2], region[0]),
				random_word(region[i % 2], region[0]));
		c.exact = c.reg_exact = next_random() % 2;
		c.known = next_random() | c.known;
		for (int k = 0; k < UNWIND_REGS; k++)
			if (k != ARCH_PC && k != ARCH_SP && k != ARCH_FP)
				c.reg[k] = random_word(region[0], region[1]);
		while ((end = unwind_step(&c, &cache, &stack)) == UNWIND_OK && n < 2 * REGION)
			n++;
		ends[end]++;
		longest = n > longest ? n : longest;
	}
	ck_assert_int_eq(ends[UNWIND_OK], 0);
	/* All ways of ending were met, and some walks came far. */
	for (int i = UNWIND_END; i <= UNWIND_BOUNDS; i++)
		ck_assert_int_gt(ends[i], 0);
	ck_assert_int_ge(longest, 5);
}
END_TEST

/* ---- odd code ----------------------------------------------------------- */

START_TEST(test_rules_by_register)
{
	int at;

	landmark(walk_by_register, look_deeper);
	expect_landmark();
	/* pc, sp and fp alone don't prove such a step. */
	for (at = place_of_landmark(); at > 0 && walk.frame[at].plain; at--)
		;
	ck_assert_int_gt(at, 0);
	/* From next to it, with no register but those, there is no way. */
	landmark(walk_by_register, look);
	ck_assert_int_eq(walk.n, 1);
	ck_assert_int_eq(walk.end, UNWIND_NO_RULES);
}
END_TEST

/* Two of them, so that the second needs what lies beyond the first. */
static void by_register_again(void)
{
	walk_by_register(look_deeper);
}

START_TEST(test_rules_by_register_twice)
{
	landmark(walk_by_register, by_register_again);
	expect_landmark();
}
END_TEST

START_TEST(test_without_rules)
{
	int guesses = 0;

	landmark(walk_without_rules, look_deeper);
	expect_landmark();
	for (int i = 0; i < walk.n; i++)
		guesses += walk.frame[i].guessed;
	ck_assert_int_eq(guesses, 1);
}
END_TEST

START_TEST(test_made_at_run_time)
{
	size_t bytes =
		(size_t)(walk_without_rules_end - (const char *)(uintptr_t)walk_without_rules);
	char *m = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert(m != MAP_FAILED);
	memcpy(m, (const char *)(uintptr_t)walk_without_rules, bytes);
	ck_assert_int_eq(mprotect(m, bytes, PROT_READ | PROT_EXEC), 0);
	__builtin___clear_cache(m, m + bytes);
	landmark((walk_call *)(uintptr_t)m, look_deeper);
	expect_landmark();
}
END_TEST

static void on_trap(int sig, siginfo_t *info, void *uc)
{
	struct unwind_cursor c;

	(void)sig;
	(void)info;
	unwind_begin_ucontext(&c, uc);
	walk_from(&c, &walk, &stack);
	expect_landmark();
	expected.cfa++; /* visits */
}

START_TEST(test_without_rules_unfinished)
{
	struct sigaction sa = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO };

	if (!walk_unfinished_works)
		return;
	sigaction(SIGTRAP, &sa, NULL);
	expected.cfa = 0;
	landmark(call_it, walk_unfinished);
	ck_assert_uint_eq(expected.cfa, 4);
}
END_TEST

static void on_signal(int sig)
{
	(void)sig;
	look_deeper();
}

static void raise_it(void)
{
	raise(SIGUSR1);
}

/* As the kernel takes it, with a way back of our own. */
static void handle_with_restorer(int flags)
{
	struct {
		void (*handler)(int);
		unsigned long flags;
		void (*restorer)(void);
		uint64_t mask;
	} sa = { on_signal, 0x04000000 | (unsigned long)flags, walk_restorer, 0 };

	ck_assert_int_eq(syscall(SYS_rt_sigaction, SIGUSR1, &sa, NULL, 8), 0);
}

START_TEST(test_signal_without_rules)
{
	int exact = 0;

	handle_with_restorer(0);
	landmark(call_it, raise_it);
	expect_landmark();
	for (int i = 0; i < walk.n; i++)
		exact += walk.frame[i].exact;
	ck_assert_int_eq(exact, 1);
}
END_TEST

static void use_alternate_stack(void)
{
	static char alternate[65536];
	stack_t ss = { .ss_sp = alternate, .ss_size = sizeof(alternate) };

	ck_assert_int_eq(sigaltstack(&ss, NULL), 0);
	stack.alt_lo = (uintptr_t)alternate;
	stack.alt_hi = stack.alt_lo + sizeof(alternate);
}

START_TEST(test_signal_on_alternate_stack)
{
	struct sigaction sa = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK };

	use_alternate_stack();
	if (_i)
		handle_with_restorer(SA_ONSTACK);
	else
		sigaction(SIGUSR1, &sa, NULL);
	landmark(call_it, raise_it);
	expect_landmark();
	/* Not told of: what lies there isn't read. */
	stack.alt_lo = stack.alt_hi = 0;
	landmark(call_it, raise_it);
	ck_assert_int_eq(walk.end, UNWIND_BOUNDS);
}
END_TEST

/* ---- libraries that come and go ---------------------------------------- */

static void *load(const char *name, walk_call **call)
{
	const char *top = getenv("top_builddir");
	char path[4096];
	void *lib;

	snprintf(path, sizeof(path), "%s/.libs/%s.so", top ? top : ".", name);
	lib = dlopen(path, RTLD_NOW);
	object_look();
	ck_assert_msg(lib != NULL, "%s", dlerror());
	*call = (walk_call *)(uintptr_t)dlsym(lib, "walk_plugin");
	ck_assert(*call != NULL);
	return lib;
}

/* The same addresses, the same code, other rules: nothing that was kept of the
   one may be used for the other. */
START_TEST(test_other_library_at_same_place)
{
	static const char *const names[][2] = {
		{ "walk_plugin_small", "walk_plugin_large" },
		{ "walk_plugin_small_fp", "walk_plugin_large_fp" },
	};
	walk_call *call, *first = NULL;
	struct object *object[2] = { NULL, NULL };

	for (int i = 0; i < 20; i++) {
		void *lib = load(names[_i][i % 2], &call);
		void *filler = malloc(1000 + (size_t)i * 100); /* moves the link map */
		struct object *o = object_find((uintptr_t)call);

		first = first ? first : call;
		ck_assert_msg(call == first, "the loader uses another place");
		object[i % 2] = object[i % 2] ? object[i % 2] : o;
		ck_assert_ptr_eq(o, object[i % 2]);
		landmark(call, look_deeper);
		expect_landmark();
		dlclose(lib);
		ck_assert_ptr_null(object_find((uintptr_t)call));
		object_look();
		ck_assert_ptr_nonnull(filler);
	}
	ck_assert_ptr_ne(object[0], object[1]);
}
END_TEST

/* More objects than there are entries: the last aren't found, and do no harm. */
START_TEST(test_objects_without_end)
{
	walk_call *call;
	int missed = 0;

	/* What was met before is known. */
	landmark(call_it, look_deeper);
	for (int i = 0; i < OBJECT_MAX + 400; i++) {
		void *lib = load("walk_plugin_small", &call);

		missed += !object_find((uintptr_t)call);
		dlclose(lib);
		/* The next one goes elsewhere. */
		mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (missed > 10)
			break;
	}
	ck_assert_int_gt(missed, 10);
	load("walk_plugin_small", &call);
	landmark(call, look);
	ck_assert(walk.end != UNWIND_OK);
	landmark(call_it, look_deeper);
	expect_landmark();
}
END_TEST

static void add(Suite *s, const char *name, void (*fill)(TCase *))
{
	TCase *t = tcase_create(name);

	tcase_add_checked_fixture(t, setup, NULL);
	tcase_set_timeout(t, 60);
	fill(t);
	suite_add_tcase(s, t);
}

static void fill_ends(TCase *t)
{
	tcase_add_test(t, test_begin_here);
	tcase_add_test(t, test_begin_at);
	tcase_add_test(t, test_begin_ucontext);
	tcase_add_test(t, test_end_of_process);
	tcase_add_test(t, test_end_of_thread);
	tcase_add_test(t, test_end_of_coroutine);
}

static void fill_bounds(TCase *t)
{
	tcase_add_test(t, test_bounds_everywhere);
	tcase_add_test(t, test_bounds_none);
	tcase_add_test(t, test_bounds_unaligned);
	tcase_add_test(t, test_hostile_stack);
}

static void fill_code(TCase *t)
{
	tcase_add_test(t, test_rules_by_register);
	tcase_add_test(t, test_rules_by_register_twice);
	tcase_add_test(t, test_without_rules);
	tcase_add_test(t, test_made_at_run_time);
	tcase_add_test(t, test_without_rules_unfinished);
	tcase_add_test(t, test_signal_without_rules);
	tcase_add_loop_test(t, test_signal_on_alternate_stack, 0, 2);
	tcase_add_loop_test(t, test_other_library_at_same_place, 0, 2);
	tcase_add_test(t, test_objects_without_end);
}

int main(void)
{
	Suite *s = suite_create("walk");

	add(s, "beginnings and ends", fill_ends);
	add(s, "bounds", fill_bounds);
	add(s, "code", fill_code);
	return suite_main(s);
}
