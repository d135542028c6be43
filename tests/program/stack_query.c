/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread has no alternate stack, until it asks for one. */
#include "case.h"

static void print(const char *what)
{
	stack_t s;

	if (sigaltstack(NULL, &s) == 0)
		printf("%s: flags %d bytes %zu\n", what, s.ss_flags, s.ss_size);
}

static void *thread(void *arg)
{
	static char small[4096], large[65536];
	const stack_t a = { .ss_sp = small, .ss_size = sizeof(small) },
		      b = { .ss_sp = large, .ss_size = sizeof(large) },
		      off = { .ss_flags = SS_DISABLE },
		      tiny = { .ss_sp = small, .ss_size = 100 },
		      wrong = { .ss_sp = small, .ss_size = sizeof(small), .ss_flags = 77 };
	stack_t old;

	busy(3);
	print("first");
	printf("%d\n", sigaltstack(&a, &old));
	print("small");
	printf("%d", sigaltstack(&b, &old));
	printf(" old %zu %d\n", old.ss_size, old.ss_sp == small);
	print("large");
	printf("%d", sigaltstack(&tiny, NULL));
	printf(" %s\n", strerror(errno));
	printf("%d", sigaltstack(&wrong, NULL));
	printf(" %s\n", strerror(errno));
	sigaltstack(&a, &old);
	busy(3);
	printf("off %d\n", sigaltstack(&off, &old));
	printf("was %zu\n", old.ss_size);
	print("none");
	busy(3);
	return arg;
}

int main(void)
{
	pthread_attr_t attr;
	pthread_t t;

	thread(NULL);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 32768);
	pthread_create(&t, &attr, thread, NULL);
	pthread_join(t, NULL);
	return 0;
}
