/* SPDX-License-Identifier: BSD-3-Clause */
/* stack_text.c - see stack_look.h. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/path.h"
#include "src/output/printable.h"
#include "src/profile/format.h"
#include "src/stack/stack_look.h"
#include "src/tables/regions.h"
#include "src/view/label.h"
#include "src/view/view.h"

enum {
	NAMED_MAX = 3,	 /* threads that a finding names each; then it counts them */
	STEPS_MAX = 12,	 /* of a path on a screen … */
	STEPS_OUTER = 4, /* … the first ones, */
	STEPS_INNER = 7, /* and the last ones */
	FUNCTION_COLUMNS = 46,
};

/* ---- findings ---------------------------------------------------------------------- */

/* "work (a.c:12)"; NULL: not known. */
static char *stack_text_place_of(const struct stack_look *l, size_t row)
{
	const uint32_t line = l->shown[row].line;

	return line ? label_line(&l->view->names, line) : NULL;
}

/* "waits for the mutex a in work (a.c:12)" */
static void stack_text_put_wait(const struct stack_look *l, size_t row, FILE *out)
{
	char *place = stack_text_place_of(l, row);

	fputs(l->shown[row].waits, out);
	if (place)
		fprintf(out, " in %s", place);
	free(place);
}

/* Each thread holds, or is, what the one before waits for. */
static void put_cycle(const struct stack_look *l, const struct stack_finding *f, FILE *out)
{
	fprintf(out, "deadlock: thread %d ", (int)l->rows[f->rows[0]].tid);
	for (size_t i = 0; i < f->n; i++) {
		const size_t row = f->rows[i];

		fputs(i ? ", which " : "", out);
		stack_text_put_wait(l, row, out);
		if (l->shown[row].holder)
			fprintf(out, ", %s", l->shown[row].holder);
	}
}

static void put_stuck(const struct stack_look *l, const struct stack_finding *f, FILE *out)
{
	bool unrecorded = false;

	fputs(f->sure ? "deadlock: no thread can go on: " :
			"probably a deadlock: no thread went on for 0.1 s: ",
	      out);
	for (size_t i = 0; i < f->n && i < NAMED_MAX; i++) {
		fprintf(out, "%sthread %d ", i ? "; " : "", (int)l->rows[f->rows[i]].tid);
		stack_text_put_wait(l, f->rows[i], out);
	}
	for (size_t i = 0; i < f->n; i++)
		unrecorded |= l->shown[f->rows[i]].holder && !l->rows[f->rows[i]].owner;
	if (f->n > NAMED_MAX)
		fprintf(out, "; and %zu more wait", f->n - NAMED_MAX);
	if (l->n == 1 && (l->rows[0].wait == STACK_END || l->rows[0].wait == STACK_BARRIER))
		fputs("; the process has no other thread (if it is a fork's child, it has none of "
		      "its parent's: fork before the first region, or start it by exec)",
		      out);
	if (unrecorded)
		fputs(" (who holds what is not recorded)", out);
}

static const char *stack_text_plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static void put_missing(const struct stack_look *l, const struct stack_finding *f, FILE *out)
{
	const size_t first = f->rows[0];
	char *region = region_label(l->view, REGION_SPECIALS,
				    l->view->regions[l->shown[first].region].line);
	char *place = stack_text_place_of(l, first);

	fprintf(out, "%zu thread%s wait%s ", f->n, stack_text_plural(f->n), f->n == 1 ? "s" : "");
	if (l->rows[first].wait == STACK_END)
		fprintf(out, "at the end of the region %s", region);
	else
		fprintf(out, "in %s, at a barrier of the region %s", place ? place : "?", region);
	fputs("; missing: ", out);
	for (size_t i = 0; i < f->nmissing && i < NAMED_MAX; i++) {
		fprintf(out, "%sthread %d, which ", i ? "; " : "", (int)l->rows[f->missing[i]].tid);
		stack_text_put_wait(l, f->missing[i], out);
	}
	if (f->nmissing > NAMED_MAX)
		fprintf(out, "; and %zu more", f->nmissing - NAMED_MAX);
	free(region);
	free(place);
}

