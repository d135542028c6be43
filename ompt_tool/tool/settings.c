/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/tool/settings.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/profile/digits.h"

enum { COUNT_MIN_MAX_US = 1000000000 };

static const char *get(const char *name)
{
	const char *value = getenv(name);

	return value && *value != '\0' ? value : NULL;
}

static bool get_bool(const char *name)
{
	const char *value = get(name);

	return value && strcmp(value, "0") != 0;
}

static uint64_t get_count(const char *name, uint64_t most, char *complaint, int bytes)
{
	const char *value = get(name);
	char *end;

	if (!value)
		return 0;
	errno = 0;
	unsigned long long n = strtoull(value, &end, 10);
	if (errno == 0 && *end == '\0' && *value != '-' && n > 0 && n <= most)
		return n;
	snprintf(complaint, (size_t)bytes,
		 "%s=%.40s is not a number from 1 to %llu: using the default", name, value,
		 (unsigned long long)most);
	return 0;
}

static uint64_t get_seconds(const char *name, char *complaint, int bytes)
{
	const char *value = get(name);
	uint64_t ns = 0;

	if (value && !digits_seconds(value, &ns))
		snprintf(complaint, (size_t)bytes, "%s=%.40s is no number of seconds: left out",
			 name, value);
	return ns;
}

static uint64_t get_heap_min(char *complaint, int bytes)
{
	const char *value = get("OMPHWC_HEAP_MIN");

	if (value && strcmp(value, "none") == 0)
		return UINT64_MAX;
	return get_count("OMPHWC_HEAP_MIN", INT64_MAX, complaint, bytes);
}

static const struct {
	const char *name;
	enum settings_delivery delivery;
} deliveries[] = {
	{ "auto", SETTINGS_DELIVERY_AUTO },
	{ "signal", SETTINGS_DELIVERY_SIGNAL },
	{ "sigtrap", SETTINGS_DELIVERY_SIGTRAP },
};

static enum settings_delivery get_delivery(char *complaint, int bytes)
{
	const char *value = get("OMPHWC_DELIVERY");

	if (!value)
		return SETTINGS_DELIVERY_AUTO;
	for (size_t i = 0; i < sizeof(deliveries) / sizeof(*deliveries); i++)
		if (strcmp(value, deliveries[i].name) == 0)
			return deliveries[i].delivery;
	snprintf(complaint, (size_t)bytes,
		 "OMPHWC_DELIVERY=%.40s is none of auto, signal, sigtrap: using auto", value);
	return SETTINGS_DELIVERY_AUTO;
}

/* Events may be counted without samples: OMPHWC_COUNT=1 counts the events of
   OMPHWC_EVENTS; a list in OMPHWC_COUNT is counted, and those of OMPHWC_EVENTS are
   sampled. */
static void get_events(struct settings *s)
{
	const char *counted = get("OMPHWC_COUNT");

	s->events = get("OMPHWC_EVENTS");
	if (!counted || strcmp(counted, "0") == 0) {
		if (!s->events)
			s->events = PMU_DEFAULT_SAMPLED;
		return;
	}
	s->counted = counted;
	s->origin = "OMPHWC_COUNT";
	if (strcmp(counted, "1") == 0) {
		s->counted = s->events ? s->events : PMU_DEFAULT_COUNTED;
		s->origin = "OMPHWC_EVENTS";
		s->events = NULL;
	}
}

void settings_read(struct settings *s, char *complaint, int bytes)
{
	*complaint = '\0';
	memset(s, 0, sizeof(*s));
	get_events(s);
	s->count_min_us =
		(uint32_t)get_count("OMPHWC_COUNT_MIN", COUNT_MIN_MAX_US, complaint, bytes);
	s->rate.period = get_count("OMPHWC_PERIOD", UINT64_MAX / 2, complaint, bytes);
	s->rate.freq_hz = (uint32_t)get_count("OMPHWC_FREQ", PMU_FREQ_MAX_HZ, complaint, bytes);
	if (s->rate.period != 0)
		s->rate.freq_hz = 0;
	else if (s->rate.freq_hz == 0)
		s->rate.freq_hz = PMU_DEFAULT_FREQ_HZ;
	s->heap_min = get_heap_min(complaint, bytes);
	s->output = get("OMPHWC_OUTPUT");
	s->manifest = get("OMPHWC_MANIFEST");
	s->spool = get("OMPHWC_SPOOL");
	s->run_id = get("OMPHWC_RUN_ID");
	s->cpus = get("OMPHWC_CPUS");
	s->delivery = get_delivery(complaint, bytes);
	s->entries = get_bool("OMPHWC_ENTRIES");
	s->dependences = get_bool("OMPHWC_DEPENDENCES");
	s->blame = get_bool("OMPHWC_BLAME");
	s->trace = get_count("OMPHWC_TRACE", INT64_MAX, complaint, bytes);
	s->timeline = s->trace != 0 || get_bool("OMPHWC_TIMELINE");
	s->paused = get_bool("OMPHWC_PAUSED");
	s->delay_ns = get_seconds("OMPHWC_DELAY", complaint, bytes);
	s->duration_ns = get_seconds("OMPHWC_DURATION", complaint, bytes);
	s->object_table = get_bool("OMPHWC_OBJECT_TABLE");
	s->verbose = get_bool("OMPHWC_VERBOSE");
}
