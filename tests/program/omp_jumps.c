/* SPDX-License-Identifier: BSD-3-Clause */
/* Control leaves serialized regions by longjmp(). */
#include "case.h"

static jmp_buf out;

static void leaves(int depth)
{
	if (depth == 0)
		longjmp(out, 1);
#pragma omp parallel num_threads(1)
	{
		busy(1);
		leaves(depth - 1);
	}
}

/* What lay on the stack in a region that was left is this function's now, and stays. */
static __attribute__((noinline)) int damaged(void)
{
	volatile unsigned char room[16384];
	int wrong = 0;

	for (size_t i = 0; i < sizeof(room); i++)
		room[i] = (unsigned char)(i * 7);
#pragma omp for ordered(1) schedule(dynamic)
	for (int i = 1; i < 4; i++) {
#pragma omp ordered depend(sink : i - 1)
		busy(1);
#pragma omp ordered depend(source)
	}
#pragma omp critical
	busy(1);
	for (size_t i = 0; i < sizeof(room); i++)
		wrong += room[i] != (unsigned char)(i * 7);
	return wrong;
}

static int team(void)
{
	int n = 0;

#pragma omp parallel num_threads(2) reduction(+ : n)
	{
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 20; i++)
			n += i;
#pragma omp critical
		n += omp_get_num_threads();
	}
	return n;
}

int main(void)
{
	volatile int left = 0;

	for (volatile int n = 0; n < 20; n++) {
		if (setjmp(out) == 0)
			leaves(1 + n % 3);
		printf("%d bytes damaged\n", damaged());
		left++;
		if (n < 3)
			printf("level %d\n", omp_get_level());
	}
	printf("left %d times\n", left);
	printf("sum %d\n", team());
	return 0;
}
