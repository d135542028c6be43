/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The signal is the process's, not a thread's: the main thread may be in a call that holds our
 * signals back, and may have ended.
 */
#include "config.h"

#include "ompt_tool/tool/window.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "ompt_tool/sample/sampling.h"
#include "ompt_tool/tool/threads.h"
#include "ompt_tool/tool/tool_parts.h"
#include "ompt_tool/tree/process.h"
#include "src/profile/clock.h"

#define NS_PER_S UINT64_C(1000000000)

enum { NO_TIMER = -1, RETRY_NS = 1000000 };

/* Owned by this file. Times of CLOCK_MONOTONIC; 0: there is none. */
static uint64_t from_ns, until_ns;
static bool begun, over;
static int signal_number;
static _Atomic int timer = NO_TIMER;
static char token; /* its address marks the timer's signals */

void window_prepare(uint64_t delay_ns, uint64_t duration_ns)
{
	const uint64_t begin = clock_ns(CLOCK_MONOTONIC) + delay_ns;

	from_ns = delay_ns != 0 ? begin : 0;
	until_ns = duration_ns != 0 ? begin + duration_ns : 0;
	begun = from_ns == 0;
}

bool window_wanted(void)
{
	return from_ns != 0 || until_ns != 0;
}

bool window_waits(void)
{
	return !begun;
}

void window_describe(struct prof_header *h)
{
	h->sampled_from_ns = from_ns;
	h->sampled_until_ns = over ? until_ns : 0;
}

static void describe(void)
{
	if (process_has_profile())
		window_describe(prof_header(&process.writer));
}

/* At that time of the clock; in the past: at once. */
static void set_timer(int id, uint64_t at_ns)
{
	const struct itimerspec t = { .it_value = { .tv_sec = (time_t)(at_ns / NS_PER_S),
						    .tv_nsec = (long)(at_ns % NS_PER_S) } };

	syscall(SYS_timer_settime, id, TIMER_ABSTIME, &t, NULL);
}

static void set_next(void)
{
	const int id = atomic_load(&timer);

	if (id != NO_TIMER && !begun)
		set_timer(id, from_ns);
	else if (id != NO_TIMER && until_ns != 0 && !over)
		set_timer(id, until_ns);
}

static void begin(uint64_t now)
{
	from_ns = now;
	begun = true;
	describe();
	threads_pause(false);
}

/* The thread may be about to start or stop counters itself: then a little later. */
static bool take(const siginfo_t *info)
{
	const uint64_t now = clock_ns(CLOCK_MONOTONIC);
	const int id = atomic_load(&timer);

	if (info->si_code != SI_TIMER || info->si_value.sival_ptr != &token)
		return false;
	if (id == NO_TIMER)
		return true;
	if (threads_are_busy()) {
		set_timer(id, now + RETRY_NS);
		return true;
	}
	if (!begun && now >= from_ns)
		begin(now);
	if (begun && until_ns != 0 && !over && now >= until_ns) {
		threads_end_all();
		until_ns = now;
		over = true;
		describe();
		control_note_pause();
	}
	set_next();
	return true;
}

/* Bare system calls: libc's timer_create() may allocate. */
bool window_start(int signo)
{
	struct sigevent sev;
	int id;

	signal_number = signo;
	if (!window_wanted() || (begun && (until_ns == 0 || over)))
		return true;
	memset(&sev, 0, sizeof(sev));
	sev.sigev_notify = SIGEV_SIGNAL;
	sev.sigev_signo = signo;
	sev.sigev_value.sival_ptr = &token;
	if (signo <= 0 || syscall(SYS_timer_create, CLOCK_MONOTONIC, &sev, &id) != 0) {
		if (!begun)
			begin(0);
		until_ns = 0;
		return false;
	}
	window_stop();
	atomic_store(&sampling.other, take);
	atomic_store(&timer, id);
	set_next();
	return true;
}

void window_stop(void)
{
	const int id = atomic_exchange(&timer, NO_TIMER);

	if (id != NO_TIMER)
		syscall(SYS_timer_delete, id);
}

void window_resume(void)
{
	atomic_store(&timer, NO_TIMER);
	window_start(signal_number);
}
