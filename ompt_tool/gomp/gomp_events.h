/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gomp_events.h - the session of a collector: whether there is one, and which events it wants.
 */
#ifndef OMPHWC_OMPT_TOOL_GOMP_GOMP_EVENTS_H
#define OMPHWC_OMPT_TOOL_GOMP_GOMP_EVENTS_H

#include <stdbool.h>

#include "ompt_tool/gomp/self.h"

typedef void events_callback(OMP_COLLECTORAPI_EVENT event);

enum {
	EVENTS_STANDARD = OMP_EVENT_THR_END_ATWT + 1,
	EVENTS_OWN = GOMP_EVENT_LAST - OMP_EVENT_THR_RESERVED_IMPL,
	EVENTS = EVENTS_STANDARD + EVENTS_OWN,
};

/* An event's place in a table, or -1: no such event. */
static inline int events_index(int event)
{
	if (event >= OMP_EVENT_FORK && event < EVENTS_STANDARD)
		return event;
	if (event >= OMP_EVENT_THR_RESERVED_IMPL && event < (int)GOMP_EVENT_LAST)
		return event - OMP_EVENT_THR_RESERVED_IMPL + EVENTS_STANDARD;
	return -1;
}

/* Owned by api.c. Whether a session runs: without one, entry points just call libgomp. And what
   was registered; nothing while events are paused. */
extern volatile bool events_session __attribute__((visibility("hidden")));
extern events_callback *volatile events_registered[EVENTS] __attribute__((visibility("hidden")));

/* Calls the callback of an event, unless the thread is in one; errno stays as it is. */
void events_report(struct self *s, const void *call, int event, events_callback *callback)
	__attribute__((visibility("hidden")));

static inline bool events_on(void)
{
	return __builtin_expect(events_session, 0);
}

/* NULL: it is not reported. event must be a constant. */
static inline events_callback *event_callback(int event)
{
	return events_registered[events_index(event)];
}

static inline bool event_is_wanted(int event)
{
	return __builtin_expect(event_callback(event) != 0, 0);
}

/* event must be a constant. */
static inline void event(struct self *s, const void *call, int which)
{
	events_callback *const callback = event_callback(which);

	if (__builtin_expect(callback != 0, 0))
		events_report(s, call, which, callback);
}

/* event(), inline, for what each task does: the callback leaves errno alone. */
static inline __attribute__((always_inline)) void event_here(struct self *s, const void *call,
							     int which)
{
	events_callback *const callback = event_callback(which);

	if (!__builtin_expect(callback && !s->reporting, 1))
		return;
	s->reporting = true;
	s->t.call = call;
	callback((OMP_COLLECTORAPI_EVENT)which);
	s->reporting = false;
}

#endif
