/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * files.h - small files of /proc and /sys, read without allocating.
 *
 * For ordinary code.
 */
#ifndef OMPHWC_PMU_FILES_H
#define OMPHWC_PMU_FILES_H

#include <stddef.h>

/* Reads a file's text, cut at size - 1 bytes and ended by NUL, without trailing white
   space. Returns its length, or -errno and an empty text. */
int pmu_file_text(const char *path, char *text, size_t size);

/* The decimal number that the file begins with, or fallback. */
long pmu_file_number(const char *path, long fallback);

/* The field NAME: (with its colon) of /proc/self/status as a number in base, or fallback. */
unsigned long long pmu_status_field(const char *name, int base, unsigned long long fallback);

#endif
