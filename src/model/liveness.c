/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * liveness.c - identifies a process by its number and its start, which is before that of
 * its profile.
 *
 * A process number is valid on its own host since its last boot.  Numbers of another PID
 * namespace look the same, but such a process usually has another host name.
 */
#include "config.h"

#include "src/model/liveness.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/profile/clock.h"
#include "src/profile/reader/reader.h"

enum { STAT_BYTES = 1024, NAME_BYTES = 256 };

/* Reads the beginning of a file up to the first newline.  False: it cannot be read. */
static bool liveness_read(const char *path, char *text, size_t bytes)
{
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(text, 1, bytes - 1, f) : 0;

	if (f)
		fclose(f);
	text[n] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return n > 0;
}

/* The start of a process after boot, and whether it has ended: the 22nd and 3rd fields
   (proc_pid_stat(5)).  The second field, in parentheses, may contain anything. */
static bool liveness_stat(const char *stat, uint64_t *ticks, bool *ended)
{
	const char *rest = strrchr(stat, ')');
	char state;

	if (!rest || sscanf(rest + 1,
			    " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
			    "%*s %*s %*s %*s %" SCNu64,
			    &state, ticks) != 2)
		return false;
	*ended = state == 'Z' || state == 'X' || state == 'x';
	return true;
}

/* The latest possible beginning of the profile, in ticks after boot.  The profile has the
   time of the monotonic clock, which stops while the machine sleeps. */
static uint64_t liveness_begun(const struct prof_file *f, uint64_t hz)
{
	const uint64_t now = clock_ns(CLOCK_MONOTONIC), since_boot = clock_ns(CLOCK_BOOTTIME);
	const uint64_t ns =
		prof_add(f->header.start_monotonic_ns, since_boot > now ? since_boot - now : 0);

	/* One tick is added, because both times are rounded. */
	return ns / 1000000000 * hz + ns % 1000000000 * hz / 1000000000 + 1;
}

enum liveness liveness_of(const struct prof_file *f)
{
	const long hz = sysconf(_SC_CLK_TCK);
	char path[64], stat[STAT_BYTES];
	uint64_t ticks;
	bool ended;

	switch (f->header.run) {
	case PROF_RUN_RUNNING: break;
	case PROF_RUN_EXECED: return LIVENESS_EXECED;
	case PROF_RUN_EXITED_AT_ONCE: return LIVENESS_AT_ONCE;
	case PROF_RUN_UNPROFILED: return LIVENESS_UNPROFILED;
	default: return LIVENESS_ENDED;
	}
	/* Whether the profile was written on this host since its boot, according to the profile. */
	const char *host = prof_text(f, PROF_INFO_HOST), *boot = prof_text(f, PROF_INFO_BOOT);
	char name[NAME_BYTES] = "", id[NAME_BYTES];
	if (!(host && boot && !gethostname(name, sizeof(name) - 1) && !strcmp(host, name) &&
	      liveness_read("/proc/sys/kernel/random/boot_id", id, sizeof(id)) &&
	      !strcmp(boot, id)) ||
	    hz <= 0)
		return LIVENESS_UNKNOWN;
	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/stat", f->header.pid);
	if (!liveness_read(path, stat, sizeof(stat)))
		return access("/proc/self/stat", R_OK) ? LIVENESS_UNKNOWN : LIVENESS_GONE;
	if (!liveness_stat(stat, &ticks, &ended))
		return LIVENESS_UNKNOWN;
	/* If the process started after the profile, it is another one with the same number. */
	return ended || ticks > liveness_begun(f, (uint64_t)hz) ? LIVENESS_GONE : LIVENESS_RUNS;
}

const char *liveness_text(enum liveness l)
{
	switch (l) {
	case LIVENESS_ENDED: break;
	case LIVENESS_EXECED: return "the process went on as another program (exec)";
	case LIVENESS_AT_ONCE: return "the process ended by _exit";
	case LIVENESS_UNPROFILED: return "the process was not profiled";
	case LIVENESS_RUNS: return "the process still runs: this is what it did until now";
	case LIVENESS_GONE:
		return "the process ended without a record of it (killed, or by _exit where "
		       "libomphwc did not see it): this is what it did until then";
	case LIVENESS_UNKNOWN:
		return "the process was killed or still runs (not known here): this is what it "
		       "did until then";
	}
	return NULL;
}
