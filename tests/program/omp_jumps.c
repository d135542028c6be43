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
		left++;
		if (n < 3)
			printf("level %d\n", omp_get_level());
	}
	printf("left %d times\n", left);
	printf("sum %d\n", team());
	return 0;
}
