/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * suggest.h - suggests the event that was meant, when a name is almost right.
 */
#ifndef OMPHWC_PMU_SUGGEST_H
#define OMPHWC_PMU_SUGGEST_H

#include <stddef.h>

/* Copies the nearest of the kernel's own event names to name (length bytes), or an
   empty text where none is near. */
void pmu_suggest(const char *name, size_t length, char *text, size_t size);

#endif
