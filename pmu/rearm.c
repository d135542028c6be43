/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rearm.c - a signal handler's operations on a counter.
 *
 * All of it is async-signal-safe: no lock, no allocation, no TLS but errno, which
 * is kept. The ring has one reader, the counted thread, and its handler does not
 * interrupt itself.
 */
#include "config.h"

#include "pmu/rearm.h"

#include "pmu/counter.h"
#include "pmu/phase.h"
#include "pmu/wall.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef TRAP_PERF
#define TRAP_PERF 6 /* missing in glibc 2.36 */
#endif

/* RISC-V's driver (Linux, drivers/perf/riscv_pmu_sbi.c) lets a throttled event run on. */
#ifdef __riscv
enum { THROTTLED_ALL_THE_SAME = true };
#else
enum { THROTTLED_ALL_THE_SAME = false };
#endif

char pmu_token[PMU_TAGS];

static int tag_of(uintptr_t token)
{
	uintptr_t tag = token - (uintptr_t)pmu_token;

	return tag < PMU_TAGS ? (int)tag : -1;
}

static int find_timer(const struct pmu_counter *c, int n, int tag)
{
	for (int i = 0; tag >= 0 && i < n; i++)
		if (c[i].timer_open && c[i].tag == (uint32_t)tag)
			return i;
	return -1;
}

static int find_sigtrap(const struct pmu_counter *c, int n, int tag)
{
	for (int i = 0; tag >= 0 && i < n; i++)
		if (c[i].kind == PMU_PERF && c[i].fd > 2 && c[i].delivery == PMU_DELIVERY_SIGTRAP &&
		    c[i].tag == (uint32_t)tag)
			return i;
	return -1;
}

/* si_perf_data, which libc's siginfo_t does not name: the word after si_addr. */
static uintptr_t perf_data(const siginfo_t *info)
{
	uintptr_t data;

	memcpy(&data, (const char *)&info->si_addr + sizeof(void *), sizeof(data));
	return data;
}

int pmu_counter_which(const struct pmu_counter *c, int n, const siginfo_t *info)
{
	if (info->si_code == SI_TIMER)
		return find_timer(c, n, tag_of((uintptr_t)info->si_value.sival_ptr));
	if (info->si_signo == SIGTRAP)
		return info->si_code != TRAP_PERF ? -1 :
						    find_sigtrap(c, n, tag_of(perf_data(info)));
	if (info->si_code < POLL_IN || info->si_code > POLL_HUP)
		return -1;
	for (int i = 0; i < n; i++)
		if (c[i].kind == PMU_PERF && c[i].fd == info->si_fd && info->si_fd > 2 &&
		    c[i].delivery == PMU_DELIVERY_SIGNAL)
			return i;
	return -1;
}

bool pmu_counter_sent(const siginfo_t *info)
{
	if (info->si_code == SI_TIMER)
		return tag_of((uintptr_t)info->si_value.sival_ptr) >= 0;
	return info->si_signo == SIGTRAP && info->si_code == TRAP_PERF &&
	       tag_of(perf_data(info)) >= 0;
}

bool pmu_counter_overflowed(const struct pmu_counter *c)
{
	const struct perf_event_mmap_page *page = c->ring;

	if (c->kind != PMU_PERF || c->fd <= 2 || c->delivery != PMU_DELIVERY_SIGNAL)
		return false;
	return !page || __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE) != page->data_tail;
}

bool pmu_counter_pends(const struct pmu_counter *c)
{
	const int signo = __atomic_load_n(&c->signo, __ATOMIC_RELAXED);
	uint64_t pending = 0;
	int saved = errno;

	if (signo > 0 && syscall(SYS_rt_sigpending, &pending, sizeof(pending)) != 0)
		pending = 0;
	errno = saved;
	return signo > 0 && (pending >> (signo - 1) & 1) != 0;
}

