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
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

void child_hold(struct child *c)
{
	const struct sigaction standard = { .sa_handler = SIG_DFL },
			       ignored = { .sa_handler = SIG_IGN };
	sigset_t all;

	c->pid = -1;
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
	child_release(c);
	execve(path, argv, envp);
	*err = errno;
	_exit(127);
}

/* By vfork(): whether exec failed takes no descriptor, of which there may be no more. */
int child_start(struct child *c, const char *path, char *const *argv, char *const *envp)
{
	volatile int err = 0;

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
	if (info->si_code > 0) {
		if (is_hangup(info))
			kill(c->pid, info->si_signo);
		return;
	}
	if (info->si_pid == c->pid || info->si_pid == getpid())
		return;
	if (info->si_code == SI_QUEUE)
		sigqueue(c->pid, info->si_signo, info->si_value);
	else
		kill(c->pid, info->si_signo);
}

/* Stops like the program, if job control stopped it, so that a shell notices; returns when
   ompcount is continued. */
static void stop_as(int signo)
{
	sigset_t one, before;

	if (signo != SIGTSTP && signo != SIGTTIN && signo != SIGTTOU)
		return;
	sigemptyset(&one);
	sigaddset(&one, signo);
	kill(getpid(), signo);
	sigprocmask(SIG_UNBLOCK, &one, &before);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

int child_wait(struct child *c)
{
	siginfo_t info;
	sigset_t all;
	int status;

	sigfillset(&all);
	for (;;) {
		if (sigwaitinfo(&all, &info) < 0)
			continue;
		if (info.si_signo != SIGCHLD) {
			pass_on(c, &info);
			continue;
		}
		while (waitpid(c->pid, &status, WNOHANG | WUNTRACED) > 0) {
			if (!WIFSTOPPED(status))
				return status;
			stop_as(WSTOPSIG(status));
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
