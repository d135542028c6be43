/*
 * preload.c - what libomphwc.so puts before the C library's own functions when
 * it is preloaded: thread creation, so that threads which OpenMP does not know
 * are profiled too; exec, so that the profile ends with its program; and what
 * an application might do to the signals that counters use.  And one function
 * of OpenMP's.
 *
 * Loaded by OMP_TOOL_LIBRARIES none of this is in the application's way.
 */
#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "ompt_tool/control.h"
#include "ompt_tool/real.h"
#include "ompt_tool/signals.h"
#include "ompt_tool/threads.h"
#include "ompt_tool/tool.h"

#define EXPORT __attribute__((visibility("default")))

/* The next definition of name, looked up once; owned by each wrapper. */
#define REAL(name) \
	static __typeof__(&name) real; \
	if (real == NULL) \
		real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

const bool real_object = true;

struct start {
	void *(*function)(void *);
	void *arg;
};

static void *thread_main(void *p)
{
	struct start s = *(struct start *)p;

	free(p);
	threads_start(PROF_THREAD_UNKNOWN);
	return s.function(s.arg);
}

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attr,
			  void *(*function)(void *), void *arg)
{
	REAL(pthread_create);
	struct start *s = tool_started() ? malloc(sizeof(*s)) : NULL;

	if (s == NULL)
		return real(thread, attr, function, arg);
	*s = (struct start) { function, arg };
	int err = real(thread, attr, thread_main, s);
	if (err != 0)
		free(s);
	return err;
}

int real_sigaction(int signo, const struct sigaction *act, struct sigaction *old)
{
	REAL(sigaction);
	return real(signo, act, old);
}

EXPORT int sigaction(int signo, const struct sigaction *act, struct sigaction *old)
{
	if (!signals_ours(signo))
		return real_sigaction(signo, act, old);
	signals_application(signo, act, old);
	return 0;
}

EXPORT __sighandler_t signal(int signo, __sighandler_t handler)
{
	REAL(signal);
	struct sigaction act = { .sa_flags = SA_RESTART }, old;

	if (!signals_ours(signo))
		return real(signo, handler);
	act.sa_handler = handler;
	signals_application(signo, &act, &old);
	return old.sa_handler;
}

int real_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	REAL(pthread_sigmask);
	return real(how, set, old);
}

/* A thread that blocks everything still is to be sampled: ours stay open. */
static const sigset_t *without_ours(int how, const sigset_t *set, sigset_t *copy)
{
	if (set == NULL || how == SIG_UNBLOCK)
		return set;
	*copy = *set;
	signals_remove(copy);
	return copy;
}

EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	sigset_t copy;

	return real_sigmask(how, without_ours(how, set, &copy), old);
}

EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	REAL(sigprocmask);
	sigset_t copy;

	return real(how, without_ours(how, set, &copy), old);
}

EXPORT int sigwait(const sigset_t *set, int *signo)
{
	REAL(sigwait);
	sigset_t copy;

	return real(without_ours(SIG_BLOCK, set, &copy), signo);
}

EXPORT int sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
	REAL(sigwaitinfo);
	sigset_t copy;

	return real(without_ours(SIG_BLOCK, set, &copy), info);
}

EXPORT int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
	REAL(sigtimedwait);
	sigset_t copy;

	return real(without_ours(SIG_BLOCK, set, &copy), info, timeout);
}

int omp_control_tool(int command, int modifier, void *arg);

/* To libomp there is no tool before the first parallel region: a program that
   is started paused, and starts its tool in main(), would be told so. */
EXPORT int omp_control_tool(int command, int modifier, void *arg)
{
	REAL(omp_control_tool);
	int result = real != NULL ? real(command, modifier, arg) : CONTROL_NO_TOOL;

	return result == CONTROL_NO_TOOL ? (int)control_tool(command) : result;
}

__attribute__((constructor)) static void preloaded(void)
{
	tool_start();
}
