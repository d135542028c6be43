/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * find.c - gives each function and file a level, and takes those with the best.
 */
#include "config.h"

#include "src/filter/find.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/map.h"
#include "src/base/message.h"
#include "src/base/near.h"
#include "src/base/path.h"
#include "src/filter/select.h"
#include "src/tables/tables.h"
#include "src/view/label.h"
#include "src/view/view.h"

struct find {
	const struct view *view;
	const char *wanted;
	enum find_kind kind;
	bool *shown; /* by function: on a path, or of a record's line */
	struct map files;
	struct near near;
	enum pattern_level best;
	struct found *found;
};

static void find_line(struct find *f, uint32_t line)
{
	const struct line *l = &f->view->names.lines[line];
	uint32_t n;

	f->shown[l->function] = true;
	if (l->file && f->kind == FIND_SOURCE)
		map_add(&f->files, (uintptr_t)l->file, 0, 0, &n);
}

static void find_init(struct find *f)
{
	const struct view *v = f->view;

	f->shown = alloc_zeroed(v->names.nfunctions + 1, sizeof(*f->shown));
	for (size_t i = 1; i < v->tree.n; i++) {
		f->shown[v->tree.nodes[i].function] = true;
		find_line(f, v->tree.nodes[i].line);
	}
	for (size_t i = 0; i < v->nrecords; i++)
		find_line(f, v->records[i].line);
	f->shown[0] = false;
}

/* What find_target() gives for a function; malloc'ed. */
static char *find_name(enum find_kind kind, const struct function *function)
{
	return kind == FIND_CODE ? alloc_text(function->name) : label_function(function);
}

/* Adds a name, each once.  Of better ones the earlier are forgotten. */
static void find_add(struct find *f, enum pattern_level level, char *name)
{
	struct found *to = f->found;

	if (level > f->best)
		found_fini(to);
	f->best = level;
	for (size_t i = 0; i < to->n; i++)
		if (!strcmp(to->several[i], name)) {
			free(name);
			return;
		}
	to->several = alloc_resize(to->several, (to->n + 1) * sizeof(*to->several));
	to->several[to->n++] = name;
}

/* Tables combine what an exact name means; symbol tables have only whole names. */
static int find_choose(const struct find *f, struct trouble *t)
{
	struct found *to = f->found;

	/* Code may have no sample. */
	if (!to->n && f->kind != FIND_CODE) {
		if (f->kind == FIND_SOURCE && !f->files.count) {
			trouble(t, "no code in the profile has source lines", "compile it with -g",
				"%s", f->wanted);
			return -ENOENT;
		}
		return select_none(&f->near, "the profile has no such name",
				   "see report --by function", "", f->wanted, t);
	}
	if (!to->n || (f->best == PATTERN_EXACT && f->kind != FIND_CODE)) {
		to->name = alloc_text(f->wanted);
	} else if (to->n == 1) {
		to->name = alloc_text(to->several[0]);
	} else {
		trouble(t, "several have such a name", "give one of these", "%s", f->wanted);
		return -ENOENT;
	}
	return 0;
}

/* Of "cos(), called by composite (heat.c:60)" the function that has a source. */
static const char *find_caller(const char *wanted)
{
	static const char before[] = "(), called ", between[] = "by ";
	const char *called = strstr(wanted, before);

	return called && strlen(called) > strlen(before) + strlen(between) ?
		       called + strlen(before) + strlen(between) :
		       wanted;
}

int find_target(const struct view *v, const char *wanted, enum find_kind kind, struct found *found,
		struct trouble *t)
{
	struct find f = { .view = v, .wanted = find_caller(wanted), .kind = kind, .found = found };
	int err = 0;

	*found = (struct found){ 0 };
	near_init(&f.near, f.wanted);
	find_init(&f);
	const struct names *n = &f.view->names;

	for (size_t i = 1; i < n->nfunctions; i++) {
		const struct function *one = &n->functions[i];

		if (!f.shown[i] || !one->name)
			continue;
		const enum pattern_level level = function_level(one, f.wanted);

		near_add(&f.near, one->name);
		if (level > PATTERN_NONE && level >= f.best)
			find_add(&f, level, find_name(f.kind, one));
	}
	if (f.best < PATTERN_EXACT) {
		/* Functions come before files of the same level. */
		for (size_t i = 0; i < f.files.count; i++) {
			const char *file = (const char *)(uintptr_t)f.files.entries[i].a;
			const enum pattern_level level = file_level(file, f.wanted);

			near_add(&f.near, path_base(file));
			if (level > PATTERN_NONE && level >= f.best)
				find_add(&f, level, alloc_text(file));
		}
	}
	err = find_choose(&f, t);
	free(f.shown);
	map_free(&f.files);
	return err;
}

void found_fini(struct found *found)
{
	for (size_t i = 0; i < found->n; i++)
		free(found->several[i]);
	free(found->several);
	free(found->name);
	*found = (struct found){ 0 };
}
