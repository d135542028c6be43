/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * speedscope.c - a profile in speedscope's format for each event: a stack with its weight for
 * each path.  With threads, a profile for each event and thread.
 *
 * Frames are shared by the profiles.  Their file and line are those of the function's
 * definition; with lines, a function has a frame for each line that its paths pass.
 */
#include "config.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>

#include "src/base/grow.h"
#include "src/base/map.h"
#include "src/base/path.h"
#include "src/model/model.h"
#include "src/output/formats.h"
#include "src/output/json/json_parts.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

#include "src/base/alloc.h"

static const char schema[] = "https://www.speedscope.app/file-format-schema.json";

enum { EVERY_THREAD = UINT32_MAX };

struct speedscope {
	const struct report *report;
	struct json_stream stream;
	struct table table; /* key: thread, key2: node */
	uint32_t *frame;    /* by node of the tree */
	uint32_t *stack;    /* a path, innermost first */
	size_t stack_room;
	size_t nprofiles;
};

/* ---- frames ---------------------------------------------------------- */

static void speedscope_frames(struct speedscope *s)
{
	const struct tree *tree = &s->report->view->tree;
	struct map known = { 0 };
	uint32_t n = 0;

	s->frame = alloc_zeroed(tree->n, sizeof(*s->frame));
	fputs("\"shared\":{\"frames\":[", s->stream.out);
	s->stream.first = true;
	for (size_t i = 1; i < tree->n; i++) {
		const struct tree_node *node = &tree->nodes[i];

		if (!map_add(&known, node->function, node->line, n, &s->frame[i]))
			continue;
		n++;

		const struct names *names = &s->report->view->names;
		const struct function *f = &names->functions[node->function];
		const struct line *l = &names->lines[node->line];
		const bool at_line = node->line && l->file && l->line;
		const char *file = at_line ? l->file : f->file ? f->file : f->module;
		const unsigned line = at_line ? l->line : f->file ? f->line : 0;
		struct json_object *o = json_new_object();

		json_put_text(o, "name", f->name ? f->name : "(no function)");
		if (file)
			json_put_text(o, "file", file);
		if (line)
			json_put_number(o, "line", line);
		json_element(&s->stream, o);
	}
	fputs("]},\n", s->stream.out);
	map_free(&known);
}

/* ---- profiles -------------------------------------------------------- */

/* The table's rows of a profile. */
struct speedscope_rows {
	size_t event, first, end;
};

static uint64_t row_weight(const struct speedscope *s, const struct speedscope_rows *rows, size_t i)
{
	return cost_sum(s->table.rows[i].self, rows->event).weight;
}

/* The stacks of the rows that have a weight, or the weights. */
static void profile_list(struct speedscope *s, const struct speedscope_rows *rows, bool stacks)
{
	const char *between = "";

	fputs(stacks ? "\"samples\":[" : "\"weights\":[", s->stream.out);
	for (size_t i = rows->first; i < rows->end; i++) {
		if (!row_weight(s, rows, i))
			continue;
		fprintf(s->stream.out, "%s\n", between);
		if (stacks) {
			uint32_t node = (uint32_t)s->table.rows[i].key2;
			FILE *out = s->stream.out;
			size_t depth = 0;

			for (; node; node = s->report->view->tree.nodes[node].parent) {
				s->stack = grow(s->stack, depth, &s->stack_room, sizeof(*s->stack));
				s->stack[depth++] = s->frame[node];
			}
			putc_unlocked('[', out);
			while (depth-- > 0)
				fprintf(out, depth ? "%" PRIu32 "," : "%" PRIu32, s->stack[depth]);
			putc_unlocked(']', out);
		} else
			fprintf(s->stream.out, "%" PRIu64, row_weight(s, rows, i));
		between = ",";
	}
	fputs(stacks ? "],\n" : "]}", s->stream.out);
}

static void profile_put(struct speedscope *s, const struct speedscope_rows *rows, uint32_t thread)
{
	const struct model_event *e = &s->report->model->events[rows->event];
	uint64_t total = 0;
	size_t size;

	for (size_t i = rows->first; i < rows->end; i++)
		total = prof_add(total, row_weight(s, rows, i));
	fputs(s->nprofiles++ ? ",\n{" : "\n{", s->stream.out);
	json_member(&s->stream, "type", json_text("sampled"));

	struct json_object *o = NULL;
	char *name = NULL;
	FILE *out = alloc_stream(&name, &size);

	fputs(s->report->model->events[rows->event].label, out);
	if (thread != EVERY_THREAD) {
		fputs(", ", out);
		thread_name(out, s->report->model, thread);
	}
	alloc_stream_end(out);
	o = json_text(name);
	free(name);
	json_member(&s->stream, "name", o);
	json_member(&s->stream, "unit",
		    json_text(e->unit == PROF_UNIT_NS ? "nanoseconds" : "none"));
	json_member(&s->stream, "startValue", json_number(0));
	json_member(&s->stream, "endValue", json_number(total));
	profile_list(s, rows, true);
	profile_list(s, rows, false);
}

static void profiles_of_event(struct speedscope *s, size_t event)
{
	struct speedscope_rows rows = { .event = event };

	for (; rows.first < s->table.n; rows.first = rows.end) {
		const uint64_t thread = s->table.rows[rows.first].key;

		for (rows.end = rows.first; rows.end < s->table.n; rows.end++)
			if (s->table.rows[rows.end].key != thread)
				break;
		profile_put(s, &rows, (uint32_t)thread);
	}
}

/* ---- the whole ------------------------------------------------------- */

static bool stacks_key(const struct view *v, const struct view_record *r, void *arg,
		       struct table_key_pair *key)
{
	const enum output_by *by = arg;

	(void)v;
	key->a = *by == BY_THREAD ? r->thread : EVERY_THREAD;
	key->b = r->node;
	return true;
}

static int rows_order(const void *a, const void *b)
{
	const struct table_row *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->key2 < y->key2 ? -1 : x->key2 > y->key2;
}

int speedscope_write(FILE *out, const struct report *r)
{
	struct speedscope s = { .report = r, .stream = { .out = out } };
	enum output_by by = r->by;

	table_build_of(r->view, stacks_key, &by, &s.table);
	if (s.table.n)
		qsort(s.table.rows, s.table.n, sizeof(*s.table.rows), rows_order);
	putc('{', out);
	json_member(&s.stream, "$schema", json_text(schema));
	json_member(&s.stream, "exporter", json_text(PACKAGE_NAME));
	json_member(&s.stream, "name",
		    json_text(r->model->nprocesses ? path_base(r->model->processes[0].file->path) :
						     PACKAGE_NAME));
	speedscope_frames(&s);

	const struct model *m = s.report->model;
	size_t active = 0;

	fputs("\"profiles\":[", s.stream.out);
	for (size_t e = 0; e < m->nevents; e++) {
		if (e == s.report->event)
			active = s.nprofiles;
		if (model_is_sampled(m, e))
			profiles_of_event(&s, e);
	}
	fprintf(s.stream.out, "],\n\"activeProfileIndex\":%zu}\n", active);
	table_fini(&s.table);
	free(s.frame);
	free(s.stack);
	return 0;
}
