/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/base/path.h"
#include "src/model/construct_kind.h"
#include "src/model/model.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/text/text.h"
#include "src/tables/tasks.h"
#include "src/view/label.h"
#include "src/view/view.h"

enum {
	TASKS_ALWAYS = 8,
	CONTEXTS_MAX = 16, /* of a directive, from which a path is distinguished */
};

static const struct text_own counts_own[] = {
	{ "created", 10, COLUMN_OWN },
	{ "run", 10, COLUMN_OWN },
	{ "stolen", 10, COLUMN_OWN },
	{ 0 },
};

/* A task among those of the same directive: they were created in several contexts. */
struct text_task {
	const struct task_site *site;
	uint32_t nodes[CONTEXTS_MAX]; /* of the others, some of them */
	size_t others;
	size_t number; /* among them, from 1; 0: it is alone */
};

/* "waited for 12.00 ms in taskwait (with 2 others), 3.000 ms at its region's barriers".
   Barriers wait for all work of the region, so they are mentioned only if the region has no
   other tasks. */
static void text_task_waits(const struct text *t, const struct task_site *s)
{
	static const char *const where[TASK_WAITS] = {
		[TASK_WAIT_TASKWAIT] = "in taskwait",
		[TASK_WAIT_TASKGROUP] = "in taskgroup",
		[TASK_WAIT_BARRIER] = "at its region's barriers",
	};
	const size_t event = t->report->event;
	const uint32_t unit = t->report->model->events[event].unit;
	bool any = false;

	for (unsigned w = 0; w < TASK_WAITS; w++) {
		const struct task_waits *one = &s->waits[w];
		const uint64_t weight = cost_sum(one->self, event).weight;

		if (!weight || (w == TASK_WAIT_BARRIER && one->sharing > 1))
			continue;
		if (any)
			fputs(", ", t->out);
		else
			fprintf(t->out, "%*swaited for ", TEXT_BENEATH, "");
		fprintf(t->out, "%s %s", format_amount(weight, unit).s, where[w]);
		if (one->sharing > 1)
			fprintf(t->out, " (with %zu other%s)", one->sharing - 1,
				one->sharing > 2 ? "s" : "");
		any = true;
	}
	if (any)
		putc('\n', t->out);
}

/* The functions of the path that created it, and the creating region or task. */
static void text_task_creator(const struct text *t, const struct text_task *task)
{
	const struct view_task *what = task->site->what;
	const struct view *v = t->report->view;
	const uint32_t line = what->creator ? v->tasks[what->creator].line :
					      v->regions[what->region].line;
	const char *kind = construct_name(what->creator ? v->tasks[what->creator].kind :
							  v->regions[what->region].kind);
	char *path, *place;

	if (what->region < REGION_SPECIALS && !what->creator)
		return;
	path = text_tail_with(v, what->node,
			      text_parting(v, what->node, task->nodes, task->others));
	place = label_line(&v->names, line);
	fprintf(t->out, "%*sfrom ", TEXT_BENEATH, "");
	format_name(t->out, path, 0);
	fprintf(t->out, ", in %s of ", kind);
	format_name(t->out, place, 0);
	fputs(what->creators ? " or others\n" : "\n", t->out);
	free(path);
	free(place);
}

