/* SPDX-License-Identifier: BSD-3-Clause
 * deny - runs a command without something that profilers need.
 *
 * deny perf ERRNO COMMAND…    perf_event_open(2) fails so, by a seccomp filter
 * deny timers ERRNO COMMAND…  and timer_create(2) too
 * deny files N COMMAND…       at most N file descriptors
 * deny rings ERRNO COMMAND…   no shared mapping of two pages, as a perf event's ring is
 * deny user UID COMMAND…      as an ordinary user
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static int install(struct sock_filter *filter, size_t n)
{
	struct sock_fprog program = { (unsigned short)n, filter };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int filter_call(long number, int error)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};

	return install(filter, sizeof(filter) / sizeof(filter[0]));
}

/* The lower half of a call's argument, on a machine with the lower half first. */
#define ARGUMENT(n) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[n]))

static int filter_rings(int error)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 5),
		ARGUMENT(1),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 2 * (unsigned)sysconf(_SC_PAGESIZE), 0, 3),
		ARGUMENT(3),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MAP_SHARED, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};

	return install(filter, sizeof(filter) / sizeof(filter[0]));
}

static int deny(const char *what, int n)
{
	const struct rlimit files = { (rlim_t)n, (rlim_t)n };

	if (!strcmp(what, "perf"))
		return filter_call(SYS_perf_event_open, n);
	if (!strcmp(what, "timers"))
		return filter_call(SYS_perf_event_open, n) || filter_call(SYS_timer_create, n);
	if (!strcmp(what, "rings"))
		return filter_rings(n);
	if (!strcmp(what, "files"))
		return setrlimit(RLIMIT_NOFILE, &files);
	if (!strcmp(what, "user"))
		return setgid((gid_t)n) || setuid((uid_t)n);
	errno = EINVAL;
	return -1;
}

int main(int argc, char **argv)
{
	if (argc < 4 || deny(argv[1], atoi(argv[2]))) {
		perror("deny");
		return 126;
	}
	execvp(argv[3], argv + 3);
	perror(argv[3]);
	return 127;
}
