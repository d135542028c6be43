/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * child.c - runs the program as a child process that ompcount stands in for.
 *
 * From child_hold() on every signal is blocked and taken by sigwaitinfo(), so there is no
 * handler and no race.  A blocked signal is queued even if it is ignored; so signals that
 * the caller ignores are passed on as well, and the program ignores them unless it changed
 * that.
 */
#include "config.h"

#include "src/run/child.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/alloc.h"
#include "src/profile/clock.h"
#include "src/run/target.h"

#define GRACE_NS UINT64_C(2000000000) /* for what was asked to end */
#define AGAIN_NS UINT64_C(1000000000)

void child_hold(struct child *c)
{
	const struct sigaction standard = { .sa_handler = SIG_DFL },
			       ignored = { .sa_handler = SIG_IGN };
	sigset_t all;

	*c = (struct child){ .pid = -1 };
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &c->mask);
	/* If SIGCHLD were ignored, waitpid() would find no child. */
	sigaction(SIGCHLD, &standard, &c->chld);
	sigaction(SIGPIPE, &ignored, &c->pipe);
	sigaction(SIGXFSZ, &ignored, &c->xfsz);
}

void child_release(struct child *c)
{
	sigaction(SIGCHLD, &c->chld, NULL);
	sigprocmask(SIG_SETMASK, &c->mask, NULL);
}

/* Never returns: executes the program, or stores an errno. */
static void become(struct child *c, volatile int *err, const char *path, char *const *argv,
		   char *const *envp)
{
	sigaction(SIGPIPE, &c->pipe, NULL);
	sigaction(SIGXFSZ, &c->xfsz, NULL);
	if (c->apart)
		setpgid(0, 0);
	for (int i = 0; c->streams && i < 3; i++)
		dup2(c->streams[i], i);
	child_release(c);
	execve(path, argv, envp);
	*err = errno;
	_exit(127);
}

/* By vfork(): whether exec failed takes no descriptor, of which there may be no more. */
int child_start(struct child *c, const char *path, char *const *argv, char *const *envp)
{
	volatile int err = 0;

	c->late = false;
	c->asked = 0;
	c->end_with = SIGTERM;
	c->begun_ns = clock_ns(CLOCK_MONOTONIC);
	c->end_by_ns = c->limit_ns ? c->begun_ns + c->limit_ns : 0;
	c->save_by_ns = c->save ? c->begun_ns + c->save_every_ns : 0;
	c->pid = vfork();
	if (c->pid == 0)
		become(c, &err, path, argv, envp);
	if (c->pid < 0)
		return errno;
	if (err)
		while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
			;
	return err;
}

int child_start_target(struct child *c, const struct target *t, char *const *command,
		       char *const *envp)
{
	int err = child_start(c, t->path, command, envp);
	char **argv;
	size_t n = 0;

	if (err != ENOEXEC || t->kind != TARGET_TEXT)
		return err;
	while (command[n])
		n++;
	argv = alloc_zeroed(n + 2, sizeof(*argv));
	argv[0] = command[0];
	argv[1] = (char *)(uintptr_t)t->path;
	memcpy(argv + 2, command + 1, n * sizeof(*argv));
	err = child_start(c, "/bin/sh", argv, envp);
	free(argv);
	return err;
}

/* A terminal's hangup goes to its session's leader alone, which the program would be. */
static bool is_hangup(const siginfo_t *info)
{
	return (info->si_signo == SIGHUP || info->si_signo == SIGCONT) && getsid(0) == getpid();
}

/*
 * Other signals from the kernel (a terminal's interrupt) go to the whole process
 * group and have reached the program already.  A signal from a process may be for ompcount
 * alone, so it is passed on; if the sender meant the group, the program gets it twice,
 * which is the lesser evil.  The program's own signals are not sent back.
 */
static void pass_on(const struct child *c, const siginfo_t *info)
{
	/* A signal from ompcount itself is the SIGPIPE of a message that nobody read. */
	if (info->si_code > 0 && !c->apart) {
		if (is_hangup(info))
			kill(c->pid, info->si_signo);
		return;
	}
	if (info->si_code <= 0 && (info->si_pid == c->pid || info->si_pid == getpid()))
		return;
	if (c->apart)
		kill(-c->pid, info->si_signo);
	else if (info->si_code == SI_QUEUE)
		sigqueue(c->pid, info->si_signo, info->si_value);
	else
		kill(c->pid, info->si_signo);
}

