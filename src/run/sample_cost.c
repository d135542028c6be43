/* SPDX-License-Identifier: BSD-3-Clause */
/* sample_cost.c - signals of a timer, and how long a loop stands still for each. */
#include "config.h"

#include "src/run/sample_cost.h"

#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "src/base/message.h"

/* So many samples a second cost little anywhere. */
#define CHEAP_HZ 5000

/* Of a thread's time: what is worth a word, and what is advised instead. */
#define LARGE 0.2
#define SMALL 0.05

enum { SIGNALS = 31, INTERVAL_NS = 200000, LONGEST_NS = 100000000 };

static volatile sig_atomic_t arrived;

static void sample_cost_arrive(int signal)
{
	(void)signal;
	arrived = 1;
}

static int64_t sample_cost_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int sample_cost_by_time(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

double sample_cost_ns(void)
{
	const int number = SIGRTMAX;
	const struct itimerspec each = { { 0, INTERVAL_NS }, { 0, INTERVAL_NS } };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = number };
	struct sigaction ours = { .sa_handler = sample_cost_arrive, .sa_flags = SA_RESTART },
			 theirs;
	sigset_t unblocked, mask;
	double ns = 0;
	timer_t timer;

	sigemptyset(&unblocked);
	sigaddset(&unblocked, number);
	if (sigaction(number, &ours, &theirs) != 0)
		return 0;
	sigprocmask(SIG_UNBLOCK, &unblocked, &mask);
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0) {
		if (timer_settime(timer, 0, &each, NULL) == 0) {
			/* The median of the times between two readings of the clock that a
			   signal lies between. */
			int64_t gaps[SIGNALS];
			const int64_t begin = sample_cost_now_ns();
			int64_t before = begin, now = begin;
			size_t n = 0;

			while (n < SIGNALS && now - begin < LONGEST_NS) {
				now = sample_cost_now_ns();
				if (arrived) {
					arrived = 0;
					/* It may have arrived behind the reading. */
					const int64_t after = sample_cost_now_ns();

					gaps[n++] = after - before;
					now = after;
				}
				before = now;
			}
			qsort(gaps, n, sizeof(*gaps), sample_cost_by_time);
			ns = n == SIGNALS ? (double)gaps[n / 2] : 0;
		}
		timer_delete(timer);
	}
	sigprocmask(SIG_SETMASK, &mask, NULL);
	sigaction(number, &theirs, NULL);
	return ns;
}

void sample_cost_say(double samples_hz)
{
	const double ns = samples_hz > CHEAP_HZ ? sample_cost_ns() : 0;
	const double part = samples_hz * ns / 1e9;
	struct trouble t;

	if (part < LARGE)
		return;
	trouble(&t, "the program runs that much slower, which no number of the report shows", NULL,
		"%.0f samples a second take %s %.0f %% of each thread's time (%.1f us each here)",
		samples_hz, part < 1 ? "about" : "more than", part < 1 ? 100 * part : 100,
		ns / 1e3);
	snprintf(t.todo, sizeof(t.todo), "-F %.0f takes %.0f %%",
		 SMALL * 1e9 / ns < 100 ? SMALL * 1e9 / ns : 100 * floor(SMALL * 1e7 / ns),
		 100 * SMALL);
	message_trouble(&t);
}
