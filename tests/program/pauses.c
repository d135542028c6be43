/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A signal that is sent to the process ends the main thread's pause() and its kin, whatever
 * the other threads do.
 */
#include <stdatomic.h>

#include "case.h"

enum { ROUNDS = 8, BUSY = 2 };

static pthread_t self;
static volatile int here, elsewhere, strange;
static atomic_int computing;
static volatile bool over;

static void handler(int signo, siginfo_t *info, void *ucontext)
{
	(void)ucontext;
	if (info->si_signo != signo || info->si_code != SI_USER || info->si_pid != getpid())
		strange++;
	if (pthread_equal(pthread_self(), self))
		here++;
	else
		elsewhere++;
}

static void *compute(void *arg)
{
	computing++;
	while (!over)
		busy(1);
	return arg;
}

static long call;
static int to_send;

static void *sender(void *arg)
{
	const pid_t pid = getpid();

	for (int n = 0; n < ROUNDS; n++) {
		until_blocked(pid, call);
		kill(pid, to_send);
		while (here + elsewhere <= n)
			usleep(1000);
		if (elsewhere != 0) {
			printf("signal %d went elsewhere\n", to_send);
			exit(1);
		}
	}
	return arg;
}

static void rounds(const char *what, long number, int signo)
{
	pthread_t t;
	sigset_t none;

	call = number;
	to_send = signo;
	here = elsewhere = 0;
	sigemptyset(&none);
	pthread_create(&t, NULL, sender, NULL);
	for (int n = 0; n < ROUNDS; n++)
		if (number == SYS_rt_sigsuspend)
			sigsuspend(&none);
		else if (number == SYS_ppoll)
			ppoll(NULL, 0, NULL, &none);
		else
			pause();
	pthread_join(t, NULL);
	printf("%s, signal %d: %d, not by kill() %d\n", what, signo, here, strange);
}

int main(void)
{
	const int signos[] = { SIGUSR1, SIGRTMIN + 11, SIGRTMAX - 2 };
	pthread_t t[BUSY];

	self = pthread_self();
	for (int i = 0; i < 3; i++)
		on_info(signos[i], handler, SA_RESTART);
	for (int i = 0; i < BUSY; i++)
		pthread_create(&t[i], NULL, compute, NULL);
	/* A thread that begins sets its mask, and may take what is sent meanwhile. */
	while (computing < BUSY)
		usleep(1000);
	for (int i = 0; i < 3; i++) {
#ifdef SYS_pause
		rounds("pause", SYS_pause, signos[i]);
#endif
		rounds("sigsuspend", SYS_rt_sigsuspend, signos[i]);
		rounds("ppoll", SYS_ppoll, signos[i]);
	}
	over = true;
	for (int i = 0; i < BUSY; i++)
		pthread_join(t[i], NULL);
	return 0;
}
