/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/model/construct_kind.h"
#include "src/model/model.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/text/text.h"
#include "src/tables/construct_time.h"
#include "src/tables/constructs.h"
#include "src/view/view.h"

/* Prints how long it was held or waited at, by entry and by thread. */
static void text_construct_inside(const struct text *t, const struct view_construct *c)
{
	const struct construct_inside in = construct_inside(t->report->view, c);

	if (!c->entries || !c->elapsed_known)
		return;
	fprintf(t->out, "%*s%s from entry to exit", TEXT_BENEATH, "",
		format_amount(c->elapsed_ns, PROF_UNIT_NS).s);
	if (c->ended < c->entries)
		fprintf(t->out, " of %s entries", format_count(c->ended).s);
	fprintf(t->out, ", the longest %s", format_amount(c->longest_ns, PROF_UNIT_NS).s);
	if (c->nentrants > 1)
		fprintf(t->out, "; a thread: least %s, mean %s, most %s",
			format_amount(in.least, PROF_UNIT_NS).s, format_ns(in.mean).s,
			format_amount(in.most, PROF_UNIT_NS).s);
	putc('\n', t->out);
}

static void text_construct_chunks(const struct text *t, const struct view_construct *c)
{
	fprintf(t->out, "; %s chunks of ", format_count(c->chunks).s);
	if (c->chunk_least != c->chunk_most)
		fprintf(t->out, "%u to ", c->chunk_least);
	fprintf(t->out, "%u iterations, the longest %s", c->chunk_most,
		format_amount(c->chunk_longest_ns, PROF_UNIT_NS).s);
}

/* Prints how long it took over all entries, and its threads' imbalance. */
static void text_construct_more(const struct text *t, const struct construct_row *c,
				const struct spread_work *w)
{
	const uint32_t unit = t->report->model->events[t->report->event].unit;
	const bool timed = c->what->entries && c->what->elapsed_known;

	if (construct_synchronises((enum construct_kind)c->what->kind)) {
		text_construct_inside(t, c->what);
		return;
	}
	if (c->what->kind < CONSTRUCT_SPECIALS || (!timed && (w->nthreads < 2 || w->mean <= 0)))
		return;
	fprintf(t->out, "%*s", TEXT_BENEATH, "");
	if (timed)
		fprintf(t->out, "%s from entry to exit",
			format_amount(c->what->elapsed_ns, PROF_UNIT_NS).s);
	if (timed && c->what->chunks)
		text_construct_chunks(t, c->what);
	if (w->nthreads > 1 && w->mean > 0)
		fprintf(t->out, "%swork a thread: least %s, mean %s, most %s", timed ? "; " : "",
			format_amount(w->least, unit).s, format_real(w->mean, unit).s,
			format_amount(w->most, unit).s);
	putc('\n', t->out);
}

static void text_construct_row(const struct text *t, const struct construct_times *times,
			       const struct construct_row *c)
{
	const struct view_construct *what = c->what;
	const struct spread_work w = construct_work(c, t->report->event);
	char *name = construct_label(t->report->view, what);
	struct time_split s;

	text_row_line(t, what->line);
	text_cells(t, c->self);
	text_spread(t, w.nthreads,
		    what->kind >= CONSTRUCT_SPECIALS && w.mean > 0 && w.nthreads > 1 ?
			    (double)w.most / w.mean :
			    0,
		    w.samples, what->entries);
	text_last(t, name);
	free(name);
	text_construct_more(t, c, &w);

	/* Prints what its threads' time from entry to exit was, largest part first. */
	const enum construct_unsplit why = construct_time(times, c->what, &s);
	const char *unsplit = construct_unsplit_text(why);

	if (unsplit)
		fprintf(t->out, "%*snot split up: %s\n", TEXT_BENEATH, "", unsplit);
	if (why == CONSTRUCT_SPLIT && s.all > 0) {
		fprintf(t->out, "%*s", TEXT_BENEATH, "");
		text_split(t, &s);
	}
}

/* Counted entries are shown however short they were. */
static bool text_construct_shows(const struct text *t, const struct construct_row *c, size_t shown)
{
	return text_shows(t, c->self, shown) ||
	       (!t->rows_max && c->what->entries &&
		construct_synchronises((enum construct_kind)c->what->kind));
}

