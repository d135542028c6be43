/* SPDX-License-Identifier: BSD-3-Clause
 * life.c - what programs do with threads, processes, stacks, signals and
 * descriptors that a profiler must bear.  life KIND does one of them and prints
 * its name and whether all went as it should: 0.  Without KIND: all their names.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "work.h"

#define MS 1000000

KEEP void region(void)
{
#pragma omp parallel num_threads(2)
	{
		crunch_for(3 * MS);
		STAY();
	}
}

static int status_of(pid_t child)
{
	int status;

	return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) ?
		       WEXITSTATUS(status) : -1;
}

/* ---- threads --------------------------------------------------------- */

static void *thread(void *arg)
{
	crunch_for(MS / 5);
	return arg;
}

static int thread_storm(void)
{
	pthread_t t[8];

	for (int round = 0; round < 100; round++) {
		for (int i = 0; i < 8; i++)
			if (pthread_create(&t[i], NULL, thread, NULL))
				return 1;
		for (int i = 0; i < 8; i++)
			pthread_join(t[i], NULL);
	}
	return 0;
}

static int small_stacks(void)
{
	pthread_attr_t attr;
	pthread_t t;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 16384);
	for (int i = 0; i < 100; i++)
		if (pthread_create(&t, &attr, thread, NULL) || pthread_join(t, NULL))
			return 1;
	return 0;
}

static void *at_points(void *arg)
{
	(void)arg;
	for (;;) {
		crunch(1);
		pthread_testcancel();
	}
}

static void *anywhere(void *arg)
{
	(void)arg;
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	for (;;)
		crunch(1);
}

static int cancelled(void *(*function)(void *))
{
	pthread_t t;
	void *result;

	return !pthread_create(&t, NULL, function, NULL) && !usleep(2000) &&
	       !pthread_cancel(t) && !pthread_join(t, &result) && result == PTHREAD_CANCELED;
}

static int cancel(void)
{
	for (int i = 0; i < 20; i++)
		if (!cancelled(at_points) || !cancelled(anywhere))
			return 1;
	return 0;
}

/* ---- processes ------------------------------------------------------- */

static int forks(void)
{
	region();
	for (int i = 0; i < 30; i++) {
		pid_t child = fork();

		if (!child) {
			crunch_for(MS);
			_exit(i & 3);
		}
		if (status_of(child) != (i & 3))
			return 1;
	}
	return 0;
}

static int forks_before_regions(void)
{
	for (int i = 0; i < 20; i++) {
		pid_t child = fork();

		if (!child) {
			region();
			exit(0);
		}
		if (status_of(child))
			return 1;
	}
	region();
	return 0;
}

static int vforks(void)
{
	for (int i = 0; i < 30; i++) {
		pid_t child = vfork();

		if (!child) {
			execl("/bin/true", "true", (char *)NULL);
			_exit(127);
		}
		if (status_of(child))
			return 1;
		crunch_for(MS);
	}
	return 0;
}

static int cloned(void *arg)
{
	crunch(1);
	return arg != NULL;
}

static int clones(void)
{
	char *stack = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (int i = 0; i < 30; i++)
		if (status_of(clone(cloned, stack + (1 << 16), SIGCHLD, NULL)))
			return 1;
	return 0;
}

static int becomes_another(void)
{
	region();
	execl("/proc/self/exe", "life", "profiler_of_its_own", (char *)NULL);
	return 1;
}

/* ---- descriptors and limits ------------------------------------------ */

static int closes_all(void)
{
	for (int i = 3; i < 4096; i++)
		close(i);
	if (open("/dev/null", O_RDONLY) != 3)
		return 1;
	crunch_for(50 * MS);
	region();
	return 0;
}

static int few_descriptors(void)
{
	const struct rlimit few = { 16, 16 };

	setrlimit(RLIMIT_NOFILE, &few);
	if (thread_storm())
		return 1;
	region();
	return 0;
}

/* ---- stacks ---------------------------------------------------------- */

static ucontext_t outside, inside;
static int switches;

