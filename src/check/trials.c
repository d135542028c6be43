/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trials.c - tries each way of sampling for 50 ms.
 *
 * A child process does it, because a misdirected signal may kill.  Its exit status is the
 * number of samples.
 */
#include "config.h"

#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pmu/counter.h"
#include "src/check/checkup.h"
#include "src/profile/clock.h"

enum { TRIAL_MS = 50, HERTZ = 997, MOST = 200, REFUSED, QUEUE_FULL };

static struct pmu_counter counter;
static volatile sig_atomic_t samples;

static void trials_handle(int sig, siginfo_t *info, void *context)
{
	uint64_t overrun;

	(void)sig;
	(void)context;
	if (pmu_counter_which(&counter, 1, info) != 0)
		return;
	if (samples < MOST)
		samples++;
	pmu_counter_weight(&counter, info, &overrun);
	pmu_counter_rearm(&counter);
}

/* The kernel sends SIGIO if the signal queue is full. */
static void handle_full(int sig)
{
	(void)sig;
	_exit(QUEUE_FULL);
}

static void trials_sample(const struct pmu_event *ev, enum pmu_delivery delivery)
{
	struct sigaction sa;
	struct pmu_refusal why;

	memset(&sa, 0, sizeof(sa));
	sa.sa_sigaction = trials_handle;
	sa.sa_flags = SA_SIGINFO | SA_RESTART;
	sigaction(SIGRTMIN, &sa, NULL);
	sigaction(SIGTRAP, &sa, NULL);
	signal(SIGIO, handle_full);
	alarm(5);
	if (pmu_counter_open(&counter, ev, gettid(), delivery, SIGRTMIN, 0, &why) ||
	    pmu_counter_start(&counter))
		_exit(REFUSED);

	const clockid_t clock = ev->kind == PMU_WALL ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
	const bool sleeping = ev->kind == PMU_WALL;
	uint64_t end = clock_ns(clock) + TRIAL_MS * UINT64_C(1000000);

	while (clock_ns(clock) < end) {
		if (sleeping)
			poll(NULL, 0, 5);
		/* Reading the thread's clock takes time in the kernel, where it is not
		   sampled. */
		for (volatile int i = 0; i < 100000; i++)
			;
	}
	pmu_counter_stop(&counter);
	_exit(samples);
}

static void try_way(struct checkup *c, const char *event, enum pmu_delivery delivery,
		    const char *name)
{
	static const struct pmu_rate rate = { .freq_hz = HERTZ };
	struct pmu_refusal why;
	struct pmu_event ev;
	int status = 0;
	pid_t pid;

	if (pmu_event_parse(event, &rate, &ev, &why) || pmu_event_probe(&ev, &why)) {
		checkup_line(c, NOTE, name, why.todo, "%s", why.why);
		return;
	}
	fflush(stdout);
	pid = fork();
	if (pid == 0)
		trials_sample(&ev, delivery);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		checkup_line(c, NOTE, name, NULL, "could not be tried");
	else {
		const int wanted = HERTZ * TRIAL_MS / 1000;
		int got = WIFEXITED(status) ? WEXITSTATUS(status) : 0;

		if (WIFSIGNALED(status))
			checkup_line(c, NOTE, name, "choose another way",
				     "killed by signal %d (%s)", WTERMSIG(status),
				     strsignal(WTERMSIG(status)));
		else if (got == REFUSED)
			checkup_line(c, NOTE, name, NULL, "was refused");
		else if (got == QUEUE_FULL)
			checkup_line(c, NOTE, name, "ulimit -i unlimited; or choose sigtrap",
				     "this user's queue of signals is full (RLIMIT_SIGPENDING)");
		else if (!got)
			checkup_line(c, NOTE, name, "choose another way", "no sample came");
		else
			checkup_line(c, got >= wanted / 2 ? FINE : NOTE, name,
				     got >= wanted / 2 ?
					     NULL :
					     "shares stay true, but counts need a lower rate (-F)",
				     "%d samples in %d ms, of %d", got, TRIAL_MS, wanted);
		if (got > 0 && got <= MOST)
			c->samples = true;
	}
}

void checkup_trials(struct checkup *c)
{
	checkup_title("Sampling, tried out");
	if (c->access.hardware == PMU_HARDWARE_YES) {
		try_way(c, "cycles", PMU_DELIVERY_SIGNAL, "cycles, signals");
		if (c->access.sigtrap)
			try_way(c, "cycles", PMU_DELIVERY_SIGTRAP, "cycles, sigtrap");
	}
	try_way(c, "cpu-clock", PMU_DELIVERY_SIGNAL, "cpu-clock, signals");
	if (c->access.sigtrap && c->access.user_clock)
		try_way(c, "cpu-clock", PMU_DELIVERY_SIGTRAP, "cpu-clock, sigtrap");
	try_way(c, "wall", PMU_DELIVERY_SIGNAL, "wall, timers");
}
