/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * time_event.h - which event measures the time in which threads ran.
 */
#ifndef OMPHWC_SRC_TABLES_TIME_EVENT_H
#define OMPHWC_SRC_TABLES_TIME_EVENT_H

#include <stdbool.h>
#include <stddef.h>

struct model;
struct model_event;

/* Whether it counts time or CPU cycles. */
bool time_event_is(const struct model_event *e);

/* The first sampled event whose unit is time, else the first of CPU cycles, else -1. */
int time_event(const struct model *m);

/*
 * For each thread of the model, how many nanoseconds one unit of the event's weight stands
 * for. The rate of cycles is the thread's own mean, over all the time in which the event was
 * enabled: also where other events had the hardware counter for a part of it. Of a thread
 * whose counter's end is not known it is that of all. The caller frees it.
 */
double *time_event_scales(const struct model *m, size_t event);

/* Whether OpenMP's threads had a counter of the event. If not (but for 0.5 % of their time),
   time without samples may be work as well as not running. */
bool time_event_sees_all(const struct model *m, size_t event);

#endif
