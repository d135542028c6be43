/* SPDX-License-Identifier: BSD-3-Clause */
/* columns_findings.c - what was found, in the order of text. */
#include "config.h"

#include "src/output/columns/flat_tables.h"
#include "src/output/finding_words.h"
#include "src/output/printable.h"
#include "src/tables/findings.h"

static const struct column finding_columns[] = {
	{ "rule", "the rule's name, as in json" },
	{ "condition", "1: it holds for the whole run; 0" },
	{ "gain_ns", "what the run would be shorter by; empty: not known" },
	{ "what", "what was found, and where" },
	{ "why", "the evidence" },
	{ "helps", "what may help" },
	{ NULL, NULL },
};

static void finding_rows(const struct cells *c)
{
	const struct findings *all = c->report->findings;

	for (size_t i = 0; all && i < all->n; i++) {
		const struct finding *f = &all->all[i];
		struct finding_words w;

		finding_words(c->report->view, f, &w);
		cells_text(c, "rule", finding_key(f->rule));
		cells_number(c, "condition", finding_is_condition(f->rule));
		cells_number_if(c, "gain_ns", f->gain_ns > 0, format_whole(f->gain_ns));
		cells_text(c, "what", w.what);
		cells_text(c, "why", w.why);
		cells_text(c, "helps", w.helps);
		cells_end(c, COSTS_NONE, NULL);
		finding_words_fini(&w);
	}
}

const struct flat_table columns_finding = { finding_columns, COSTS_NONE, finding_rows };
