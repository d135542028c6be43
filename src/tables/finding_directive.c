/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * finding_directive.c - work at the line of a region's directive, which the program's code does not
 * have: what the clauses make each thread do at each entry.
 *
 * There a thread copies variables (firstprivate, copyin), initializes its copies of a reduction's,
 * and combines them. The counting of a loop may be at that line, too.
 */
#include "config.h"

#include "src/model/construct_kind.h"
#include "src/tables/finding_rules.h"
#include "src/view/view.h"

#define MOSTLY 0.4	/* of the region's work */
#define COPYING 0.2	/* of it, in calls of a library's functions, as memcpy() */
#define COUNTING_NS 5.0 /* of an iteration: its counting takes no more */

static bool is_at_directive(const struct view *v, uint32_t line, uint32_t directive)
{
	const struct line *a = &v->names.lines[line], *b = &v->names.lines[directive];

	return a->line && a->line == b->line && a->file == b->file;
}

/* Iterations of the region's loops; 0: not known. */
static double iterations_of(const struct finding_evidence *e, uint32_t row)
{
	const struct finding_row *r = &e->rows[row];
	double sum = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct view_construct *c =
			&e->view->constructs[e->units[r->first + i].construct];

		if (construct_is_loop((enum construct_kind)c->kind))
			sum += (double)c->count_sum;
	}
	return sum;
}

/* called: a part of it, in functions of libraries. */
static double work_at_directive(const struct finding_evidence *e, const struct region *r,
				double *called)
{
	double sum = 0;

	*called = 0;
	for (size_t i = 0; i < r->records.n; i++) {
		const struct view_record *record = &e->view->records[r->records.number[i]];
		enum loss loss;

		if (record->event == e->losses->event && record->class == OMP_WORK &&
		    !losses_is_outside(record->region) &&
		    is_at_directive(e->view, record->line, r->line)) {
			const double ns = losses_of_record(e->losses, e->view, record, &loss);

			sum += ns;
			*called += finding_called(e->view, record) ? ns : 0;
		}
	}
	return sum;
}

static void rule_directive(struct finding_evidence *e, struct finding_list *list, uint32_t row)
{
	const struct region *r = &e->regions.all[row];
	double there, called, work = 0;
	struct finding *f;

	if (r->special != REGION_SPECIALS || !r->counts.entries)
		return;
	there = work_at_directive(e, r, &called);
	for (size_t i = 0; i < e->rows[row].n; i++)
		work += e->units[e->rows[row].first + i].work;
	if ((there < MOSTLY * work && called < COPYING * work) ||
	    there < FINDING_WORTH * e->losses->run.all ||
	    finding_worth(e, there) < FINDING_SAMPLES ||
	    there < COUNTING_NS * iterations_of(e, row))
		return;
	/* Threads combine their copies one after another, and wait for each other at the end. */
	f = finding_add(list, FINDING_DIRECTIVE, r, finding_take_row(e, row, LOSS_IMBALANCE));
	f->part = there / e->losses->run.all;
	f->most_ns = there;
	f->mean_ns = work;
	f->pieces = r->counts.entries;
}

void finding_rules_directives(struct finding_evidence *e, struct finding_list *list)
{
	for (uint32_t row = 0; row < e->regions.n; row++)
		rule_directive(e, list, row);
}
