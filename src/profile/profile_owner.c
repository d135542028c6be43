/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile_owner.c - identifies a process by boot id, namespaces, process id and start time,
 * which together never recur.
 *
 * A host that was rebooted keeps its name but has another boot id, so its earlier processes
 * are over.  Host names that many machines share identify nothing.
 */
#include "config.h"

#include "src/profile/profile_owner.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "src/base/fnv.h"
#include "src/profile/digits.h"
#include "src/profile/syscalls.h"

enum {
	STAT_BYTES = 400, /* of /proc/PID/stat: enough for field 22 */
	FIELD_STATE = 3,  /* numbered as in proc(5) */
	FIELD_THREADS = 20,
	FIELD_START = 22,
};

uint64_t prof_owner_hash(const char *text)
{
	if (!text || *text == '\0')
		return 0;
	uint64_t h = fnv(FNV_BEGIN, text, strlen(text));
	return h != 0 ? h : 1;
}

static bool is_anybodys(const char *host)
{
	static const char *const names[] = { "localhost", "localhost.localdomain", "(none)" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(host, names[i]) == 0)
			return true;
	return false;
}

struct life {
	char state;
	uint64_t threads;
	uint64_t start;
};

/* pid 0 stands for this process. */
static int read_life(uint64_t pid, struct life *out)
{
	static char text[STAT_BYTES]; /* static: a handler's stack is small */
	char path[sizeof("/proc//stat") + DIGITS_MAX];
	char *end = path + sizeof("/proc/") - 1;

	memcpy(path, "/proc/", sizeof("/proc/") - 1);
	if (pid == 0)
		end = (char *)memcpy(end, "self", 4) + 4;
	else
		end = digits_put(end, pid, 10);
	memcpy(end, "/stat", sizeof("/stat"));
	int fd = call_open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0);
	if (fd < 0)
		return fd;
	ssize_t n = call_pread(fd, text, sizeof(text) - 1, 0);
	call_close(fd);
	if (n < 0)
		return (int)n;
	text[n] = '\0';
	/* The command name, in parentheses, may contain anything; its end is the last
	   parenthesis. */
	const char *p = strrchr(text, ')');

	for (int field = FIELD_STATE; p && field <= FIELD_START; field++) {
		p = strchr(p, ' ');
		if (!p)
			break;
		p++;
		if (field == FIELD_STATE)
			out->state = *p;
		else if (field == FIELD_THREADS && !digits_get(p, &out->threads, 10))
			return -EPROTO;
		else if (field == FIELD_START)
			return digits_get(p, &out->start, 10) ? 0 : -EPROTO;
	}
	return -EPROTO;
}

void prof_owner_here(struct prof_owner *o)
{
	static const char *const spaces[] = { "/proc/self/ns/pid", "/proc/self/ns/time" };
	uint64_t h = FNV_BEGIN;
	struct life life;
	struct stat st;

	o->space = 0;
	for (size_t i = 0; i < sizeof(spaces) / sizeof(*spaces); i++) {
		uint64_t number = 0;

		if (call_stat(spaces[i], &st) == 0)
			number = st.st_ino;
		else if (i == 0) /* kernels before 5.6 have no time namespaces */
			h = 0;
		h = h != 0 ? fnv(h, &number, sizeof(number)) : 0;
	}
	o->space = h;
	o->start = read_life(0, &life) == 0 ? life.start : 0;
}

void prof_owner_learn(struct prof_owner *o, const struct prof_owner_names *names)
{
	struct life life;

	memset(o, 0, sizeof(*o));
	if (names->host && !is_anybodys(names->host))
		o->host = prof_owner_hash(names->host);
	o->boot = prof_owner_hash(names->boot);
	o->job = prof_owner_hash(names->job);
	o->run = prof_owner_hash(names->run);
	o->rank = prof_owner_hash(names->rank);

	/* The ompcount that started this run: the last but one number of the run id. */
	const char *run = names->run;
	const char *time = run ? strrchr(run, '-') : NULL, *p = time;

	if (time) {
		while (p > run && p[-1] >= '0' && p[-1] <= '9')
			p--;
		if (digits_get(p, &o->leader, 10) != time || o->leader == 0)
			o->leader = 0;
		else if (read_life(o->leader, &life) == 0)
			o->leader_start = life.start;
		else
			o->leader = 0;
	}
	prof_owner_here(o);
}

/* When this machine was booted, in seconds since 1970. */
static uint64_t boot_s(void)
{
	struct timespec now, up;

	if (clock_gettime(CLOCK_REALTIME, &now) != 0 || clock_gettime(CLOCK_BOOTTIME, &up) != 0 ||
	    now.tv_sec < up.tv_sec)
		return 0;
	return (uint64_t)(now.tv_sec - up.tv_sec);
}

enum prof_life prof_owner_life(const struct prof_owner *theirs, uint64_t pid, uint64_t start,
			       uint64_t begun_s, const struct prof_owner *us)
{
	struct life life;

	if (theirs->boot == 0 || us->boot == 0)
		return PROF_LIFE_UNKNOWN;
	if (theirs->boot != us->boot)
		return theirs->host != 0 && theirs->host == us->host && begun_s < boot_s() ?
			       PROF_LIFE_OVER :
			       PROF_LIFE_UNKNOWN;
	if (theirs->space == 0 || theirs->space != us->space || pid == 0 || pid > INT32_MAX)
		return PROF_LIFE_UNKNOWN;
	if (kill((pid_t)pid, 0) != 0 && errno == ESRCH)
		return PROF_LIFE_OVER;
	/* Other users' processes may be hidden, and our own too without /proc. */
	if (start == 0 || read_life(pid, &life) != 0)
		return PROF_LIFE_UNKNOWN;
	if (life.start != start)
		return PROF_LIFE_OVER;
	/* If the initial thread of a process has ended, others may still run. */
	if ((life.state == 'Z' || life.state == 'X') && life.threads <= 1)
		return PROF_LIFE_OVER;
	return PROF_LIFE_GOES_ON;
}
