/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine.h - another machine's PMUs, played: its description in sysfs, and its kernel's answers.
 *
 * A machine is a text in tests/machines, in the format of `ompcount check --save' (src/check/save.h).
 * Texts that people write have rules in the place of answers: see machine.c. No event of this
 * machine's kernel is opened: descriptors are files in memory, whose counts, rings and records
 * are made here. Tests link with machine_wraps (tests/local.mk).
 */
#ifndef OMPHWC_TESTS_MACHINE_H
#define OMPHWC_TESTS_MACHINE_H

#include <stddef.h>
#include <stdint.h>

struct perf_event_attr;

/* What the user, or the kernel at this moment, has less of than the machine has. */
enum machine_limit {
	MACHINE_FREE,	/* nothing */
	MACHINE_USER,	/* perf_event_paranoid 2 */
	MACHINE_CLOSED, /* 3, as distributions have it */
	MACHINE_FILTER, /* seccomp, as in containers */
	MACHINE_FILES,	/* no descriptor is left */
	MACHINE_RINGS,	/* no memory for rings is left */
	MACHINE_RATE,	/* the kernel has lowered its limit */
	MACHINE_BUSY,	/* others have pinned all counters */
	MACHINE_HALF,	/* counters are shared: half of the time */
	MACHINE_LIMITS,
};

/* The machine of that name, or of the text at that path; without a limit. */
void machine_begin(const char *name);
void machine_end(void);

void machine_limit(enum machine_limit limit);

/* How many events are open; the request of one of them, and whether it leads its group. */
int machine_open_events(void);
const struct perf_event_attr *machine_event(int fd);

/* The leader's request; NULL: fd leads its group. */
const struct perf_event_attr *machine_leader(int fd);

/* Appends a record to the event's ring, as the kernel does: without room it is lost. */
void machine_record(int fd, uint32_t type, const uint64_t *words, size_t n);

#endif
