/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A group's leader is opened counting. The kernel ignores a stopped leader when it
 * checks whether the group fits its counters, and would later never find room for
 * it.
 */
#include "config.h"

#include "pmu/counts.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pmu/alive.h"
#include "pmu/explain.h"
#include "pmu/name_source.h"
#include "pmu/perf.h"
#include "pmu/perf_event.h"
#include "pmu/topdown.h"

/* Precision and rate concern samples. */
static struct pmu_event without_samples(const struct pmu_event *ev)
{
	struct pmu_event plain = *ev;

	plain.freq_hz = 0;
	plain.period = 0;
	plain.attr.precise_ip = 0;
	if (ev->attr.precise_ip && ev->granule)
		pmu_ibs_fit(&plain);
	return plain;
}

static void explain(const struct pmu_event *ev, int error, struct pmu_refusal *why)
{
	const struct pmu_event plain = without_samples(ev);

	if (error == EMFILE || error == ENFILE)
		pmu_explain_descriptor(ev, error, why);
	else
		pmu_explain_open(&plain, error, why);
}

static void fill_attr(const struct pmu_event *ev, struct perf_event_attr *attr)
{
	const struct pmu_event plain = without_samples(ev);

	*attr = plain.attr;
	attr->size = sizeof(*attr);
	attr->disabled = 0;
	attr->sample_period = 0;
	attr->read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
			    PERF_FORMAT_TOTAL_TIME_RUNNING;
}

/* Tries with user-space reads first, then without. Where cores are of several kinds there are
   none: a thread that moves between the look at the page and the read has another kind's
   registers then. */
static int open_event(const struct pmu_event *ev, int leader)
{
	struct perf_event_attr attr;
	int fd;

	fill_attr(ev, &attr);
	if (!ev->core)
		pmu_fastread_request(&attr);
	fd = pmu_perf_open_in(&attr, 0, leader);
	if (fd < 0 && attr.config1 != ev->attr.config1) {
		attr.config1 = ev->attr.config1;
		fd = pmu_perf_open_in(&attr, 0, leader);
	}
	return fd < 0 ? fd : pmu_perf_move(fd);
}

/* Opens the event by itself, or behind the one that has to lead its group. */
static int open_apart(const struct pmu_event *ev)
{
	struct pmu_event slots;
	int leader, fd;

	if (pmu_topdown(ev) != PMU_TOPDOWN_METRIC)
		return open_event(ev, -1);
	pmu_topdown_slots(ev, &slots);
	leader = open_event(&slots, -1);
	if (leader < 0)
		return leader;
	fd = open_event(ev, leader);
	close(leader);
	return fd;
}

static int probe_one(const struct pmu_event *ev, struct pmu_refusal *why)
{
	int fd;

	if (ev->kind != PMU_PERF) {
		pmu_refuse(why, EINVAL, ev->label, "a timer takes samples and counts nothing",
			   "use cpu-clock, or leave it out: times are in the report anyway");
		return -1;
	}
	fd = open_apart(ev);
	if (fd >= 0) {
		close(fd);
		if (!pmu_counts_nothing(ev))
			return 0;
		pmu_explain_silent(ev, why);
		return -1;
	}
	explain(ev, -fd, why);
	return -1;
}

int pmu_counts_probe(const struct pmu_event *ev, struct pmu_refusal *why)
{
	struct pmu_event kinds[PMU_COUNTS_MAX];
	const int n = pmu_event_spread(ev, kinds, PMU_COUNTS_MAX);

	for (int i = 0; i < n; i++)
		if (!probe_one(&kinds[i], why))
			return 0;
	return -1;
}

/* ---- opening --------------------------------------------------------- */

static void group_close(struct pmu_counts *c, int group)
{
	for (int i = c->first[group]; i < c->first[group] + c->size[group]; i++) {
		pmu_fastread_close(&c->counts[i].fast);
		close(c->counts[i].fd);
		c->counts[i].fd = -1;
	}
	c->size[group] = 0;
	c->fast[group] = false;
}

static bool group_map(struct pmu_counts *c, int group)
{
	const int first = c->first[group];

	for (int i = first; i < first + c->size[group]; i++) {
		if (!pmu_fastread_open(&c->counts[i].fast, c->counts[i].fd))
			continue;
		while (i-- > first)
			pmu_fastread_close(&c->counts[i].fast);
		return false;
	}
	return true;
}

