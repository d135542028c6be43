/* SPDX-License-Identifier: BSD-3-Clause */
/* finding_calls.c - rules about what the program calls: the runtime in hot loops, the allocator;
   and about regions whose threads all do the same. */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/base/map.h"
#include "src/model/construct_kind.h"
#include "src/model/leaf.h"
#include "src/model/model.h"
#include "src/tables/finding_rules.h"
#include "src/tables/surroundings.h"
#include "src/tables/tables.h"
#include "src/toolchain/toolchain.h"
#include "src/view/view.h"

#include "src/base/alloc.h"

#define ALLOCATING 0.1 /* of the run's work */
#define ALIKE 0.05     /* of the mean: how far the threads' work differs */
#define ALL_DO 0.2     /* of the run's work */

/* ---- the runtime's functions ---------------------------------------------- */

/* A function that a program calls by its name, not one that a compiler calls. */
static bool is_called_by_name(const struct view *v, uint32_t function)
{
	const char *name = function ? toolchain_plain(v->names.functions[function].name) : NULL;

	return name && !strncmp(name, "omp_", 4);
}

/* Thread time by call; all: of what compilers call, too. Returns what it costs. */
static double add_runtime_calls(const struct finding_evidence *e, uint32_t row, bool all,
				struct finding_lines *lines)
{
	const struct table_records *of = &e->regions.all[row].records;
	double gain = 0;

	for (size_t i = 0; i < of->n; i++) {
		const struct view_record *r = &e->view->records[of->number[i]];
		enum loss loss;

		if (r->event != e->losses->event || losses_is_outside(r->region) || r->own ||
		    !(all ? r->entry : is_called_by_name(e->view, r->entry)))
			continue;
		const double ns = losses_of_record(e->losses, e->view, r, &loss);

		if (loss != LOSS_RUNTIME)
			continue;
		gain += losses_gain_of(e->losses, r->region, ns);
		finding_lines_add(lines, r->line | (uint64_t)r->entry << TABLE_LINE_FUNCTION, ns,
				  r->samples);
	}
	return gain;
}

void finding_runtime_call(const struct finding_evidence *e, uint32_t row, struct finding *f)
{
	struct finding_lines lines;

	finding_lines_init(&lines, e->regions.all[row].records.n);
	add_runtime_calls(e, row, true, &lines);
	if (lines.all > 0) {
		finding_lines_most(&lines, f);
		/* What no line of the program calls is not named. */
		if (!e->view->names.lines[(uint32_t)f->work_line].line)
			f->work_part = 0;
	}
	finding_lines_fini(&lines);
}

/* ---- the allocator -------------------------------------------------------- */

static bool is_allocator(const struct view *v, uint32_t function)
{
	static const char *const names[] = { "malloc",	 "free",	   "calloc",
					     "realloc",	 "posix_memalign", "aligned_alloc",
					     "memalign", "cfree" };
	const char *name = function ? v->names.functions[function].name : NULL;

	if (!name)
		return false;
	name += strspn(name, "_");
	if (!strncmp(name, "libc_", 5))
		name += 5;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const size_t n = strlen(names[i]);

		if (!strncmp(name, names[i], n) && (!name[n] || name[n] == '@'))
			return true;
	}
	return !strncmp(name, "operator new", 12) || !strncmp(name, "operator delete", 15);
}

static void rule_allocator(struct finding_evidence *e, struct finding_list *list, uint32_t row)
{
	const struct table_records *of = &e->regions.all[row].records;
	struct finding_lines lines;

	finding_lines_init(&lines, of->n);
	for (size_t i = 0; i < of->n; i++) {
		const struct view_record *r = &e->view->records[of->number[i]];

		if (r->event == e->losses->event && r->class == OMP_WORK &&
		    !losses_is_outside(r->region) &&
		    is_allocator(e->view, finding_called(e->view, r)))
			finding_lines_add(&lines, table_line_key(e->view, r),
					  losses_of_record(e->losses, e->view, r, NULL),
					  r->samples);
	}
	if (lines.all > ALLOCATING * e->losses->run.work &&
	    lines.all > FINDING_WORTH * e->losses->run.all &&
	    finding_worth(e, lines.all) >= FINDING_SAMPLES) {
		struct finding *f = finding_add(list, FINDING_ALLOCATOR, &e->regions.all[row], 0);

		f->part = lines.all / e->losses->run.all;
		f->most_ns = lines.all;
		finding_lines_most(&lines, f);
	}
	finding_lines_fini(&lines);
}

