/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A file that its holder keeps locked, and removes at the end of its turn: so whoever gets the lock
 * of a file that has no name any more knows that somebody had his turn meanwhile.
 */
#include "config.h"

#include "src/run/turn.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "src/profile/clock.h"

enum { PATIENCE_S = 10, PAUSE_MS = 5 };

static bool turn_name(const char *folder, char path[PATH_MAX])
{
	return snprintf(path, PATH_MAX, "%s/copying", folder) < PATH_MAX;
}

static bool turn_lock(int fd)
{
	const uint64_t end = clock_ns(CLOCK_MONOTONIC) + PATIENCE_S * UINT64_C(1000000000);
	const struct timespec pause = { .tv_nsec = PAUSE_MS * 1000000L };
	bool got;

	while (!(got = flock(fd, LOCK_EX | LOCK_NB) == 0) && clock_ns(CLOCK_MONOTONIC) < end)
		nanosleep(&pause, NULL);
	return got;
}

int turn_take(const char *folder, _Atomic uint64_t *others)
{
	char path[PATH_MAX];
	bool locked = true;
	struct stat st;

	while (locked && turn_name(folder, path)) {
		const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

		if (fd < 0)
			return -1;
		locked = turn_lock(fd);
		if (locked && fstat(fd, &st) == 0 && st.st_nlink != 0)
			return fd;
		close(fd);
		atomic_fetch_add(others, 1);
	}
	return -1;
}

void turn_end(const char *folder, int fd)
{
	char path[PATH_MAX];

	if (turn_name(folder, path))
		unlink(path);
	if (fd >= 0)
		close(fd);
}
