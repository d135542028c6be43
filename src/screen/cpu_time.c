/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cpu_time.c - see cpu_time.h.
 *
 * A kernel without the scheduler's statistics has no schedstat, and counts ticks.
 */
#include "config.h"

#include "src/screen/cpu_time.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 64, STAT_BYTES = 1024, NS_PER_S = 1000000000 };

static bool cpu_time_text(uint32_t pid, uint32_t tid, const char *name, char text[STAT_BYTES])
{
	char path[PATH_BYTES];
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/task/%" PRIu32 "/%s", pid, tid, name);
	f = fopen(path, "re");
	n = f ? fread(text, 1, STAT_BYTES - 1, f) : 0;
	if (f)
		fclose(f);
	text[n] = '\0';
	return n > 0;
}

bool cpu_time_read(uint32_t pid, uint32_t tid, struct cpu_time *t)
{
	const long hz = sysconf(_SC_CLK_TCK);
	char text[STAT_BYTES], *rest;
	uint64_t user, system;

	*t = (struct cpu_time){ .tid = tid };
	if (cpu_time_text(pid, tid, "schedstat", text) &&
	    sscanf(text, "%" SCNu64 " %" SCNu64, &t->ran_ns, &t->waited_ns) == 2 && t->ran_ns) {
		t->waits = true;
		return true;
	}
	if (!cpu_time_text(pid, tid, "stat", text) || hz <= 0)
		return false;
	/* The 14th and 15th fields; the second one, in parentheses, may contain anything. */
	rest = strrchr(text, ')');
	if (!rest ||
	    sscanf(rest + 1, " %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %" SCNu64 " %" SCNu64,
		   &user, &system) != 2)
		return false;
	t->ran_ns = (user + system) * (NS_PER_S / (uint64_t)hz);
	t->waited_ns = 0;
	return true;
}
