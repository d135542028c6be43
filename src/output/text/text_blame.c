/* SPDX-License-Identifier: BSD-3-Clause */
/* text_blame.c - which code makes other threads wait. */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>

#include "src/model/model.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/text/text.h"
#include "src/tables/blamed.h"
#include "src/tables/tables.h"
#include "src/view/label.h"
#include "src/view/view.h"

enum { AMOUNT_WIDTH = 10, SHARE_WIDTH = 7, BLAME_WIDTH = 2 * (AMOUNT_WIDTH + SHARE_WIDTH) };

static void blame_cell(const struct text *t, uint64_t amount, uint64_t all)
{
	fprintf(t->out, "%*s", AMOUNT_WIDTH,
		format_amount(amount, t->report->model->events[t->report->event].unit).s);
	fprintf(t->out, "%*s", SHARE_WIDTH, format_percent(amount, all).s);
}

static void text_blame_rows(const struct text *t, const struct blamed *b)
{
	const uint64_t all = cost_sum(t->total, t->report->event).weight;
	uint64_t rest = 0;
	size_t hidden = 0;

	fprintf(t->out, "%*s%*s%*s%*s  line, region, and what others wait for\n", AMOUNT_WIDTH,
		"work", SHARE_WIDTH, "%", AMOUNT_WIDTH, "causes", SHARE_WIDTH, "%");
	for (size_t i = 0; i < b->n; i++) {
		const struct blamed_row *row = &b->rows[i];

		if ((double)row->causes * 100 < t->report->limit_percent * (double)b->all_charged) {
			rest += row->causes;
			hidden++;
			continue;
		}
		blame_cell(t, row->work, all);
		blame_cell(t, row->causes, b->all_charged);

		char *name = text_line_in_region(t->report->view, row->line, row->region);

		text_last_behind(t, BLAME_WIDTH, name);
		free(name);
		for (size_t k = 0; k < row->nparts; k++) {
			const struct blamed_part *p = &row->parts[k];

			fprintf(t->out, "%*s", AMOUNT_WIDTH + SHARE_WIDTH, "");
			blame_cell(t, p->weight, b->all_charged);
			fprintf(t->out, "      %s%s%s\n",
				blamed_kind_name((enum blame_kind)p->kind), p->object ? " " : "",
				p->object ? p->object : "");
		}
	}
	if (hidden) {
		fprintf(t->out, "%*s", AMOUNT_WIDTH + SHARE_WIDTH, "");
		blame_cell(t, rest, b->all_charged);
		fprintf(t->out, "  ... and %zu more\n", hidden);
	}
}

static void blame_total(const struct text *t, const struct blamed *b, const char *name,
			uint64_t charged, uint64_t waited)
{
	const uint64_t missing = waited > charged ? waited - charged : 0;

	if (!charged && (!waited || !b->waits_known))
		return;
	fprintf(t->out, "%*s", AMOUNT_WIDTH,
		format_amount(charged, t->report->model->events[t->report->event].unit).s);
	if (b->waits_known) {
		fprintf(t->out, "%*s", AMOUNT_WIDTH,
			format_amount(waited, t->report->model->events[t->report->event].unit).s);
		blame_cell(t, missing, waited);
	}
	fprintf(t->out, "  %s\n", name);
}

/* Waits that are a part, or all, of what is charged to nobody, and why. */
static void blame_unreported(const struct text *t, const struct blamed *b)
{
	static const char *const names[BLAMED_UNREPORTED] = {
		[UNREPORTED_DEPEND] = "for tasks that a depend clause names",
		[UNREPORTED_DOACROSS] = "doacross",
		[UNREPORTED_TARGET] = "for devices",
	};
	const uint32_t unit = t->report->model->events[t->report->event].unit;
	const char *before =
		"waits that not every runtime reports, and are then charged to nobody: ";
	bool any = false;

	for (unsigned i = 0; i < BLAMED_UNREPORTED; i++) {
		if (!b->unreported[i])
			continue;
		fprintf(t->out, "%s%s %s", any ? ", " : before, names[i],
			format_amount(b->unreported[i], unit).s);
		any = true;
	}
	if (any)
		putc('\n', t->out);
}

void text_blame(const struct text *t)
{
	struct blamed b;

	blamed_build(t->report->view, t->report->event, &b);
	if (!b.n) {
		fputs("No thread was seen to make others wait.\n", t->out);
		blame_unreported(t, &b);
	} else {
		text_blame_rows(t, &b);

		const uint64_t all = cost_sum(t->total, t->report->event).weight;

		fprintf(t->out, "\n%*s%*s%*s%*s  function with all that it calls\n", AMOUNT_WIDTH,
			"work", SHARE_WIDTH, "%", AMOUNT_WIDTH, "causes", SHARE_WIDTH, "%");
		for (size_t i = 0; i < b.nfunctions; i++) {
			const struct blamed_function *f = &b.functions[i];
			char *name;

			if ((double)f->causes * 100 <
			    t->report->limit_percent * (double)b.all_charged)
				break;
			name = label_function(&t->report->view->names.functions[f->function]);
			blame_cell(t, f->work, all);
			blame_cell(t, f->causes, b.all_charged);
			text_last_behind(t, BLAME_WIDTH, name);
			free(name);
		}
		/* What was charged to nobody can be known only where waiting threads take
		   samples. */
		fprintf(t->out, "\n%*s", AMOUNT_WIDTH, "charged");
		if (b.waits_known)
			fprintf(t->out, "%*s%*s%*s", AMOUNT_WIDTH, "waited", AMOUNT_WIDTH,
				"to nobody", SHARE_WIDTH, "%");
		fputs("  of all waits\n", t->out);
		for (unsigned k = 0; k < BLAME_KINDS; k++)
			blame_total(t, &b, blamed_kind_name((enum blame_kind)k), b.charged[k],
				    b.waited[k]);
		blame_total(t, &b, "together", b.all_charged, b.all_waited);
		if (!b.waits_known && !b.filtered)
			fputs("threads that sleep take no samples of this event: with -e wall the "
			      "report shows what was charged to nobody\n",
			      t->out);
		blame_unreported(t, &b);
	}
	blamed_fini(&b);
}