static void coroutine(void)
{
	for (;;) {
		crunch_for(MS / 4);
		switches++;
		swapcontext(&inside, &outside);
	}
}

static int coroutines(void)
{
	static char stack[1 << 16];

	getcontext(&inside);
	inside.uc_stack.ss_sp = stack;
	inside.uc_stack.ss_size = sizeof(stack);
	makecontext(&inside, coroutine, 0);
	for (int i = 0; i < 200; i++) {
		swapcontext(&outside, &inside);
		crunch_for(MS / 10);
	}
	return switches != 200;
}

static volatile sig_atomic_t ticks;

static void tick(int signo)
{
	(void)signo;
	crunch(1);
	ticks = ticks + 1;
}

static void every_ms(int clock, int signo, int flags)
{
	struct sigaction sa = { .sa_handler = tick, .sa_flags = SA_RESTART | flags };
	struct itimerval it = { { 0, 1000 }, { 0, 1000 } };

	sigaction(signo, &sa, NULL);
	setitimer(clock, &it, NULL);
}

static int alternate_stack(void)
{
	static char stack[1 << 16];
	const stack_t ss = { .ss_sp = stack, .ss_size = sizeof(stack) };

	sigaltstack(&ss, NULL);
	every_ms(ITIMER_REAL, SIGALRM, SA_ONSTACK);
	crunch_for(200 * MS);
	signal(SIGALRM, SIG_IGN);
	return ticks < 5;
}

static KEEP int deep(int n)
{
	volatile char frame[200];

	frame[0] = (char)n;
	if (!n)
		crunch_for(20 * MS);
	return n ? deep(n - 1) + frame[0] : 0;
}

static int recursion(void)
{
	for (int i = 0; i < 5; i++)
		deep(20000);
	return 0;
}

/* ---- signals --------------------------------------------------------- */

static sigjmp_buf back;

static void jump(int signo)
{
	(void)signo;
	siglongjmp(back, 1);
}

static int jumps_out_of_faults(void)
{
	struct sigaction sa = { .sa_handler = jump };
	volatile int n = 0;
	int *volatile nowhere = (int *)8;

	sigaction(SIGSEGV, &sa, NULL);
	for (int i = 0; i < 1000; i++) {
		if (!sigsetjmp(back, 1))
			*nowhere = 1;
		else
			n++;
		crunch(1);
	}
	return n != 1000;
}

static int profiler_of_its_own(void)
{
	every_ms(ITIMER_PROF, SIGPROF, 0);
	crunch_for(200 * MS);
	region();
	return ticks < 5;
}

static int blocks_all(void)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	crunch_for(50 * MS);
	region();
	return 0;
}

static int sleeps_whole(void)
{
	const struct timespec ms = { 0, MS };

	for (int i = 0; i < 50; i++) {
		if (poll(NULL, 0, 1) || nanosleep(&ms, NULL))
			return 1;
		crunch_for(MS / 2);
	}
	return 0;
}

static const struct {
	const char *name;
	int (*run)(void);
} kinds[] = {
	{ "thread_storm", thread_storm },
	{ "small_stacks", small_stacks },
	{ "cancel", cancel },
	{ "forks", forks },
	{ "forks_before_regions", forks_before_regions },
	{ "vforks", vforks },
	{ "clones", clones },
	{ "becomes_another", becomes_another },
	{ "closes_all", closes_all },
	{ "few_descriptors", few_descriptors },
	{ "coroutines", coroutines },
	{ "alternate_stack", alternate_stack },
	{ "recursion", recursion },
	{ "jumps_out_of_faults", jumps_out_of_faults },
	{ "profiler_of_its_own", profiler_of_its_own },
	{ "blocks_all", blocks_all },
	{ "sleeps_whole", sleeps_whole },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (argc < 2) {
			puts(kinds[i].name);
		} else if (!strcmp(argv[1], kinds[i].name)) {
			int wrong = kinds[i].run();

			printf("%s %d\n", argv[1], wrong);
			return wrong;
		}
	}
	return argc < 2 ? 0 : 2;
}
