/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * surroundings.h - what the system gave a process: CPUs, a quota, memory.
 *
 * From profiles of format 1.12 on, and of processes that ended by themselves; else unknown.
 */
#ifndef OMPHWC_SRC_TABLES_SURROUNDINGS_H
#define OMPHWC_SRC_TABLES_SURROUNDINGS_H

#include <stdbool.h>
#include <stdint.h>

struct prof_file;

/* The CPU quota of the process's control group; cpus 0: none, or not known. */
struct surroundings_quota {
	double cpus;
	uint64_t periods, throttled; /* while the process ran; of these, with threads throttled */
	uint64_t throttled_ns;	     /* sum over its CPUs */
};

/* The process's own use; known: the others are meaningful. */
struct surroundings_usage {
	bool known;
	uint64_t user_ns, system_ns;
	uint64_t minor_faults, major_faults;
	uint64_t resident_kib;		 /* the most */
	uint64_t voluntary, involuntary; /* context switches */
};

void surroundings_quota(const struct prof_file *f, struct surroundings_quota *q);
void surroundings_usage(const struct prof_file *f, struct surroundings_usage *u);

/* The CPUs that the process had left after its start, by a mask that no setting of the
   environment explains, as a list; NULL: no others than at the start, or not known. */
const char *surroundings_worker_cpus(const struct prof_file *f);

/* The OpenMP runtimes in the process that report what they do. */
uint32_t surroundings_runtimes(const struct prof_file *f);

/* A variable of the process's environment, "NAME=VALUE"; NULL: not set, or not recorded. */
const char *surroundings_setting(const struct prof_file *f, const char *name);

#endif
