/* SPDX-License-Identifier: BSD-3-Clause */
/* text_dependences.c - which tasks depend on which, and how parallel they are. */
#include "config.h"

#include <stdlib.h>

#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/text/text.h"
#include "src/tables/tasks.h"
#include "src/view/label.h"
#include "src/view/view.h"

#include "src/base/alloc.h"

enum { TIMES_WIDTH = 11, KINDS_WIDTH = 30 };

static void dependence_row(const struct text *t, const struct view_dependence *d)
{
	const struct view *v = t->report->view;
	char *task = label_line(&v->names, v->tasks[d->task].line),
	     *on = label_line(&v->names, v->tasks[d->on].line);
	char *kinds = alloc_printf("%s after %s", task_dependence_name(d->kind),
				   task_dependence_name(d->on_kind));
	char *row = alloc_printf("%s after %s", task, on);

	fprintf(t->out, "%*s  %-*s", TIMES_WIDTH, format_count(d->times).s, KINDS_WIDTH, kinds);
	text_last_behind(t, TIMES_WIDTH + 2 + KINDS_WIDTH, row);
	free(task);
	free(on);
	free(kinds);
	free(row);
}

void text_dependences(const struct text *t)
{
	const struct view *v = t->report->view;

	if (v->filtered) {
		fputs("dependences belong to no sample: not shown of a part\n", t->out);
		return;
	}
	if (!v->path_ns) {
		fputs("No dependences were recorded: measure with --dependences, which needs a "
		      "runtime with OMPT (LLVM's).\n",
		      t->out);
		return;
	}
	fprintf(t->out, "%s in tasks, longest path %s: average parallelism %.1f\n\n",
		format_amount(v->tasks_ns, PROF_UNIT_NS).s,
		format_amount(v->path_ns, PROF_UNIT_NS).s, task_parallelism(v));
	fprintf(t->out, "%*s  %-*stasks, by where they were created\n", TIMES_WIDTH, "dependences",
		KINDS_WIDTH, "variable");
	for (size_t i = 0; i < v->ndependences; i++)
		dependence_row(t, &v->dependences[i]);
}
