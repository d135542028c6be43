/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bench_unwind.c [ROUNDS] - compares the time per frame of several unwinders.
 *
 * The stack has 24 frames of functions of several kinds and of the C library's qsort.  Each
 * method walks it from the same place, in turns; the minimum of many rounds counts.  Walks
 * by frame pointers end at the C library, which has none.
 */
#include "config.h"

#define UNW_LOCAL_ONLY
#include <libunwind.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "ompt_tool/unwind/object.h"
#include "ompt_tool/unwind/unwind.h"
#include "src/profile/clock.h"

enum { DEPTH = 24, ROUNDS = 2000, WALKS = 20 };

static struct unwind_cache warm, emptied;
static struct unwind_stack stack;
static ucontext_t context;
static volatile uintptr_t sink;

/* walk() returns the number of frames, including the innermost one. */
struct method {
	const char *name; /* NULL: not printed */
	int (*walk)(void);
	double best_ns;
	int frames;
};

static int walk(struct unwind_cache *cache)
{
	struct unwind_cursor c;
	int n = 1;

	for (unwind_begin_ucontext(&c, &context);
	     n < DEPTH && unwind_step(&c, cache, &stack) == UNWIND_OK; n++)
		sink = c.pc;
	return n;
}

static int walk_cached(void)
{
	return walk(&warm);
}

static int walk_cold(void)
{
	memset(&emptied, 0, sizeof(emptied));
	return walk(&emptied);
}

/* Measures the time to empty the cache, which is subtracted. */
static int walk_nothing(void)
{
	memset(&emptied, 0, sizeof(emptied));
	__asm__ volatile("" : : "r"(&emptied) : "memory");
	return DEPTH;
}

static int walk_unw_step(void)
{
	unw_cursor_t u;
	unw_word_t ip, sp;
	int n = 1;

	unw_init_local2(&u, (unw_context_t *)&context, UNW_INIT_SIGNAL_FRAME);
	for (; n < DEPTH && unw_step(&u) > 0; n++) {
		unw_get_reg(&u, UNW_REG_IP, &ip);
		unw_get_reg(&u, UNW_REG_SP, &sp);
		sink = ip + sp;
	}
	return n;
}

static int walk_unw_backtrace(void)
{
	void *pc[DEPTH];

	return unw_backtrace(pc, DEPTH);
}

static int walk_frame_pointers(void)
{
	const uintptr_t *fp = __builtin_frame_address(0);
	int n = 1;

	while (n < DEPTH && (uintptr_t)fp >= stack.lo && (uintptr_t)fp < stack.hi - 16 &&
	       fp[0] > (uintptr_t)fp) {
		sink = fp[1];
		fp = (const uintptr_t *)fp[0];
		n++;
	}
	return n;
}

static int walk_objects(void)
{
	static uintptr_t pc[DEPTH];

	if (!pc[0]) {
		struct unwind_cursor c;
		int n = 0;

		unwind_begin_ucontext(&c, &context);
		do
			pc[n++] = c.pc;
		while (n < DEPTH && unwind_step(&c, &warm, &stack) == UNWIND_OK);
	}
	for (int i = 0; i < DEPTH; i++)
		sink = (uintptr_t)object_find(pc[i]);
	return DEPTH;
}

static struct method methods[] = {
	{ NULL, walk_nothing, 0, 0 },
	{ "own, from the cache", walk_cached, 0, 0 },
	{ "own, with an empty cache", walk_cold, 0, 0 },
	{ "looking up each frame's object", walk_objects, 0, 0 },
	{ "libunwind unw_step, IP and SP", walk_unw_step, 0, 0 },
	{ "libunwind unw_backtrace", walk_unw_backtrace, 0, 0 },
	{ "frame pointers", walk_frame_pointers, 0, 0 },
};

enum { METHODS = sizeof(methods) / sizeof(methods[0]) };

static void measure(int rounds)
{
	getcontext(&context);
	for (int r = 0; r < rounds; r++)
		for (struct method *m = methods; m < methods + METHODS; m++) {
			const uint64_t begin = clock_ns(CLOCK_MONOTONIC);
			double t;

			for (int i = 0; i < WALKS; i++)
				m->frames = m->walk();
			t = (double)(clock_ns(CLOCK_MONOTONIC) - begin) / WALKS;
			if (!r || t < m->best_ns)
				m->best_ns = t;
		}
}

static int rounds = ROUNDS;
static int level; /* calls of compare() */

static __attribute__((noinline)) int descend(int n);

static int compare(const void *a, const void *b)
{
	if (!level++)
		descend(6);
	return *(const int *)a - *(const int *)b;
}

/* Functions of several shapes, so that their unwind rules differ. */
#define SHAPE(name, bytes, next) \
	static __attribute__((noinline)) int name(int n) \
	{ \
		volatile char room[bytes]; \
		room[n] = 1; \
		return next + room[n]; \
	}

SHAPE(shape_small, 16, descend(n - 1))
SHAPE(shape_large, 5000, descend(n - 1))
SHAPE(shape_medium, 300, descend(n - 1))

static __attribute__((noinline)) int shape_dynamic(int n)
{
	volatile char *room = __builtin_alloca((size_t)n * 16 + 32);

	room[n] = 1;
	return descend(n - 1) + room[n];
}

static __attribute__((noinline)) int descend(int n)
{
	static int (*const shape[])(int) = {
		shape_small,
		shape_large,
		shape_medium,
		shape_dynamic,
	};

	if (n)
		return shape[n % 4](n) + 1;
	if (!level) {
		int v[3] = { 3, 2, 1 };

		qsort(v, 3, sizeof(*v), compare);
		return v[0];
	}
	measure(rounds);
	return 0;
}

int main(int argc, char **argv)
{
	pthread_attr_t a;
	size_t bytes;
	void *lo;

	if (argc > 1)
		rounds = atoi(argv[1]);
	pthread_getattr_np(pthread_self(), &a);
	pthread_attr_getstack(&a, &lo, &bytes);
	stack.lo = (uintptr_t)lo;
	stack.hi = stack.lo + bytes;
	descend(6);
	for (struct method *m = methods; m < methods + METHODS; m++) {
		double ns = m->best_ns - (m->walk == walk_cold ? methods[0].best_ns : 0);

		if (!m->name)
			continue;
		printf("%-31s %8.1f ns a walk of %2d frames, %6.1f ns a frame\n", m->name, ns,
		       m->frames, ns / m->frames);
	}
	return 0;
}