/* Opens events first … end-1 of the plan as a group; all of them or none. */
static int group_open(struct pmu_counts *c, const struct pmu_plan *plan, int group, int first,
		      int end, struct pmu_refusal *why)
{
	c->first[group] = (uint8_t)first;
	c->size[group] = 0;
	for (int i = first; i < end; i++) {
		const struct pmu_plan_event *p = &plan->events[i];
		int fd = open_event(&p->event, i == first ? -1 : c->counts[first].fd);

		if (fd < 0) {
			explain(&p->event, -fd, why);
			group_close(c, group);
			return fd;
		}
		c->counts[i] = (struct pmu_count){ .fd = fd,
						   .number = p->number,
						   .group = (uint8_t)group };
		c->size[group]++;
	}
	if (ioctl(c->counts[first].fd, PERF_EVENT_IOC_ID, &c->id[group]))
		c->id[group] = 0;
	return 0;
}

int pmu_counts_open(struct pmu_counts *c, const struct pmu_plan *plan, struct pmu_refusal *why)
{
	struct pmu_refusal none;
	int refused = 0;

	memset(c, 0, sizeof(*c));
	c->n = plan->n;
	c->ngroups = plan->ngroups;
	for (int i = 0; i < plan->n; i++) {
		c->counts[i].fd = -1;
		c->counts[i].number = plan->events[i].number;
		c->counts[i].group = plan->events[i].group;
	}
	for (int g = 0, first = 0, end; g < plan->ngroups; g++, first = end) {
		for (end = first; end < plan->n && plan->events[end].group == g; end++)
			;
		if (group_open(c, plan, g, first, end, refused ? &none : why))
			refused++;
		else if (plan->fast[g])
			c->fast[g] = group_map(c, g);
	}
	return refused;
}

static bool group_holds(const struct pmu_counts *c, int group)
{
	uint64_t id;
	int fd = c->counts[c->first[group]].fd;

	if (!c->size[group] || fd <= 2)
		return false;
	return c->id[group] == 0 || (!ioctl(fd, PERF_EVENT_IOC_ID, &id) && id == c->id[group]);
}

/* Closes all groups. Where a leader's descriptor is the application's by now, so are
   its members': an application that closes descriptors closes them all. */
static void groups_give_up(struct pmu_counts *c, bool mapped)
{
	for (int g = 0; g < c->ngroups; g++) {
		bool holds = group_holds(c, g);

		for (int i = c->first[g]; i < c->first[g] + c->size[g]; i++) {
			if (mapped)
				pmu_fastread_close(&c->counts[i].fast);
			if (holds)
				syscall(SYS_close, c->counts[i].fd);
		}
	}
	memset(c, 0, sizeof(*c));
}

void pmu_counts_close(struct pmu_counts *c)
{
	groups_give_up(c, true);
}

void pmu_counts_abandon(struct pmu_counts *c)
{
	int error = errno;

	/* A fork's child does not inherit the events' pages. */
	groups_give_up(c, false);
	errno = error;
}

/* ---- while it counts ------------------------------------------------- */

static void groups_control(struct pmu_counts *c, unsigned long request)
{
	int error = errno;

	for (int g = 0; g < c->ngroups; g++)
		if (group_holds(c, g))
			ioctl(c->counts[c->first[g]].fd, request, PERF_IOC_FLAG_GROUP);
	errno = error;
}

void pmu_counts_stop(struct pmu_counts *c)
{
	groups_control(c, PERF_EVENT_IOC_DISABLE);
}

void pmu_counts_start(struct pmu_counts *c)
{
	groups_control(c, PERF_EVENT_IOC_ENABLE);
}

int pmu_counts_read(const struct pmu_counts *c, int group, struct pmu_value *values)
{
	uint64_t words[3 + PMU_COUNTS_MAX];
	const size_t size = c->size[group];
	const long bytes = (long)((3 + size) * sizeof(*words));
	int error = errno, ret = -ESTALE;

	if (group_holds(c, group)) {
		/* syscall(), since libc's read() is a cancellation point. */
		long got = syscall(SYS_read, c->counts[c->first[group]].fd, words, bytes);

		ret = got == bytes && words[0] == size ? 0 : got < 0 ? -errno : -EIO;
	}
	errno = error;
	for (size_t i = 0; i < size && !ret; i++)
		values[i] = (struct pmu_value){ words[3 + i], words[1], words[2] };
	return ret;
}