/* ---- regions without worksharing ------------------------------------------ */

static bool shares_nothing(const struct finding_evidence *e, uint32_t row)
{
	const struct finding_row *r = &e->rows[row];

	for (size_t i = 0; i < r->n; i++) {
		const uint8_t kind = e->view->constructs[e->units[r->first + i].construct].kind;

		if (kind != CONSTRUCT_PARALLEL && kind != CONSTRUCT_BARRIER)
			return false;
	}
	return !r->tasks.run;
}

/* Each thread executes all of a region that has no construct to share its work, unless it divides
   the work by itself. */
static void rule_all_do(struct finding_evidence *e, struct finding_list *list, uint32_t row)
{
	const struct region_row *region = &e->regions.all[row];
	const struct finding_spread *s = &e->rows[row].spread;
	const double work = finding_row_work(e, row);
	struct finding *f;

	if (region->special != REGION_SPECIALS || region->counts.team_least < 2 ||
	    s->nthreads < region->counts.team_most || work < ALL_DO * e->losses->run.work ||
	    finding_worth(e, work) < 10 * FINDING_SAMPLES || s->most - s->least > ALIKE * s->mean ||
	    !shares_nothing(e, row))
		return;
	f = finding_add(list, FINDING_ALL_DO, region, 0);
	f->part = work / e->losses->run.all;
	f->nthreads = s->nthreads;
	f->most_ns = s->most;
	f->mean_ns = s->mean;
}

/* ---- tasks that each thread creates ---------------------------------------- */

/* Whether a construct that shares work, or that one thread executes, is in that function. */
static bool function_divides(const struct view *v, uint32_t function)
{
	for (size_t i = CONSTRUCT_SPECIALS; i < v->nconstructs; i++) {
		const uint8_t kind = v->constructs[i].kind;
		const bool divides = (kind >= CONSTRUCT_FOR && kind <= CONSTRUCT_DISTRIBUTE) ||
				     kind == CONSTRUCT_MASKED || kind == CONSTRUCT_MASTER;

		if (divides && v->names.lines[v->constructs[i].line].function == function)
			return true;
	}
	return false;
}

/* Whether one is in a function between the code that creates the tasks and the program's start. */
static bool path_divides(const struct view *v, const struct view_task *t)
{
	if (function_divides(v, v->names.lines[t->line].function))
		return true;
	for (uint32_t n = t->node; n; n = v->tree.nodes[n].parent)
		if (function_divides(v, v->tree.nodes[n].function))
			return true;
	return false;
}

/* What the implicit tasks of a region's threads created of the tasks of a line. */
struct line_created {
	const struct view_task *task; /* one of the line's */
	uint64_t least, most;	      /* of a thread that created any */
	uint32_t threads;
	uint32_t taskloop; /* the construct, and what they entered of it; 0: tasks */
	bool divided;	   /* the code divides it, or who entered the taskloop is not known */
};

/* Runtimes make a taskloop's tasks where it suits them: who created those is not known. Who entered
   it is, where that is reported. 0: it is none, or that is not known. */
static uint32_t entered_taskloop(const struct view *v, const struct view_task *t)
{
	for (uint32_t i = CONSTRUCT_SPECIALS; i < v->nconstructs && t->kind == CONSTRUCT_TASKLOOP;
	     i++)
		if (v->constructs[i].kind == CONSTRUCT_TASKLOOP &&
		    v->constructs[i].line == t->line && v->constructs[i].nentrants)
			return i;
	return 0;
}

static void line_add(struct line_created *l, uint64_t n)
{
	l->least = !l->threads || n < l->least ? n : l->least;
	l->most = n > l->most ? n : l->most;
	l->threads++;
}

static struct line_created *lines_created(const struct view *v, uint32_t region, size_t *nlines)
{
	uint64_t *sums = alloc_zeroed(v->ncreated + 1, sizeof(*sums));
	struct line_created *lines = alloc_zeroed(v->ncreated + 1, sizeof(*lines));
	struct map by_thread = { 0 }, by_line = { 0 };
	uint32_t at;

