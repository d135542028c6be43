/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "pmu/access.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pmu/alive.h"
#include "pmu/counter.h"
#include "pmu/event.h"
#include "pmu/fastread.h"
#include "pmu/files.h"
#include "pmu/perf.h"
#include "pmu/perf_event.h"
#include "pmu/pfm.h"
#include "pmu/register.h"
#include "pmu/sysfs.h"

#define KERNEL "/proc/sys/kernel/"

#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif

static struct perf_event_attr attr_of(uint32_t type, uint64_t config, bool kernel)
{
	return (struct perf_event_attr){
		.type = type,
		.size = sizeof(struct perf_event_attr),
		.config = config,
		.disabled = 1,
		.exclude_kernel = !kernel,
		.exclude_hv = 1,
	};
}

static int try_event(uint32_t type, uint64_t config, bool kernel)
{
	const struct perf_event_attr attr = attr_of(type, config, kernel);

	return pmu_perf_try(&attr);
}

static enum pmu_hardware probe_hardware(void)
{
	const struct pmu_event cycles = {
		.kind = PMU_PERF,
		.attr = attr_of(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, false),
	};

	switch (pmu_perf_try(&cycles.attr)) {
	case 0: return pmu_counts_nothing(&cycles) ? PMU_HARDWARE_SILENT : PMU_HARDWARE_YES;
	case -EMFILE:
	case -EBUSY: return PMU_HARDWARE_YES;
	/* Of user code alone: all machines that have cycles know them otherwise. */
	case -EINVAL: return pmu_sysfs_has_core() ? PMU_HARDWARE_SIDES : PMU_HARDWARE_NONE;
	case -EACCES:
	case -EPERM:
	case -ENOSYS:
		/* Refused before the kernel looked for a PMU. */
		return pmu_sysfs_has_core() ? PMU_HARDWARE_DENIED : PMU_HARDWARE_NONE;
	default: return PMU_HARDWARE_NONE;
	}
}

/* Reads a counter that runs: whether the kernel reports user-space reads as possible
   and whether it permits them are two settings. 0 or -errno. */
static int try_user_read(void)
{
	struct perf_event_attr attr = attr_of(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, false);
	struct pmu_fastread fast;
	struct pmu_value value;
	int fd, error;

	attr.disabled = 0;
	pmu_fastread_request(&attr);
	fd = pmu_perf_open(&attr, 0);
	if (fd < 0)
		return fd;
	error = pmu_fastread_open(&fast, fd);
	if (!error)
		error = pmu_fastread(&fast, &value);
	pmu_fastread_close(&fast);
	close(fd);
	return error;
}

const char *pmu_user_read_refusal(void)
{
	if (pmu_sysfs_kinds() > 1)
		return "cores are of several kinds";
	switch (try_user_read()) {
	case 0: return NULL;
	case -ENODATA:
		return "the kernel gives user code no clock: a guest's own (kvm-clock, Hyper-V's), "
		       "or a TSC that is not stable";
	case -EPERM:
	case -ENOMEM: return "no memory is left for its page: see kernel.perf_event_mlock_kb";
	default: return pmu_register_hint();
	}
}

struct list {
	char *text;
	size_t size;
};

static int add_core(const char *pmu, void *arg)
{
	struct list *l = arg;
	size_t used = strlen(l->text);

	if (pmu_sysfs_is_core(pmu))
		snprintf(l->text + used, l->size - used, "%s%s", used ? ", " : "", pmu);
	return 0;
}

void pmu_access_probe(struct pmu_access *a)
{
	struct list pmus = { a->pmus, sizeof(a->pmus) };
	unsigned long long caps = pmu_status_field("CapEff:", 16, 0);
	int clock = try_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, false);

	memset(a, 0, sizeof(*a));
	a->hardware = probe_hardware();
	a->syscall_works = clock != -ENOSYS && clock != -EPERM && clock != -EACCES;
	a->syscall_errno = a->syscall_works ? 0 : -clock;
	a->paranoid = (int)pmu_file_number(KERNEL "perf_event_paranoid", -2);
	a->user_clock = !clock;
	a->kernel_events = !try_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, true);
	a->capable = caps >> CAP_SYS_ADMIN & 1 ||
		     (caps >> CAP_PERFMON & 1 && (a->paranoid <= 2 || a->syscall_works));
	a->sigtrap = pmu_delivery_sigtrap_works();
	a->unread = pmu_user_read_refusal();
	a->nmi_watchdog = pmu_file_number(KERNEL "nmi_watchdog", 0) > 0;
	a->max_sample_rate = pmu_file_number(KERNEL "perf_event_max_sample_rate", -1);
	a->mlock_kb = pmu_file_number(KERNEL "perf_event_mlock_kb", -1);
	pmu_sysfs_each_pmu(add_core, &pmus);
	pmu_pfm_cpu(a->cpu, sizeof(a->cpu));
}
