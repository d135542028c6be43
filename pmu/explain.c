/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "pmu/explain.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "pmu/event.h"
#include "pmu/files.h"
#include "pmu/perf.h"
#include "pmu/sysfs.h"
#include "pmu/topdown.h"

#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"
#define NO_MEMORY "the kernel is out of memory, or of room for one more event"
#define FEWER "ask for fewer events"

static bool capable(int capability)
{
	return pmu_status_field("CapEff:", 16, 0) >> capability & 1;
}

static void explain_denied(const struct pmu_event *ev, int error, struct pmu_refusal *why)
{
	const long paranoid = pmu_file_number(PARANOID, -2);

	/* Where the kernel's settings let this user have ev, something else refused it. Levels
	   above 2 are distributions' own; Debian's requires CAP_SYS_ADMIN. */
	if (capable(CAP_SYS_ADMIN) || paranoid <= 1 ||
	    (paranoid <= 2 && (ev->attr.exclude_kernel || capable(CAP_PERFMON)))) {
		pmu_refuse(why, error, ev->label,
			   pmu_status_field("Seccomp:", 10, 0) ?
				   "a seccomp filter (this container's, mostly) forbids "
				   "perf_event_open" :
				   "a security module forbids perf_event_open",
			   "let the container use perf_event_open (docker: "
			   "--cap-add PERFMON), or use wall");
		return;
	}
	if (paranoid > 2) {
		pmu_refuse_because(why, error, ev->label,
				   "as root: sysctl kernel.perf_event_paranoid=2; or use wall",
				   "kernel.perf_event_paranoid is %ld: %s", paranoid,
				   capable(CAP_PERFMON) ? "CAP_PERFMON is not enough here" :
							  "only privileged users may count");
		return;
	}
	pmu_refuse_because(why, error, ev->label,
			   "count user code only (:u); or as "
			   "root: sysctl kernel.perf_event_paranoid=1",
			   "kernel.perf_event_paranoid is %ld: ordinary users may not "
			   "count the kernel's side",
			   paranoid);
}

enum { LESS_PRECISE = 1, NOT_PRECISE = 2, NO_SAMPLES = 4, BOTH_SIDES = 8 };

static const struct {
	unsigned left_out; /* of the request */
	const char *why;
	const char *todo;
} relaxations[] = {
	{ LESS_PRECISE, "this machine does not sample it that precisely", "use fewer p" },
	{ BOTH_SIDES, "its PMU cannot leave the kernel, or user code, out", "use it with :uk" },
	{ NOT_PRECISE, "this machine does not sample it precisely", "leave p out" },
	{ NO_SAMPLES, "its PMU counts, but signals no overflow", "--count counts it" },
	{ NO_SAMPLES | BOTH_SIDES, "its PMU counts, but signals no overflow",
	  "--count counts it with :uk" },
};

static void leave_out(unsigned what, struct perf_event_attr *a)
{
	if (what & LESS_PRECISE && a->precise_ip > 1)
		a->precise_ip = (a->precise_ip - 1) & 3;
	if (what & (NOT_PRECISE | NO_SAMPLES))
		a->precise_ip = 0;
	if (what & NO_SAMPLES) {
		a->freq = 0;
		a->sample_period = 0;
	}
	if (what & BOTH_SIDES)
		a->exclude_user = a->exclude_kernel = a->exclude_hv = 0;
}

/* Whether no event of the PMU can leave out a side: cycles can't. */
static bool leaves_no_side_out(void)
{
	const struct perf_event_attr cycles = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(cycles),
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.disabled = 1,
		.exclude_kernel = 1,
	};

	return pmu_perf_try(&cycles) == -EINVAL;
}

/* Finds by smaller requests what the kernel refuses. */
static bool explain_relaxed(const struct pmu_event *ev, int error, struct pmu_refusal *why)
{
	bool denied = false;

	for (size_t i = 0; i < sizeof(relaxations) / sizeof(relaxations[0]); i++) {
		struct perf_event_attr asked = ev->attr, less;

		asked.sample_period = ev->freq_hz ? pmu_rate_allowed(ev->freq_hz) : ev->period;
		asked.freq = ev->freq_hz != 0;
		less = asked;
		leave_out(relaxations[i].left_out, &less);
		if (!memcmp(&less, &asked, sizeof(less)))
			continue;
		const int refused = pmu_perf_try(&less);

		denied |= refused == -EACCES || refused == -EPERM;
		if (refused)
			continue;
		pmu_refuse(why, error, ev->label, relaxations[i].why, relaxations[i].todo);
		return true;
	}
	/* The smaller request is for the kernel's side, too, which this user may not have. */
	if (!denied || !ev->attr.exclude_kernel || !leaves_no_side_out())
		return false;
	pmu_refuse_because(why, error, ev->label,
			   "as root: sysctl kernel.perf_event_paranoid=1, and use it with :uk",
			   "its PMU cannot leave the kernel out, and kernel.perf_event_paranoid is "
			   "%ld: ordinary users may not count the kernel's side",
			   pmu_file_number(PARANOID, -2));
	return true;
}

static void explain_absent(const struct pmu_event *ev, int error, struct pmu_refusal *why)
{
	if (explain_relaxed(ev, error, why))
		return;
	if (ev->attr.type == PERF_TYPE_SOFTWARE)
		pmu_refuse(why, error, ev->label, "this kernel does not know it",
			   "see ompcount list");
	else if (!pmu_sysfs_has_core())
		pmu_refuse(why, error, ev->label,
			   "this machine has no PMU (a virtual machine, mostly)", "use cpu-clock");
	else
		pmu_refuse(why, error, ev->label, "this machine's PMU has no such event",
			   "see ompcount list");
}

