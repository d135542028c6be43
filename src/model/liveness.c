/*
 * liveness.c - a process is told by its number and by when it started: before its profile.
 *
 * A number is its own host's, since its last boot.  Numbers of another PID namespace can't
 * be told from ours, but such a process has another host's name, mostly.
 */
#include "config.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/model/liveness.h"
#include "src/profile/clock.h"
#include "src/profile/reader/reader.h"

enum { STAT_BYTES = 1024, NAME_BYTES = 256 };

/* The first bytes of a file, without a newline at their end.  False: not there. */
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

/* Where the profile was written, as far as it tells. */
static bool liveness_is_here(const struct prof_file *f)
{
	const char *host = prof_text(f, PROF_INFO_HOST), *boot = prof_text(f, PROF_INFO_BOOT);
	char name[NAME_BYTES] = "", id[NAME_BYTES];

	return host && boot && !gethostname(name, sizeof(name) - 1) && !strcmp(host, name) &&
	       liveness_read("/proc/sys/kernel/random/boot_id", id, sizeof(id)) &&
	       !strcmp(boot, id);
}

/* When a process started, after the boot, and whether it has ended (proc_pid_stat(5)): the
   22nd and the third field; the second, in parentheses, may hold anything. */
static bool liveness_stat(const char *stat, uint64_t *ticks, bool *ended)
{
	const char *rest = strrchr(stat, ')');
	char state;

	if (!rest || sscanf(rest + 1, " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
				      "%*s %*s %*s %*s %" SCNu64, &state, ticks) != 2)
		return false;
	*ended = state == 'Z' || state == 'X' || state == 'x';
	return true;
}

/* The latest that the profile can have been begun, in ticks after the boot: it has the
   monotonic clock's time, which stands still while the machine sleeps. */
static uint64_t liveness_begun(const struct prof_file *f, uint64_t hz)
{
	const uint64_t now = clock_ns(CLOCK_MONOTONIC), since_boot = clock_ns(CLOCK_BOOTTIME);
	const uint64_t ns = prof_add(f->header.start_monotonic_ns,
				     since_boot > now ? since_boot - now : 0);

	/* A tick later: both were rounded. */
	return ns / 1000000000 * hz + ns % 1000000000 * hz / 1000000000 + 1;
}

enum liveness liveness_of(const struct prof_file *f)
{
	const long hz = sysconf(_SC_CLK_TCK);
	char path[64], stat[STAT_BYTES];
	uint64_t ticks;
	bool ended;

	switch (f->header.run) {
	case PROF_RUN_RUNNING:
		break;
	case PROF_RUN_EXECED:
		return LIVENESS_EXECED;
	case PROF_RUN_EXITED_AT_ONCE:
		return LIVENESS_AT_ONCE;
	case PROF_RUN_UNPROFILED:
		return LIVENESS_UNPROFILED;
	default:
		return LIVENESS_ENDED;
	}
	if (!liveness_is_here(f) || hz <= 0)
		return LIVENESS_UNKNOWN;
	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/stat", f->header.pid);
	if (!liveness_read(path, stat, sizeof(stat)))
		return access("/proc/self/stat", R_OK) ? LIVENESS_UNKNOWN : LIVENESS_GONE;
	if (!liveness_stat(stat, &ticks, &ended))
		return LIVENESS_UNKNOWN;
	/* Another process has got its number since. */
	return ended || ticks > liveness_begun(f, (uint64_t)hz) ? LIVENESS_GONE : LIVENESS_RUNS;
}

const char *liveness_text(enum liveness l)
{
	switch (l) {
	case LIVENESS_ENDED:
		break;
	case LIVENESS_EXECED:
		return "the process went on as another program (exec)";
	case LIVENESS_AT_ONCE:
		return "the process ended by _exit";
	case LIVENESS_UNPROFILED:
		return "the process was not profiled: it went on without";
	case LIVENESS_RUNS:
		return "the process still runs: this is what it did until now";
	case LIVENESS_GONE:
		return "the process ended without saying so (killed, or by _exit where libomphwc "
		       "did not see it): this is what it did until then";
	case LIVENESS_UNKNOWN:
		return "the process was killed or still runs, which can't be told from here: this "
		       "is what it did until then";
	}
	return NULL;
}
