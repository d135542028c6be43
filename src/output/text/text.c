/* text.c - the text format, and what its tables share. */
#include "config.h"

#include "src/output/text/text.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/path.h"
#include "src/model/model.h"
#include "src/output/formats.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/tables/tables.h"
#include "src/tables/thread_spread.h"
#include "src/view/label.h"
#include "src/view/sites.h"
#include "src/view/view.h"

enum {
	OTHERS_MAX = 3, /* maximum number of further events with a column */
	AMOUNT_WIDTH = 10,
	SHARE_WIDTH = 7,
	OTHER_WIDTH = 9,
	PATH_FUNCTIONS = 3, /* number of functions shown of a path's end */
};

/* The events in addition to the sorting one, as many as fit. */
static size_t text_others(const struct text *t, size_t others[OTHERS_MAX])
{
	const struct model *m = t->report->model;
	size_t n = 0;

	for (size_t e = 0; e < m->nevents && n < OTHERS_MAX; e++)
		if (e != t->report->event && !(m->events[e].flags & PROF_EVENT_COUNT_ONLY))
			others[n++] = e;
	return n;
}

size_t text_cells_width(const struct text *t)
{
	size_t others[OTHERS_MAX];

	return AMOUNT_WIDTH + 4 * SHARE_WIDTH + OTHER_WIDTH * text_others(t, others);
}

void text_titles(const struct text *t)
{
	const struct model_event *events = t->report->model->events;
	size_t others[OTHERS_MAX], n = text_others(t, others);

	fprintf(t->out, "%*s%*s%*s%*s%*s", AMOUNT_WIDTH,
		events[t->report->event].unit == PROF_UNIT_NS ? "time" : "count", SHARE_WIDTH, "%",
		SHARE_WIDTH, "work", SHARE_WIDTH, "wait", SHARE_WIDTH, "ovhd");
	for (size_t i = 0; i < n; i++) {
		putc(' ', t->out);
		format_right(t->out, events[others[i]].label, OTHER_WIDTH - 1);
	}
}

void text_cells(const struct text *t, const struct cost *block)
{
	const size_t event = t->report->event;
	const uint64_t all = cost_sum(t->total, event).weight;
	const uint64_t amount = cost_sum(block, event).weight;
	size_t others[OTHERS_MAX], n = text_others(t, others);
	char buf[FORMAT_BYTES];

	fprintf(t->out, "%*s", AMOUNT_WIDTH,
		format_amount(buf, amount, t->report->model->events[event].unit));
	fprintf(t->out, "%*s", SHARE_WIDTH, format_percent(buf, amount, all));
	for (unsigned c = 0; c < OMP_CLASSES; c++)
		fprintf(t->out, "%*s", SHARE_WIDTH,
			format_percent(buf, cost_at(block, event, (enum omp_class)c)->weight, all));
	for (size_t i = 0; i < n; i++)
		fprintf(t->out, "%*s", OTHER_WIDTH,
			format_percent(buf, cost_sum(block, others[i]).weight,
				       cost_sum(t->total, others[i]).weight));
}

void text_imbalance(const struct text *t, int columns, double imbalance, uint64_t samples)
{
	if (samples < SPREAD_FEW)
		text_few(t, columns, 2, imbalance);
	else
		fprintf(t->out, "%*.2f", columns, imbalance);
}

void text_few(const struct text *t, int columns, int digits, double number)
{
	char buf[FORMAT_BYTES];

	snprintf(buf, sizeof(buf), "~%.*f", digits, number);
	fprintf(t->out, "%*s", columns, buf);
	if (t->few)
		*t->few = true;
}

void text_few_note(const struct text *t)
{
	if (t->few && *t->few)
		fprintf(t->out,
			"~ from fewer than %d samples (imbal: of the thread that worked most), so "
			"more than 10 %% off by chance (standard error)\n",
			SPREAD_FEW);
}

