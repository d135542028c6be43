/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "pmu/perf.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pmu/perf_event.h"

/* Above the numbers of select(), and above those that programs expect to get next. */
enum { FD_FLOOR = 1024 };

static atomic_flag raising = ATOMIC_FLAG_INIT;

static pmu_perf_watcher *watcher;

void pmu_perf_watch(pmu_perf_watcher *w)
{
	watcher = w;
}

static int open_exactly(const struct perf_event_attr *attr, pid_t tid, int group)
{
	long fd = syscall(SYS_perf_event_open, attr, tid, -1, group, PERF_FLAG_FD_CLOEXEC);
	const int answer = fd < 0 ? -errno : (int)fd;

	if (watcher)
		watcher(attr, group, answer);
	return answer;
}

/* What else a PMU may want: some know no hypervisor's side to leave out, some refuse what
   counts in guests, too. */
static const struct {
	bool hv, guest; /* are left out */
} sides[] = { { false, false }, { true, true }, { false, true } };

int pmu_perf_open_in(const struct perf_event_attr *attr, pid_t tid, int group)
{
	const int refused = open_exactly(attr, tid, group);

	if ((refused != -EINVAL && refused != -EOPNOTSUPP) || attr->type == PERF_TYPE_SOFTWARE)
		return refused;
	for (size_t i = 0; i < sizeof(sides) / sizeof(sides[0]); i++) {
		struct perf_event_attr other = *attr;
		int fd;

		other.exclude_hv = attr->exclude_hv && sides[i].hv;
		other.exclude_guest = sides[i].guest;
		if (other.exclude_hv == attr->exclude_hv &&
		    other.exclude_guest == attr->exclude_guest)
			continue;
		fd = open_exactly(&other, tid, group);
		if (fd >= 0)
			return fd;
	}
	return refused;
}

int pmu_perf_open(const struct perf_event_attr *attr, pid_t tid)
{
	return pmu_perf_open_in(attr, tid, -1);
}

/* One thread at a time raises the limit. A fork's child may find it taken. */
static bool claim_limit(void)
{
	for (int tries = 0; tries < 1000; tries++) {
		if (!atomic_flag_test_and_set(&raising))
			return true;
		sched_yield();
	}
	return false;
}

/* Moves fd past the soft limit, which is raised for a moment: descriptors stay valid when
   the limit falls. */
static int move_past_limit(int fd)
{
	struct rlimit limit, raised;
	int moved = -EMFILE;

	if (!claim_limit())
		return -EMFILE;
	if (!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur < limit.rlim_max &&
	    limit.rlim_cur < INT_MAX) {
		raised = (struct rlimit){ limit.rlim_max, limit.rlim_max };
		if (!setrlimit(RLIMIT_NOFILE, &raised)) {
			moved = fcntl(fd, F_DUPFD_CLOEXEC, (int)limit.rlim_cur);
			if (moved < 0)
				moved = -errno;
			setrlimit(RLIMIT_NOFILE, &limit);
		}
	}
	atomic_flag_clear(&raising);
	return moved;
}

/*
 * The kernel gives the lowest free number, which the application expects to get
 * next. Where the limit is low, fd moves to its upper half. When that is full, it moves
 * past the limit, as far as the hard limit allows: the lower half is the application's.
 */
int pmu_perf_move(int fd)
{
	struct rlimit limit;
	int floor = FD_FLOOR, moved;

	if (!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur / 2 < FD_FLOOR)
		floor = (int)(limit.rlim_cur / 2);
	moved = fcntl(fd, F_DUPFD_CLOEXEC, floor > 3 ? floor : 3);
	if (moved < 0)
		moved = errno == EMFILE ? move_past_limit(fd) : -errno;
	/* syscall(), since libc's close() is a cancellation point. */
	syscall(SYS_close, fd);
	return moved;
}

int pmu_perf_try(const struct perf_event_attr *attr)
{
	int fd = pmu_perf_open(attr, 0);

	if (fd >= 0)
		close(fd);
	return fd < 0 ? fd : 0;
}
