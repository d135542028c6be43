/*
 * pfm.h - libpfm4's tables of processor events, loaded when first needed.
 *
 * Linking libpfm.so costs every program start 0.6 ms, for the relocations of
 * its tables, and the usual names do not need it: so it is opened on demand,
 * and where it is not installed only its names are unknown.  For ordinary
 * code; not for several threads at once.
 */
#ifndef OMPHWC_PMU_PFM_H
#define OMPHWC_PMU_PFM_H

#include <stdbool.h>
#include <stddef.h>

/* Whether it could be loaded and initialised. */
bool pmu_pfm_loaded(void);

/* Gives the library back.  What visitors were given dies with it. */
void pmu_pfm_unload(void);

/* libpfm4's name for the processor's PMU, described: "spr (Intel
   SapphireRapid)"; empty where it knows none. */
void pmu_pfm_cpu(char *text, size_t size);

/* Calls visit for each event of the processor's own PMUs that can be asked for
   as it stands, umask included.  A visit that returns non-zero ends it, and is
   returned. */
int pmu_pfm_each(int (*visit)(const char *name, const char *description, void *arg),
		 void *arg);

#endif
