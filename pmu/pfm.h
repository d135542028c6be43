/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pfm.h - libpfm4's tables of processor events, loaded when first needed.
 *
 * Linking libpfm.so would cost every program start 0.6 ms, for relocations of its
 * tables, and the usual names do not need it. So it is loaded on demand; where it
 * is not installed, only its names are unknown. For ordinary code; not for several
 * threads at once.
 */
#ifndef OMPHWC_PMU_PFM_H
#define OMPHWC_PMU_PFM_H

#include <stdbool.h>
#include <stddef.h>

/* Loads and initialises libpfm; false where that is not possible. */
bool pmu_pfm_loaded(void);

/* Unloads the library, and with it the strings that visitors were given. */
void pmu_pfm_unload(void);

/* libpfm4's name for the processor's PMU, with its description: "spr (Intel
   SapphireRapid)"; empty where it knows none. */
void pmu_pfm_cpu(char *text, size_t size);

/* Calls visit for each complete event, with its umask, of the processor's own PMUs. A
   visit that returns non-zero ends the walk, and its value is returned. */
int pmu_pfm_each(int (*visit)(const char *name, const char *description, void *arg), void *arg);

#endif
