/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wrap_sleeps.c - wrappers of the calls in sleeps.h, and of those by which the program lets others
 * become such calls.
 *
 * Signals of samples that come to sleeping threads are blocked until the call returns: see waits.h.
 * A wrapper's own name is what the reader shows for the time asleep.
 */
#include "config.h"

/* The functions by their own names. */
#undef _FORTIFY_SOURCE

#include <errno.h>
#include <limits.h>
#include <netdb.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ompt_tool/program/next.h"
#include "ompt_tool/program/sleeps.h"
#include "ompt_tool/program/waits.h"
#include "ompt_tool/program/wrappers.h"

/* Without a prototype in libc's headers, as far as these know. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wmissing-variable-declarations"
#endif

static bool waits_for_all(int flags)
{
	return (flags & MSG_WAITALL) != 0;
}

/* A pipe takes so much at once or not at all. */
static bool waits_in_parts(size_t bytes)
{
	return bytes > PIPE_BUF;
}

/* clang-format off */
#define SLEEP(condition, type, name, parameters, arguments) \
	EXPORT type WRAPPER(name) parameters \
	{ \
		struct waits w; \
\
		if (!(condition)) { \
			next_find(); \
			return next.name arguments; \
		} \
		waits_begin(&w, NULL); \
		const type result = next.name arguments; \
		waits_end(&w); \
		return result; \
	}
#define SLEEP_READ(condition, type, name, parameters, arguments) \
	EXPORT type WRAPPER(name) parameters \
	{ \
		struct waits w; \
\
		if (!(condition)) { \
			next_find(); \
			return waits_read_on(fd, data, bytes, next.name arguments); \
		} \
		waits_begin(&w, NULL); \
		const type result = next.name arguments; \
		waits_end(&w); \
		return result; \
	}
#define SLEEP_MASKED(condition, type, name, parameters, arguments) \
	EXPORT type WRAPPER(name) parameters \
	{ \
		struct waits w; \
\
		mask = waits_begin(&w, mask); \
		const type result = next.name arguments; \
		waits_end(&w); \
		return result; \
	}
SLEEPS(SLEEP, SLEEP_READ, SLEEP_MASKED)
/* clang-format on */

/* libaio's; it returns an error's number. Where that library was loaded for its users alone, it
   is none of the next functions. */
typedef struct io_context *io_context_t;
struct io_event;
EXPORT int WRAPPER(io_getevents)(io_context_t context, long least, long most,
				 struct io_event *events, struct timespec *timeout)
{
	struct waits w;
	int result;

	waits_begin(&w, NULL);
	if (next.io_getevents) {
		result = next.io_getevents(context, least, most, events, timeout);
	} else {
		result = (int)syscall(SYS_io_getevents, context, least, most, events, timeout);
		result = result < 0 ? -errno : result;
	}
	waits_end(&w);
	return result;
}

/* ---- what makes calls such calls -------------------------------------------- */

EXPORT int WRAPPER(setsockopt)(int fd, int level, int option, const void *value, socklen_t bytes)
{
	next_find();
	waits_watch_option(level, option);
	return next.setsockopt(fd, level, option, value, bytes);
}

EXPORT int WRAPPER(inotify_init)(void)
{
	next_find();
	waits_are_timed = true;
	return next.inotify_init();
}

EXPORT int WRAPPER(inotify_init1)(int flags)
{
	next_find();
	waits_are_timed = true;
	return next.inotify_init1(flags);
}

/* ---- by names of their own, for bind.c -------------------------------------- */

#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmissing-attributes" /* of an alias: they are the same */
#endif

/* clang-format off */
#define SLEEP_ALIAS(condition, type, name, parameters, arguments) WRAPPER_ALIAS(name)
#define SLEEP_ROW(condition, type, name, parameters, arguments) WRAPPER_ROW(name)
#define OTHERS(X) X(io_getevents) X(setsockopt) X(inotify_init) X(inotify_init1)
SLEEPS(SLEEP_ALIAS, SLEEP_ALIAS, SLEEP_ALIAS)
OTHERS(WRAPPER_ALIAS)
const struct wrapper wrappers_sleeps[] = {
	SLEEPS(SLEEP_ROW, SLEEP_ROW, SLEEP_ROW)
	OTHERS(WRAPPER_ROW)
};
/* clang-format on */
const size_t wrappers_nsleeps = sizeof(wrappers_sleeps) / sizeof(*wrappers_sleeps);