static uint64_t ring_word(const struct pmu_counter *c, uint64_t at)
{
	uint64_t data_bytes = c->ring_bytes / 2;
	uint64_t word;

	/* Records and the ring are aligned to 8 bytes, and multiples of 8 long. */
	memcpy(&word, (const char *)c->ring + data_bytes + at % data_bytes, sizeof(word));
	return word;
}

static void forget_sample(struct pmu_counter *c)
{
	c->sample.ip = c->sample.address = c->sample.source = c->sample.latency = 0;
	c->sample.nkernel = 0;
}

/* Whether the instruction accessed memory: of others the hardware leaves an address, too. */
static bool is_access(uint64_t source)
{
	const union perf_mem_data_src s = { .val = source };

	return (s.mem_op & ~(uint64_t)PERF_MEM_OP_NA) != 0;
}

/* Reads the sample whose body begins at `at', and returns the event's value then. The
   order of the words is that of perf_event_open(2). */
static uint64_t take_sample(struct pmu_counter *c, uint64_t at)
{
	struct pmu_sample *s = &c->sample;
	uint64_t value;

	if (c->sample_type & PERF_SAMPLE_IP) {
		s->ip = ring_word(c, at);
		at += 8;
	}
	if (c->sample_type & PERF_SAMPLE_ADDR) {
		s->address = ring_word(c, at);
		at += 8;
	}
	value = ring_word(c, at);
	c->ran_ns = ring_word(c, at + 2 * 8);
	at += 3 * 8; /* value, enabled, running */
	if (c->sample_type & PERF_SAMPLE_CALLCHAIN) {
		/* The kernel's frames. Words that are no addresses mark whose frames follow. */
		uint64_t n = ring_word(c, at), most = c->ring_bytes / 2 / 8;

		if (n > most)
			n = most;
		for (uint64_t i = 1; i <= n; i++) {
			uint64_t ip = ring_word(c, at + i * 8);

			if ((int64_t)ip < 0 && ip < (uint64_t)PERF_CONTEXT_MAX &&
			    c->sample.nkernel < PMU_KERNEL_FRAMES)
				c->sample.kernel[c->sample.nkernel++] = ip;
		}
		at += (n + 1) * 8;
	}
	if (c->sample_type & PERF_SAMPLE_WEIGHT) {
		s->latency = ring_word(c, at);
		at += 8;
	}
	if (c->sample_type & PERF_SAMPLE_DATA_SRC) {
		s->source = ring_word(c, at);
		if (!is_access(s->source))
			s->address = s->latency = 0;
	}
	return value;
}

/*
 * The kernel stops an event, even a clock, that overflows too often: after one more
 * sample, until the next tick. Some drivers ignore that. Where each signal re-arms
 * the counter, re-arming ends the throttling.
 */
static void throttle(struct pmu_counter *c, uint32_t type, uint64_t time)
{
	if (c->delivery != PMU_DELIVERY_SIGTRAP || THROTTLED_ALL_THE_SAME)
		return;
	if (type == PERF_RECORD_THROTTLE) {
		c->throttled++;
		c->throttled_since = time;
		c->throttled_samples = 0;
	} else if (type == PERF_RECORD_SAMPLE) {
		if (c->throttled_since && ++c->throttled_samples > 1)
			c->throttled_since = 0;
	} else if (type == PERF_RECORD_UNTHROTTLE && c->throttled_since) {
		if (time > c->throttled_since)
			__atomic_store_n(&c->throttled_ns,
					 c->throttled_ns + time - c->throttled_since,
					 __ATOMIC_RELAXED);
		c->throttled_since = 0;
	}
}

/*
 * Reads all new records, and returns what was counted since the last one.
 * sample_type is at least READ: each record has the event's value, so the
 * newest stands for those before it too. (The period that the kernel could report
 * is the one that it aimed at, which is far off while it adjusts.)
 */
