/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/tool/tool_parts.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "src/profile/digits.h"
#include "src/profile/syscalls.h"

enum { PATH_BYTES = 1024, FILE_BYTES = 4096 };

/* A version of control groups: its folder, and its files' forms. */
struct version {
	const char *folder;
	const char *own; /* what is before the group's path in /proc/self/cgroup */
	bool (*limit)(const char *group, uint64_t *quota_us, uint64_t *period_us);
	const char *throttled; /* in cpu.stat */
	uint64_t unit_ns;
};

struct throttled {
	uint64_t time, periods, throttled;
};

/* Owned by this file; written by quota_find(). */
static char text[64], stat_path[PATH_BYTES + 16];
static const struct version *version;
static struct throttled before;

static bool read_file(const char *folder, const char *name, char *to, size_t bytes)
{
	char path[PATH_BYTES + 64];

	return (size_t)snprintf(path, sizeof(path), "%s/%s", folder, name) < sizeof(path) &&
	       call_text(path, to, bytes) != 0;
}

/* ---- limits ---------------------------------------------------------------------- */

/* "max 100000", "50000 100000" */
static bool limit_of_2(const char *group, uint64_t *quota_us, uint64_t *period_us)
{
	char line[64];
	const char *at;

	if (!read_file(group, "cpu.max", line, sizeof(line)))
		return false;
	at = digits_get(line, quota_us, 10);
	return at && *at == ' ' && digits_get(at + 1, period_us, 10) && *period_us != 0;
}

/* -1: none */
static bool limit_of_1(const char *group, uint64_t *quota_us, uint64_t *period_us)
{
	char quota[32], period[32];

	return read_file(group, "cpu.cfs_quota_us", quota, sizeof(quota)) &&
	       read_file(group, "cpu.cfs_period_us", period, sizeof(period)) &&
	       digits_get(quota, quota_us, 10) && digits_get(period, period_us, 10) &&
	       *period_us != 0;
}

static const struct version versions[] = {
	{ "/sys/fs/cgroup", "0::", limit_of_2, "throttled_usec", 1000 },
	{ "/sys/fs/cgroup/cpu", ":cpu,cpuacct:", limit_of_1, "throttled_time", 1 },
	{ "/sys/fs/cgroup/cpu", ":cpu:", limit_of_1, "throttled_time", 1 },
};

/* ---- the group ------------------------------------------------------------------- */

/* The path of the process's group; NULL: it is in none of that version. */
static const char *path_of(const struct version *v, char *groups)
{
	char *at = strstr(groups, v->own), *end;

	/* Version 2 has one line, which begins so. */
	if (!at || (v->own[0] != ':' && at != groups && at[-1] != '\n'))
		return NULL;
	at += strlen(v->own);
	end = strchr(at, '\n');
	if (end)
		*end = '\0';
	return at;
}

static uint64_t number_after(const char *stat, const char *name)
{
	const char *at = strstr(stat, name);
	uint64_t n = 0;

	return at && digits_get(at + strlen(name) + 1, &n, 10) ? n : 0;
}

static bool read_throttled(struct throttled *t)
{
	char stat[FILE_BYTES];

	if (!read_file(stat_path, "cpu.stat", stat, sizeof(stat)))
		return false;
	t->time = number_after(stat, version->throttled) * version->unit_ns;
	t->periods = number_after(stat, "nr_periods");
	t->throttled = number_after(stat, "nr_throttled");
	return true;
}

/* Looks at the group and at all that contain it. Where the path is another namespace's, the
   folder itself is the container's group. */
static bool find_in(const struct version *v, const char *path)
{
	uint64_t quota, period, least_quota = 0, least_period = 1;
	char group[PATH_BYTES];
	const size_t base = strlen(v->folder);

	if ((size_t)snprintf(group, sizeof(group), "%s%s", v->folder, path) >= sizeof(group))
		return false;
	for (;;) {
		if (v->limit(group, &quota, &period) &&
		    (least_quota == 0 ||
		     (double)quota / (double)period < (double)least_quota / (double)least_period)) {
			least_quota = quota;
			least_period = period;
			memcpy(stat_path, group, strlen(group) + 1);
		}
		char *const last = strrchr(group, '/');

		if (strlen(group) <= base || !last)
			break;
		*last = '\0';
	}
	if (least_quota == 0)
		return false;
	snprintf(text, sizeof(text), "%llu %llu", (unsigned long long)least_quota,
		 (unsigned long long)least_period);
	return true;
}

void quota_find(void)
{
	char groups[FILE_BYTES];

	text[0] = '\0';
	for (size_t i = 0; i < sizeof(versions) / sizeof(*versions) && text[0] == '\0'; i++) {
		const char *path = read_file("/proc/self", "cgroup", groups, sizeof(groups)) ?
					   path_of(&versions[i], groups) :
					   NULL;

		version = &versions[i];
		if (path && find_in(version, path))
			read_throttled(&before);
	}
}

const char *quota_text(void)
{
	return text;
}

void quota_throttled(char *to, size_t bytes)
{
	struct throttled now;

	to[0] = '\0';
	if (text[0] == '\0' || !read_throttled(&now))
		return;
	snprintf(to, bytes, "%llu %llu %llu", (unsigned long long)(now.time - before.time),
		 (unsigned long long)(now.periods - before.periods),
		 (unsigned long long)(now.throttled - before.throttled));
}
