/* SPDX-License-Identifier: BSD-3-Clause
 * kinds - to be preloaded: a machine whose cores are of several kinds, each with a
 * PMU of its own.
 *
 * $KINDS is what /sys/bus/event_source/devices holds.  Events of those PMUs are
 * played by page faults, half of them on each of two kinds: as if threads spent half
 * of their time there, counts and the times that they ran are halved, and periods
 * doubled.  The kind with PMU type 10 knows no cache misses.  $KINDS_OPENED gets a
 * line for each event that is opened for good.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define DEVICES "/sys/bus/event_source/devices"

enum { LITTLE = 10, IDS_MAX = 256 };

static struct {
	uint64_t id;
	bool group;
} played[IDS_MAX];
static int nplayed;

/* ---- sysfs ------------------------------------------------------------ */

static const char *moved(const char *path, char room[512])
{
	const char *to = getenv("KINDS");

	if (to == NULL || strncmp(path, DEVICES, strlen(DEVICES)) != 0)
		return path;
	snprintf(room, 512, "%s%s", to, path + strlen(DEVICES));
	return room;
}

EXPORT int open(const char *path, int flags, ...)
{
	char room[512];
	va_list ap;
	int mode;

	va_start(ap, flags);
	mode = va_arg(ap, int);
	va_end(ap);
	return openat(AT_FDCWD, moved(path, room), flags, mode);
}

EXPORT int access(const char *path, int mode)
{
	char room[512];

	return faccessat(AT_FDCWD, moved(path, room), mode, 0);
}

EXPORT int scandir(const char *path, struct dirent ***found, int (*filter)(const struct dirent *),
		   int (*order)(const struct dirent **, const struct dirent **))
{
	char room[512];

	return scandirat(AT_FDCWD, moved(path, room), found, filter, order);
}

/* ---- events ----------------------------------------------------------- */

static long (*real_syscall(void))(long, ...)
{
	return (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
}

static bool is_type(uint32_t type)
{
	static const char *const pmus[] = { "cpu_core", "cpu_atom", "armv8_pmuv3_0",
					    "armv8_pmuv3_1" };

	for (int i = 0; i < 4; i++) {
		char path[64], text[16] = "";
		int fd;

		snprintf(path, sizeof(path), DEVICES "/%s/type", pmus[i]);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (read(fd, text, sizeof(text) - 1) < 0)
			text[0] = '\0';
		close(fd);
		if ((uint32_t)atoi(text) == type)
			return true;
	}
	return false;
}

/* The kind of core that counts it; 0: whichever. */
static uint32_t kind_of(const struct perf_event_attr *a)
{
	if (a->type == PERF_TYPE_HARDWARE || a->type == PERF_TYPE_HW_CACHE)
		return (uint32_t)(a->config >> 32);
	return a->type;
}

static void remember(long fd, const struct perf_event_attr *a, uint32_t kind)
{
	const char *to = getenv("KINDS_OPENED");
	FILE *f = to != NULL ? fopen(to, "ae") : NULL;
	uint64_t id;

	if (f != NULL) {
		fprintf(f, "%u %llu\n", kind, (unsigned long long)(uint32_t)a->config);
		fclose(f);
	}
	if (nplayed == IDS_MAX || ioctl((int)fd, PERF_EVENT_IOC_ID, &id) != 0)
		return;
	played[nplayed].id = id;
	played[nplayed++].group = (a->read_format & PERF_FORMAT_GROUP) != 0;
}

static long open_event(const long *a)
{
	struct perf_event_attr attr = *(const struct perf_event_attr *)a[0];
	const uint32_t kind = kind_of(&attr);
	const bool is_misses = attr.type == PERF_TYPE_HARDWARE &&
			       (uint32_t)attr.config == PERF_COUNT_HW_CACHE_MISSES;
	long fd;

	if (attr.type == PERF_TYPE_SOFTWARE)
		return real_syscall()(SYS_perf_event_open, &attr, a[1], a[2], a[3], a[4]);
	if ((kind != 0 && !is_type(kind)) || (kind == LITTLE && is_misses)) {
		errno = ENOENT;
		return -1;
	}
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_PAGE_FAULTS;
	attr.config1 = 0;
	/* A trial of whether it counts at all */
	if (attr.sample_period == 0 && (attr.read_format & PERF_FORMAT_GROUP) == 0) {
		attr.config = PERF_COUNT_SW_CPU_CLOCK;
		return real_syscall()(SYS_perf_event_open, &attr, a[1], a[2], a[3], a[4]);
	}
	if (!attr.freq)
		attr.sample_period *= 2;
	fd = real_syscall()(SYS_perf_event_open, &attr, a[1], a[2], a[3], a[4]);
	if (fd >= 0)
		remember(fd, (const struct perf_event_attr *)a[0], kind);
	return fd;
}

static void halve(int fd, uint64_t *words, long got)
{
	uint64_t id;

	if (got < 24 || ioctl(fd, PERF_EVENT_IOC_ID, &id) != 0)
		return;
	for (int i = 0; i < nplayed; i++) {
		if (played[i].id != id)
			continue;
		words[2] /= 2;
		if (!played[i].group)
			words[0] /= 2;
		for (long n = 3; played[i].group && n < got / 8; n++)
			words[n] /= 2;
		return;
	}
}

/* Whether the descriptor is an event's whose period was doubled. */
static bool is_doubled(int fd)
{
	uint64_t id;

	if (real_syscall()(SYS_ioctl, fd, PERF_EVENT_IOC_ID, &id) != 0)
		return false;
	for (int i = 0; i < nplayed; i++)
		if (played[i].id == id)
			return true;
	return false;
}

EXPORT int ioctl(int fd, unsigned long request, ...)
{
	uint64_t period;
	va_list ap;

	va_start(ap, request);
	void *argument = va_arg(ap, void *);
	va_end(ap);
	if (request == PERF_EVENT_IOC_PERIOD && is_doubled(fd)) {
		period = 2 * *(const uint64_t *)argument;
		argument = &period;
	}
	return (int)real_syscall()(SYS_ioctl, fd, request, argument);
}

EXPORT ssize_t read(int fd, void *to, size_t bytes)
{
	ssize_t got = real_syscall()(SYS_read, fd, to, bytes);

	halve(fd, to, got);
	return got;
}

EXPORT long syscall(long number, ...)
{
	long a[6], got;
	va_list ap;

	va_start(ap, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (number == SYS_perf_event_open)
		return open_event(a);
	got = real_syscall()(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	if (number == SYS_read)
		halve((int)a[0], (void *)a[1], got);
	return got;
}