	for (size_t i = 0; i < v->ncreated; i++) {
		const struct view_created *c = &v->created[i];
		const struct view_task *t = &v->tasks[c->task];

		if (t->creator || v->regions[t->region].line != region)
			continue;
		map_add(&by_thread, t->line, c->thread, (uint32_t)by_thread.count, &at);
		sums[at] += c->n;
		map_add(&by_line, t->line, 0, (uint32_t)by_line.count, &at);
		lines[at].task = t;
		lines[at].taskloop = entered_taskloop(v, t);
		lines[at].divided |= c->shared ||
				     (t->kind == CONSTRUCT_TASKLOOP && !lines[at].taskloop);
	}
	for (size_t i = 0; i < by_thread.count; i++) {
		struct line_created *l =
			&lines[map_get(&by_line, by_thread.entries[i].a, 0, UINT32_MAX)];

		if (!l->taskloop)
			line_add(l, sums[i]);
	}
	for (size_t i = 0; i < by_line.count; i++) {
		const struct view_construct *c = &v->constructs[lines[i].taskloop];

		for (uint32_t k = 0; lines[i].taskloop && k < c->nentrants; k++)
			line_add(&lines[i], v->entrants[c->entrants + k].entries);
	}
	*nlines = by_line.count;
	map_free(&by_thread);
	map_free(&by_line);
	free(sums);
	return lines;
}

/* Each thread of the region creates equally many tasks, and nothing divides them among threads:
   a single around the code that creates them was forgotten, or the code divides by itself. */
static void rule_all_create(struct finding_evidence *e, struct finding_list *list, uint32_t row)
{
	const struct region_row *region = &e->regions.all[row];
	struct line_created *lines;
	size_t nlines, i = 0;

	if (region->special != REGION_SPECIALS || region->counts.team_least < 2 ||
	    region->counts.team_least != region->counts.team_most ||
	    finding_row_work(e, row) < ALL_DO * e->losses->run.work || !e->rows[row].tasks.created)
		return;
	lines = lines_created(e->view, region->line, &nlines);
	while (i < nlines &&
	       (lines[i].divided || !lines[i].most || lines[i].least != lines[i].most ||
		lines[i].threads != region->counts.team_most ||
		path_divides(e->view, lines[i].task)))
		i++;
	if (i < nlines) {
		struct finding *f = finding_add(list, FINDING_ALL_CREATE, region, 0);

		f->part = finding_row_work(e, row) / e->losses->run.all;
		f->nthreads = lines[i].threads;
		f->pieces = lines[i].most;
		f->call_line = lines[i].task->line;
		f->construct = lines[i].taskloop;
	}
	free(lines);
}

/* ---- cancel directives ----------------------------------------------------- */

/* OpenMP 5.2, section 21.2.6: they do nothing unless OMP_CANCELLATION is true. What they would save
   is not known. */
static void rule_cancel(const struct finding_evidence *e, struct finding_list *list)
{
	static const char unset[] = "OMP_CANCELLATION=false";
	const char *set =
		surroundings_setting(e->view->model->processes[0].file, "OMP_CANCELLATION");
	struct finding *f;

	if (!e->view->cancels || !e->regions.n || (set && strcasecmp(set, unset) != 0))
		return;
	f = finding_add(list, FINDING_CANCEL, &e->regions.all[0], 0);
	f->setting = set;
}

void finding_rules_calls(struct finding_evidence *e, struct finding_list *list)
{
	rule_cancel(e, list);
	for (uint32_t row = 0; row < e->regions.n; row++) {
		struct finding_lines lines;

		finding_lines_init(&lines, e->regions.all[row].records.n);
		const double gain = add_runtime_calls(e, row, false, &lines);

		if (lines.samples >= FINDING_SAMPLES && gain > 0) {
			struct finding *f = finding_add(list, FINDING_RUNTIME_CALLS,
							&e->regions.all[row], gain);

			struct finding_row *r = &e->rows[row];
			const double part =
				r->gain[LOSS_RUNTIME] > 0 ? gain / r->gain[LOSS_RUNTIME] : 0;

			finding_take_part(e, row, LOSS_RUNTIME, part < 1 ? part : 1);
			f->most_ns = lines.all;
			finding_lines_most(&lines, f);
		}
		finding_lines_fini(&lines);
		rule_allocator(e, list, row);
		rule_all_do(e, list, row);
		rule_all_create(e, list, row);
	}
}
