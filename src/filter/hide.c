/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/map.h"
#include "src/base/message.h"
#include "src/base/near.h"
#include "src/base/path.h"
#include "src/filter/filter.h"
#include "src/filter/select.h"
#include "src/view/view.h"

static const char *hide_module_at(const struct map *modules, size_t i)
{
	return (const char *)(uintptr_t)modules->entries[i].a;
}

/* Of several patterns the first one's remedy is given. */
static void hide_none(const struct map *modules, const char *pattern, struct trouble *t)
{
	const size_t used = strlen(t->what);
	struct near near;

	if (used) {
		snprintf(t->what + used, sizeof(t->what) - used, ",%s", pattern);
		return;
	}
	near_init(&near, pattern);
	for (size_t i = 0; i < modules->count; i++)
		near_add(&near, path_base(hide_module_at(modules, i)));
	select_none(&near, "no sample is in such a module", "see report --by module",
		    "--hide-modules ", pattern, t);
}

/* Marks the modules with the pattern's best level; false: there is none. */
static bool hide_pattern(struct map *modules, const char *pattern)
{
	enum pattern_level best = PATTERN_NONE;

	for (size_t i = 0; i < modules->count; i++) {
		const enum pattern_level level = module_level(hide_module_at(modules, i), pattern);

		best = level > best ? level : best;
	}
	for (size_t i = 0; i < modules->count && best != PATTERN_NONE; i++)
		if (module_level(hide_module_at(modules, i), pattern) == best)
			modules->entries[i].number = true;
	return best != PATTERN_NONE;
}

static int hide_patterns(struct map *modules, const char *patterns, struct trouble *t)
{
	char *copy = alloc_text(patterns), *rest = copy, *one;
	bool any = false;

	t->what[0] = '\0';
	while ((one = strsep(&rest, ",")))
		if (hide_pattern(modules, one))
			any = true;
		else
			hide_none(modules, one, t);
	free(copy);
	return any ? 0 : -ENOENT;
}

int hide_modules(struct view *v, struct filtered *f, bool lines, struct trouble *t)
{
	struct map modules = { 0 };
	int err = 0;

	/* The modules of the functions in the tree, and of those whose calls alone are there; the
	   number of each says whether it is hidden. */
	uint32_t n;

	for (size_t i = 1; i < v->tree.n; i++) {
		const char *module = v->names.functions[v->tree.nodes[i].function].module;

		if (module)
			map_add(&modules, (uintptr_t)module, 0, false, &n);
	}
	for (size_t i = 0; i < v->nrecords; i++) {
		const char *module = v->names.functions[v->records[i].within].module;

		if (module)
			map_add(&modules, (uintptr_t)module, 0, false, &n);
	}
	err = hide_patterns(&modules, f->options->value[FILTER_HIDE], t);
	if (!err) {
		f->hidden = alloc_zeroed(modules.count + 1, sizeof(*f->hidden));
		for (size_t i = 0; i < modules.count; i++) {
			if (!modules.entries[i].number)
				continue;
			f->hidden[f->nhidden] = alloc_text(hide_module_at(&modules, i));
			f->nhidden++;
		}
	}
	if (!err) {
		bool *hidden = alloc_zeroed(v->names.nfunctions + 1, sizeof(*hidden));

		for (size_t i = 1; i < v->names.nfunctions; i++) {
			const char *module = v->names.functions[i].module;

			hidden[i] = module && map_get(&modules, (uintptr_t)module, 0, false);
		}
		view_hide(v, hidden, lines);
		free(hidden);
	}
	map_free(&modules);
	return err;
}
