/* SPDX-License-Identifier: BSD-3-Clause */
/* tailcall.c - a library whose calls into libgomp are the last ones of its functions: the
   return addresses are its callers'. */
static int entered;

int region(void);
int wait_alone(void);
void wait_tail(void);

static __attribute__((noinline)) void enter(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp atomic
		entered++;
	}
}

int region(void)
{
	enter();
	return entered;
}

void wait_tail(void)
{
#pragma omp taskwait
}

int wait_alone(void)
{
	wait_tail();
	return 1;
}
