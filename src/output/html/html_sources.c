/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * html_sources.c - lines of the source with their own costs.
 *
 * Files come by their cost.  Of a file the page has the lines with costs, and around the
 * larger ones the text, as far as the file is found and the page does not get too large.
 */
#include "config.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/map.h"
#include "src/model/model.h"
#include "src/output/html/html_parts.h"
#include "src/output/json/json_parts.h"
#include "src/output/output.h"
#include "src/output/source.h"
#include "src/output/source_rules.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

#include "src/base/alloc.h"

enum { AROUND = 6 }; /* lines shown before and after one that is worth it */

/* A line is worth its text from this part of the event on. */
static const double worth = 0.001;

struct costly {
	const char *file; /* interned */
	unsigned line;
	uint32_t file_number; /* by cost */
	const struct cost *self;
};

struct costly_lines {
	const struct report *report;
	struct costly *all; /* by file_number and line */
	size_t n;
	const struct cost *total;
	size_t bytes; /* of text on the page so far */
};

/* ---- lines ----------------------------------------------------------- */

static bool source_key(const struct view *v, const struct view_record *r, void *arg,
		       struct table_key_pair *key)
{
	const struct line *l = &v->names.lines[r->line];

	(void)arg;
	key->a = (uintptr_t)l->file;
	key->b = l->line;
	return l->file && l->line;
}

static int costly_order(const void *a, const void *b)
{
	const struct costly *x = a, *y = b;

	if (x->file_number != y->file_number)
		return x->file_number < y->file_number ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

static bool file_key(const struct view *v, const struct view_record *r, void *arg,
		     struct table_key_pair *key)
{
	const bool known = source_key(v, r, arg, key);

	key->b = 0;
	return known;
}

/* The files' numbers, in the order of their costs. */
static void costly_files(const struct report *r, struct map *number)
{
	struct table t;
	uint32_t at;

	table_build_of(r->view, file_key, NULL, &t);
	table_sort(&t, r->event);
	for (uint32_t i = 0; i < t.n; i++)
		map_add(number, t.rows[i].key, 0, i, &at);
	table_fini(&t);
}

static bool costly_worth(const struct costly_lines *c, const struct costly *l)
{
	for (size_t e = 0; e < c->report->model->nevents; e++)
		if ((double)cost_sum(l->self, e).weight >
		    worth * (double)cost_sum(c->total, e).weight)
			return true;
	return false;
}

/* ---- text ------------------------------------------------------------ */

/* The first and last line of the text around lines[*i], and of those that are near; *i is
   advanced behind them. */
static bool source_span(const struct costly_lines *c, const struct costly *lines, size_t n,
			size_t *i, unsigned *first, unsigned *last)
{
	while (*i < n && !costly_worth(c, &lines[*i]))
		(*i)++;
	if (*i == n)
		return false;
	*first = lines[*i].line > AROUND ? lines[*i].line - AROUND : 1;
	*last = lines[*i].line;
	for (; *i < n && lines[*i].line - *last <= 2 * AROUND; (*i)++)
		if (costly_worth(c, &lines[*i]))
			*last = lines[*i].line;
	*last = *last < UINT32_MAX - AROUND ? *last + AROUND : *last;
	return true;
}

static struct json_object *source_spans(struct costly_lines *c, const struct source *s,
					const struct costly *lines, size_t n)
{
	struct json_object *spans = json_new_array();
	unsigned first, last;
	size_t i = 0;

	while (c->bytes < HTML_SOURCE_BYTES && source_span(c, lines, n, &i, &first, &last))
		if (first <= s->nlines) {
			struct json_object *o = json_new_object(), *text = json_new_array();
			const char *line;

			json_put_number(o, "first", first);
			for (unsigned k = first; k <= last && (line = source_line(s, k)); k++) {
				size_t bytes = strnlen(line, HTML_LINE_BYTES);

				bytes -= bytes && line[bytes - 1] == '\r';
				c->bytes += bytes + 4;
				json_append(text, json_bytes(line, bytes));
			}
			json_add(o, "text", text);
			json_append(spans, o);
		}
	return spans;
}

static struct json_object *source_file(struct costly_lines *c, const struct costly *lines, size_t n)
{
	const size_t nevents = c->report->model->nevents;
	struct json_object *o = json_new_object(), *cells = html_cells(nevents);
	const struct source_place place = {
		.folder = c->report->sources,
		.model = c->report->model,
		.lookup = c->report->lookup,
	};
	struct source s = { 0 };
	const int err = c->bytes < HTML_SOURCE_BYTES ? source_open(&s, lines->file, &place) :
						       -EFBIG;

	json_put_text(o, "file", lines->file);
	json_put_text(o, "found", err ? NULL : s.path);
	json_put_text(o, "why",
		      err == -EFBIG ? "left out: the page would be too large" :
		      err == -EPERM ? s.refused :
		      err	    ? strerror(-err) :
				      NULL);
	json_put_text(o, "todo",
		      err == -EPERM	   ? s.todo :
		      err && err != -EFBIG ? "use --sources=DIR for the folder that it is in" :
					     NULL);
	json_add(o, "newer", json_new_boolean(!err && source_is_newer(&s, c->report->model)));
	json_add(o, "spans", err ? NULL : source_spans(c, &s, lines, n));
	for (size_t i = 0; i < n; i++)
		html_cells_add(cells, nevents, c->report->view->classes, lines[i].line,
			       lines[i].self);
	json_add(o, "cells", cells);
	if (!err)
		source_close(&s);
	return o;
}

void html_sources(struct json_stream *s, const struct report *r)
{
	struct costly_lines c = { .report = r };
	struct table t, states;

	table_build_of(r->view, source_key, NULL, &t);
	table_build(r->view, TABLE_STATE, &states);
	c.total = states.total;

	struct map number = { 0 };

	costly_files(c.report, &number);
	c.all = alloc_zeroed(t.n + 1, sizeof(*c.all));
	for (size_t i = 0; i < t.n; i++)
		c.all[c.n++] = (struct costly){
			.file = (const char *)(uintptr_t)t.rows[i].key,
			.line = (unsigned)t.rows[i].key2,
			.file_number = map_get(&number, t.rows[i].key, 0, 0),
			.self = t.rows[i].self,
		};
	map_free(&number);
	qsort(c.all, c.n, sizeof(*c.all), costly_order);
	json_open(s, "sources");
	for (size_t i = 0, end; i < c.n; i = end) {
		for (end = i; end < c.n && c.all[end].file_number == c.all[i].file_number;)
			end++;
		if (c.all[i].file_number < HTML_FILES)
			json_element(s, source_file(&c, &c.all[i], end - i));
	}
	json_close(s);
	if (c.total)
		table_fini(&states);
	free(c.all);
	table_fini(&t);
}
