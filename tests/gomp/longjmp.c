/* SPDX-License-Identifier: BSD-3-Clause */
/* longjmp.c - leaves serialized regions by longjmp(), from different depths of the stack,
   and goes on with calls that keep no level. */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;
static volatile int n;

static __attribute__((noinline)) void leave(void)
{
#pragma omp parallel if (0)
	{
		n++;
		longjmp(back, 1);
	}
}

static __attribute__((noinline)) void deep(int depth)
{
	volatile char frame[200];

	frame[0] = (char)depth;
	if (depth != 0)
		deep(depth - 1);
	else
		leave();
	frame[1] = frame[0];
}

int main(void)
{
	volatile int i;

	for (i = 0; i < 50; i++) {
		if (!setjmp(back))
			deep(i % 7);
#pragma omp critical
		n++;
	}
	printf("%d\n", n);
	return 0;
}
