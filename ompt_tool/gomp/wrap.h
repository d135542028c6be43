/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wrap.h - how entry points are written.
 *
 * Each has two functions. The exported one, of libgomp's name, jumps to libgomp's function
 * without a session, which costs two loads and tests. With a session it jumps to
 * on_NAME(), whose frame then takes its place: frame and return address there are those of
 * the call, and all of it stays in one frame until libgomp's function has returned.
 */
#ifndef OMPHWC_OMPT_TOOL_GOMP_WRAP_H
#define OMPHWC_OMPT_TOOL_GOMP_WRAP_H

#include "ompt_tool/gomp/copies.h"
#include "ompt_tool/gomp/gomp_events.h"
#include "ompt_tool/gomp/self.h"

#define ENTRY_POINT __attribute__((visibility("default")))
#define HERE __builtin_return_address(0)

/* After the last call of a function whose frame must outlast it: no tail call. */
#define KEEP_FRAME() __asm__ volatile("" ::: "memory")

/*
 * The functions named on_NAME(). Asking for the frame's address gives each a frame pointer.
 * They are visible, so that a stripped library still has the names of frames that wait.
 */
#define ON __attribute__((noinline, visibility("protected")))
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* Defines NAME_address, for where a pointer to it is passed on: linkers before binutils 2.36
   make none to what is protected. */
#define ADDRESS_OF(name) \
	__typeof__(name) name##_address __attribute__((alias(#name), visibility("hidden")))

/*
 * Defines the exported function. CODE is the code whose libgomp is to be called (see
 * copies_find()); ARGUMENTS are in parentheses. All calls are jumps, also the first one
 * that has to look for libgomp.
 */
#define WRAP(result, name, parameters, arguments, code) \
	static __attribute__((noinline, cold)) result find_##name parameters \
	{ \
		return copies_find((const void *)(code))->name arguments; \
	} \
	ENTRY_POINT result name parameters; \
	ENTRY_POINT result name parameters \
	{ \
		if (events_on()) \
			return on_##name arguments; \
		if (__builtin_expect(!copies_first.name, 0)) \
			return find_##name arguments; \
		return copies_first.name arguments; \
	}

/* At the beginning of on_NAME(): declares copy, the libgomp to be called. An entry point
   of another runtime is just called. */
#define COPY(code, name, arguments) \
	const struct libgomp *const copy = copies_of((const void *)(code)); \
\
	if (__builtin_expect(!copy->events, 0)) \
	return copy->name arguments

/* Defines an entry point as WRAP() does, and begins on_NAME(): its body follows. */
#define ENTRY(result, name, parameters, arguments, code) \
	ON result on_##name parameters; \
	WRAP(result, name, parameters, arguments, code) \
	ON result on_##name parameters

/* At the beginning of on_NAME(): COPY(), and what entry_begin() does; s is the thread. */
#define ENTER(code, name, arguments) \
	COPY(code, name, arguments); \
	struct entry e; \
	struct self *const s = ENTRY_BEGIN(&e)

/* Defines an entry point around whose function in libgomp statements are executed: with s and e
   of ENTER(). */
#define AROUND(name, parameters, arguments, before, after) \
	ENTRY(void, name, parameters, arguments, HERE) \
	{ \
		ENTER(HERE, name, arguments); \
\
		before; \
		copy->name arguments; \
		after; \
		entry_end(&e); \
	}

/* The same for a function with a result: `got', afterwards. */
#define AROUND_RESULT(result, name, parameters, arguments, before, after) \
	ENTRY(result, name, parameters, arguments, HERE) \
	{ \
		ENTER(HERE, name, arguments); \
\
		before; \
		result const got = copy->name arguments; \
		after; \
		entry_end(&e); \
		return got; \
	}

/* How many steps it takes to pass through span. */
static inline uint64_t wrap_steps(uint64_t span, uint64_t step)
{
	return span == 0 || step == 0 ? 0 : (span - 1) / step + 1;
}

/* How many iterations a loop has. An unsigned one that counts down has -step in incr. */
static inline uint64_t wrap_iterations_ull(bool up, ull start, ull end, ull incr)
{
	if (up ? start >= end : start <= end)
		return 0;
	return up ? wrap_steps(end - start, incr) : wrap_steps(start - end, -incr);
}

static inline uint64_t wrap_iterations(long start, long end, long incr)
{
	if (incr > 0 ? start >= end : start <= end)
		return 0;
	return incr > 0 ? wrap_steps((uint64_t)end - (uint64_t)start, (uint64_t)incr) :
			  wrap_steps((uint64_t)start - (uint64_t)end, -(uint64_t)incr);
}

/* libgomp is not called where a single region ends: no later than at the next barrier or work share
   of its task, or with the body. */
static inline void single_ends(struct self *s, const void *call)
{
	if (__builtin_expect(!s->single, 1))
		return;
	s->single = false;
	s->t.work = GOMP_WORK_SINGLE;
	s->t.work_count = 0;
	event(s, call, GOMP_EVENT_WORK_END);
}

#endif
