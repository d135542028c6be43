/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "tests/support/interrupt.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* By how much the periods are longer than asked for; see unit.mk. */
#ifndef INTERRUPT_TIMES
#define INTERRUPT_TIMES 1
#endif

int interrupt_start(struct interrupt *in, int signo, long period_ns)
{
	const long ns = INTERRUPT_TIMES * period_ns;
	struct itimerspec t = { { 0, ns }, { 0, ns } };
	struct sigevent sev;

	memset(&sev, 0, sizeof(sev));
	sev.sigev_notify = SIGEV_THREAD_ID;
	sev.sigev_signo = signo;
	sev.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
	if (timer_create(CLOCK_MONOTONIC, &sev, &in->timer) != 0)
		return -errno;
	return timer_settime(in->timer, 0, &t, NULL) != 0 ? -errno : 0;
}

void interrupt_after(struct interrupt *in, long after_ns)
{
	struct itimerspec t = { { 0, 0 }, { after_ns / 1000000000, after_ns % 1000000000 } };

	timer_settime(in->timer, 0, &t, NULL);
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

#ifdef __x86_64__
enum { TRAP_FLAG = 0x100 };

static struct {
	int n, passed;
	void (*between)(void *);
	void *arg;
} steps;

/* Comes first by raise(), and from then on after each instruction. */
static void on_step(int signo, siginfo_t *info, void *ucontext)
{
	ucontext_t *uc = ucontext;

	(void)signo;
	(void)info;
	if (steps.n != 0 && ++steps.passed > steps.n) {
		steps.n = 0;
		steps.between(steps.arg);
	}
	if (steps.n != 0)
		uc->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
	else
		uc->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}

bool interrupt_at(int n, void (*run)(void *), void (*between)(void *), void *arg)
{
	if (interrupt_handle(SIGTRAP, on_step) != 0)
		return false;
	steps.n = n;
	steps.passed = 0;
	steps.between = between;
	steps.arg = arg;
	raise(SIGTRAP);
	run(arg);
	bool reached = steps.n == 0;

	steps.n = 0;
	return reached;
}
#else
bool interrupt_at(int n, void (*run)(void *), void (*between)(void *), void *arg)
{
	(void)n;
	(void)between;
	run(arg);
	return false;
}
#endif
