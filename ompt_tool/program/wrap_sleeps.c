/*
 * wrap_sleeps.c - calls that sleep, and that no signal restarts, whatever its
 * handler asks for (signal(7)): a sample that comes to sleeping threads too would end
 * them early.  It waits until the call returns; a timer then tells how often it
 * had come.
 */
#include "config.h"

#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#include "ompt_tool/program/masks.h"
#include "ompt_tool/program/next.h"

#define EXPORT __attribute__((visibility("default")))

static bool shield(void)
{
	next_find();
	return masks_shield();
}

static void unshield(bool shielded)
{
	if (shielded)
		masks_unshield();
}

EXPORT int pause(void)
{
	const bool s = shield();
	const int result = next.pause();

	unshield(s);
	return result;
}

EXPORT unsigned sleep(unsigned seconds)
{
	const bool s = shield();
	const unsigned left = next.sleep(seconds);

	unshield(s);
	return left;
}

EXPORT int usleep(useconds_t us)
{
	const bool s = shield();
	const int result = next.usleep(us);

	unshield(s);
	return result;
}

EXPORT int nanosleep(const struct timespec *time, struct timespec *left)
{
	const bool s = shield();
	const int result = next.nanosleep(time, left);

	unshield(s);
	return result;
}

EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
			   struct timespec *left)
{
	const bool s = shield();
	const int result = next.clock_nanosleep(clock, flags, time, left);

	unshield(s);
	return result;
}

EXPORT int poll(struct pollfd *fds, nfds_t n, int timeout)
{
	const bool s = shield();
	const int result = next.poll(fds, n, timeout);

	unshield(s);
	return result;
}

EXPORT int select(int n, fd_set *in, fd_set *out, fd_set *except, struct timeval *timeout)
{
	const bool s = shield();
	const int result = next.select(n, in, out, except, timeout);

	unshield(s);
	return result;
}

EXPORT int epoll_wait(int fd, struct epoll_event *events, int most, int timeout)
{
	const bool s = shield();
	const int result = next.epoll_wait(fd, events, most, timeout);

	unshield(s);
	return result;
}

EXPORT int sem_timedwait(sem_t *sem, const struct timespec *until)
{
	const bool s = shield();
	const int result = next.sem_timedwait(sem, until);

	unshield(s);
	return result;
}

EXPORT int sem_clockwait(sem_t *sem, clockid_t clock, const struct timespec *until)
{
	const bool s = shield();
	const int result = next.sem_clockwait(sem, clock, until);

	unshield(s);
	return result;
}

/* ---- with a mask of their own --------------------------------------------- */

EXPORT int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
		 const sigset_t *mask)
{
	const bool s = mask == NULL && shield();
	struct masks_swap swap;

	next_find();
	mask = masks_swap(&swap, mask);
	const int result = next.ppoll(fds, n, timeout, mask);
	masks_swap_back(&swap);
	unshield(s);
	return result;
}

EXPORT int pselect(int n, fd_set *in, fd_set *out, fd_set *except,
		   const struct timespec *timeout, const sigset_t *mask)
{
	const bool s = mask == NULL && shield();
	struct masks_swap swap;

	next_find();
	mask = masks_swap(&swap, mask);
	const int result = next.pselect(n, in, out, except, timeout, mask);
	masks_swap_back(&swap);
	unshield(s);
	return result;
}

EXPORT int epoll_pwait(int fd, struct epoll_event *events, int most, int timeout,
		       const sigset_t *mask)
{
	const bool s = mask == NULL && shield();
	struct masks_swap swap;

	next_find();
	mask = masks_swap(&swap, mask);
	const int result = next.epoll_pwait(fd, events, most, timeout, mask);
	masks_swap_back(&swap);
	unshield(s);
	return result;
}

EXPORT int epoll_pwait2(int fd, struct epoll_event *events, int most,
			const struct timespec *timeout, const sigset_t *mask)
{
	const bool s = mask == NULL && shield();
	struct masks_swap swap;

	next_find();
	mask = masks_swap(&swap, mask);
	const int result = next.epoll_pwait2(fd, events, most, timeout, mask);
	masks_swap_back(&swap);
	unshield(s);
	return result;
}
