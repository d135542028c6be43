/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's own SIGBUS is handled, and jumped out of. */
#include "case.h"

static sigjmp_buf back;
static volatile uintptr_t where;

static void handler(int signo, siginfo_t *i, void *u)
{
	(void)signo;
	(void)u;
	where = (uintptr_t)i->si_addr;
	siglongjmp(back, 1);
}

int main(void)
{
	FILE *f = tmpfile();
	volatile int caught = 0;

	if (!f || ftruncate(fileno(f), 8192))
		return 1;
	char *m = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(f), 0);
	on_info(SIGBUS, handler, 0);
	busy(10);
	if (ftruncate(fileno(f), 0))
		return 1;
	for (volatile int n = 0; n < 10; n++)
		if (sigsetjmp(back, 1) == 0)
			m[n * 100] = 1;
		else
			caught += where == (uintptr_t)&m[n * 100];
	busy(10);
	printf("caught %d\n", caught);
	return 0;
}
