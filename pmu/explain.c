/*
 * explain.c - what errno of perf_event_open(2) and friends means here and now,
 * and what would help.
 */
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

#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

static bool hardware(const struct pmu_event *ev)
{
	return ev->attr.type != PERF_TYPE_SOFTWARE;
}

static bool capable(void)
{
	unsigned long long caps = pmu_status_field("CapEff:", 16, 0);

	return caps & (1ull << CAP_PERFMON | 1ull << CAP_SYS_ADMIN);
}

/* Whether the kernel would let this user have ev, as far as it tells: what it
   refuses nevertheless, something else refused. */
static bool kernel_would_allow(const struct pmu_event *ev)
{
	long paranoid = pmu_file_number(PARANOID, -2);

	return capable() || (paranoid <= 2 && ev->attr.exclude_kernel) || paranoid <= 1;
}

static void explain_denied(const struct pmu_event *ev, int error,
			   struct pmu_refusal *why)
{
	long paranoid = pmu_file_number(PARANOID, -2);
	char text[PMU_REFUSAL_BYTES];

	if (kernel_would_allow(ev)) {
		pmu_refuse(why, error, ev->label, pmu_status_field("Seccomp:", 10, 0) ?
			   "a seccomp filter (this container's, mostly) forbids "
			   "perf_event_open" :
			   "a security module forbids perf_event_open",
			   "let the container use perf_event_open (docker: "
			   "--cap-add PERFMON), or use wall");
		return;
	}
	if (paranoid > 2) {
		snprintf(text, sizeof(text), "kernel.perf_event_paranoid is %ld: only "
			 "privileged users may count", paranoid);
		pmu_refuse(why, error, ev->label, text,
			   "as root: sysctl kernel.perf_event_paranoid=2; or use wall");
		return;
	}
	snprintf(text, sizeof(text), "kernel.perf_event_paranoid is %ld: ordinary users "
		 "may not count the kernel's side", paranoid);
	pmu_refuse(why, error, ev->label, text,
		   "count user code only (:u); or as root: "
		   "sysctl kernel.perf_event_paranoid=1");
}

static void explain_absent(const struct pmu_event *ev, int error,
			   struct pmu_refusal *why)
{
	if (ev->attr.precise_ip)
		pmu_refuse(why, error, ev->label, "this machine does not sample it "
			   "precisely", "leave p out");
	else if (!hardware(ev))
		pmu_refuse(why, error, ev->label, "this kernel does not know it",
			   "see ompcount list");
	else
		pmu_refuse(why, error, ev->label, "this machine's PMU has no such event, "
			   "or there is no PMU (a virtual machine, mostly)",
			   "use cpu-clock; ompcount list shows what can be counted");
}

static void explain_descriptors(const struct pmu_event *ev, int error,
				struct pmu_refusal *why)
{
	struct rlimit limit = { 0, 0 };
	char text[PMU_REFUSAL_BYTES], todo[PMU_REFUSAL_BYTES];

	if (error == ENFILE) {
		pmu_refuse(why, error, ev->label, "the system has no file descriptors "
			   "left", "as root: raise fs.file-max");
		return;
	}
	getrlimit(RLIMIT_NOFILE, &limit);
	snprintf(text, sizeof(text), "the process has no file descriptors left: "
		 "RLIMIT_NOFILE is %llu, and each thread needs one an event",
		 (unsigned long long)limit.rlim_cur);
	snprintf(todo, sizeof(todo), "ulimit -n %llu, or ask for fewer events",
		 limit.rlim_max == RLIM_INFINITY ? 65536ull :
		 (unsigned long long)limit.rlim_max);
	pmu_refuse(why, error, ev->label, text, todo);
}

static void explain_invalid(const struct pmu_event *ev, int error,
			    struct pmu_refusal *why)
{
	long most = pmu_file_number("/proc/sys/kernel/perf_event_max_sample_rate", -1);
	char text[PMU_REFUSAL_BYTES];

