/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * select_place.c - records by their regions, modules and phases.
 *
 * Of a pattern's matches the best level counts: --region solve is the region in solve, and
 * not that in solve_all, if there is one in solve.
 */
#include "config.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "src/base/map.h"
#include "src/base/message.h"
#include "src/base/near.h"
#include "src/filter/select.h"
#include "src/tables/regions.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

#include "src/base/alloc.h"

static int regions_none(const struct view *v, const char *value, const bool *sampled,
			struct trouble *t)
{
	struct near near;

	near_init(&near, value);
	for (uint32_t i = 0; i < v->nregions; i++) {
		char *label = sampled[i] ?
				      region_label(v, i < REGION_SPECIALS ? i : REGION_SPECIALS,
						   v->regions[i].line) :
				      NULL;

		if (label)
			near_add(&near, label);
		free(label);
	}
	return select_none(&near, "no sampled region has such a name", "see report --by region",
			   "--region ", value, t);
}

int select_region(const struct view *v, const char *value, bool *kept, struct trouble *t)
{
	/* Only regions with records count: a region of nothing could not be shown. */
	bool *sampled = alloc_zeroed(v->nregions + 1, sizeof(*sampled));

	for (size_t i = 0; i < v->nrecords; i++)
		sampled[v->records[i].region] = true;
	enum pattern_level *levels = alloc_zeroed(v->nregions + 1, sizeof(*levels));
	enum pattern_level best = PATTERN_NONE;
	int err = 0;

	for (uint32_t i = 0; i < v->nregions; i++) {
		levels[i] = sampled[i] ? region_level(v, i, value) : PATTERN_NONE;
		if (levels[i] > best)
			best = levels[i];
	}
	if (best == PATTERN_NONE)
		err = regions_none(v, value, sampled, t);
	for (size_t i = 0; i < v->nrecords && !err; i++)
		kept[i] = kept[i] && levels[v->records[i].region] == best;
	free(sampled);
	free(levels);
	return err;
}

int select_module(const struct view *v, const char *value, bool *kept, struct trouble *t)
{
	struct map levels = { 0 };
	int best, err = 0;

	/* Names are interned: each one's level is found once. */
	best = PATTERN_NONE;
	for (size_t i = 0; i < v->nrecords; i++) {
		const struct table_name of = table_module(v, &v->records[i]);
		uint32_t level;

		if (map_get(&levels, (uintptr_t)of.name, 0, UINT32_MAX) != UINT32_MAX)
			continue;
		map_add(&levels, (uintptr_t)of.name, 0, module_level(of.name, value), &level);
		if ((int)level > best)
			best = (int)level;
	}
	if (best == PATTERN_NONE) {
		struct near near;

		near_init(&near, value);
		for (size_t i = 0; i < levels.count; i++)
			near_add(&near, (const char *)(uintptr_t)levels.entries[i].a);
		err = select_none(&near, "no sample is in such a module", "see report --by module",
				  "--module ", value, t);
	}
	for (size_t i = 0; i < v->nrecords && !err; i++) {
		const struct table_name of = table_module(v, &v->records[i]);

		kept[i] = kept[i] && (int)map_get(&levels, (uintptr_t)of.name, 0, 0) == best;
	}
	map_free(&levels);
	return err;
}

/* By its own name, or with those around it. */
static enum pattern_level phase_level(const struct view *v, uint32_t phase, const char *value)
{
	char *label = view_phase_label(v, phase);
	enum pattern_level level = pattern_level(value, label);

	if (phase && level < pattern_level(value, v->phases[phase].name))
		level = pattern_level(value, v->phases[phase].name);
	free(label);
	return level;
}

static int phases_none(const struct view *v, const char *value, struct trouble *t)
{
	struct near near;

	near_init(&near, value);
	for (uint32_t i = 1; i < v->nphases; i++)
		near_add(&near, v->phases[i].name);
	return select_none(&near, "no sample is in such a phase", "see report --by phase",
			   "--phase ", value, t);
}

int select_phase(const struct view *v, const char *value, bool *kept, struct trouble *t)
{
	bool *within = alloc_zeroed(v->nphases, sizeof(*within)), any = false;
	enum pattern_level best = PATTERN_NONE;

	for (uint32_t i = 0; i < v->nphases; i++)
		best = phase_level(v, i, value) > best ? phase_level(v, i, value) : best;
	/* Parents have lower numbers. */
	for (uint32_t i = 0; i < v->nphases && best != PATTERN_NONE; i++)
		within[i] = phase_level(v, i, value) == best ||
			    (v->phases[i].parent && within[v->phases[i].parent]);
	for (size_t i = 0; i < v->nrecords; i++) {
		any = any || within[v->records[i].phase];
		kept[i] = kept[i] && within[v->records[i].phase];
	}
	free(within);
	return any ? 0 : phases_none(v, value, t);
}
