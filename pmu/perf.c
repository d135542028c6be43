/*
 * perf.c - perf_event_open(2).
 */
#include "config.h"

#include "pmu/perf.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

int pmu_perf_open(const struct perf_event_attr *attr, pid_t tid)
{
	long fd = syscall(SYS_perf_event_open, attr, tid, -1, -1,
			  PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

int pmu_perf_try(const struct perf_event_attr *attr)
{
	int fd = pmu_perf_open(attr, 0);

	if (fd >= 0)
		close(fd);
	return fd < 0 ? fd : 0;
}
