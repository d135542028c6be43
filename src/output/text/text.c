/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c - the text format, and what its tables share. */
#include "config.h"

#include "src/output/text/text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/map.h"
#include "src/base/path.h"
#include "src/base/shorten.h"
#include "src/model/model.h"
#include "src/output/formats.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/path/sites.h"
#include "src/tables/tables.h"
#include "src/tables/thread_spread.h"
#include "src/view/view.h"

enum {
	OTHERS_MAX = 3, /* maximum number of further events with a column */
	AMOUNT_WIDTH = 10,
	SHARE_WIDTH = 7,
	OTHER_WIDTH = 9,
	NAME_ROOM = 30, /* columns that names should have */
	IMBALANCE_WIDTH = 7,
	LARGE = 10,	    /* percent: a row that stands out */
	PATH_FUNCTIONS = 3, /* number of functions shown of a path's end */
};

/* The events in addition to the sorting one, as many as fit. */
static size_t text_others(const struct text *t, size_t others[OTHERS_MAX])
{
	const struct model *m = t->report->model;
	size_t n = 0;

	for (size_t e = 0; e < m->nevents && n < OTHERS_MAX; e++)
		if (e != t->report->event && model_is_sampled(m, e))
			others[n++] = e;
	return n;
}

/* Each class has a column, a title and a colour. */
static const struct text_class {
	enum text_column column;
	const char *title;
	enum paint paint;
} text_class[OMP_CLASSES] = {
	[OMP_WORK] = { COLUMN_WORK, "work", PAINT_WORK },
	[OMP_WAIT] = { COLUMN_WAIT, "wait", PAINT_WAIT },
	[OMP_OVERHEAD] = { COLUMN_OVERHEAD, "ovhd", PAINT_OVERHEAD },
	[OMP_MPI] = { COLUMN_MPI, "mpi", PAINT_MPI },
	[OMP_BLOCKED] = { COLUMN_BLOCKED, "block", PAINT_BLOCKED },
};

static bool text_has_class(const struct text *t, unsigned class)
{
	return omp_has_class(t->report->view->classes, class) &&
	       text_has(t, text_class[class].column);
}

size_t text_cells_width(const struct text *t)
{
	size_t others[OTHERS_MAX], width = SHARE_WIDTH;

	width += text_has(t, COLUMN_AMOUNT) * AMOUNT_WIDTH;
	for (unsigned c = 0; c < OMP_CLASSES; c++)
		width += text_has_class(t, c) * SHARE_WIDTH;
	return width + text_has(t, COLUMN_OTHERS) * OTHER_WIDTH * text_others(t, others);
}

size_t text_used(const struct text *t)
{
	size_t width = text_cells_width(t);

	for (const struct text_own *own = t->own; own && own->title; own++)
		width += text_has(t, own->column) * (size_t)own->width;
	return width;
}

struct text text_fit(const struct text *t, const struct text_own *own)
{
	const size_t columns = t->report->columns;
	struct text fit = *t;
	size_t more = 0;

	fit.own = own;
	for (; own; own = own->title ? own + 1 : NULL)
		more = (size_t)own->width;
	for (unsigned hide = COLUMN_OWN + 1; columns && hide < COLUMNS; hide++) {
		if (text_used(&fit) + more + NAME_ROOM <= columns)
			break;
		fit.hidden |= 1u << hide;
	}
	return fit;
}

void text_paint(const struct text *t, enum paint p)
{
	if (t->report->colour)
		fputs(paint_code(p), t->out);
}

void text_number(const struct text *t, int columns, const char *number, enum paint p)
{
	const bool zero = !number[strspn(number, "0.-")];

	text_paint(t, zero ? PAINT_FAINT : p);
	fprintf(t->out, "%*s", columns, number);
	if (zero || p != PAINT_PLAIN)
		text_paint(t, PAINT_PLAIN);
}

void text_titles(const struct text *t, const char *last)
{
	const struct model_event *events = t->report->model->events;
	size_t others[OTHERS_MAX], n = text_has(t, COLUMN_OTHERS) ? text_others(t, others) : 0;

	text_paint(t, PAINT_TITLE);
	if (text_has(t, COLUMN_AMOUNT))
		fprintf(t->out, "%*s", AMOUNT_WIDTH,
			events[t->report->event].unit == PROF_UNIT_NS ? "time" : "count");
	fprintf(t->out, "%*s", SHARE_WIDTH, "%");
	for (unsigned c = 0; c < OMP_CLASSES; c++)
		if (text_has_class(t, c))
			fprintf(t->out, "%*s", SHARE_WIDTH, text_class[c].title);
	for (size_t i = 0; i < n; i++) {
		putc(' ', t->out);
		format_right(t->out, events[others[i]].label, OTHER_WIDTH - 1);
	}
	for (const struct text_own *own = t->own; own && own->title; own++)
		if (text_has(t, own->column))
			fprintf(t->out, "%*s", own->width, own->title);
	if (t->shown)
		map_free(t->shown);
	fprintf(t->out, "%s%s", last ? "  " : "", last ? last : "");
	text_paint(t, PAINT_PLAIN);
	putc('\n', t->out);
}

