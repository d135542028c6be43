/*
 * wrap_sleeps.c - wrappers of calls that sleep and that return early at any signal,
 * even with SA_RESTART (signal(7)).
 *
 * Signals of samples that come to sleeping threads are blocked until the call
 * returns. A timer's overrun count then tells how many were missed.
 */
#include "config.h"

#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#include "ompt_tool/program/masks.h"
#include "ompt_tool/program/next.h"
#include "ompt_tool/program/waits.h"
#include "ompt_tool/program/wrappers.h"

EXPORT int WRAPPER(pause)(void)
{
	const uint64_t s = waits_begin();
	const int result = next.pause();

	waits_end(s);
	return result;
}

EXPORT unsigned WRAPPER(sleep)(unsigned seconds)
{
	const uint64_t s = waits_begin();
	const unsigned left = next.sleep(seconds);

	waits_end(s);
	return left;
}

EXPORT int WRAPPER(usleep)(useconds_t us)
{
	const uint64_t s = waits_begin();
	const int result = next.usleep(us);

	waits_end(s);
	return result;
}

EXPORT int WRAPPER(nanosleep)(const struct timespec *time, struct timespec *left)
{
	const uint64_t s = waits_begin();
	const int result = next.nanosleep(time, left);

	waits_end(s);
	return result;
}

EXPORT int WRAPPER(clock_nanosleep)(clockid_t clock, int flags, const struct timespec *time,
				    struct timespec *left)
{
	const uint64_t s = waits_begin();
	const int result = next.clock_nanosleep(clock, flags, time, left);

	waits_end(s);
	return result;
}

EXPORT int WRAPPER(poll)(struct pollfd *fds, nfds_t n, int timeout)
{
	const uint64_t s = waits_begin();
	const int result = next.poll(fds, n, timeout);

	waits_end(s);
	return result;
}

EXPORT int WRAPPER(select)(int n, fd_set *in, fd_set *out, fd_set *except, struct timeval *timeout)
{
	const uint64_t s = waits_begin();
	const int result = next.select(n, in, out, except, timeout);

	waits_end(s);
	return result;
}

EXPORT int WRAPPER(epoll_wait)(int fd, struct epoll_event *events, int most, int timeout)
{
	const uint64_t s = waits_begin();
	const int result = next.epoll_wait(fd, events, most, timeout);

	waits_end(s);
	return result;
}

EXPORT int WRAPPER(sem_timedwait)(sem_t *sem, const struct timespec *until)
{
	const uint64_t s = waits_begin();
	const int result = next.sem_timedwait(sem, until);

	waits_end(s);
	return result;
}

EXPORT int WRAPPER(sem_clockwait)(sem_t *sem, clockid_t clock, const struct timespec *until)
{
	const uint64_t s = waits_begin();
	const int result = next.sem_clockwait(sem, clock, until);

	waits_end(s);
	return result;
}

/* ---- with a mask of their own --------------------------------------------- */

EXPORT int WRAPPER(ppoll)(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
			  const sigset_t *mask)
{
	const uint64_t s = mask ? 0 : waits_begin();
	struct masks_swap swap;

	next_find();
	mask = masks_swap(&swap, mask);
	const int result = next.ppoll(fds, n, timeout, mask);
	masks_swap_back(&swap);
	waits_end(s);
	return result;
}

EXPORT int WRAPPER(pselect)(int n, fd_set *in, fd_set *out, fd_set *except,
			    const struct timespec *timeout, const sigset_t *mask)
{
	const uint64_t s = mask ? 0 : waits_begin();
	struct masks_swap swap;

	next_find();
	mask = masks_swap(&swap, mask);
	const int result = next.pselect(n, in, out, except, timeout, mask);
	masks_swap_back(&swap);
	waits_end(s);
	return result;
}

EXPORT int WRAPPER(epoll_pwait)(int fd, struct epoll_event *events, int most, int timeout,
				const sigset_t *mask)
{
	const uint64_t s = mask ? 0 : waits_begin();
	struct masks_swap swap;

	next_find();
	mask = masks_swap(&swap, mask);
	const int result = next.epoll_pwait(fd, events, most, timeout, mask);
	masks_swap_back(&swap);
	waits_end(s);
	return result;
}

EXPORT int WRAPPER(epoll_pwait2)(int fd, struct epoll_event *events, int most,
				 const struct timespec *timeout, const sigset_t *mask)
{
	const uint64_t s = mask ? 0 : waits_begin();
	struct masks_swap swap;

	next_find();
	mask = masks_swap(&swap, mask);
	const int result = next.epoll_pwait2(fd, events, most, timeout, mask);
	masks_swap_back(&swap);
	waits_end(s);
	return result;
}

/* ---- by names of their own, for bind.c -------------------------------------- */

#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmissing-attributes" /* of an alias: they are the same */
#endif

static __typeof__(pause) own_pause __attribute__((alias(WRAPPER_NAME(pause))));
static __typeof__(sleep) own_sleep __attribute__((alias(WRAPPER_NAME(sleep))));
static __typeof__(usleep) own_usleep __attribute__((alias(WRAPPER_NAME(usleep))));
static __typeof__(nanosleep) own_nanosleep __attribute__((alias(WRAPPER_NAME(nanosleep))));
static __typeof__(clock_nanosleep) own_clock_nanosleep
	__attribute__((alias(WRAPPER_NAME(clock_nanosleep))));
static __typeof__(poll) own_poll __attribute__((alias(WRAPPER_NAME(poll))));
static __typeof__(select) own_select __attribute__((alias(WRAPPER_NAME(select))));
static __typeof__(epoll_wait) own_epoll_wait __attribute__((alias(WRAPPER_NAME(epoll_wait))));
static __typeof__(sem_timedwait) own_sem_timedwait
	__attribute__((alias(WRAPPER_NAME(sem_timedwait))));
static __typeof__(sem_clockwait) own_sem_clockwait
	__attribute__((alias(WRAPPER_NAME(sem_clockwait))));
static __typeof__(ppoll) own_ppoll __attribute__((alias(WRAPPER_NAME(ppoll))));
static __typeof__(pselect) own_pselect __attribute__((alias(WRAPPER_NAME(pselect))));
static __typeof__(epoll_pwait) own_epoll_pwait __attribute__((alias(WRAPPER_NAME(epoll_pwait))));
static __typeof__(epoll_pwait2) own_epoll_pwait2 __attribute__((alias(WRAPPER_NAME(epoll_pwait2))));

const struct wrapper wrappers_sleeps[] = {
	{ "pause", (void (*)(void))own_pause },
	{ "sleep", (void (*)(void))own_sleep },
	{ "usleep", (void (*)(void))own_usleep },
	{ "nanosleep", (void (*)(void))own_nanosleep },
	{ "clock_nanosleep", (void (*)(void))own_clock_nanosleep },
	{ "poll", (void (*)(void))own_poll },
	{ "select", (void (*)(void))own_select },
	{ "epoll_wait", (void (*)(void))own_epoll_wait },
	{ "sem_timedwait", (void (*)(void))own_sem_timedwait },
	{ "sem_clockwait", (void (*)(void))own_sem_clockwait },
	{ "ppoll", (void (*)(void))own_ppoll },
	{ "pselect", (void (*)(void))own_pselect },
	{ "epoll_pwait", (void (*)(void))own_epoll_pwait },
	{ "epoll_pwait2", (void (*)(void))own_epoll_pwait2 },
};
const size_t wrappers_nsleeps = sizeof(wrappers_sleeps) / sizeof(*wrappers_sleeps);