	if (ev->freq_hz && most >= 0 && ev->freq_hz > (unsigned long)most) {
		snprintf(text, sizeof(text), "%u samples a second: "
			 "kernel.perf_event_max_sample_rate is %ld", ev->freq_hz, most);
		pmu_refuse(why, error, ev->label, text, "ask for a lower rate, or a period");
		return;
	}
	pmu_refuse(why, error, ev->label, "the kernel finds it invalid: the PMU counts "
		   "whole CPUs and not threads, or cannot leave the kernel out",
		   ev->attr.exclude_kernel || ev->attr.precise_ip ?
		   "try it with :uk, without p" : "see ompcount list");
}

static void explain_blocked(const struct pmu_event *ev, int error,
			    struct pmu_refusal *why)
{
	pmu_refuse(why, error, ev->label, pmu_status_field("Seccomp:", 10, 0) ?
		   "perf_event_open is blocked (a seccomp filter, this container's "
		   "mostly)" : "this kernel has no perf_event_open",
		   "use wall; or let the container use perf_event_open (docker: "
		   "--cap-add PERFMON)");
}

static void explain_busy(const struct pmu_event *ev, int error,
			 struct pmu_refusal *why)
{
	pmu_refuse(why, error, ev->label, "another user of the PMU holds it",
		   "end other profilers; as root: sysctl kernel.nmi_watchdog=0");
}

static void explain_new(const struct pmu_event *ev, int error,
			struct pmu_refusal *why)
{
	pmu_refuse(why, error, ev->label, "this kernel is older than what was asked for "
		   "(sigtrap needs 5.18)", "use signal delivery");
}

static void explain_memory(const struct pmu_event *ev, int error,
			   struct pmu_refusal *why)
{
	pmu_refuse(why, error, ev->label, "the kernel is out of memory, or of room for "
		   "one more event", "ask for fewer events");
}

static void explain_gone(const struct pmu_event *ev, int error,
			 struct pmu_refusal *why)
{
	pmu_refuse(why, error, ev->label, "the thread has ended", NULL);
}

static const struct {
	int error;
	void (*explain)(const struct pmu_event *, int, struct pmu_refusal *);
} explanations[] = {
	{ ENOENT, explain_absent },
	{ ENODEV, explain_absent },
	{ ENXIO, explain_absent },
	{ EOPNOTSUPP, explain_absent },
	{ EACCES, explain_denied },
	{ EPERM, explain_denied },
	{ EMFILE, explain_descriptors },
	{ ENFILE, explain_descriptors },
	{ EINVAL, explain_invalid },
	{ ENOSYS, explain_blocked },
	{ EBUSY, explain_busy },
	{ E2BIG, explain_new },
	{ ENOMEM, explain_memory },
	{ ENOSPC, explain_memory },
	{ ESRCH, explain_gone },
};

enum { NEXPLANATIONS = sizeof(explanations) / sizeof(explanations[0]) };

void pmu_explain_open(const struct pmu_event *ev, int error, struct pmu_refusal *why)
{
	for (size_t i = 0; i < NEXPLANATIONS; i++) {
		if (explanations[i].error == error) {
			explanations[i].explain(ev, error, why);
			return;
		}
	}
	pmu_refuse(why, error, ev->label, strerror(error), NULL);
}

void pmu_explain_timer(const struct pmu_event *ev, int error, struct pmu_refusal *why)
{
	struct rlimit limit = { 0, 0 };
	char text[PMU_REFUSAL_BYTES];

	if (error != EAGAIN) {
		pmu_refuse(why, error, ev->label, strerror(error), NULL);
		return;
	}
	getrlimit(RLIMIT_SIGPENDING, &limit);
	snprintf(text, sizeof(text), "no timer is left: RLIMIT_SIGPENDING is %llu, and "
		 "each thread needs one", (unsigned long long)limit.rlim_cur);
	pmu_refuse(why, error, ev->label, text, "ulimit -i unlimited, or use cpu-clock");
}

void pmu_explain_descriptor(const struct pmu_event *ev, int error,
			    struct pmu_refusal *why)
{
	if (error == EMFILE || error == ENFILE)
		explain_descriptors(ev, error, why);
	else
		pmu_refuse(why, error, ev->label, "its signal could not be directed to "
			   "one thread: the kernel, or a seccomp filter, refuses fcntl",
			   "use wall");
}
