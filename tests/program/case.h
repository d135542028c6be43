/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * case.h - what the cases of tests/program share.
 *
 * A case is a program of one file that uses one facility which we use too, and
 * prints what it saw.  Its output, its end and what its children see must be the
 * same with and without us: so it prints no times, addresses and process ids.
 */
#ifndef OMPHWC_TESTS_PROGRAM_CASE_H
#define OMPHWC_TESTS_PROGRAM_CASE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* The real-time signal that counters would take first. */
#define TAKEN (SIGRTMIN + 10)

extern char **environ;

/* With OpenMP its runtime is there, and has loaded its tool, before main(). */
__attribute__((constructor)) static void case_begin(void)
{
	setvbuf(stdout, NULL, _IOLBF, 4096);
#ifdef _OPENMP
	if (omp_get_max_threads() < 0)
		abort();
#endif
}

static inline double case_seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Computes for so many milliseconds of the thread's own time: samples come. */
static inline void busy(int ms)
{
	const double end = case_seconds(CLOCK_THREAD_CPUTIME_ID) + ms / 1e3;
	volatile double x = 1;

	do
		for (int i = 0; i < 5000; i++)
			x = x * 1.0000001 + 1e-9;
	while (case_seconds(CLOCK_THREAD_CPUTIME_ID) < end);
}

static inline void on(int signo, void (*handler)(int), int flags)
{
	struct sigaction a = { .sa_flags = flags };

	a.sa_handler = handler;
	sigaction(signo, &a, NULL);
}

static inline void on_info(int signo, void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction a = { .sa_flags = flags | SA_SIGINFO };

	a.sa_sigaction = handler;
	sigaction(signo, &a, NULL);
}

static inline sigset_t set_of(int a, int b, int c)
{
	const int signos[] = { a, b, c };
	sigset_t s;

	sigemptyset(&s);
	for (int i = 0; i < 3; i++)
		if (signos[i] != 0)
			sigaddset(&s, signos[i]);
	return s;
}

static inline void block(int a, int b, int c)
{
	const sigset_t s = set_of(a, b, c);

	sigprocmask(SIG_BLOCK, &s, NULL);
}

static inline void send_value(int signo, int value)
{
	const union sigval v = { .sival_int = value };

	sigqueue(getpid(), signo, v);
}

/* How a child ended. */
static inline void print_end(const char *what, pid_t child)
{
	int status = 0;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(status))
		printf("%s: signal %d%s\n", what, WTERMSIG(status),
		       WCOREDUMP(status) ? ", core" : "");
	else
		printf("%s: exit %d\n", what, WEXITSTATUS(status));
}

/* Waits until a thread of this process is blocked in a system call: what comes now
   meets it there, however late the thread was.  tid: gettid() of it. */
static inline void until_blocked(pid_t tid, long call)
{
	char path[64], line[64];

	snprintf(path, sizeof(path), "/proc/self/task/%d/syscall", (int)tid);
	for (;;) {
		const int fd = open(path, O_RDONLY | O_CLOEXEC);
		const ssize_t n = fd < 0 ? -1 : read(fd, line, sizeof(line) - 1);

		if (fd >= 0)
			close(fd);
		if (n > 0) {
			line[n] = '\0';
			/* "running" while it runs; a number while it is blocked. */
			if (line[0] >= '0' && line[0] <= '9' && strtol(line, NULL, 10) == call)
				return;
		}
		usleep(1000);
	}
}

/* The program, as a list of arguments, that prints what it inherited. */
static inline char **inherited(void)
{
	static char *argv[2];

	argv[0] = getenv("CASE_INHERITED");
	if (argv[0] == NULL)
		argv[0] = (char *)(uintptr_t)"/no/CASE_INHERITED";
	return argv;
}

/* Makes the process's end by signals leave no core. */
static inline void no_core(void)
{
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
}

#endif
