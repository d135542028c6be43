/* SPDX-License-Identifier: BSD-3-Clause */
/* csv_findings.c - what was found, in the order of text. */
#include "config.h"

#include "src/output/csv/csv_parts.h"
#include "src/output/csv/csv_table.h"
#include "src/output/finding_words.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/tables/findings.h"

enum {
	FINDING_KEY,
	FINDING_IS_CONDITION,
	FINDING_GAIN,
	FINDING_WHAT,
	FINDING_WHY,
	FINDING_HELPS,
	FINDING_COLUMNS
};

static const struct csv_column columns[FINDING_COLUMNS] = {
	[FINDING_KEY] = { "rule", "the rule's name, as in json" },
	[FINDING_IS_CONDITION] = { "condition", "1: it holds for the whole run; 0" },
	[FINDING_GAIN] = { "gain_ns", "what the run would be shorter by; empty: not known" },
	[FINDING_WHAT] = { "what", "what was found, and where" },
	[FINDING_WHY] = { "why", "the evidence" },
	[FINDING_HELPS] = { "helps", "what may help" },
};

int csv_findings(FILE *out, const struct report *r)
{
	struct csv c;
	int err = csv_begin(&c, out, r, columns, FINDING_COLUMNS, 0);

	for (size_t i = 0; r->findings && i < r->findings->n && !err; i++) {
		const struct finding *f = &r->findings->all[i];
		struct finding_words w;

		finding_words(r->view, f, &w);
		csv_text(&c, FINDING_KEY, finding_key(f->rule));
		csv_number(&c, FINDING_IS_CONDITION, finding_is_condition(f->rule));
		csv_number_if(&c, FINDING_GAIN, f->gain_ns > 0, format_whole(f->gain_ns));
		csv_text(&c, FINDING_WHAT, w.what);
		csv_text(&c, FINDING_WHY, w.why);
		csv_text(&c, FINDING_HELPS, w.helps);
		csv_row(&c);
		finding_words_fini(&w);
	}
	return csv_end(&c, err);
}