void text_cells(const struct text *t, const struct cost *block)
{
	const size_t event = t->report->event;
	const uint64_t all = cost_sum(t->total, event).weight;
	const uint64_t amount = cost_sum(block, event).weight;
	size_t others[OTHERS_MAX], n = text_has(t, COLUMN_OTHERS) ? text_others(t, others) : 0;

	if (text_has(t, COLUMN_AMOUNT))
		fprintf(t->out, "%*s", AMOUNT_WIDTH,
			format_amount(amount, t->report->model->events[event].unit).s);
	text_number(t, SHARE_WIDTH, format_percent(amount, all).s,
		    amount / LARGE >= all / 100 ? PAINT_STRONG : PAINT_PLAIN);
	for (unsigned c = 0; c < OMP_CLASSES; c++)
		if (text_has_class(t, c))
			text_number(t, SHARE_WIDTH,
				    format_percent(cost_at(block, event, (enum omp_class)c)->weight,
						   all)
					    .s,
				    text_class[c].paint);
	for (size_t i = 0; i < n; i++)
		text_number(t, OTHER_WIDTH,
			    format_percent(cost_sum(block, others[i]).weight,
					   cost_sum(t->total, others[i]).weight)
				    .s,
			    PAINT_PLAIN);
}

/* A sequence that no terminal gets to see, and that is as wide as one for colours: nothing. */
void text_row(const struct text *t, uint32_t number, unsigned line)
{
	if (t->marked)
		fprintf(t->out, "\033[?%" PRIu32 ";%um", number, line);
}

size_t text_row_mark(const char *s, uint32_t *number, unsigned *line)
{
	int n = 0;

	return sscanf(s, "\033[?%" SCNu32 ";%um%n", number, line, &n) == 2 && n > 0 ? (size_t)n : 0;
}

void text_row_line(const struct text *t, uint32_t line)
{
	const struct line *l = &t->report->view->names.lines[line];

	text_row(t, l->function, l->line);
}

void text_cell(const struct text *t, size_t i, const char *s)
{
	if (text_has(t, t->own[i].column))
		fprintf(t->out, "%*s", t->own[i].width, s);
}

void text_cell_number(const struct text *t, size_t i, const char *number)
{
	if (text_has(t, t->own[i].column))
		text_number(t, t->own[i].width, number, PAINT_PLAIN);
}

const struct text_own text_spread_own[] = {
	{ "thr", 5, COLUMN_THREADS },
	{ "imbal", IMBALANCE_WIDTH, COLUMN_IMBALANCE },
	{ "entries", 11, COLUMN_ENTRIES },
	[TEXT_GAIN] = { "gain", 6, COLUMN_GAIN },
	{ 0 },
};

void text_spread(const struct text *t, size_t threads, double imbalance, uint64_t samples,
		 uint64_t entries)
{
	text_cell(t, 0, format_plain(threads).s);
	if (imbalance <= 0 || !text_has(t, COLUMN_IMBALANCE))
		text_cell_number(t, 1, "-");
	else if (samples < SPREAD_FEW)
		text_few(t, IMBALANCE_WIDTH, 2, imbalance);
	else
		fprintf(t->out, "%*.2f", IMBALANCE_WIDTH, imbalance);
	text_cell_number(t, 2, entries ? format_count(entries).s : "-");
}

void text_few(const struct text *t, int columns, int digits, double number)
{
	char buf[32];

	snprintf(buf, sizeof(buf), "~%.*f", digits, number);
	fprintf(t->out, "%*s", columns, buf);
	if (t->few)
		*t->few = true;
}

void text_few_note(const struct text *t)
{
	if (t->detail && !t->detail->notes)
		return;
	if (t->few && *t->few && t->detail)
		fprintf(t->out, "~ from fewer than %d samples\n", SPREAD_FEW);
	else if (t->few && *t->few)
		fprintf(t->out,
			"~ from fewer than %d samples (imbal: of the thread that worked most): "
			"standard error above 10 %%\n",
			SPREAD_FEW);
}

void text_last(const struct text *t, const char *name)
{
	text_last_behind(t, text_used(t), name);
}

