/* SPDX-License-Identifier: BSD-3-Clause */
/* A child that its parent traces, which lets it go on only for what it expects; and a program
   that asks to be traced to find out whether it is. */
#include "case.h"
#include <sys/ptrace.h>

static void on_usr1(int signo)
{
	(void)signo;
}

static void traced_child(bool by_number)
{
	on(SIGUSR1, on_usr1, 0);
	busy(5);
	if (by_number)
		syscall(SYS_ptrace, PTRACE_TRACEME, 0, 0, 0);
	else
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	for (int i = 0; i < 3; i++) {
		busy(10);
		usleep(10000);
		raise(SIGUSR1);
	}
	_exit(3);
}

static void trace(bool by_number)
{
	const pid_t child = fork();
	int status = 0;

	if (child == 0)
		traced_child(by_number);
	while (waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
		printf("stopped by %d\n", WSTOPSIG(status));
		ptrace(PTRACE_CONT, child, NULL, (void *)(long)WSTOPSIG(status));
	}
	printf("exit %d\n", WEXITSTATUS(status));
}

int main(void)
{
	busy(10);
	trace(false);
	trace(true);
	printf("traced: %d\n", ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0);
	busy(20);
	printf("again: %d\n", ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0);
	busy(20);
	return 4;
}
