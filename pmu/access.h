/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * access.h - what this machine lets this user count. For ordinary code.
 */
#ifndef OMPHWC_PMU_ACCESS_H
#define OMPHWC_PMU_ACCESS_H

#include <stdbool.h>

enum pmu_hardware {
	PMU_HARDWARE_YES,
	PMU_HARDWARE_NONE,   /* no core PMU: a virtual machine, mostly */
	PMU_HARDWARE_DENIED, /* there may be one; this user may not use it */
	PMU_HARDWARE_SILENT, /* events open, but are never counted */
	PMU_HARDWARE_SIDES,  /* counts user code and the kernel together only */
};

struct pmu_access {
	enum pmu_hardware hardware;
	bool syscall_works;   /* perf_event_open is not blocked (seccomp, ENOSYS) */
	int syscall_errno;    /* why it is blocked; 0: it works */
	int paranoid;	      /* kernel.perf_event_paranoid; -2: not readable */
	bool user_clock;      /* cpu-clock of the caller's own user code can be had */
	bool kernel_events;   /* events in the kernel may be counted */
	bool capable;	      /* CAP_SYS_ADMIN, or CAP_PERFMON where that is enough */
	bool sigtrap;	      /* see pmu_delivery_sigtrap_works() */
	const char *unread;   /* pmu_user_read_refusal() */
	bool nmi_watchdog;    /* it takes one counter */
	long max_sample_rate; /* kernel.perf_event_max_sample_rate; -1: unknown */
	long mlock_kb;	      /* kernel.perf_event_mlock_kb; -1: unknown */
	char pmus[160];	      /* core PMUs' names, as sysfs has them */
	char cpu[96];	      /* libpfm4's name for the CPU's PMU, or empty */
};

/* Why reading a counter takes a system call here; NULL: it does not. */
const char *pmu_user_read_refusal(void);

void pmu_access_probe(struct pmu_access *a);

#endif
