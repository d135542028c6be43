/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/tables/constructs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/path.h"
#include "src/model/construct_kind.h"
#include "src/view/view.h"

const char *construct_said(const struct view_construct *c)
{
	if (c->unsure)
		return c->kind == CONSTRUCT_SINGLE ? "single or what follows" :
						     "barrier or end of a construct";
	return construct_name(c->kind);
}

char *construct_title(const struct view_construct *c)
{
	if (c->kind == CONSTRUCT_SECTIONS && c->count_least && c->count_least == c->count_most)
		return alloc_printf("%s (%u)", construct_name(c->kind), c->count_least);
	if (!c->object)
		return alloc_text(construct_said(c));
	/* "(unnamed)" has parentheses of its own. */
	return alloc_printf(*c->object == '(' ? "%s %s" : "%s (%s)", construct_name(c->kind),
			    c->object);
}

char *construct_label(const struct view *v, const struct view_construct *c)
{
	const struct line *l = &v->names.lines[c->line];
	const char *function = v->names.functions[l->function].name;
	char *title = construct_title(c), *s = NULL;
	char last[16] = "";

	if (c->kind < CONSTRUCT_SPECIALS)
		return title;
	if (c->last_line > l->line)
		snprintf(last, sizeof(last), "-%u", c->last_line);
	if (l->line && l->place)
		s = alloc_printf("%s in %s (%s:%u), %s", title, function,
				 l->file ? path_base(l->file) : "?", l->line, l->place);
	else if (l->line)
		s = alloc_printf("%s in %s (%s:%u%s)", title, function,
				 l->file ? path_base(l->file) : "?", l->line, last);
	else if (l->place)
		s = alloc_printf("%s in %s (%s)", title, function, l->place);
	else
		s = alloc_printf("%s in %s", title, function ? function : "(unknown)");
	free(title);
	return s;
}

struct spread_work construct_work(const struct construct_row *c, size_t event)
{
	return spread_work(c->threads, c->nthreads, c->what->nthreads, event);
}

struct construct_inside construct_inside(const struct view *v, const struct view_construct *c)
{
	const struct view_entrant *of = &v->entrants[c->entrants];
	struct construct_inside inside = { .least = c->nentrants ? UINT64_MAX : 0 };

	for (uint32_t i = 0; i < c->nentrants; i++) {
		inside.mean += (double)of[i].elapsed_ns / (double)c->nentrants;
		if (of[i].elapsed_ns < inside.least)
			inside.least = of[i].elapsed_ns;
		if (of[i].elapsed_ns > inside.most)
			inside.most = of[i].elapsed_ns;
	}
	return inside;
}

void constructs_build(const struct view *v, size_t event, struct constructs *c)
{
	struct map rows = { 0 };

	*c = (struct constructs){ 0 };
	table_build(v, TABLE_CONSTRUCT, &c->table);
	table_build(v, TABLE_CONSTRUCT_THREAD, &c->threads);
	table_sort(&c->table, event);
	/* Constructs without samples share one block of zeros: the last, unused one. */
	struct cost *none = &c->table.self[c->table.n * c->table.nevents * OMP_CLASSES];
	uint32_t row;

	c->all = alloc_zeroed(v->nconstructs + 1, sizeof(*c->all));
	for (; c->n < c->table.n; c->n++) {
		c->all[c->n] = (struct construct_row){
			.what = &v->constructs[c->table.rows[c->n].key],
			.self = c->table.rows[c->n].self,
		};
		map_add(&rows, c->table.rows[c->n].key, 0, (uint32_t)c->n, &row);
	}
	for (uint32_t i = CONSTRUCT_SPECIALS; i < v->nconstructs; i++) {
		if (!v->constructs[i].entries)
			continue;
		if (map_add(&rows, i, 0, (uint32_t)c->n, &row))
			c->all[c->n++] = (struct construct_row){
				.what = &v->constructs[i],
				.self = none,
			};
	}
	spread_build(&c->spread, &c->threads, &rows, c->n);
	for (size_t i = 0; i < c->n; i++) {
		c->all[i].threads = &c->spread.all[c->spread.first[i]];
		c->all[i].nthreads = c->spread.first[i + 1] - c->spread.first[i];
	}
	map_free(&rows);
}

void constructs_fini(struct constructs *c)
{
	table_fini(&c->table);
	table_fini(&c->threads);
	spread_fini(&c->spread);
	free(c->all);
	*c = (struct constructs){ 0 };
}
