/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cpu_time.h - what CPU time threads of a process on this machine had, as the kernel counts it.
 */
#ifndef OMPHWC_SRC_SCREEN_CPU_TIME_H
#define OMPHWC_SRC_SCREEN_CPU_TIME_H

#include <stdbool.h>
#include <stdint.h>

struct cpu_time {
	uint32_t tid;
	bool waits;	    /* waited_ns is known */
	uint64_t ran_ns;    /* on a CPU */
	uint64_t waited_ns; /* ready to run, without one */
};

/* That of a thread since its start; false: there is no such thread, or it is not shown here. */
bool cpu_time_read(uint32_t pid, uint32_t tid, struct cpu_time *t);

#endif
