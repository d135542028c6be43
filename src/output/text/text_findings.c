/* text_findings.c - the largest losses, and what helps. */
#include "config.h"

#include <stdio.h>

#include "src/model/model.h"
#include "src/output/finding_words.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/text/text.h"
#include "src/tables/findings.h"
#include "src/tables/losses.h"

static void text_finding_gain(const struct text *t, const struct finding *f)
{
	const double elapsed = t->report->losses->elapsed_ns;
	char buf[FORMAT_BYTES];

	if (f->gain_ns > 0)
		fprintf(t->out, "%s (%.1f %% of the run): ",
			format_amount(buf, format_whole(f->gain_ns), PROF_UNIT_NS),
			100 * f->gain_ns / elapsed);
}

int text_findings(const struct text *t)
{
	const struct findings *all = t->report->findings;
	struct finding_words w;

	if (!all || !all->n)
		return 0;
	fputs("\nwhere to begin, with what the run would be shorter by without the loss\n", t->out);
	for (size_t i = 0; i < all->n; i++) {
		int err = finding_words(t->report->view, &all->all[i], &w);

		if (err)
			return err;
		fprintf(t->out, "%3zu. ", i + 1);
		text_finding_gain(t, &all->all[i]);
		fprintf(t->out, "%s\n", w.what);
		/* A screen has room for what there is to be found, not for why. */
		if (!t->report->rows)
			fprintf(t->out, "     why:   %s\n     helps: %s\n", w.why, w.helps);
		finding_words_fini(&w);
	}
	return 0;
}