static uint64_t drain_ring(struct pmu_counter *c)
{
	struct perf_event_mmap_page *page = c->ring;
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = page->data_tail;
	uint64_t value = c->value, weight;

	while (tail < head) {
		struct perf_event_header h;
		uint64_t word = ring_word(c, tail);

		memcpy(&h, &word, sizeof(h));
		if (h.size < sizeof(h) || h.size % 8)
			break;
		if (h.type == PERF_RECORD_SAMPLE && c->sample_type) {
			forget_sample(c);
			value = take_sample(c, tail + sizeof(h));
		}
		throttle(c, h.type, ring_word(c, tail + sizeof(h)));
		tail += h.size;
	}
	/* The kernel may overwrite what has been read. */
	__atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
	weight = value - c->value;
	c->value = value;
	return weight;
}

uint64_t pmu_counter_weight(struct pmu_counter *c, const siginfo_t *info, uint64_t *overrun)
{
	uint64_t counted = 0;

	*overrun = 0;
	forget_sample(c);
	if (c->kind == PMU_WALL)
		return wall_since(c);
	/* When one overflow was allowed, the last one sends POLL_HUP. POLL_IN means
	   that more are allowed, and re-arming now would keep that surplus for ever. */
	if (c->delivery == PMU_DELIVERY_SIGNAL)
		c->armed = info->si_code == POLL_IN;
	if (c->ring)
		counted = drain_ring(c);
	else if (!c->period || (c->is_clock && c->first)) {
		int error = errno;
		uint64_t words[3], weight = 0;

		/* syscall(), since libc's read() is a cancellation point. */
		if (syscall(SYS_read, c->fd, words, sizeof(words)) == (long)sizeof(words)) {
			weight = words[0] - c->value;
			c->value = words[0];
			c->ran_ns = words[2];
		}
		errno = error;
		counted = weight;
	}
	/* A SIGTRAP has the data's address, too, but not whether the instruction accessed it. */
	if (c->unrecorded && c->faults && c->delivery == PMU_DELIVERY_SIGTRAP)
		c->sample.address = (uintptr_t)info->si_addr;
	return phase_weight(c, counted);
}

void pmu_counter_refresh(struct pmu_counter *c)
{
	int error;

	if (!__atomic_load_n(&c->running, __ATOMIC_SEQ_CST))
		return;
	error = errno;
	ioctl(c->fd, PERF_EVENT_IOC_REFRESH, 1);
	/* REFRESH enables the event: undo that where another thread has stopped the
	   counter meanwhile. */
	if (!__atomic_load_n(&c->running, __ATOMIC_SEQ_CST))
		ioctl(c->fd, PERF_EVENT_IOC_DISABLE, 0);
	errno = error;
}

void pmu_counter_rearm(struct pmu_counter *c)
{
	if (c->kind == PMU_WALL)
		wall_rearm(c);
	if (c->kind != PMU_PERF || c->fd <= 2)
		return;
	phase_set(c);
	if (c->delivery != PMU_DELIVERY_SIGNAL)
		return;
	if (c->armed) {
		c->armed = false;
		return;
	}
	pmu_counter_refresh(c);
}

bool pmu_counter_holds(const struct pmu_counter *c)
{
	uint64_t id;

	if (c->fd <= 2 || c->id == 0)
		return c->fd > 2;
	return ioctl(c->fd, PERF_EVENT_IOC_ID, &id) == 0 && id == c->id;
}

void pmu_counter_drop_aux(struct pmu_counter *c)
{
	const struct pmu_counter aux = { .fd = c->aux, .id = c->aux_id };

	if (pmu_counter_holds(&aux))
		syscall(SYS_close, aux.fd);
	c->aux = 0;
}

void pmu_counter_abandon(struct pmu_counter *c)
{
	int error = errno;

	if (pmu_counter_holds(c))
		syscall(SYS_close, c->fd);
	pmu_counter_drop_aux(c);
	/* Neither a perf ring nor a timer is inherited by a fork's child. */
	c->fd = -1;
	c->ring = NULL;
	if (c->timer_open)
		wall_abandon(c);
	c->timer_open = false;
	c->running = false;
	errno = error;
}
