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

/* Where the tree lies; NULL: /sys/bus/event_source/devices.  dir must live as
   long as it is used.  For tests. */
void pmu_sysfs_base(const char *dir);

/* Calls visit for each PMU, or each event of one, in alphabetical order.  A
   visit that returns non-zero ends it, and is returned; -errno on failure. */
int pmu_sysfs_each_pmu(int (*visit)(const char *pmu, void *arg), void *arg);
int pmu_sysfs_each_event(const char *pmu,
			 int (*visit)(const char *event, void *arg), void *arg);

/* What PMU/folder/name holds (folder may be empty): its length, or -errno. */
int pmu_sysfs_text(const char *pmu, const char *folder, const char *name,
		   char *text, size_t size);

/* perf_event_attr.type of the PMU's events: 0, or -ENOENT. */
int pmu_sysfs_type(const char *pmu, uint32_t *type);

/* Whether it counts what the cores do: "cpu", or one kind of core of several
   (cpu_core, cpu_atom, armv8_cortex_a57). */
bool pmu_sysfs_is_core(const char *pmu);

/* Whether it counts for whole packages or CPUs only, never for a thread. */
bool pmu_sysfs_is_uncore(const char *pmu);

/* Whether there is any core PMU; whether one has the file caps/max_precise,
   as those do whose drivers look at perf_event_attr.precise_ip at all. */
bool pmu_sysfs_has_core(void);
bool pmu_sysfs_knows_precise(void);

#endif
