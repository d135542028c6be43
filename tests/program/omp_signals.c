/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals come to all threads of a team while they work, wait and create tasks; their
   handlers interrupt the runtime. */
#include "case.h"

static volatile sig_atomic_t came;
static volatile bool over;

static void counts(int signo)
{
	(void)signo;
	came++;
}

static void *sends(void *arg)
{
	(void)arg;
	while (!over) {
		kill(getpid(), SIGUSR1);
		usleep(100);
	}
	return NULL;
}

static int fib(int n)
{
	int a, b;

	if (n < 2)
		return n;
#pragma omp task shared(a)
	a = fib(n - 1);
#pragma omp task shared(b)
	b = fib(n - 2);
#pragma omp taskwait
	return a + b;
}

int main(void)
{
	pthread_t sender;
	int sum = 0, f = 0;

	on(SIGUSR1, counts, SA_RESTART);
	pthread_create(&sender, NULL, sends, NULL);
	for (int n = 0; n < 50; n++) {
#pragma omp parallel num_threads(2) reduction(+ : sum)
		{
			busy(1);
#pragma omp for schedule(guided)
			for (int i = 0; i < 100; i++)
				sum += i;
#pragma omp critical
			sum++;
#pragma omp single
			f = fib(10);
		}
	}
	over = true;
	pthread_join(sender, NULL);
	printf("%d %d, signals %d\n", sum, f, came > 0);
	return 0;
}