void text_constructs(const struct text *whole)
{
	struct text some = *whole;
	struct text_rest rest = { 0 };
	struct constructs constructs;
	struct construct_times times;
	size_t shown = 0;

	some.hidden |= 1u << COLUMN_GAIN;

	const struct text fit = text_fit(&some, text_spread_own), *t = &fit;

	constructs_build(t->report->view, t->report->event, &constructs);
	text_sort_constructs(t, &constructs);
	construct_times_build(t->report->view, t->report->losses, &times);
	text_titles(t, "construct");
	for (size_t i = 0; i < constructs.n; i++) {
		if (text_construct_shows(t, &constructs.all[i], shown++))
			text_construct_row(t, &times, &constructs.all[i]);
		else
			text_rest_add(t, &rest, constructs.all[i].self);
	}
	text_rest_print(t, &rest, 0);
	text_few_note(t);
	/* How to get missing numbers. */
	bool missing = false;

	for (size_t i = 0; i < constructs.n; i++)
		missing =
			missing ||
			(!constructs.all[i].what->entries &&
			 construct_synchronises((enum construct_kind)constructs.all[i].what->kind));
	if (missing && !model_was_set(t->report->model, "OMPHWC_ENTRIES"))
		fputs("\nentries of synchronization constructs were not counted: run with "
		      "--entries to count and time them\n",
		      t->out);
	construct_times_fini(&times);
	constructs_fini(&constructs);
}

/* ---- what target constructs asked of devices --------------------------- */

enum {
	DEVICE_WIDTH = 9,
	OPERATION_WIDTH = 14,
	TIMES_WIDTH = 11,
	BYTES_WIDTH = 11,
	TIME_WIDTH = 11,
	ALL_WIDTH = DEVICE_WIDTH + OPERATION_WIDTH + TIMES_WIDTH + BYTES_WIDTH + 2 * TIME_WIDTH,
};

static void device_time(const struct text *t, bool known, uint64_t ns)
{
	fprintf(t->out, "%*s", TIME_WIDTH, known ? format_amount(ns, PROF_UNIT_NS).s : "-");
}

void text_devices(const struct text *t)
{
	const struct view *v = t->report->view;

	if (v->filtered) {
		fputs("operations of devices belong to no sample: not shown of a part\n", t->out);
		return;
	}
	if (!v->ndevice_ops) {
		fputs("the OpenMP runtime reported no operation of a device: LLVM's does from "
		      "release 17 on\n",
		      t->out);
		return;
	}
	fprintf(t->out, "%*s  %-*s%*s%*s%*s%*s  construct\n", DEVICE_WIDTH, "device",
		OPERATION_WIDTH - 2, "operation", TIMES_WIDTH, "times", BYTES_WIDTH, "bytes",
		TIME_WIDTH, "host", TIME_WIDTH, "on device");
	for (size_t i = 0; i < v->ndevice_ops; i++) {
		const struct view_device_op *o = &v->device_ops[i];
		const bool kernel = o->operation == PROF_DEVICE_KERNEL;
		char *label = construct_label(v, &v->constructs[o->construct]);

		if (o->device != PROF_DEVICE_OTHER)
			fprintf(t->out, "%*u", DEVICE_WIDTH, o->device);
		else
			fprintf(t->out, "%*s", DEVICE_WIDTH, "-");
		fprintf(t->out, "  %-*s", OPERATION_WIDTH - 2, device_operation_name(o->operation));
		fprintf(t->out, "%*s", TIMES_WIDTH, format_count(o->times).s);
		fprintf(t->out, "%*s", BYTES_WIDTH, kernel ? "-" : format_bytes(o->n).s);
		device_time(t, o->timed, o->host_ns);
		device_time(t, o->device_ns != 0, o->device_ns);
		fputs("  ", t->out);
		text_last_behind(t, ALL_WIDTH + 2, label);
		free(label);
	}
}

/* ---- constructs that an instrumentor described ------------------------- */

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
	for (size_t i = 0; i < v->ndescriptors; i++) {
		const struct view_descriptor *d = &v->descriptors[i];
		char *label = descriptor_label(&d->what);

		text_descriptor_part(t, d, VIEW_WHOLE, true);
		text_descriptor_part(t, d, VIEW_BARRIER, false);
		text_descriptor_part(t, d, VIEW_BODY, true);
		text_last_behind(t, USED, label);
		free(label);
	}
}
