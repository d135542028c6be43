/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cpuinfo.h - /proc/cpuinfo, which names its fields differently on each architecture.
 */
#ifndef OMPHWC_SRC_CHECK_CPUINFO_H
#define OMPHWC_SRC_CHECK_CPUINFO_H

#include <stdbool.h>
#include <stddef.h>

/* The value of the first line that begins with name. */
bool cpuinfo(const char *name, char *value, size_t size);

#endif
