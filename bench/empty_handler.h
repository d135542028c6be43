/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * empty_handler.h - samples that nobody takes: a CPU clock overflows at a rate, and its
 * signal has an empty handler.  What that costs is the least that sampling by signals can.
 */
#ifndef OMPHWC_BENCH_EMPTY_HANDLER_H
#define OMPHWC_BENCH_EMPTY_HANDLER_H

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pmu/perf_event.h"

/* F_SETOWN_EX's argument, where the C library hides it. */
struct empty_owner {
	int type;
	pid_t tid;
};

/* SIGTRAP's samples re-arm themselves, those by a queued signal do not. */
static void empty_handler(int signo, siginfo_t *info, void *context)
{
	(void)context;
	if (signo != SIGTRAP)
		ioctl(info->si_fd, PERF_EVENT_IOC_REFRESH, 1);
}

/* What the kernel allows, which it lowers by itself. */
static unsigned empty_rate(unsigned hz)
{
	FILE *f = fopen("/proc/sys/kernel/perf_event_max_sample_rate", "re");
	unsigned most = hz;

	if (f != NULL) {
		if (fscanf(f, "%u", &most) != 1)
			most = hz;
		fclose(f);
	}
	return hz < most ? hz : most;
}

static int empty_open(unsigned hz, int sigtrap)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.freq = 1,
		.sample_freq = empty_rate(hz),
		.sample_type = PERF_SAMPLE_IP,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.wakeup_events = 1,
	};

#ifdef PERF_ATTR_SIZE_VER7
	attr.sigtrap = attr.remove_on_exec = (unsigned)sigtrap & 1;
#else
	if (sigtrap)
		return -1;
#endif
	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Begins in the calling thread; 0, or -1 where the kernel refuses.  Threads end it. */
static int empty_handler_begin(unsigned hz)
{
	struct sigaction sa;
	int signo = SIGTRAP, fd = empty_open(hz, 1);

	if (fd < 0) {
		struct empty_owner owner = { 0 /* F_OWNER_TID */, (pid_t)syscall(SYS_gettid) };

		signo = SIGRTMIN + 3;
		fd = empty_open(hz, 0);
		if (fd < 0 || fcntl(fd, F_SETFL, O_ASYNC) != 0 ||
		    fcntl(fd, 10 /* F_SETSIG */, signo) != 0 ||
		    fcntl(fd, 15 /* F_SETOWN_EX */, &owner) != 0)
			return -1;
	}
	memset(&sa, 0, sizeof(sa));
	sa.sa_sigaction = empty_handler;
	sa.sa_flags = SA_SIGINFO | SA_RESTART;
	sigfillset(&sa.sa_mask);
	if (sigaction(signo, &sa, NULL) != 0)
		return -1;
	return ioctl(fd, signo == SIGTRAP ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_REFRESH,
		     signo != SIGTRAP);
}

#endif
