/*
 * fastread.h - a running event's count without a system call.
 *
 * The kernel publishes where an event stands in a page that can be mapped: which
 * hardware counter it has at the moment, what to add to it, and how its times
 * follow from the CPU's clock (struct perf_event_mmap_page in
 * linux/perf_event.h).  Where the kernel lets user code read the counter, its
 * own thread has the count for the price of a few loads.
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
	uint32_t page_bytes;	/* mapped by open; 0: the page is another's */
};

/* Asks for user-space reads, where the machine wants to be asked, of an event
   that is still to be opened.  Where it refuses, open the event without. */
void pmu_fastread_request(struct perf_event_attr *attr);

/*
 * Maps the page of the event at fd.  Where the kernel refuses user-space reads of
 * it, -ENOTSUP, and nothing is mapped; else 0 or -errno.  Each mapping counts
 * against perf_event_mlock_kb and RLIMIT_MEMLOCK.
 */
int pmu_fastread_open(struct pmu_fastread *f, int fd);

/* The same of a page that is mapped already, as the first of an event's ring. */
int pmu_fastread_use(struct pmu_fastread *f, const struct perf_event_mmap_page *page);

/* Idempotent; a zeroed one counts as closed. */
void pmu_fastread_close(struct pmu_fastread *f);

/*
 * The event's value and times up to now, as read(2) would give them.  In the
 * thread only that the event counts.  0, or -EAGAIN when the event has no
 * counter at this moment (it is stopped, or others have their turn), or its
 * times can't be told from here: use read(2) then.
 */
int pmu_fastread(const struct pmu_fastread *f, struct pmu_value *v);

/* What such a reading is made of. */
struct pmu_fastlook {
	struct pmu_value value;
	uint64_t raw;		/* the register */
	uint32_t index;		/* whose it is */
	unsigned width;		/* the register's bits */
};

/* One look at the page of an open event, when pmu_register_clock() is clock: whether
   the event has a counter now.  It is true only if the page's lock is the same before
   and after. */
bool pmu_fastread_look(const struct pmu_fastread *f, uint64_t clock, struct pmu_fastlook *l);

/*
 * The value and running time of an event that has no counter at this moment,
 * where it is known that user code may read it when it has one: they stand still
 * meanwhile.  enabled_ns is what it was when the event last had one.  0, or
 * -EAGAIN when it has got its counter back.
 */
int pmu_fastread_parked(const struct pmu_fastread *f, struct pmu_value *v);

#endif
