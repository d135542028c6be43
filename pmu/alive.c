/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A virtual machine may show a PMU that its host does not have: events open, get counters, and
 * stay at 0.
 */
#include "config.h"

#include "pmu/alive.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "pmu/event.h"
#include "pmu/perf.h"
#include "pmu/perf_event.h"
#include "pmu/sysfs.h"

enum {
	TRIAL_NS = 2000000, /* of the thread's own time */
	RAN_NS = 1000000,   /* so long on a counter: an event of each loop would have come */
	TRIAL_READS = 100000,
	LOOPS = 2000, /* between two readings */
};

enum { PMU_TYPE_SHIFT = 32 };

enum trial { COUNTS, SILENT, UNDECIDED };

static int is_core_type(const char *pmu, void *type)
{
	uint32_t t;

	return pmu_sysfs_is_core(pmu) && !pmu_sysfs_type(pmu, &t) && t == *(uint32_t *)type;
}

static bool is_of_cores(const struct pmu_event *ev)
{
	uint32_t type = ev->attr.type;

	return type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE || type == PERF_TYPE_RAW ||
	       pmu_sysfs_each_pmu(is_core_type, &type) > 0;
}

static enum trial watch(int fd)
{
	uint64_t words[3] = { 0 }; /* value, enabled, running */

	for (int i = 0; i < TRIAL_READS && words[1] < TRIAL_NS; i++) {
		/* Work in user code; the readings are some in the kernel. */
		for (volatile int k = 0; k < LOOPS; k++)
			;
		if (syscall(SYS_read, fd, words, sizeof(words)) != (long)sizeof(words))
			return UNDECIDED;
		if (words[0] != 0)
			return COUNTS;
	}
	return words[2] >= RAN_NS ? SILENT : UNDECIDED;
}

static enum trial count(const struct perf_event_attr *asked)
{
	struct perf_event_attr attr = *asked;
	enum trial answer;
	int fd;

	attr.size = sizeof(attr);
	attr.disabled = attr.precise_ip = attr.freq = 0;
	attr.sample_period = 0;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	fd = pmu_perf_open(&attr, 0);
	if (fd < 0)
		return UNDECIDED;
	answer = watch(fd);
	close(fd);
	return answer;
}

bool pmu_counts_nothing(const struct pmu_event *ev)
{
	struct perf_event_attr instructions = ev->attr;

	if (ev->kind != PMU_PERF || !is_of_cores(ev))
		return false;
	const uint32_t code = (uint32_t)ev->attr.config;

	/* No code can run without these. */
	if (ev->attr.type == PERF_TYPE_HARDWARE &&
	    (code == PERF_COUNT_HW_CPU_CYCLES || code == PERF_COUNT_HW_INSTRUCTIONS ||
	     code == PERF_COUNT_HW_BRANCH_INSTRUCTIONS))
		return count(&ev->attr) == SILENT;
	/* Others may not happen here. */
	instructions.type = PERF_TYPE_HARDWARE;
	instructions.config = PERF_COUNT_HW_INSTRUCTIONS | (uint64_t)ev->core << PMU_TYPE_SHIFT;
	instructions.config1 = instructions.config2 = 0;
	return count(&instructions) == SILENT && count(&ev->attr) == SILENT;
}
