/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unwind_work.c - see unwind_work.h.  WORK names the table.
 */
#include "config.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "tests/support/unwind_work.h"

static volatile long sink;

static int compare(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void sort(int n)
{
	int v[200];

	for (int i = 0; i < 200; i++)
		v[i] = (i * 7919 + n) % 1009;
	qsort(v, 200, sizeof(*v), compare);
	sink += v[n % 200];
}

static void allocate(int n)
{
	void *p[32];

	for (int i = 0; i < 32; i++)
		p[i] = malloc((size_t)((i * 997 + n) % 5000));
	for (int i = 0; i < 32; i++)
		p[i] = realloc(p[i], (size_t)((i * 7919 + n) % 70000 + 1));
	for (int i = 0; i < 32; i++)
		free(p[i]);
}

static void print(int n)
{
	char text[200];
	wchar_t wide[100];
	int a;
	double b;

	for (int i = 0; i < 10; i++) {
		snprintf(text, sizeof(text), "%d %s %g %10.3f %lld\n", i, "text", (n + i) / 3.0,
			 n * 1e10, (long long)n << 40);
		sink += sscanf(text, "%d text %lf", &a, &b);
		sink += swprintf(wide, 100, L"%d %ls", i, L"wide");
	}
}

static __attribute__((noinline)) long recurse(int n)
{
	volatile char room[40];

	room[n % 40] = (char)n;
	return n ? recurse(n - 1) + room[n % 40] : 1;
}

static void go_deep(int n)
{
	for (int i = 0; i < 50; i++)
		sink += recurse(n % 60 + i);
}

/* Stack frames whose size is only known when run. */
static __attribute__((noinline)) long dynamic(size_t n)
{
	char *p = __builtin_alloca(n);

	memset(p, 1, n);
	return p[n / 2] + recurse((int)(n % 30));
}

static void grow(int n)
{
	for (int i = 0; i < 30; i++)
		sink += dynamic((size_t)((n * 31 + i * 97) % 3000 + 1));
}

/* The stack is aligned by hand: rules with expressions. */
struct wide {
	char b[128];
} __attribute__((aligned(128)));

static __attribute__((noinline)) void fill(struct wide *w, int n)
{
	for (int i = 0; i < 128; i++)
		w->b[i] = (char)(i * n);
}

static __attribute__((noinline)) long aligned(int n, long a, long b, long c, long d, long e, long f,
					      long g)
{
	struct wide w;
	char *p = __builtin_alloca((size_t)n);

	fill(&w, n);
	memset(p, 2, (size_t)n);
	return w.b[3] + p[n / 2] + recurse(n % 10) + a + b + c + d + e + f + g;
}

static void align(int n)
{
	for (int i = 0; i < 30; i++)
		sink += aligned(n % 50 + i + 1, 1, 2, 3, 4, 5, 6, 7);
}

/* Frames larger than a rule in the cache can show. */
static __attribute__((noinline)) long huge(int n)
{
	volatile char room[300000];

	room[n * 100] = 1;
	return recurse(n % 20) + room[n * 100];
}

static void spread(int n)
{
	for (int i = 0; i < 50; i++)
		sink += huge(n % 20 + i);
}

/* Tail calls, and several ways out. */
static __attribute__((noinline)) long choose(int n, char *s)
{
	if (n % 7 == 0)
		return (long)strlen(s);
	if (n % 5 == 0)
		return strtol(s, NULL, 10);
	if (n % 3 == 0)
		sink += recurse(n % 5);
	return recurse(n % 9);
}

static void leave(int n)
{
	char s[] = "12345";

	for (int i = 0; i < 100; i++)
		sink += choose(n + i, s);
}

/* Within a signal's handler, on this stack and on another. */
static void handle(int sig)
{
	if (unwind_work_hook)
		unwind_work_hook();
	sort(sig);
	grow(sig);
	align(sig);
}

static void raise_with(int sig, int flags)
{
	struct sigaction sa = { .sa_handler = handle, .sa_flags = flags }, before;

	sigaction(sig, &sa, &before);
	raise(sig);
	sigaction(sig, &before, NULL);
}

static void signal_here(int n)
{
	(void)n;
	raise_with(SIGUSR1, 0);
}

static void signal_elsewhere(int n)
{
	(void)n;
	raise_with(SIGUSR2, SA_ONSTACK);
}

const struct unwind_work WORK[] = {
	{ "sort", sort },
	{ "allocate", allocate },
	{ "print", print },
	{ "go deep", go_deep },
	{ "grow", grow },
	{ "align", align },
	{ "spread", spread },
	{ "leave", leave },
	{ "signal here", signal_here },
	{ "signal elsewhere", signal_elsewhere },
	{ NULL, NULL },
};
