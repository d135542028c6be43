/* SPDX-License-Identifier: BSD-3-Clause
 * with.c - runs a command in circumstances that need a privileged user to make.
 *
 * with busy COMMAND…: while another holds all of the CPUs' hardware counters
 * with perfmon COMMAND…: as user 1000 with CAP_PERFMON, and no other capability
 */
#define _GNU_SOURCE
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif

enum { MOST = 64, USER = 1000 };

/* Whether the pinned event has a counter of that CPU: one that has none is in error,
   and reads as an end of file. */
static int hold(int cpu, uint64_t config)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE, .size = sizeof(attr), .config = config, .pinned = 1,
	};
	const long fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, 0);
	uint64_t value;

	return fd >= 0 && read((int)fd, &value, sizeof(value)) == sizeof(value);
}

/* They are held until the command, which inherits them, ends. */
static int busy(void)
{
	const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int held = 0;

	for (int cpu = 0; cpu < cpus; cpu++) {
		held += hold(cpu, PERF_COUNT_HW_CPU_CYCLES);
		for (int i = 0; i < MOST && hold(cpu, PERF_COUNT_HW_INSTRUCTIONS); i++)
			held++;
	}
	return held > 0;
}

static int perfmon(void)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[2];

	memset(data, 0, sizeof(data));
	data[CAP_PERFMON / 32].effective = data[CAP_PERFMON / 32].permitted =
		data[CAP_PERFMON / 32].inheritable = 1u << CAP_PERFMON % 32;
	return prctl(PR_SET_KEEPCAPS, 1) == 0 && setresgid(USER, USER, USER) == 0 &&
	       setresuid(USER, USER, USER) == 0 && syscall(SYS_capset, &header, data) == 0 &&
	       prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_PERFMON, 0, 0) == 0;
}

int main(int argc, char **argv)
{
	if (argc < 3 || !(strcmp(argv[1], "busy") == 0 ? busy() : perfmon())) {
		fprintf(stderr, "with: can't\n");
		return 125;
	}
	execvp(argv[2], &argv[2]);
	perror(argv[2]);
	return 127;
}
