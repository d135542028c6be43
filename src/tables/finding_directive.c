/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * finding_directive.c - work at the line of a region's directive, which the program's code does not
 * have: what the clauses make each thread do at each entry.
 *
 * There a thread copies variables (firstprivate, lastprivate, copyin), initializes its copies of a
 * reduction's, and combines them. All of a loop may be at that line, too: its counting, the array
 * statements of Fortran's workshare, a loop that a macro makes. So what is there has to be a copy,
 * which is a call of a library's, or threads have to be seen combining, or it has to be outside of
 * the loop of a combined directive.
 */
#include "config.h"

#include <string.h>

#include "src/model/construct_kind.h"
#include "src/model/model.h"
#include "src/tables/finding_rules.h"
#include "src/toolchain/toolchain.h"
#include "src/view/view.h"

#define MOSTLY 0.4	/* of the region's work */
#define COPYING 0.15	/* of it, in calls of a library's functions that copy */
#define COUNTING_NS 5.0 /* of an iteration: its counting takes no more */

static bool is_at_directive(const struct view *v, uint32_t line, uint32_t directive)
{
	const struct line *a = &v->names.lines[line], *b = &v->names.lines[directive];

	return a->line && a->line == b->line && a->file == b->file;
}

/* The region's next loop, from unit *i on; NULL: there is none. */
static const struct view_construct *next_loop(const struct finding_evidence *e, uint32_t row,
					      size_t *i)
{
	const struct finding_row *r = &e->rows[row];

	while (*i < r->n) {
		const uint32_t construct = e->units[r->first + (*i)++].construct;
		const struct view_construct *c = &e->view->constructs[construct];

		if (construct_is_loop((enum construct_kind)c->kind))
			return c;
	}
	return NULL;
}

/* Whether the region's loops are known by calls of the runtime, and with the directive's line. That
   of gcc's loops is the statement's, which may have all of the loop. */
static bool loops_are_reported(const struct finding_evidence *e)
{
	const struct toolchain *t = view_toolchain(e->view->model->processes[0].file);

	return !(t->traits & RUNTIME_STATIC_LOOPS);
}

/* At the region's directive, or one of a loop in it. */
static bool is_at_one(const struct finding_evidence *e, uint32_t row, uint32_t line)
{
	const struct view_construct *c;
	size_t i = 0;

	if (is_at_directive(e->view, line, e->regions.all[row].line))
		return true;
	while (loops_are_reported(e) && (c = next_loop(e, row, &i)))
		if (is_at_directive(e->view, line, c->line))
			return true;
	return false;
}

/* Whether the region and a loop of it are one directive. */
static bool is_combined(const struct finding_evidence *e, uint32_t row)
{
	const struct view_construct *c;
	size_t i = 0;

	while (loops_are_reported(e) && (c = next_loop(e, row, &i)))
		if (c->count_sum && is_at_directive(e->view, c->line, e->regions.all[row].line))
			return true;
	return false;
}

/* Iterations of the region's loops; 0: not known. */
static double iterations_of(const struct finding_evidence *e, uint32_t row)
{
	const struct view_construct *c;
	double sum = 0;
	size_t i = 0;

	while ((c = next_loop(e, row, &i)))
		sum += (double)c->count_sum;
	return sum;
}

/* Whether threads were seen to combine their copies, in the runtime or under the compiler's
   lock. */
static bool is_combining(const struct finding_evidence *e, uint32_t row)
{
	const struct finding_row *r = &e->rows[row];
	const struct table_records *of = &e->regions.all[row].records;

	for (size_t i = 0; i < r->n; i++)
		if (e->view->constructs[e->units[r->first + i].construct].kind == CONSTRUCT_ATOMIC)
			return true;
	for (size_t i = 0; i < of->n; i++)
		if (e->view->records[of->number[i]].leaf == LEAF_REDUCTION)
			return true;
	return false;
}

/* Whether it copies, or makes room for a copy; or a class of the C++ library's does. */
static bool is_copy(const char *name)
{
	static const char *const begins[] = { "memcpy", "memmove", "memset", "operator new" };
	static const char *const parts[] = { "copy", "alloc", "_M_", "vector<", "basic_string<" };

	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++)
		if (!strncmp(name, begins[i], strlen(begins[i])))
			return true;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts) && !strncmp(name, "std::", 5); i++)
		if (strstr(name, parts[i]))
			return true;
	return false;
}

/* Work at the directive: parts of it are in functions of libraries that copy, or outside of the
   loop. */
struct at_directive {
	double sum, copied, outside;
};

static struct at_directive work_at_directive(const struct finding_evidence *e, uint32_t row)
{
	const struct region_row *r = &e->regions.all[row];
	struct at_directive at = { 0 };

	for (size_t i = 0; i < r->records.n; i++) {
		const struct view_record *record = &e->view->records[r->records.number[i]];

		if (record->event == e->losses->event && record->class == OMP_WORK &&
		    !losses_is_outside(record->region) && is_at_one(e, row, record->line)) {
			const double ns = losses_of_record(e->losses, e->view, record, NULL);
			const uint32_t called = finding_called(e->view, record);

			at.sum += ns;
			if (called && is_copy(e->view->names.functions[called].name))
				at.copied += ns;
			if (e->view->constructs[record->construct].kind == CONSTRUCT_PARALLEL)
				at.outside += ns;
		}
	}
	return at;
}

static void rule_directive(struct finding_evidence *e, struct finding_list *list, uint32_t row)
{
	const struct region_row *r = &e->regions.all[row];
	const double work = finding_row_work(e, row);
	struct at_directive at;
	struct finding *f;

	if (r->special != REGION_SPECIALS || !r->counts.entries)
		return;
	at = work_at_directive(e, row);
	if (is_combined(e, row) && at.outside >= MOSTLY * work)
		at.sum = at.outside;
	else if (!(at.copied >= COPYING * work ||
		   (at.sum >= MOSTLY * work && is_combining(e, row))) ||
		 at.sum < COUNTING_NS * iterations_of(e, row))
		return;
	if (at.sum < FINDING_WORTH * e->losses->run.all ||
	    finding_worth(e, at.sum) < FINDING_SAMPLES)
		return;
	/* Threads combine their copies one after another, and wait for each other at the end. */
	f = finding_add(list, FINDING_DIRECTIVE, r, finding_take_row(e, row, LOSS_IMBALANCE));
	f->part = at.sum / e->losses->run.all;
	f->most_ns = at.sum;
	f->mean_ns = work;
	f->pieces = r->counts.entries;
}

void finding_rules_directives(struct finding_evidence *e, struct finding_list *list)
{
	for (uint32_t row = 0; row < e->regions.n; row++)
		rule_directive(e, list, row);
}
