/* text_regions.c - parallel regions, and how evenly their threads worked. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>

#include "src/analysis/regions.h"
#include "src/analysis/view.h"
#include "src/output/format.h"
#include "src/output/output.h"
#include "src/output/text.h"

enum { THREADS_WIDTH = 5, IMBALANCE_WIDTH = 7, ENTRIES_WIDTH = 11 };

static const int width = THREADS_WIDTH + IMBALANCE_WIDTH + ENTRIES_WIDTH;

static char *text_region_name(const struct view *v, const struct region *r)
{
	const struct line *l = &v->names.lines[r->line];
	const char *function = v->names.functions[l->function].name;
	char *s;
	int n;

	if (r->special != REGION_SPECIALS)
		n = asprintf(&s, "%s", region_special_name(r->special));
	else if (l->line)
		n = asprintf(&s, "%s:%u (%s)", function, l->line,
			     l->file ? format_base(l->file) : "?");
	else
		n = asprintf(&s, "%s", function ? function : "(unknown)");
	return n < 0 ? NULL : s;
}

static void text_region_threads(const struct text *t, const struct region *r)
{
	const size_t threads = r->nthreads > r->team_most ? r->nthreads : r->team_most;
	uint32_t slowest;
	double imbalance = region_imbalance(r, t->report->event, &slowest);
	char buf[FORMAT_BYTES];

	fprintf(t->out, "%*zu", THREADS_WIDTH, threads);
	if (r->special == REGION_SPECIALS && imbalance > 0 && threads > 1)
		fprintf(t->out, "%*.2f", IMBALANCE_WIDTH, imbalance);
	else
		fprintf(t->out, "%*s", IMBALANCE_WIDTH, "-");
	fprintf(t->out, "%*s", ENTRIES_WIDTH, r->entries ? format_count(buf, r->entries) : "-");
}

static int text_region_row(const struct text *t, const struct region *r)
{
	char *name = text_region_name(t->report->view, r);

	if (!name)
		return -ENOMEM;
	text_cells(t, r->self);
	text_region_threads(t, r);
	text_last(t, text_cells_width(t) + (size_t)width, name);
	free(name);
	return 0;
}

int text_regions(const struct text *t)
{
	struct text_rest rest = { 0 };
	struct regions regions;
	size_t shown = 0;
	int err = regions_build(t->report->view, t->report->event, &regions);

	if (err)
		return err;
	err = text_rest_init(t, &rest);
	if (!err) {
		text_titles(t);
		fprintf(t->out, "%*s%*s%*s  parallel region\n", THREADS_WIDTH, "thr", IMBALANCE_WIDTH,
			"imbal", ENTRIES_WIDTH, "entries");
	}
	for (size_t i = 0; i < regions.n && !err; i++) {
		if (text_shows(t, regions.all[i].self, shown++))
			err = text_region_row(t, &regions.all[i]);
		else
			text_rest_add(t, &rest, regions.all[i].self);
	}
	if (!err)
		text_rest_print(t, &rest, (size_t)width, "");
	free(rest.sum);
	regions_fini(&regions);
	return err;
}