/* Whether the signal asks ompcount to end; nohup(1) and shells have it ignore some. */
static bool asks_to_end(int signo)
{
	struct sigaction now;

	if (signo != SIGHUP && signo != SIGINT && signo != SIGQUIT && signo != SIGTERM)
		return false;
	return sigaction(signo, NULL, &now) == 0 && now.sa_handler != SIG_IGN;
}

static void child_save(struct child *c)
{
	const bool saved = c->save(c->save_arg);

	c->save_by_ns = clock_ns(CLOCK_MONOTONIC) + (saved ? c->save_every_ns : AGAIN_NS);
}

/* What batch systems send before they kill, whatever the program does with it. */
static bool announces_end(int signo)
{
	return signo == SIGTERM || signo == SIGUSR1 || signo == SIGUSR2 || signo == SIGINT ||
	       signo == SIGXCPU || signo == SIGHUP;
}

/* When something is to be done without a signal; 0: never. */
static uint64_t next_time(const struct child *c)
{
	if (c->end_by_ns && c->save_by_ns)
		return c->end_by_ns < c->save_by_ns ? c->end_by_ns : c->save_by_ns;
	return c->end_by_ns ? c->end_by_ns : c->save_by_ns;
}

/* The next signal; else -1: it was time for something, or nothing happened. */
static int next_signal(struct child *c, siginfo_t *info)
{
	const uint64_t by = next_time(c), now = by ? clock_ns(CLOCK_MONOTONIC) : 0;
	const uint64_t left = by > now ? by - now : 0;
	const struct timespec wait = { (time_t)(left / 1000000000), (long)(left % 1000000000) };
	sigset_t all;
	int signo;

	sigfillset(&all);
	signo = sigtimedwait(&all, info, by ? &wait : NULL);
	if (signo < 0 && by && errno == EAGAIN) {
		if (by == c->end_by_ns) {
			/* Ends what ran for too long: SIGTERM, then SIGKILL. */
			c->late = !c->asked;
			kill(c->apart ? -c->pid : c->pid, c->end_with);
			c->end_by_ns = clock_ns(CLOCK_MONOTONIC) + GRACE_NS;
			c->end_with = SIGKILL;
		} else
			child_save(c);
	}
	return signo;
}

static void stopped(struct child *c, int signo)
{
	const uint64_t begin = clock_ns(CLOCK_MONOTONIC);
	uint64_t stood;

	/* Stops like the program, if job control stopped it, so that a shell notices; goes on
	   when ompcount is continued. */
	sigset_t one, before;

	if (signo == SIGTSTP || signo == SIGTTIN || signo == SIGTTOU) {
		sigemptyset(&one);
		sigaddset(&one, signo);
		kill(getpid(), signo);
		sigprocmask(SIG_UNBLOCK, &one, &before);
		sigprocmask(SIG_SETMASK, &before, NULL);
	}
	stood = clock_ns(CLOCK_MONOTONIC) - begin;
	c->begun_ns += stood;
	c->end_by_ns += c->end_by_ns ? stood : 0;
}

int child_wait(struct child *c)
{
	siginfo_t info;
	int status;

	for (;;) {
		if (next_signal(c, &info) < 0)
			continue;
		if (info.si_signo != SIGCHLD) {
			if (asks_to_end(info.si_signo)) {
				c->asked = info.si_signo;
				if (c->apart)
					c->end_by_ns = clock_ns(CLOCK_MONOTONIC) + GRACE_NS;
			}
			pass_on(c, &info);
			if (c->save && announces_end(info.si_signo))
				child_save(c);
			continue;
		}
		while (waitpid(c->pid, &status, WNOHANG | WUNTRACED) > 0) {
			if (WIFSTOPPED(status)) {
				stopped(c, WSTOPSIG(status));
				continue;
			}
			c->ran_ns = clock_ns(CLOCK_MONOTONIC) - c->begun_ns;
			/* What a script started may outlive it. */
			if (c->apart && (c->late || c->asked))
				kill(-c->pid, SIGKILL);
			return status;
		}
	}
}

int child_end_as(int status)
{
	const struct rlimit none = { 0, 0 };
	struct sigaction standard = { .sa_handler = SIG_DFL };
	sigset_t one;

	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	/* The program has dumped its core, if any; a second dump would be useless. */
	setrlimit(RLIMIT_CORE, &none);
	prctl(PR_SET_DUMPABLE, 0);
	sigaction(WTERMSIG(status), &standard, NULL);
	sigemptyset(&one);
	sigaddset(&one, WTERMSIG(status));
	sigprocmask(SIG_UNBLOCK, &one, NULL);
	kill(getpid(), WTERMSIG(status));
	/* Only reached in the init process of a container, which no signal kills. */
	return 128 + WTERMSIG(status);
}
