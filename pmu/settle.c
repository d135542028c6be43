/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settle.c - decides whether this machine counts an event, and what replaces it
 * where it does not.
 */
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pmu/alive.h"
#include "pmu/counter.h"
#include "pmu/event.h"
#include "pmu/explain.h"
#include "pmu/files.h"
#include "pmu/name_source.h"
#include "pmu/perf.h"
#include "pmu/perf_event.h"
#include "pmu/sysfs.h"

enum { KINDS_MAX = 8 }; /* kinds of cores */

/*
 * An event opens even where no counter is free, and waits for its turn. Where other
 * users have pinned all counters, it never runs and yields no sample. A pinned
 * event is in error then, which reads as an end of file.
 */
static bool finds_no_counter(const struct pmu_event *ev)
{
	struct perf_event_attr attr = ev->attr;
	uint64_t words[3];
	ssize_t got;
	int fd;

	if (attr.type == PERF_TYPE_SOFTWARE)
		return false;
	attr.size = sizeof(attr);
	attr.pinned = 1;
	fd = pmu_perf_open(&attr, 0);
	if (fd < 0)
		return false;
	got = read(fd, words, sizeof(words));
	close(fd);
	return got == 0;
}

/* A driver without precise sampling opens the event all the same. */
static bool ignores_precise(const struct pmu_event *ev)
{
	return ev->attr.precise_ip && pmu_sysfs_has_core() && !pmu_sysfs_knows_precise();
}

static int probe_one(const struct pmu_event *ev, struct pmu_refusal *why)
{
	struct pmu_counter c;

	/* Never started, so the signal is never sent. */
	if (pmu_counter_open(&c, ev, (pid_t)syscall(SYS_gettid), PMU_DELIVERY_SIGNAL, SIGRTMIN, 0,
			     why))
		return -1;
	pmu_counter_close(&c);
	if (ev->kind != PMU_PERF)
		return 0;
	if (finds_no_counter(ev))
		pmu_explain_open(ev, EBUSY, why);
	else if (pmu_counts_nothing(ev))
		pmu_explain_silent(ev, why);
	else if (ignores_precise(ev))
		pmu_refuse(why, EOPNOTSUPP, ev->label, "this machine does not sample it precisely",
			   "leave p out");
	else
		return 0;
	return -1;
}

int pmu_event_probe(const struct pmu_event *ev, struct pmu_refusal *why)
{
	struct pmu_event kinds[KINDS_MAX];
	const int n = pmu_event_spread(ev, kinds, KINDS_MAX);

	for (int i = 0; i < n; i++)
		if (!probe_one(&kinds[i], why))
			return 0;
	return -1;
}

uint32_t pmu_rate_allowed(uint32_t freq_hz)
{
	const long most = pmu_file_number("/proc/sys/kernel/perf_event_max_sample_rate", -1);

	return most > 0 && (unsigned long)most < freq_hz ? (uint32_t)most : freq_hz;
}

/* Tries the event less precisely, or also in user code only; if it can be had, stores it in
   *ev. An event that can be reduced has letters at its label's end. */
static bool try_less(struct pmu_event *ev, unsigned precise, bool user_only)
{
	struct pmu_event less = *ev;
	struct perf_event_attr *a = &less.attr;
	char *letters = strrchr(less.label, ':');
	struct pmu_refusal why;

	a->precise_ip = precise & 3;
	a->exclude_kernel |= user_only;
	pmu_ibs_fit(&less);
	snprintf(letters, sizeof(less.label) - (size_t)(letters - less.label), "%s%.*s",
		 a->exclude_kernel ? ":u" :
		 a->exclude_user   ? ":k" :
				     ":uk",
		 (int)precise, "ppp");
	if (pmu_event_probe(&less, &why))
		return false;
	less.substituted = true;
	*ev = less;
	return true;
}

int pmu_event_substitute(struct pmu_event *ev, const struct pmu_rate *rate, struct pmu_refusal *why)
{
	const struct perf_event_attr *a = &ev->attr;
	const char *candidates[3] = { "cpu-clock:u", "cpu-clock:u", "wall" };
	/* The rate for a clock: a period in another event's counts does not apply to it. */
	static const struct pmu_rate standard = { .freq_hz = PMU_DEFAULT_FREQ_HZ };

	struct pmu_rate r = rate->period && !ev->unit_ns ? standard : *rate;
	struct pmu_event stand_in;

	/* Reduces the event: less exactly placed, or without the kernel's share, it still says
	   more than another event. */
	const char *letters = strrchr(ev->label, ':');
	bool both = letters && !strncmp(letters, ":uk", 3);

	for (unsigned precise = ev->attr.precise_ip; precise > 0; precise--)
		if (try_less(ev, precise - 1, false))
			return 0;
	if (both && try_less(ev, 0, true))
		return 0;
	if (!a->exclude_kernel && ev->kind == PMU_PERF)
		candidates[0] = a->exclude_user ? "cpu-clock:k" : "cpu-clock:uk";
	for (size_t i = 0; i < 3; i++) {
		if (pmu_event_parse(candidates[i], &r, &stand_in, why) ||
		    pmu_event_probe(&stand_in, why))
			continue;
		memcpy(stand_in.requested, ev->requested, sizeof(stand_in.requested));
		stand_in.substituted = true;
		*ev = stand_in;
		return 0;
	}
	return -1;
}

int pmu_event_openings(const struct pmu_event *evs, int n, struct pmu_opening *out, int max)
{
	struct pmu_event kinds[KINDS_MAX];
	struct pmu_refusal why;
	int used = 0;

	for (int i = 0; i < n; i++) {
		/* Leave room for one opening of each further event. */
		const int room = max - used - (n - i - 1), before = used;
		const int nkinds = pmu_event_spread(&evs[i], kinds, KINDS_MAX);

		for (int k = 0; nkinds > 1 && k < nkinds && used - before < room; k++)
			if (!pmu_event_probe(&kinds[k], &why))
				out[used++] = (struct pmu_opening){ kinds[k], (uint8_t)i };
		/* One kind of core, or none that counts it: opening it will say why. */
		if (used == before && room > 0)
			out[used++] =
				(struct pmu_opening){ nkinds == 1 ? kinds[0] : evs[i], (uint8_t)i };
	}
	return used;
}