static void explain_descriptors(const struct pmu_event *ev, int error, struct pmu_refusal *why)
{
	struct rlimit limit = { 0, 0 };
	char todo[PMU_REFUSAL_BYTES];

	if (error == ENFILE) {
		pmu_refuse(why, error, ev->label, "the system has no file descriptors left",
			   "as root: raise fs.file-max");
		return;
	}
	getrlimit(RLIMIT_NOFILE, &limit);
	if (limit.rlim_max > limit.rlim_cur)
		snprintf(todo, sizeof(todo), "ulimit -n %llu, or ask for fewer events",
			 limit.rlim_max == RLIM_INFINITY ? 65536ull :
							   (unsigned long long)limit.rlim_max);
	else
		snprintf(todo, sizeof(todo),
			 "have the hard limit raised (ulimit -Hn, as "
			 "root), or ask for fewer events");
	pmu_refuse_because(why, error, ev->label, todo,
			   "the process has no file "
			   "descriptors left: RLIMIT_NOFILE is %llu, and each thread "
			   "needs one an event",
			   (unsigned long long)limit.rlim_cur);
}

static void explain_invalid(const struct pmu_event *ev, int error, struct pmu_refusal *why)
{
	if (pmu_topdown(ev) == PMU_TOPDOWN_METRIC)
		pmu_refuse(
			why, error, ev->label,
			"it is a share of slots: the kernel counts it only in a group that slots "
			"leads, and never samples it",
			"--count=slots, and then it");
	else if (!explain_relaxed(ev, error, why))
		pmu_refuse(why, error, ev->label,
			   "the kernel finds it invalid: its PMU "
			   "knows no such code, or does not count for single threads",
			   "see ompcount list");
}

static void explain_blocked(const struct pmu_event *ev, int error, struct pmu_refusal *why)
{
	pmu_refuse(
		why, error, ev->label,
		pmu_status_field("Seccomp:", 10, 0) ?
			"perf_event_open is blocked (a seccomp filter, this container's mostly)" :
			"this kernel has no perf_event_open",
		"let the container use perf_event_open (docker: "
		"--cap-add PERFMON), or use wall");
}

static const struct {
	int error;
	void (*explain)(const struct pmu_event *, int, struct pmu_refusal *); /* or the texts: */
	const char *why;
	const char *todo;
} explanations[] = {
	{ ENOENT, .explain = explain_absent },
	{ ENODEV, .explain = explain_absent },
	{ ENXIO, .explain = explain_absent },
	{ EOPNOTSUPP, .explain = explain_absent },
	{ EACCES, .explain = explain_denied },
	{ EPERM, .explain = explain_denied },
	{ EMFILE, .explain = explain_descriptors },
	{ ENFILE, .explain = explain_descriptors },
	{ EINVAL, .explain = explain_invalid },
	{ ENOSYS, .explain = explain_blocked },
	{ EBUSY, NULL, "other users of the PMU hold all its counters",
	  "end other profilers; as root: sysctl kernel.nmi_watchdog=0" },
	{ E2BIG, NULL, "this kernel is older than what was asked for (sigtrap needs 5.18)",
	  "use signal delivery" },
	{ ENOMEM, NULL, NO_MEMORY, FEWER },
	{ ENOSPC, NULL, NO_MEMORY, FEWER },
	{ ENODATA, NULL,
	  "this processor samples it only beside another event (mem-loads-aux), which could not be "
	  "opened",
	  "ask for fewer events, or leave p out" },
	{ ESRCH, NULL, "the thread has ended", NULL },
};

void pmu_explain_open(const struct pmu_event *ev, int error, struct pmu_refusal *why)
{
	for (size_t i = 0; i < sizeof(explanations) / sizeof(explanations[0]); i++) {
		if (explanations[i].error != error)
			continue;
		if (explanations[i].explain)
			explanations[i].explain(ev, error, why);
		else
			pmu_refuse(why, error, ev->label, explanations[i].why,
				   explanations[i].todo);
		return;
	}
	pmu_refuse(why, error, ev->label, strerror(error), NULL);
}

void pmu_explain_timer(const struct pmu_event *ev, int error, struct pmu_refusal *why)
{
	struct rlimit limit = { 0, 0 };

	if (error != EAGAIN) {
		pmu_refuse(why, error, ev->label, strerror(error), NULL);
		return;
	}
	getrlimit(RLIMIT_SIGPENDING, &limit);
	pmu_refuse_because(why, error, ev->label, "ulimit -i unlimited, or use cpu-clock",
			   "no timer is left: RLIMIT_SIGPENDING is %llu, and each thread needs one",
			   (unsigned long long)limit.rlim_cur);
}

void pmu_explain_descriptor(const struct pmu_event *ev, int error, struct pmu_refusal *why)
{
	if (error == EMFILE || error == ENFILE)
		explain_descriptors(ev, error, why);
	else
		pmu_refuse(why, error, ev->label,
			   "its signal could not be directed to "
			   "one thread: the kernel, or a seccomp filter, refuses fcntl",
			   "use wall");
}

void pmu_explain_silent(const struct pmu_event *ev, struct pmu_refusal *why)
{
	pmu_refuse(why, ENODEV, ev->label,
		   "this machine's PMU opens it, but never counts (a virtual machine's, mostly)",
		   "use cpu-clock");
}

void pmu_explain_ring(const struct pmu_event *ev, struct pmu_refusal *why)
{
	pmu_refuse_because(why, EPERM, ev->label,
			   "as root: raise kernel.perf_event_mlock_kb; or ulimit -l unlimited",
			   "no memory is left for the kernel's records of its samples: "
			   "kernel.perf_event_mlock_kb is %ld for each CPU and user",
			   pmu_file_number("/proc/sys/kernel/perf_event_mlock_kb", -1));
}
