#include "config.h"

#include "src/tables/constructs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	char *s;

	if (c->kind == CONSTRUCT_SECTIONS && c->count_least && c->count_least == c->count_most)
		return asprintf(&s, "%s (%u)", construct_name(c->kind), c->count_least) < 0 ? NULL :
											      s;
	if (!c->object)
		return strdup(construct_said(c));
	/* "(unnamed)" has parentheses of its own. */
	return asprintf(&s, *c->object == '(' ? "%s %s" : "%s (%s)", construct_name(c->kind),
			c->object) < 0 ?
		       NULL :
		       s;
}

char *construct_label(const struct view *v, const struct view_construct *c)
{
	const struct line *l = &v->names.lines[c->line];
	const char *function = v->names.functions[l->function].name;
	char *title = construct_title(c), *s = NULL;
	char last[16] = "";
	int n = -1;

	if (!title || c->kind < CONSTRUCT_SPECIALS)
		return title;
	if (c->last_line > l->line)
		snprintf(last, sizeof(last), "-%u", c->last_line);
	if (l->line && l->place)
		n = asprintf(&s, "%s in %s (%s:%u), %s", title, function,
			     l->file ? path_base(l->file) : "?", l->line, l->place);
	else if (l->line)
		n = asprintf(&s, "%s in %s (%s:%u%s)", title, function,
			     l->file ? path_base(l->file) : "?", l->line, last);
	else if (l->place)
		n = asprintf(&s, "%s in %s (%s)", title, function, l->place);
	else
		n = asprintf(&s, "%s in %s", title, function ? function : "(unknown)");
	free(title);
	return n < 0 ? NULL : s;
}

struct spread_work construct_work(const struct construct *c, size_t event)
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

static int constructs_rows(const struct view *v, struct constructs *c, struct map *rows)
{
	/* Constructs without samples share one block of zeros: the last, unused one. */
	struct cost *none = &c->table.self[c->table.n * c->table.nevents * OMP_CLASSES];
	uint32_t row;
	int added;

	c->all = calloc(v->nconstructs + 1, sizeof(*c->all));
	if (!c->all)
		return -ENOMEM;
	for (; c->n < c->table.n; c->n++) {
		c->all[c->n] = (struct construct){
			.what = &v->constructs[c->table.rows[c->n].key],
			.self = c->table.rows[c->n].self,
		};
		added = map_add(rows, c->table.rows[c->n].key, 0, (uint32_t)c->n, &row);
		if (added < 0)
			return added;
	}
	for (uint32_t i = CONSTRUCT_SPECIALS; i < v->nconstructs; i++) {
		if (!v->constructs[i].entries)
			continue;
		added = map_add(rows, i, 0, (uint32_t)c->n, &row);
		if (added < 0)
			return added;
		if (added)
			c->all[c->n++] = (struct construct){
				.what = &v->constructs[i],
				.self = none,
			};
	}
	return 0;
}

int constructs_build(const struct view *v, size_t event, struct constructs *c)
{
	struct map rows = { 0 };
	int err;

	*c = (struct constructs){ 0 };
	err = table_build(v, TABLE_CONSTRUCT, &c->table);
	if (!err)
		err = table_build(v, TABLE_CONSTRUCT_THREAD, &c->threads);
	if (!err) {
		table_sort(&c->table, event);
		err = constructs_rows(v, c, &rows);
	}
	if (!err)
		err = spread_build(&c->spread, &c->threads, &rows, c->n);
	for (size_t i = 0; i < c->n && !err; i++) {
		c->all[i].threads = &c->spread.all[c->spread.first[i]];
		c->all[i].nthreads = c->spread.first[i + 1] - c->spread.first[i];
	}
	map_free(&rows);
	if (err)
		constructs_fini(c);
	return err;
}

void constructs_fini(struct constructs *c)
{
	table_fini(&c->table);
	table_fini(&c->threads);
	spread_fini(&c->spread);
	free(c->all);
	*c = (struct constructs){ 0 };
}
