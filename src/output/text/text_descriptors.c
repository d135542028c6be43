/* SPDX-License-Identifier: BSD-3-Clause */
/* text_descriptors.c - the constructs that an instrumentor described in the program. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/model/model.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/text/text.h"
#include "src/view/view.h"

enum { NUMBER_WIDTH = 10, USED = 5 * NUMBER_WIDTH };

static void text_descriptor_part(const struct text *t, const struct view_descriptor *d,
				 enum view_part part, bool count)
{
	const struct view_described *p = &d->part[part];

	if (count)
		fprintf(t->out, "%*s", NUMBER_WIDTH,
			p->n || part == VIEW_WHOLE ? format_count(p->n).s : "");
	fprintf(t->out, "%*s", NUMBER_WIDTH,
		p->n && d->elapsed_known ? format_amount(p->elapsed_ns, PROF_UNIT_NS).s : "");
}

static void text_descriptor_row(const struct text *t, const struct view_descriptor *d)
{
	char *label = descriptor_label(&d->what);

	text_descriptor_part(t, d, VIEW_WHOLE, true);
	text_descriptor_part(t, d, VIEW_BARRIER, false);
	text_descriptor_part(t, d, VIEW_BODY, true);
	text_last_behind(t, USED, label);
	free(label);
}

void text_descriptors(const struct text *t)
{
	const struct view *v = t->report->view;

	if (!v->ndescriptors) {
		fputs("no instrumentor described the program's constructs: see POMP in omphwc(7)\n",
		      t->out);
		return;
	}
	if (v->filtered) {
		fputs("entries are not known of a part of the samples: leave filters out\n",
		      t->out);
		return;
	}
	fputs("   entries   elapsed   barrier  executed executing  construct\n", t->out);
	for (size_t i = 0; i < v->ndescriptors; i++)
		text_descriptor_row(t, &v->descriptors[i]);
}
