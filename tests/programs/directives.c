/* SPDX-License-Identifier: BSD-3-Clause
 * directives - regions and tasks whose line is that of the directive only if the compiler
 * shows it: statements precede and follow each, and some functions end in one.
 *
 * directives SECONDS.  Each function has the line of its directive in a comment.  Also valid
 * C++, where there are a template and a lambda as well.
 */
#include <omp.h>
#include <stdio.h>

#include "work.h"

enum { UNIT_NS = 100000, ITERATIONS = 8 };

#ifdef __cplusplus
extern "C" {
#endif

volatile int before, after;

KEEP void work(void)
{
	crunch_for(UNIT_NS);
	STAY();
}

KEEP void region(int n)
{
	before = n;
	after = before + 1;
#pragma omp parallel num_threads(2) /* region */
	{
		if (n)
			work();
	}
	after = n;
}

static inline void behind_store(int n)
{
	before = n;
}

/* The statement before the directive is an inlined function's, whose name begins alike. */
KEEP void behind(int n)
{
	behind_store(n);
#pragma omp parallel num_threads(2) /* behind */
	work();
	after = n;
}

/* No shared data, and nothing behind it: a jump into the runtime. */
KEEP void last(void)
{
	work();
#pragma omp parallel num_threads(2) /* last */
	work();
}

/* The same, but called by a pointer: only the body's frame shows who jumped. */
KEEP void last_by_pointer(void)
{
	work();
#pragma omp parallel num_threads(2) /* last_by_pointer */
	{
		work();
		STAY();
	}
}

KEEP void loop_static(int n)
{
	before = n;
#pragma omp parallel for schedule(static) num_threads(2) /* loop_static */
	for (int i = 0; i < n; i++)
		work();
	after = n;
}

KEEP void loop_dynamic(int n)
{
	before = n;
#pragma omp parallel for schedule(dynamic) num_threads(2) /* loop_dynamic */
	for (int i = 0; i < ITERATIONS; i++)
		work();
	after = n;
}

KEEP void in_sections(int n)
{
	before = n;
#pragma omp parallel sections num_threads(2) /* in_sections */
	{
		work();
#pragma omp section
		work();
	}
	after = n;
}

KEEP void in_task(int n)
{
	before = n;
#pragma omp parallel num_threads(2) /* task_region */
#pragma omp single
	{
		after = 1;
		for (int i = 0; i < ITERATIONS; i++) {
			before = i;
#pragma omp task firstprivate(n) /* in_task */
			{
				if (n)
					work();
			}
			after = i;
		}
		before = 2;
#pragma omp taskwait
		after = 3;
	}
	after = n;
}

KEEP void in_taskloop(int n)
{
	before = n;
#pragma omp parallel num_threads(2) /* taskloop_region */
#pragma omp single
	{
		after = 1;
#pragma omp taskloop grainsize(1) /* in_taskloop */
		for (int i = 0; i < n; i++)
			work();
		after = 2;
	}
	after = n;
}

/* Two regions whose code is equal. */
KEEP void twice(int n)
{
	before = n;
#pragma omp parallel num_threads(2) /* twice_1 */
	{
		if (n)
			work();
	}
	after = n;
	before = n + 1;
#pragma omp parallel num_threads(2) /* twice_2 */
	{
		if (n)
			work();
	}
	after = n;
}

KEEP void outer(int n)
{
	before = n;
#pragma omp parallel num_threads(2) /* outer */
	{
		before = n;
		if (n == ITERATIONS)
			after = 1;
#pragma omp parallel num_threads(1) /* inner */
		{
			if (n)
				work();
		}
		after = 2;
	}
	after = n;
}

#ifdef __cplusplus
}

template <typename T> KEEP void of_type(T n)
{
	before = (int)n;
#pragma omp parallel num_threads(2) /* of_type */
	{
		if (n > 0)
			work();
	}
	after = 1;
}

template <typename F> KEEP void call(F f)
{
	f();
	STAY();
}

KEEP void by_lambda(int n)
{
	call([n] {
		before = n;
#pragma omp parallel num_threads(2) /* by_lambda */
		{
			if (n)
				work();
		}
		after = 1;
	});
}

KEEP void cplusplus(int n)
{
	of_type((double)n);
	of_type((long)n);
	by_lambda(n);
}
#else
KEEP void cplusplus(int n)
{
	after = n;
}
#endif

int main(int argc, char **argv)
{
	double seconds = seconds_of(argc, argv, 1, 1);
	void (*volatile by_pointer)(void) = last_by_pointer;
	int n = ITERATIONS;

	do {
		region(n);
		behind(n);
		last();
		by_pointer();
		loop_static(n);
		loop_dynamic(n);
		in_sections(n);
		in_task(n);
		in_taskloop(n);
		twice(n);
		outer(n);
		cplusplus(n);
	} while (still_running(seconds));
	return 0;
}
