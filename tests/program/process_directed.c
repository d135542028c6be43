/* SPDX-License-Identifier: BSD-3-Clause */
/* The main thread blocks a signal and another thread does not: the kernel gives a signal that is
   sent to the process to that other thread, or ends the process. */
#include "case.h"

static pthread_t waiter;
static volatile int by_main = -1, ready, over;

static void on_signal(int signo)
{
	(void)signo;
	by_main = pthread_equal(pthread_self(), waiter);
}

static void *accepts(void *number)
{
	const sigset_t s = set_of(*(int *)number, 0, 0);

	pthread_sigmask(SIG_UNBLOCK, &s, NULL);
	busy(10);
	ready = 1;
	while (!over)
		busy(1);
	return NULL;
}

/* Sends as another process does. */
static void send_from_elsewhere(int signo)
{
	const pid_t sender = fork();

	if (sender == 0)
		_exit(kill(getppid(), signo) != 0);
	waitpid(sender, NULL, 0);
}

static void run(int signo, bool handled)
{
	const struct timespec none = { 0, 0 };
	const sigset_t s = set_of(signo, 0, 0);
	pthread_t t;

	no_core();
	waiter = pthread_self();
	if (handled)
		on(signo, on_signal, SA_RESTART);
	pthread_sigmask(SIG_BLOCK, &s, NULL);
	pthread_create(&t, NULL, accepts, &signo);
	while (!ready)
		busy(1);
	send_from_elsewhere(signo);
	for (int i = 0; i < 300 && by_main < 0; i++)
		usleep(1000);
	printf("handled by %s, taken %d\n",
	       by_main < 0 ? "none" :
	       by_main	   ? "main" :
			     "the other",
	       sigtimedwait(&s, NULL, &none) == signo);
	over = 1;
	pthread_join(t, NULL);
	_exit(0);
}

int main(void)
{
	const int signos[] = { SIGRTMAX - 2, TAKEN, TAKEN + 3, SIGTRAP, SIGBUS, SIGIO, SIGUSR1 };

	busy(10);
	for (size_t i = 0; i < sizeof(signos) / sizeof(*signos); i++)
		for (int handled = 0; handled < 2; handled++) {
			const pid_t child = fork();

			if (child == 0)
				run(signos[i], handled);
			printf("%d%s: ", (int)i, handled ? " with a handler" : "");
			print_end("ends", child);
		}
	return 0;
}
