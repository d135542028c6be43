/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings.h - the tool's settings, from environment variables.
 */
#ifndef OMPHWC_OMPT_TOOL_TOOL_SETTINGS_H
#define OMPHWC_OMPT_TOOL_TOOL_SETTINGS_H

#include <stdbool.h>

#include "pmu/event.h"

enum settings_delivery {
	SETTINGS_DELIVERY_AUTO,
	SETTINGS_DELIVERY_SIGNAL,
	SETTINGS_DELIVERY_SIGTRAP,
};

/* Strings point into the environment and are not copied. */
struct settings {
	const char *events;    /* OMPHWC_EVENTS, a list; default cycles; NULL: none */
	const char *counted;   /* OMPHWC_COUNT, a list, "1": events; or NULL */
	const char *origin;    /* the variable that has counted */
	uint32_t count_min_us; /* OMPHWC_COUNT_MIN; 0: the default */
	struct pmu_rate rate;  /* OMPHWC_FREQ, OMPHWC_PERIOD */
	const char *output;    /* OMPHWC_OUTPUT, a name.h pattern; NULL: the default */
	const char *manifest;  /* OMPHWC_MANIFEST, or NULL */
	const char *spool;     /* OMPHWC_SPOOL, or NULL */
	const char *run_id;    /* OMPHWC_RUN_ID, or NULL */
	const char *cpus;      /* OMPHWC_CPUS, "LIST PATH", or NULL: topology.c */
	uint64_t heap_min;     /* OMPHWC_HEAP_MIN, bytes; 0: the default; UINT64_MAX: no blocks */
	enum settings_delivery delivery; /* OMPHWC_DELIVERY */
	bool entries;			 /* OMPHWC_ENTRIES */
	bool dependences;		 /* OMPHWC_DEPENDENCES */
	bool blame;			 /* OMPHWC_BLAME */
	bool timeline;			 /* OMPHWC_TIMELINE */
	uint64_t trace;			 /* OMPHWC_TRACE, bytes of a thread; 0: none */
	bool paused;			 /* OMPHWC_PAUSED */
	uint64_t delay_ns, duration_ns;	 /* OMPHWC_DELAY, OMPHWC_DURATION; 0: none */
	bool object_table;		 /* OMPHWC_OBJECT_TABLE */
	bool verbose;			 /* OMPHWC_VERBOSE */
};

/*
 * Reads the environment. An invalid value is replaced by its default, and
 * *complaint says so ("OMPHWC_FREQ=abc is no rate: …"); else *complaint is empty.
 */
void settings_read(struct settings *s, char *complaint, int bytes);

#endif
