/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dot.c - writes which tasks depend on which as a graph in the language of Graphviz: a node for
 * each place that creates tasks, an edge from those that run first to those that wait for them.
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "src/base/clean.h"
#include "src/output/formats.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/tables/tasks.h"
#include "src/view/label.h"
#include "src/view/view.h"

#include "src/base/alloc.h"

/* Text of a quoted string, in which a backslash begins an escape. */
static void dot_text(FILE *out, const char *text)
{
	char c[CLEAN_BYTES];
	size_t used;

	for (; *text; text += used) {
		clean_char(text, c, &used);
		for (const char *p = c; *p; p++) {
			if (*p == '"' || *p == '\\')
				putc('\\', out);
			putc(*p, out);
		}
	}
}

static void dot_task(FILE *out, const struct view *v, uint32_t i)
{
	const struct view_task *task = &v->tasks[i];
	char *place = label_line(&v->names, task->line);

	fprintf(out, "\ttask%" PRIu32 " [label=\"", i);
	dot_text(out, place);
	fprintf(out, "\\n%s tasks", format_count(task->created).s);
	if (task->body_known)
		fprintf(out, ", %s", format_amount(task->body_ns, PROF_UNIT_NS).s);
	fputs("\"];\n", out);
	free(place);
}

int dot_write(FILE *out, const struct report *r)
{
	const struct view *v = r->view;
	const size_t n = v->filtered ? 0 : v->ndependences;
	const char *unknown = task_graph_unknown(v);
	bool *shown = alloc_zeroed(v->ntasks + 1, sizeof(*shown));

	fputs("digraph tasks {\n\tnode [shape=box];\n", out);
	if (unknown)
		fprintf(out, "\tlabel=\"%s\";\n", unknown);
	else
		fprintf(out,
			"\tlabel=\"%s in tasks, longest path %s: average parallelism %.1f\";\n",
			format_amount(v->tasks_ns, PROF_UNIT_NS).s,
			format_amount(v->path_ns, PROF_UNIT_NS).s, task_parallelism(v));
	for (size_t i = 0; i < n; i++)
		shown[v->dependences[i].task] = shown[v->dependences[i].on] = true;
	for (uint32_t i = 0; i < v->ntasks; i++)
		if (shown[i])
			dot_task(out, v, i);
	for (size_t i = 0; i < n; i++) {
		const struct view_dependence *d = &v->dependences[i];

		fprintf(out, "\ttask%" PRIu32 " -> task%" PRIu32 " [label=\"%s after %s\\n%s\"];\n",
			d->on, d->task, task_dependence_name(d->kind),
			task_dependence_name(d->on_kind), format_count(d->times).s);
	}
	fputs("}\n", out);
	free(shown);
	return 0;
}