void text_last(const struct text *t, size_t used, const char *s)
{
	const size_t columns = t->report->columns;

	fputs("  ", t->out);
	format_name(t->out, s, !columns ? 0 : columns > used + 22 ? columns - used - 2 : 20);
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

int text_rest_init(const struct text *t, struct text_rest *rest)
{
	*rest = (struct text_rest){
		.sum = calloc(t->report->model->nevents * OMP_CLASSES + 1, sizeof(*rest->sum)),
	};
	return rest->sum ? 0 : -ENOMEM;
}

void text_rest_add(const struct text *t, struct text_rest *rest, const struct cost *block)
{
	cost_add(rest->sum, block, t->report->model->nevents);
	rest->n++;
}

void text_rest_print(const struct text *t, struct text_rest *rest, size_t between, const char *what)
{
	if (rest->n) {
		text_cells(t, rest->sum);
		fprintf(t->out, "%*s  ... and %zu more%s%s\n", (int)between, "", rest->n,
			*what ? " " : "", what);
	}
	free(rest->sum);
	rest->sum = NULL;
}

/* ---- names ----------------------------------------------------------- */

char *text_function(const struct view *v, uint32_t function)
{
	return label_function(&v->names.functions[function]);
}

char *text_place(const struct view *v, uint32_t line)
{
	return label_line(&v->names, line);
}

char *text_tail(const struct view *v, uint32_t node)
{
	const struct tree_node *nodes = v->tree.nodes;
	uint32_t last[PATH_FUNCTIONS];
	size_t n = 0, size;
	char *s = NULL;
	FILE *out = open_memstream(&s, &size);

	if (!out)
		return NULL;
	for (; node && n < PATH_FUNCTIONS; node = nodes[node].parent)
		last[n++] = node;
	if (node)
		fputs("... > ", out);
	while (n-- > 0)
		fprintf(out, "%s%s", v->names.functions[nodes[last[n]].function].name,
			n ? " > " : "");
	if (!fclose(out))
		return s;
	free(s);
	return NULL;
}

/* ---- the format ------------------------------------------------------ */

static int (*const tables[BYS])(const struct text *) = {
	[BY_REGION] = text_regions,
	[BY_FUNCTION] = text_functions,
	[BY_LINE] = text_lines,
	[BY_PATH] = text_paths,
	[BY_THREAD] = text_threads,
	[BY_STATE] = text_states,
	[BY_CONSTRUCT] = text_constructs,
	[BY_ADDRESS] = text_memory,
	[BY_MODULE] = text_modules,
	[BY_FILE] = text_files,
	[BY_BLAME] = text_blame,
	[BY_CPU] = text_cpus,
	[BY_TIME] = text_time,
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

static void text_trouble(const struct text *t, const char *before, size_t i)
{
	fputs(before, t->out);
	format_text(t->out, t->report->troubles[i].path, 0);
	fputs(": ", t->out);
	format_text(t->out, t->report->troubles[i].why, 0);
	putc('\n', t->out);
}

/* A program with many libraries (Python's) has a whole page of them: one line counts them. */
static void text_troubles(const struct text *t)
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
			text_trouble(t, named ? "              " : "without names ", i);
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
		if (!(m->events[e].flags & PROF_EVENT_COUNT_ONLY))
			return true;
	return m->nevents == 0;
}

int text_write(FILE *out, const struct report *r)
{
	struct table total;
	bool few = false;
	struct text t = { .out = out, .report = r, .few = &few };
	int err = table_build(r->view, TABLE_STATE, &total);

	if (err)
		return err;
	t.total = total.total;
	text_about(&t);
	text_troubles(&t);
	/* If only counts were requested there are no samples to show. */
	if (text_sampled(r->model)) {
		text_classes(&t);
		text_efficiency(&t);
		text_placement(&t);
		fprintf(out, "\n%s view, by %s\n\n", view_name(r->view->kind),
			output_by_name(r->by));
		err = tables[r->by](&t);
	}
	if (!err && (r->by == BY_REGION || r->by == BY_CONSTRUCT))
		err = text_tasks(&t);
	if (!err)
		err = text_counts(&t);
	if (!err)
		err = text_findings(&t);
	table_fini(&total);
	return err;
}
