/* SPDX-License-Identifier: BSD-3-Clause
 * number - a thread that blocks all signals computes as long before the program begins to use
 * a signal as after it.
 *
 * number trap [SECONDS]: the program handles SIGTRAP, and the thread changes its mask next
 * number sent [SECONDS]: the thread is sent real-time signals from the middle of their range
 * number kill:N [SECONDS]: a child sends signal N to its parent, which is process 1
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work.h"

enum { SIGNALS = 4 };

static int64_t part_ns;
static atomic_int computed, used;

KEEP void before(void)
{
	crunch_for(part_ns);
	STAY();
}

KEEP void after(void)
{
	crunch_for(part_ns);
	STAY();
}

static void *block(void *arg)
{
	sigset_t all, none;

	(void)arg;
	sigfillset(&all);
	sigemptyset(&none);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	before();
	computed = (int)syscall(SYS_gettid);
	while (!used)
		;
	pthread_sigmask(SIG_BLOCK, &none, NULL);
	after();
	return NULL;
}

static void on_trap(int signo)
{
	(void)signo;
}

/* By bare system calls, as another process would: nobody sees them coming. */
static void send_all(int tid)
{
	for (int i = 0; i < SIGNALS; i++)
		syscall(SYS_tgkill, getpid(), tid, SIGRTMIN + 10 + i);
}

static void child_kills(int signo)
{
	const pid_t child = fork();

	if (child == 0)
		_exit(kill(getppid(), signo) != 0);
	waitpid(child, NULL, 0);
}

static void use(const char *kind)
{
	if (strcmp(kind, "sent") == 0)
		send_all(computed);
	else if (strncmp(kind, "kill:", 5) == 0)
		child_kills(atoi(kind + 5));
	else
		signal(SIGTRAP, on_trap);
}

int main(int argc, char **argv)
{
	pthread_t thread;

	part_ns = (int64_t)((argc > 2 ? atof(argv[2]) : 0.2) * 5e8);
	if (pthread_create(&thread, NULL, block, NULL) != 0)
		return 1;
	while (computed == 0)
		usleep(1000);
	use(argc > 1 ? argv[1] : "trap");
	used = 1;
	pthread_join(thread, NULL);
	puts(getpid() == 1 ? "1 done" : "done");
	return 0;
}
