/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fastread.h - reads a running event's count without a system call.
 *
 * The kernel publishes an event's state in a page that can be mapped: its present
 * hardware counter, what to add to it, and how its times follow from the CPU's
 * clock (struct perf_event_mmap_page in linux/perf_event.h). Where the kernel lets
 * user code read the counter, the counted thread gets the count for a few loads.
 *
 * request, open and close are for ordinary code; pmu_fastread() is signal-safe.
 */
#ifndef OMPHWC_PMU_FASTREAD_H
#define OMPHWC_PMU_FASTREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu/counter.h"

struct perf_event_attr;
struct perf_event_mmap_page;

struct pmu_fastread {
	const struct perf_event_mmap_page *page; /* NULL: closed */
	uint32_t page_bytes;			 /* mapped by open; 0: the page belongs to a ring */
};

/* Requests user-space reads in attr, before the event is opened, on machines that
   require it. Where the kernel refuses, open the event without. */
void pmu_fastread_request(struct perf_event_attr *attr);

/*
 * Maps the page of the event at fd. 0; -ENOTSUP where the kernel refuses user-space
 * reads, -ENODATA where it does not say how times follow from the CPU's clock (nothing
 * is mapped); or -errno. Each mapping counts against
 * perf_event_mlock_kb and RLIMIT_MEMLOCK.
 */
int pmu_fastread_open(struct pmu_fastread *f, int fd);

/* The same for a page that is mapped already, as the first of an event's ring. */
int pmu_fastread_use(struct pmu_fastread *f, const struct perf_event_mmap_page *page);

/* Idempotent; a zeroed struct counts as closed. */
void pmu_fastread_close(struct pmu_fastread *f);

/*
 * The event's value and times up to now, as by read(2). Only in the thread that the
 * event counts. 0, or -EAGAIN when the event has no counter now (it is stopped, or
 * others have their turn), or its times can't be computed: use read(2) then.
 */
int pmu_fastread(const struct pmu_fastread *f, struct pmu_value *v);

/* The parts of such a reading. */
struct pmu_fastlook {
	struct pmu_value value;
	uint64_t raw;	/* the register */
	uint32_t index; /* the register's number */
	unsigned width; /* the register's width in bits */
};

/* Reads the page of an open event once, with clock from pmu_register_clock(). True if
   the event has a counter now. The reading is valid only if the page's lock is the same
   before and after. */
bool pmu_fastread_look(const struct pmu_fastread *f, uint64_t clock, struct pmu_fastlook *l);

/*
 * The value and running time of an event that has no counter now, and whose counter
 * user code may read at other times: both stand still meanwhile. enabled_ns is that
 * of when the event last had a counter. 0, or -EAGAIN when it has a counter again.
 */
int pmu_fastread_parked(const struct pmu_fastread *f, struct pmu_value *v);

#endif
