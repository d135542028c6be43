/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sysfs.h - the PMUs that the kernel describes in sysfs, and their events.
 *
 * Source: Documentation/ABI/testing/sysfs-bus-event_source-devices-*.  For
 * ordinary code; nothing is cached.
 */
#ifndef OMPHWC_PMU_SYSFS_H
#define OMPHWC_PMU_SYSFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longest name of a PMU or of an event, with its NUL; longer ones are left out. */
enum { PMU_SYSFS_NAME_BYTES = 64 };

/* Sets the tree's path; NULL: /sys/bus/event_source/devices. dir must live as long as
   it is used. For tests. */
void pmu_sysfs_base(const char *dir);

/* Calls visit for each PMU, or each event of one, in alphabetical order. A visit that
   returns non-zero ends the walk, and its value is returned; -errno on failure. */
int pmu_sysfs_each_pmu(int (*visit)(const char *pmu, void *arg), void *arg);
int pmu_sysfs_each_event(const char *pmu, int (*visit)(const char *event, void *arg), void *arg);

/* Likewise for the files of one of its folders. */
int pmu_sysfs_each_in(const char *pmu, const char *folder,
		      int (*visit)(const char *name, void *arg), void *arg);

/* Reads PMU/folder/name (folder may be empty). Returns its length, or -errno. */
int pmu_sysfs_text(const char *pmu, const char *folder, const char *name, char *text, size_t size);

/* perf_event_attr.type of the PMU's events: 0, or -ENOENT. */
int pmu_sysfs_type(const char *pmu, uint32_t *type);

/* Whether the PMU counts events of cores: "cpu", or one kind of core of several
   (cpu_core, cpu_atom, armv8_cortex_a57). */
bool pmu_sysfs_is_core(const char *pmu);

/* Whether the PMU counts for whole packages or CPUs only, never for a thread. */
bool pmu_sysfs_is_uncore(const char *pmu);

/* How many core PMUs there are: kinds of cores. */
int pmu_sysfs_kinds(void);

/* Whether there is any core PMU; whether one has the file caps/max_precise, as it has
   if its driver heeds perf_event_attr.precise_ip. */
bool pmu_sysfs_has_core(void);
bool pmu_sysfs_knows_precise(void);

#endif
