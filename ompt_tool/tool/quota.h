/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * quota.h - the CPU quota of the process's control group, and how long it was throttled.
 *
 * Of version 2 and version 1 (where the controller `cpu' is mounted), in the process's own
 * group or one that contains it: the one that allows the least. Files are read through
 * /sys/fs/cgroup, where they are in a container, too.
 */
#ifndef OMPHWC_OMPT_TOOL_TOOL_QUOTA_H
#define OMPHWC_OMPT_TOOL_TOOL_QUOTA_H

#include <stddef.h>

/* Finds the quota, in ordinary code: some small files. */
void quota_find(void);

/* "QUOTA PERIOD" in microseconds; "": there is none, or it is not known. */
const char *quota_text(void);

/* Writes "NS PERIODS THROTTLED" since quota_find(): for how long the group's threads were
   throttled, its periods, and those in which they were. "": not known. */
void quota_throttled(char *to, size_t bytes);

#endif