char *stack_finding_text(const struct stack_look *l, const struct stack_finding *f)
{
	char *text;
	size_t bytes;
	FILE *out = alloc_stream(&text, &bytes);

	switch (f->kind) {
	case STACK_CYCLE: put_cycle(l, f, out); break;
	case STACK_STUCK: put_stuck(l, f, out); break;
	case STACK_MISSING: put_missing(l, f, out); break;
	}
	alloc_stream_end(out);
	return text;
}

/* ---- groups ------------------------------------------------------------------------- */

static void put_step(const struct stack_look *l, const struct stack_step *s, FILE *out)
{
	const struct names *n = &l->view->names;
	const struct line *line = &n->lines[s->line];
	const struct function *f = &n->functions[s->function];
	const char *name = f->name ? f->name : "(unknown)";
	const size_t width = format_width(name);

	fputs("    ", out);
	format_name(out, name, FUNCTION_COLUMNS);
	if (line->line)
		fprintf(out, "%*s  %s:%u",
			width < FUNCTION_COLUMNS ? (int)(FUNCTION_COLUMNS - width) : 0, "",
			line->file ? path_base(line->file) : "?", line->line);
	else if (f->module && !strchr(name, '+'))
		fprintf(out, "%*s  [%s]",
			width < FUNCTION_COLUMNS ? (int)(FUNCTION_COLUMNS - width) : 0, "",
			path_base(f->module));
	putc('\n', out);
}

static void put_group(const struct stack_look *l, const size_t *order, size_t n, bool full,
		      FILE *out)
{
	const struct stack_shown *s = &l->shown[order[0]];

	fprintf(out, "\n%s ", n == 1 ? "thread" : "threads");
	/* "12, 14-20" of the threads order[0] to order[n - 1]. */
	for (size_t i = 0; i < n;) {
		const pid_t first = l->rows[order[i]].tid;
		size_t k = 1;

		while (i + k < n && l->rows[order[i + k]].tid == first + (pid_t)k)
			k++;
		fprintf(out, "%s%d", i ? ", " : "", (int)first);
		if (k > 1)
			fprintf(out, "%s%d", k == 2 ? ", " : "-", (int)first + (int)k - 1);
		i += k;
	}
	if (n > 1)
		fprintf(out, " (%zu)", n);
	fprintf(out, ": %s%s%s%s\n", s->waits, s->holder ? " (" : "", s->holder ? s->holder : "",
		s->holder ? ")" : "");
	if (s->begins)
		fprintf(out, "    (%s)\n", s->begins);
	for (size_t i = 0; i < s->n; i++) {
		if (!full && s->n > STEPS_MAX && i == STEPS_OUTER) {
			const size_t left = s->n - STEPS_OUTER - STEPS_INNER;

			fprintf(out, "    ... %zu more function%s (--full)\n", left,
				stack_text_plural(left));
			i += left;
		}
		put_step(l, &s->steps[i], out);
	}
}

void stack_text(const struct stack_look *l, bool full, FILE *out)
{
	fprintf(out, "%s (process %d): %zu thread%s, stopped for %s\n",
		l->process.exe ? path_base(l->process.exe) : "?", (int)l->process.pid, l->n,
		stack_text_plural(l->n), format_amount(l->process.stopped_ns, PROF_UNIT_NS).s);
	for (size_t i = 0; i < l->found.n; i++) {
		char *text = stack_finding_text(l, &l->found.all[i]);

		fprintf(out, "%s%s\n", i ? "" : "\n", text);
		free(text);
	}
	for (size_t i = 0; i < l->n;) {
		size_t n = 1;

		while (i + n < l->n && l->rows[l->order[i + n]].look == l->rows[l->order[i]].look)
			n++;
		put_group(l, &l->order[i], n, full, out);
		i += n;
	}
}
