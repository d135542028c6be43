#include "config.h"

#include "tests/interrupt.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

int interrupt_start(struct interrupt *in, int signo, long period_ns)
{
	struct itimerspec t = { { 0, period_ns }, { 0, period_ns } };
	struct sigevent sev;

	memset(&sev, 0, sizeof(sev));
	sev.sigev_notify = SIGEV_THREAD_ID;
	sev.sigev_signo = signo;
	sev.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
	if (timer_create(CLOCK_MONOTONIC, &sev, &in->timer) != 0)
		return -errno;
	return timer_settime(in->timer, 0, &t, NULL) != 0 ? -errno : 0;
}

void interrupt_stop(struct interrupt *in)
{
	timer_delete(in->timer);
}

int interrupt_handle(int signo, void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction act = { .sa_flags = SA_SIGINFO | SA_RESTART };

	act.sa_sigaction = handler;
	sigfillset(&act.sa_mask);
	return sigaction(signo, &act, NULL) != 0 ? -errno : 0;
}