void text_last_behind(const struct text *t, size_t used, const char *s)
{
	const size_t columns = t->report->columns;
	const size_t room = !columns ? 0 : columns > used + 22 ? columns - used - 2 : 20;

	fputs("  ", t->out);
	if (t->report->colour) {
		/* The place after a name stands back. */
		size_t size;
		char *text = NULL;
		FILE *out = alloc_stream(&text, &size);

		format_name_apart(out, s, room, t->shown);
		alloc_stream_end(out);
		const char *place = shorten_place(text);

		fprintf(t->out, "%.*s", (int)(place - text), text);
		text_paint(t, PAINT_FAINT);
		fputs(place, t->out);
		text_paint(t, PAINT_PLAIN);
		free(text);
	} else {
		format_name_apart(t->out, s, room, t->shown);
	}
	putc('\n', t->out);
}

int text_shows(const struct text *t, const struct cost *block, size_t shown)
{
	const size_t event = t->report->event;
	const double all = (double)cost_sum(t->total, event).weight;

	if (t->rows_max && shown >= t->rows_max)
		return 0;
	return (double)cost_sum(block, event).weight * 100 >= t->report->limit_percent * all;
}

void text_rest_add(const struct text *t, struct text_rest *rest, const struct cost *block)
{
	const size_t nevents = t->report->model->nevents;

	if (!rest->sum)
		rest->sum = alloc_zeroed(nevents * OMP_CLASSES + 1, sizeof(*rest->sum));
	cost_add(rest->sum, block, nevents);
	rest->n++;
}

void text_rest_print(const struct text *t, struct text_rest *rest, size_t indent)
{
	const size_t between = text_used(t) - text_cells_width(t) + indent;

	if (!rest->n)
		return;
	text_cells(t, rest->sum);
	text_paint(t, PAINT_FAINT);
	fprintf(t->out, "%*s  ... and %zu more", (int)between, "", rest->n);
	text_paint(t, PAINT_PLAIN);
	putc('\n', t->out);
	free(rest->sum);
}

/* ---- names ----------------------------------------------------------- */

/* How many frames the paths have in common at their ends. */
static size_t text_common(const struct view *v, uint32_t a, uint32_t b)
{
	const struct tree_node *nodes = v->tree.nodes;
	size_t n = 0;

	for (; a && b && nodes[a].function == nodes[b].function; n++) {
		a = nodes[a].parent;
		b = nodes[b].parent;
	}
	return n;
}

size_t text_parting(const struct view *v, uint32_t node, const uint32_t *others, size_t n)
{
	size_t at = 0;

	for (size_t i = 0; i < n; i++) {
		const size_t common = others[i] == node ? 0 : text_common(v, node, others[i]);

		at = common > at ? common : at;
	}
	return at;
}

char *text_tail_with(const struct view *v, uint32_t node, size_t frame)
{
	const struct tree_node *nodes = v->tree.nodes;
	const char *names[PATH_FUNCTIONS], *parting = NULL;
	size_t n = 0, size;
	char *s = NULL;
	FILE *out = alloc_stream(&s, &size);

	for (size_t at = 0; node; node = nodes[node].parent, at++) {
		const char *name = v->names.functions[nodes[node].function].name;

		if (at < PATH_FUNCTIONS)
			names[n++] = name;
		else if (at == frame)
			parting = name;
		if (at > frame && at >= PATH_FUNCTIONS)
			break;
	}
	if (node)
		fputs("... > ", out);
	if (parting)
		fprintf(out, "%s%s", parting, frame > PATH_FUNCTIONS ? " > ... > " : " > ");
	while (n-- > 0)
		fprintf(out, "%s%s", names[n], n ? " > " : "");
	alloc_stream_end(out);
	return s;
}

/* ---- the format ------------------------------------------------------ */

/* NULL: no table. */
static void (*const tables[BYS])(const struct text *) = {
	[BY_REGION] = text_regions,
	[BY_FUNCTION] = text_functions,
	[BY_LINE] = text_lines,
	[BY_PATH] = text_paths,
	[BY_THREAD] = text_threads,
	[BY_STATE] = text_states,
	[BY_PHASE] = text_phases,
	[BY_CONSTRUCT] = text_constructs,
	[BY_ADDRESS] = text_memory,
	[BY_MODULE] = text_modules,
	[BY_FILE] = text_files,
	[BY_BLAME] = text_blame,
	[BY_CPU] = text_cpus,
	[BY_RANK] = text_ranks,
	[BY_HOST] = text_hosts,
	[BY_TIME] = text_time,
	[BY_TASK] = text_tasks,
	[BY_PARALLELISM] = text_parallelism,
	[BY_DEVICE] = text_devices,
	[BY_DEPENDENCE] = text_dependences,
	[BY_DESCRIPTOR] = text_descriptors,
};

