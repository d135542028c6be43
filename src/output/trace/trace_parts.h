/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace_parts.h - shared by the parts of the format trace, and private to them.
 */
#ifndef OMPHWC_SRC_OUTPUT_TRACE_TRACE_PARTS_H
#define OMPHWC_SRC_OUTPUT_TRACE_TRACE_PARTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct report;

/* Tracks of a process behind those of its threads: their events, and its longest entries. */
enum { EVENTS_TRACK = 500000000, LONGEST_TRACK = 1000000000 };

struct trace_output {
	FILE *out;
	const struct report *report;
	bool any; /* an event has been written */
};

/* `{"ph":…,"pid":…,"tid":…`; the caller writes the rest. */
void trace_begin(struct trace_output *t, const char *phase, uint32_t process, uint32_t thread);

/* `,"key":"value"`; invalid UTF-8 is replaced. */
void trace_text(const struct trace_output *t, const char *key, const char *value);

/* `,"key":microseconds` */
void trace_time(const struct trace_output *t, const char *key, double ns);

/* The name of a process or thread. */
void trace_meta(struct trace_output *t, const char *name, uint32_t process, uint32_t thread,
		const char *value);

/* "solve:12 (app.c)"; malloc'ed. */
char *trace_region(const struct trace_output *t, uint32_t region);

/* Writes the events of all threads' rings. */
void trace_rings(struct trace_output *t);

#endif
