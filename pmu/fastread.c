/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fastread.c - the arithmetic follows linux/perf_event.h, struct
 * perf_event_mmap_page.
 *
 * The kernel changes the page only while the counted thread is off its CPU or in
 * the kernel, and increments its lock before and after. Reader and writer are on
 * one CPU, so compiler barriers suffice; a thread that moves to another CPU
 * meanwhile finds the lock changed.
 */
#include "config.h"

#include "pmu/fastread.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pmu/counter.h"
#include "pmu/perf_event.h"
#include "pmu/register.h"

enum { TRIES = 100 }; /* so many interrupts between two loads */

void pmu_fastread_request(struct perf_event_attr *attr)
{
	pmu_register_request(attr);
}

int pmu_fastread_use(struct pmu_fastread *f, const struct perf_event_mmap_page *page)
{
	f->page = NULL;
	f->page_bytes = 0;
	if (!page->cap_user_rdpmc)
		return -ENOTSUP;
	if (!page->cap_user_time)
		return -ENODATA;
	f->page = page;
	return 0;
}

int pmu_fastread_open(struct pmu_fastread *f, int fd)
{
	size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
	void *page = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
	int err;

	f->page = NULL;
	f->page_bytes = 0;
	if (page == MAP_FAILED)
		return -errno;
	err = pmu_fastread_use(f, page);
	if (err)
		munmap(page, bytes);
	else
		f->page_bytes = (uint32_t)bytes;
	return err;
}

void pmu_fastread_close(struct pmu_fastread *f)
{
	if (f->page_bytes)
		munmap((void *)(uintptr_t)f->page, f->page_bytes);
	f->page = NULL;
	f->page_bytes = 0;
}

/* Nanoseconds since the page's times were written. */
static uint64_t time_since(const volatile struct perf_event_mmap_page *p, uint64_t clock)
{
	unsigned shift = p->time_shift;
	uint64_t whole, rest;

	if (p->cap_user_time_short)
		clock = p->time_cycles + ((clock - p->time_cycles) & p->time_mask);
	whole = clock >> shift;
	rest = clock & ((UINT64_C(1) << shift) - 1);
	return p->time_offset + whole * p->time_mult + (rest * p->time_mult >> shift);
}

bool pmu_fastread_look(const struct pmu_fastread *f, uint64_t clock, struct pmu_fastlook *l)
{
	const volatile struct perf_event_mmap_page *p = f->page;
	uint64_t since;

	l->index = p->index;
	l->width = p->pmc_width;
	if (!l->index || !p->cap_user_rdpmc || l->width == 0 || l->width > 64)
		return false;
	since = time_since(p, clock);
	l->value.enabled_ns = p->time_enabled + since;
	l->value.running_ns = p->time_running + since;
	l->raw = pmu_register_read(l->index);
	/* A counter has fewer than 64 bits, and counts up from a negative value. */
	l->value.value = (uint64_t)p->offset +
			 (uint64_t)((int64_t)(l->raw << (64 - l->width)) >> (64 - l->width));
	return true;
}

int pmu_fastread(const struct pmu_fastread *f, struct pmu_value *v)
{
	const volatile struct perf_event_mmap_page *p = f->page;
	struct pmu_fastlook l;

	for (int i = 0; p && i < TRIES; i++) {
		uint32_t lock = p->lock;
		bool has_counter;

		atomic_signal_fence(memory_order_seq_cst);
		has_counter = pmu_fastread_look(f, pmu_register_clock(), &l);
		atomic_signal_fence(memory_order_seq_cst);
		if (p->lock != lock)
			continue;
		if (has_counter)
			*v = l.value;
		return has_counter ? 0 : -EAGAIN;
	}
	return -EAGAIN;
}

int pmu_fastread_parked(const struct pmu_fastread *f, struct pmu_value *v)
{
	const volatile struct perf_event_mmap_page *p = f->page;

	for (int i = 0; p && i < TRIES; i++) {
		uint32_t lock = p->lock, index;

		atomic_signal_fence(memory_order_seq_cst);
		index = p->index;
		v->value = (uint64_t)p->offset;
		v->enabled_ns = p->time_enabled;
		v->running_ns = p->time_running;
		atomic_signal_fence(memory_order_seq_cst);
		if (p->lock == lock)
			return index ? -EAGAIN : 0;
	}
	return -EAGAIN;
}