static void text_task_row(const struct text *t, const struct text_task *task)
{
	const struct task_site *s = task->site;
	const struct view_task *what = s->what;
	const uint64_t counts[] = { what->created, what->run, what->stolen };
	const struct line *l = &t->report->view->names.lines[what->line];
	const char *function = t->report->view->names.functions[l->function].name,
		   *kind = construct_name(what->kind);
	char in[sizeof(", context ") + 20] = "", *name;

	if (task->number)
		snprintf(in, sizeof(in), ", context %zu", task->number);
	if (l->line && l->place)
		name = alloc_printf("%s in %s%s (%s:%u), %s", kind, function, in,
				    l->file ? path_base(l->file) : "?", l->line, l->place);
	else if (l->line)
		name = alloc_printf("%s in %s%s (%s:%u)", kind, function, in,
				    l->file ? path_base(l->file) : "?", l->line);
	else if (l->place)
		name = alloc_printf("%s in %s%s (%s)", kind, function, in, l->place);
	else
		name = alloc_printf("%s in %s%s", kind, function ? function : "(unknown)", in);

	text_cells(t, s->self);
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		text_cell(t, i,
			  view_counted(t->report->view, counts[i],
				       i ? UNREPORTED_TASK_SCHEDULE : UNREPORTED_TASK_CREATE) ?
				  format_count(counts[i]).s :
				  "-");
	text_last(t, name);
	free(name);
	if (what->sampled)
		text_by_samples(t);

	char *flags = task_flags(what);

	if (flags)
		fprintf(t->out, "%*s%s\n", TEXT_BENEATH, "", flags);
	free(flags);
	if (what->body_known && what->body_ns)
		fprintf(t->out, "%*s%s in their bodies\n", TEXT_BENEATH, "",
			format_amount(what->body_ns, PROF_UNIT_NS).s);
	if (what->cancelled)
		fprintf(t->out, "%*s%s cancelled before they ran\n", TEXT_BENEATH, "",
			format_count(what->cancelled).s);
	text_task_waits(t, s);
	text_task_creator(t, task);
}

void text_tasks(const struct text *whole)
{
	const struct text fit = text_fit(whole, counts_own), *t = &fit;
	const bool alone = t->report->by == BY_TASK;
	struct text_rest rest = { 0 };
	struct tasks tasks;

	if (t->report->view->ntasks < 2) {
		fputs(alone ? "No explicit task was created.\n" : "", t->out);
		return;
	}
	tasks_build(t->report->view, t->report->event, &tasks);
	if (tasks.n) {
		fputs(alone ? "" : "\n", t->out);
		text_titles(t, "explicit tasks, by where they were created");
	}
	for (size_t i = 0; i < tasks.n; i++) {
		/* The first few are shown whatever they cost. */
		if (i < TASKS_ALWAYS || text_shows(t, tasks.all[i].self, i)) {
			struct text_task task = { .site = &tasks.all[i] };
			const uint32_t line = task.site->what->line;
			size_t before = 0, all = 0;

			for (size_t k = 0; k < tasks.n; k++) {
				if (tasks.all[k].what->line != line ||
				    tasks.all[k].what->kind != task.site->what->kind)
					continue;
				all++;
				before += k < i;
				if (k != i && task.others < CONTEXTS_MAX)
					task.nodes[task.others++] = tasks.all[k].what->node;
			}
			task.number = all > 1 ? before + 1 : 0;

			text_task_row(t, &task);
		} else {
			text_rest_add(t, &rest, tasks.all[i].self);
		}
	}
	text_rest_print(t, &rest, 0);
	tasks_fini(&tasks);
}

/* ---- dependences ------------------------------------------------------- */

enum { TIMES_WIDTH = 11, KINDS_WIDTH = 30 };

void text_dependences(const struct text *t)
{
	const struct view *v = t->report->view;
	const char *unknown = task_graph_unknown(v);

	if (unknown)
		fprintf(t->out, "%s\n", unknown);
	else
		fprintf(t->out, "%s in tasks, longest path %s: average parallelism %.1f\n",
			format_amount(v->tasks_ns, PROF_UNIT_NS).s,
			format_amount(v->path_ns, PROF_UNIT_NS).s, task_parallelism(v));
	if (v->filtered || (unknown && !v->ndependences))
		return;
	putc('\n', t->out);
	fprintf(t->out, "%*s  %-*stasks, by where they were created\n", TIMES_WIDTH, "dependences",
		KINDS_WIDTH, "variable");
	for (size_t i = 0; i < v->ndependences; i++) {
		const struct view_dependence *d = &v->dependences[i];
		char *task = label_line(&v->names, v->tasks[d->task].line),
		     *on = label_line(&v->names, v->tasks[d->on].line);
		char *kinds = alloc_printf("%s after %s", task_dependence_name(d->kind),
					   task_dependence_name(d->on_kind));
		char *row = alloc_printf("%s after %s", task, on);

		fprintf(t->out, "%*s  %-*s", TIMES_WIDTH, format_count(d->times).s, KINDS_WIDTH,
			kinds);
		text_last_behind(t, TIMES_WIDTH + 2 + KINDS_WIDTH, row);
		free(task);
		free(on);
		free(kinds);
		free(row);
	}
}