/* Missing names of the C library and the runtime do not concern users. */
static bool text_is_users(const struct report *r, const char *path)
{
	for (size_t p = 0; p < r->model->nprocesses; p++) {
		const struct prof_file *f = r->model->processes[p].file;

		for (size_t i = 0; i < f->nmodules; i++)
			if (!strcmp(f->modules[i].path, path))
				return sites_module_owner(&f->modules[i]) == SITE_USER;
	}
	return true;
}

/* Whether the file's missing names are shown. */
static bool text_is_trouble(const struct report *r, size_t i)
{
	return r->view->kind == VIEW_MACHINE || text_is_users(r, r->troubles[i].path);
}

/* A program with many libraries (Python's) has a whole page of them: one line counts them. */
void text_troubles(const struct text *t)
{
	enum { NAMED = 3 };
	const struct report *r = t->report;
	size_t n = 0, named = 0;

	for (size_t i = 0; i < r->ntroubles; i++)
		n += text_is_trouble(r, i);
	if (n > 1 && !r->verbose)
		fprintf(t->out, "without names %zu modules: ", n);
	for (size_t i = 0; i < r->ntroubles; i++) {
		if (!text_is_trouble(r, i))
			continue;
		if (n == 1 || r->verbose) {
			const char *before = named ? "              " : "without names ";

			fputs(before, t->out);
			format_text(t->out, t->report->troubles[i].path, 0);
			fputs(": ", t->out);
			format_text(t->out, t->report->troubles[i].why, 0);
			putc('\n', t->out);
		} else if (named < NAMED) {
			fputs(named ? ", " : "", t->out);
			format_text(t->out, path_base(r->troubles[i].path), 0);
		}
		named++;
	}
	if (n > 1 && !r->verbose)
		fprintf(t->out, "%s (-v says why)\n", n > NAMED ? ", ..." : "");
}

static bool text_sampled(const struct model *m)
{
	for (size_t e = 0; e < m->nevents; e++)
		if (model_is_sampled(m, e))
			return true;
	return m->nevents == 0;
}

void text_facts(const struct text *t)
{
	text_about(t);
	if (!text_sampled(t->report->model))
		return;
	if (cost_sum(t->total, t->report->event).samples)
		text_classes(t);
	text_mpi_threads(t);
	/* Without samples it says so. */
	text_efficiency(t);
	if (!cost_sum(t->total, t->report->event).samples)
		return;
	text_placement(t);
	text_ranks_of_run(t);
}

void text_folded(const struct text *t, void (*print)(const struct text *))
{
	char *text = NULL;
	size_t size;
	struct text part = *t;

	if (!t->report->columns || t->whole_lines) {
		print(t);
		return;
	}
	part.out = alloc_stream(&text, &size);
	print(&part);
	alloc_stream_end(part.out);
	fold_text(t->out, text, t->report->columns);
	free(text);
}

/* Where a table was asked for, what was measured is all that is above it. */
static void text_short_head(const struct text *t)
{
	text_about(t);
	if (cost_sum(t->total, t->report->event).samples)
		text_classes(t);
	if (t->report->by == BY_CPU || t->report->by == BY_THREAD)
		text_placement(t);
	if (t->report->by == BY_RANK || t->report->by == BY_HOST)
		text_ranks_of_run(t);
}

/* Findings are above the tables. */
static void text_all(const struct text *t)
{
	const struct report *r = t->report;

	text_folded(t, r->asked ? text_short_head : text_facts);
	if (!r->asked || r->by == BY_FINDING)
		text_folded(t, text_findings);
	if (text_sampled(r->model)) {
		if (tables[r->by]) {
			fprintf(t->out, "\n%s view, by %s\n\n", view_name(r->view->kind),
				output_by_name(r->by));
			text_folded(t, tables[r->by]);
		}
	}
	if (r->by == BY_REGION || r->by == BY_CONSTRUCT)
		text_folded(t, text_tasks);
	text_folded(t, text_counts);
}

int text_write(FILE *out, const struct report *r)
{
	enum { MORE_LINES = 3 }; /* where to find more, and the prompt */
	struct table total;
	bool few = false;
	struct map shown = { 0 };
	struct text t = { .out = out, .report = r, .few = &few, .shown = &shown };

	table_build(r->view, TABLE_STATE, &total);
	t.total = total.total;
	if (r->rows) {
		t.rows = r->rows > MORE_LINES ? r->rows - MORE_LINES : 1;
		text_screen(&t);
		text_paint(&t, PAINT_FAINT);
		fputs("\nmore: --by region, path, ...; ompcount view; --html", t.out);
		text_paint(&t, PAINT_PLAIN);
		putc('\n', t.out);
	} else {
		text_all(&t);
	}
	table_fini(&total);
	map_free(&shown);
	return 0;
}
