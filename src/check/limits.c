/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * limits.c - checks limits on descriptors, signals and memory for threads times events.
 */
#include "config.h"

#include <stdio.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "src/check/checkup.h"

/* Descriptors that a program needs itself, a usual number of events, and the address space
   below which a note is printed. */
enum { OWN_DESCRIPTORS = 64, EVENTS = 4, SPACE_MB = 256 };

static const char *limits_amount(rlim_t limit, char text[32])
{
	if (limit == RLIM_INFINITY)
		snprintf(text, 32, "unlimited");
	else
		snprintf(text, 32, "%llu", (unsigned long long)limit);
	return text;
}

static void check_signals(struct checkup *c)
{
	unsigned long long wanted = (unsigned long long)EVENTS * c->cpus;
	struct rlimit l;
	char text[32];

	if (getrlimit(RLIMIT_SIGPENDING, &l))
		return;
	checkup_line(c, l.rlim_cur < wanted ? NOTE : FINE, "RLIMIT_SIGPENDING",
		     l.rlim_cur < wanted ? "ulimit -i unlimited; or profile by sigtrap" : NULL,
		     "%s for all of this user's processes; one for each thread and event at worst",
		     limits_amount(l.rlim_cur, text));
}

/* Each sampled event has a ring of two pages in each thread. */
static void check_locked_memory(struct checkup *c)
{
	unsigned long long ring_kb = 2ull * (unsigned long long)sysconf(_SC_PAGESIZE) / 1024;
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned long long kb;
	struct rlimit l;
	char text[32];

	if (c->access.mlock_kb < 0 || online < 1 || getrlimit(RLIMIT_MEMLOCK, &l))
		return;
	kb = (unsigned long long)c->access.mlock_kb * (unsigned long long)online;
	checkup_line(c, FINE, "locked memory", NULL,
		     "perf_event_mlock_kb %ld a CPU: room "
		     "for %llu sample rings, and then RLIMIT_MEMLOCK (%s bytes); without a "
		     "ring samples have no exact places and no addresses",
		     c->access.mlock_kb, kb / ring_kb, limits_amount(l.rlim_cur, text));
}

static void check_memory_and_files(struct checkup *c)
{
	struct rlimit l;
	char text[32];

	if (!getrlimit(RLIMIT_AS, &l))
		checkup_line(c, l.rlim_cur == RLIM_INFINITY ? FINE : NOTE, "RLIMIT_AS",
			     l.rlim_cur == RLIM_INFINITY ?
				     NULL :
				     "ulimit -v unlimited: the profile "
				     "is mapped into the program, and may have to be smaller",
			     "%s", limits_amount(l.rlim_cur, text));
	if (!getrlimit(RLIMIT_FSIZE, &l) && l.rlim_cur != RLIM_INFINITY)
		checkup_line(c, NOTE, "RLIMIT_FSIZE", "ulimit -f unlimited",
			     "%s bytes: a profile that reaches it loses samples, and says so",
			     limits_amount(l.rlim_cur, text));
}

static void limits_check_folder(struct checkup *c)
{
	char folder[4096];
	struct statvfs s;
	unsigned long long mb;

	if (!getcwd(folder, sizeof(folder)))
		snprintf(folder, sizeof(folder), ".");
	if (access(".", W_OK)) {
		checkup_line(c, NOTE, "working folder", "write the profile elsewhere: -o FILE",
			     "%s cannot be written to", folder);
		return;
	}
	if (statvfs(".", &s))
		return;
	mb = (unsigned long long)s.f_bavail * s.f_frsize >> 20;
	checkup_line(c, mb < SPACE_MB ? NOTE : FINE, "working folder",
		     mb < SPACE_MB ? "write the profile elsewhere: -o FILE" : NULL,
		     "%s: %llu MB free for profiles", folder, mb);
}

void checkup_limits(struct checkup *c)
{
	struct rlimit l;

	checkup_title("Limits");
	unsigned long long wanted = OWN_DESCRIPTORS + (unsigned long long)EVENTS * c->cpus;
	char soft[32], hard[32], todo[96] = "";

	if (!getrlimit(RLIMIT_NOFILE, &l)) {
		/* Counters get numbers past the soft limit, too (pmu/perf.c). */
		if (l.rlim_max < wanted)
			snprintf(todo, sizeof(todo),
				 "ulimit -n %llu, which only root may raise so far", wanted);
		checkup_line(
			c, *todo ? NOTE : FINE, "RLIMIT_NOFILE", todo,
			"%s, and %s for counters; a descriptor for each thread and event (two for "
			"memory events of Intel's processors since Sapphire Rapids): %d events in "
			"%llu threads",
			limits_amount(l.rlim_cur, soft), limits_amount(l.rlim_max, hard), EVENTS,
			l.rlim_max > OWN_DESCRIPTORS ?
				(unsigned long long)(l.rlim_max - OWN_DESCRIPTORS) / EVENTS :
				0ull);
	}
	check_signals(c);
	check_locked_memory(c);
	check_memory_and_files(c);
	limits_check_folder(c);
}
