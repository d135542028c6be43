/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/output/filter_text.h"

#include "src/filter/filter.h"
#include "src/output/printable.h"

void filter_text(FILE *out, const struct filtered *f, const char *before)
{
	if (!f)
		return;
	if (filter_selects(f->options)) {
		/* "filtered by --focus kernel --thread 1: 1,234 of 5,678 samples (21.7 %) are
		   left, …" */
		fprintf(out, "%sfiltered by", before);
		for (unsigned k = 0; k < FILTERS; k++) {
			if (!f->options->value[k])
				continue;
			fprintf(out, " %s ", filter_option_name((enum filter_kind)k));
			format_text(out, f->options->value[k], 0);
		}
		fprintf(out, ": %s of %s sample%s (%s %%) are left, and percentages are of these\n",
			format_count(filtered_left(f)).s, format_count(filtered_all(f)).s,
			filtered_all(f) == 1 ? "" : "s",
			format_percent(filtered_left(f), filtered_all(f)).s);
		fprintf(out,
			"%snot filtered: what events counted, losses; left out: entries and times "
			"of %stasks and constructs\n",
			before, filter_keeps_entries(f->options) ? "" : "regions, ");
	}
	if (f->to_ns > 0) {
		fprintf(out,
			"%sfrom %s to %s, to buckets of %s; instructions of a function, and "
			"callees of one caller, by their shares in the whole run\n",
			before, format_ns(f->from_ns).s, format_ns(f->to_ns).s,
			format_ns(f->bucket_ns).s);
	}
	if (f->nhidden) {
		fprintf(out, "%shidden modules: ", before);
		for (size_t i = 0; i < f->nhidden; i++) {
			if (i)
				fputs(", ", out);
			format_text(out, f->hidden[i], 0);
		}
		fputs("; their cost is their callers'\n", out);
	}
}
