/* SPDX-License-Identifier: BSD-3-Clause
 * signals - a program that lives by signals and counts what it gets.
 *
 * Each line of its output is the same in every undisturbed run: how many of
 * the signals that it sent itself arrived, how many of its sleeps and reads
 * were cut short, which dispositions it found at its start.
 */
#include <errno.h>
#include <omp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "work.h"

static volatile sig_atomic_t usr, prof, alrm, rt, fault;

static void on_usr(int s)
{
	(void)s;
	usr++;
}

static void on_prof(int s)
{
	(void)s;
	prof++;
}

static void on_alrm(int s)
{
	(void)s;
	alrm++;
}

static void on_rt(int s, siginfo_t *info, void *u)
{
	(void)s;
	(void)u;
	if (info->si_value.sival_int == rt)
		rt++;
}

static void handle(int signo, void (*plain)(int), void (*full)(int, siginfo_t *, void *))
{
	struct sigaction a = { .sa_handler = plain };

	if (full) {
		a.sa_sigaction = full;
		a.sa_flags = SA_SIGINFO;
	}
	sigemptyset(&a.sa_mask);
	sigaction(signo, &a, NULL);
}

static void dispositions(void)
{
	static const int some[] = { SIGPROF, SIGALRM, SIGUSR1, SIGUSR2, SIGTERM, SIGINT,
				    SIGCHLD, SIGSEGV, SIGVTALRM, SIGPIPE };
	struct sigaction a;
	size_t i, other = 0;
	sigset_t mask;

	for (i = 0; i < sizeof(some) / sizeof(some[0]); i++)
		if (!sigaction(some[i], NULL, &a) && a.sa_handler != SIG_DFL)
			other++;
	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	for (i = 1; i < 65; i++)
		if (sigismember(&mask, (int)i) == 1)
			other++;
	printf("dispositions that are not the default: %zu\n", other);
}

KEEP void team_sends(void)
{
	int i;

	handle(SIGUSR1, on_usr, NULL);
	for (i = 0; i < 500; i++) {
#pragma omp parallel num_threads(2)
		crunch(1);
		raise(SIGUSR1);
	}
	printf("SIGUSR1: %d of %d\n", (int)usr, i);
}

static void queued(void)
{
	union sigval v;
	int i;

	handle(SIGRTMIN + 3, NULL, on_rt);
	for (i = 0; i < 200; i++) {
		v.sival_int = i;
		sigqueue(getpid(), SIGRTMIN + 3, v);
		crunch(1);
	}
	printf("queued, in order: %d of %d\n", (int)rt, i);
}

/*
 * The whole process's profiling timer is the program's own.  It fires once for each 10 ms of CPU
 * time of all threads, of which a team that ended a moment ago may take some.  The kernel counts
 * that time in ticks: 32 signals for 27 times 10 ms were seen, and on a busy machine it loses most
 * of them, whoever else looks on.
 */
static void profiled(void)
{
	struct itimerval t = { { 0, 10000 }, { 0, 10000 } }, off = { { 0, 0 }, { 0, 0 } };
	int64_t began = clock_ns(CLOCK_PROCESS_CPUTIME_ID), due;
	int i;

	handle(SIGPROF, on_prof, NULL);
	setitimer(ITIMER_PROF, &t, NULL);
	for (i = 0; i < 40 && prof < 10; i++)
		crunch_for(125000000);
	setitimer(ITIMER_PROF, &off, NULL);
	due = (clock_ns(CLOCK_PROCESS_CPUTIME_ID) - began) / 10000000;
	if (prof >= 10 && prof < 2 * due)
		printf("SIGPROF: as many as time allows\n");
	else
		printf("SIGPROF: %d of %d\n", (int)prof, (int)due);
}

/* Nothing is under way that may cut a call short. */
static void sleeps(void)
{
	struct timespec ms = { 0, 1000000 };
	struct pollfd none = { -1, 0, 0 };
	int i, cut = 0, pipes[2];
	char c;

	if (pipe(pipes))
		return;
	for (i = 0; i < 100; i++) {
		crunch(1);
		crunch(1);
		if (nanosleep(&ms, NULL))
			cut++;
		if (poll(&none, 1, 1))
			cut++;
		if (write(pipes[1], "x", 1) != 1 || read(pipes[0], &c, 1) != 1)
			cut++;
		if (usleep(500))
			cut++;
	}
	close(pipes[0]);
	close(pipes[1]);
	printf("calls cut short: %d\n", cut);
}

/* As a server would: all signals blocked, one thread that waits for any. */
static void *waiter(void *arg)
{
	int signo, strange = 0, got = 0;
	sigset_t all;

	sigfillset(&all);
	while (got < 100) {
		crunch_for(1000000);
		if (sigwait(&all, &signo) || signo != SIGUSR2)
			strange++;
		else
			got++;
		__atomic_store_n((int *)arg, got, __ATOMIC_RELEASE);
	}
	printf("waited for: %d, strange: %d\n", got, strange);
	return NULL;
}

static void waited(void)
{
	struct timespec bit = { 0, 100000 };
	sigset_t all, old;
	pthread_t t;
	int got = 0, sent;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	if (pthread_create(&t, NULL, waiter, &got))
		return;
	for (sent = 0; sent < 100; sent++) {
		pthread_kill(t, SIGUSR2);
		while (__atomic_load_n(&got, __ATOMIC_ACQUIRE) <= sent)
			nanosleep(&bit, NULL);
	}
	pthread_join(t, NULL);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static void alarmed(void)
{
	handle(SIGALRM, on_alrm, NULL);
	alarm(1);
	while (!alrm)
		pause();
	printf("alarms: %d\n", (int)alrm);
}

/* A fault on a stack of its own, and on with the program. */
static void on_fault(int s, siginfo_t *info, void *u)
{
	(void)s;
	(void)info;
	(void)u;
	fault++;
	crunch_for(20000000);
}

static void elsewhere(void)
{
	stack_t st = { .ss_size = 65536 };
	struct sigaction a = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK };

	st.ss_sp = malloc(st.ss_size);
	if (!st.ss_sp || sigaltstack(&st, NULL))
		return;
	sigemptyset(&a.sa_mask);
	sigaction(SIGUSR1, &a, NULL);
	raise(SIGUSR1);
	raise(SIGUSR1);
	st.ss_flags = SS_DISABLE;
	sigaltstack(&st, NULL);
	free(st.ss_sp);
	printf("on another stack: %d\n", (int)fault);
}

int main(void)
{
	dispositions();
	team_sends();
	queued();
	profiled();
	sleeps();
	waited();
	elsewhere();
	alarmed();
	return 0;
}
