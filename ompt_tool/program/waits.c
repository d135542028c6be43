/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/program/waits.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <ucontext.h>
#include <unistd.h>

#include "ompt_tool/program/masks.h"
#include "ompt_tool/program/next.h"
#include "ompt_tool/program/program.h"
#include "ompt_tool/program/shared.h"
#include "src/profile/clock.h"
#include "src/profile/syscalls.h"

enum { SECOND_NS = 1000000000 };

static int64_t now_ns(void)
{
	return (int64_t)clock_ns(CLOCK_MONOTONIC);
}

static int64_t ns_of(const struct timespec *t)
{
	if (t->tv_sec > INT64_MAX / 4 / SECOND_NS)
		return INT64_MAX / 4;
	return (int64_t)t->tv_sec * SECOND_NS + t->tv_nsec;
}

static struct timespec left_until(int64_t end)
{
	int64_t left = end - now_ns();

	if (left < 0)
		left = 0;
	return (struct timespec){ .tv_sec = left / SECOND_NS, .tv_nsec = left % SECOND_NS };
}

/* Takes a sample of this place when the wait took a counter's signal. */
static bool is_sample(int signo, siginfo_t *info)
{
	ucontext_t here;

	return getcontext(&here) == 0 && program_hooks.sample_held(signo, info, &here);
}

static __thread volatile bool is_over __attribute__((tls_model("initial-exec")));

bool waits_is_over(void)
{
	return is_over;
}

volatile bool waits_are_timed;

void waits_watch_option(int level, int option)
{
	enum { RCVTIMEO_NEW = 66, SNDTIMEO_NEW = 67 };

	if (level == SOL_SOCKET &&
	    (option == SO_RCVTIMEO || option == SO_SNDTIMEO || option == SO_RCVLOWAT ||
	     option == RCVTIMEO_NEW || option == SNDTIMEO_NEW))
		waits_are_timed = true;
}

static void report_awake(void)
{
	if (program_hooks.awake)
		program_hooks.awake();
}

const sigset_t *waits_begin(struct waits *w, const sigset_t *mask)
{
	next_find();
	w->swap.swapped = false;
	w->shielded = 0;
	report_awake();
	if (mask)
		return masks_swap(&w->swap, mask);
	w->shielded = masks_shield();
	return NULL;
}

void waits_end(const struct waits *w)
{
	if (w->shielded == 0 && !w->swap.swapped)
		return;
	is_over = true;
	if (w->shielded != 0)
		masks_unshield(w->shielded);
	masks_swap_back(&w->swap);
	is_over = false;
	report_awake();
}

/* ---- reads of a device ------------------------------------------------------------ */

enum { READ_MOST = 0x7ffff000, PAGE = 4096 };

/* A part ends with a page, unless it is what the kernel reads at most. */
static bool is_part(size_t bytes, ssize_t result)
{
	return result > 0 && (size_t)result < bytes && result % PAGE == 0 && result < READ_MOST;
}

static bool is_of_memory(int fd)
{
	enum { MEMORY = 1, ZERO = 5, FULL = 7, RANDOM = 8, URANDOM = 9 };
	struct stat s;

	if (call_fstat(fd, &s) != 0 || !S_ISCHR(s.st_mode) || major(s.st_rdev) != MEMORY)
		return false;
	switch (minor(s.st_rdev)) {
	case ZERO:
	case FULL:
	case RANDOM:
	case URANDOM: return true;
	}
	return false;
}

ssize_t waits_read_on(int fd, void *data, size_t bytes, ssize_t result)
{
	const int saved = errno;
	struct waits w;

	if (!is_part(bytes, result) || shared_shielded() == 0 || !is_of_memory(fd))
		return result;
	waits_begin(&w, NULL);
	const ssize_t more = next.read(fd, (char *)data + result, bytes - (size_t)result);
	waits_end(&w);
	errno = saved;
	return more > 0 ? result + more : result;
}

/* ---- waits for signals ----------------------------------------------------------- */

/* Waits until a signal of the program's comes, or the timeout ends. */
static int take_theirs(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
	const int64_t end = timeout ? now_ns() + ns_of(timeout) : 0;
	struct timespec left;

	for (;;) {
		int signo = next.sigtimedwait(set, info, timeout);
		int slot = signo > 0 ? shared_slot(signo) : SHARED_NONE;

		if (slot == SHARED_NONE)
			return signo;
		if (!is_sample(signo, info)) {
			/* The program uses the number: further signals are the
			   program's too. */
			shared_named(signo);
			masks_taken(signo);
			return signo;
		}
		if (timeout) {
			left = left_until(end);
			timeout = &left;
		}
	}
}

int waits_take(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
	siginfo_t own;
	int signo;

	if (!program_is_ours())
		return next.sigtimedwait(set, info, timeout);
	shared_named_in(set);
	if (!info)
		info = &own;
	const struct waits w = { .shielded = masks_shield_but(set) };

	signo = shared_in(set, SHARED_ALL) != 0 ? take_theirs(set, info, timeout) :
						  next.sigtimedwait(set, info, timeout);
	waits_end(&w);
	return signo;
}

/* Leaves the shielded signals out: a reader of the descriptor would take counters' signals. */
int waits_descriptor(int fd, const sigset_t *set, int flags)
{
	sigset_t copy;

	if (!set || !program_is_ours())
		return next.signalfd(fd, set, flags);
	shared_named_in(set);
	copy = *set;
	shared_remove(&copy, shared_shielded());
	return next.signalfd(fd, &copy, flags);
}
