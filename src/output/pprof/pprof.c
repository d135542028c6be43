/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pprof.c - pprof's profile.proto, compressed: a sample for each path, thread, region and state,
 * with two values for each event, its samples and its weight.
 *
 * Thread, region, state and class are labels, by which pprof filters and groups.
 */
#include "config.h"

#include <stdlib.h>

#include "gen/profile.pb-c.h"
#include "src/base/grow.h"
#include "src/model/model.h"
#include "src/output/filter_text.h"
#include "src/output/formats.h"
#include "src/output/output.h"
#include "src/output/pprof/pprof_names.h"
#include "src/output/pprof/pprof_stream.h"
#include "src/output/thread_name.h"
#include "src/profile/reader/reader.h"
#include "src/tables/region_label.h"
#include "src/tables/regions.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

#include "src/base/alloc.h"

enum label { LABEL_THREAD, LABEL_REGION, LABEL_STATE, LABEL_CLASS, LABELS };

/* Regions and leaves share a key. */
enum { LEAF_BITS = 8 };

struct pprof {
	const struct report *report;
	struct pprof_stream stream;
	struct pprof_names names;
	struct map texts; /* of labels, by kind and number: a string's number */
	int64_t key[LABELS];
	int64_t *values;
	size_t nvalues;
	uint64_t *path; /* locations, innermost first */
	size_t path_room;
};

/* ---- labels ---------------------------------------------------------- */

/* The string of a thread or region, made once. */
static int64_t label_text(struct pprof *p, enum label label, uint32_t number)
{
	uint32_t known = map_get(&p->texts, label, number, UINT32_MAX);
	char *text;

	if (known != UINT32_MAX)
		return known;
	text = label == LABEL_THREAD ? thread_text(p->report->model, number) :
				       region_label_of(p->report->view, number);
	map_add(&p->texts, label, number, (uint32_t)pprof_string(&p->names, text), &known);
	free(text);
	return known;
}

/* ---- samples --------------------------------------------------------- */

static bool sample_key(const struct view *v, const struct view_record *r, void *arg,
		       struct table_key_pair *key)
{
	(void)v;
	(void)arg;
	key->a = (uint64_t)r->thread << 32 | r->node;
	key->b = (uint64_t)r->region << LEAF_BITS | r->leaf;
	return true;
}

/* Whether there is anything of the class. */
static bool sample_values(struct pprof *p, const struct cost *block, enum omp_class class)
{
	const struct model *m = p->report->model;
	size_t at = 0;
	bool any = false;

	for (size_t e = 0; e < m->nevents; e++) {
		const struct cost *c = cost_at(block, e, class);

		if (!model_is_sampled(m, e))
			continue;
		p->values[at++] = (int64_t)c->samples;
		p->values[at++] = (int64_t)c->weight;
		any = any || c->samples || c->weight;
	}
	return any;
}

static void sample_put(struct pprof *p, const struct table_row *row, enum omp_class class,
		       size_t depth)
{
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	Pprof__Sample sample = PPROF__SAMPLE__INIT, *samples[] = { &sample };
	Pprof__Label label[LABELS], *labels[LABELS];

	for (unsigned i = 0; i < LABELS; i++) {
		pprof__label__init(&label[i]);
		label[i].key = p->key[i];
		labels[i] = &label[i];
	}
	label[LABEL_THREAD].str = label_text(p, LABEL_THREAD, (uint32_t)(row->key >> 32));
	label[LABEL_REGION].str = label_text(p, LABEL_REGION, (uint32_t)(row->key2 >> LEAF_BITS));
	label[LABEL_STATE].str =
		pprof_string(&p->names,
			     leaf_label((enum omp_leaf)(row->key2 & ((1u << LEAF_BITS) - 1))));
	label[LABEL_CLASS].str = pprof_string(&p->names, omp_class_name(class));
	sample.n_location_id = depth;
	sample.location_id = p->path;
	sample.n_value = p->nvalues;
	sample.value = p->values;
	sample.n_label = LABELS;
	sample.label = labels;
	piece.n_sample = 1;
	piece.sample = samples;
	pprof_stream_put(&p->stream, &piece);
}

static void pprof_samples(struct pprof *p)
{
	struct table t;
	size_t depth;

	table_build_of(p->report->view, sample_key, NULL, &t);
	for (size_t i = 0; i < t.n; i++) {
		uint32_t node = (uint32_t)t.rows[i].key;

		for (depth = 0; node; node = p->report->view->tree.nodes[node].parent) {
			p->path = grow(p->path, depth, &p->path_room, sizeof(*p->path));
			p->path[depth++] = pprof_location(&p->names, node);
		}
		for (unsigned c = 0; c < OMP_CLASSES; c++)
			if (sample_values(p, t.rows[i].self, (enum omp_class)c))
				sample_put(p, &t.rows[i], (enum omp_class)c, depth);
	}
	table_fini(&t);
}

/* ---- the head -------------------------------------------------------- */

static void put_type(struct pprof *p, int64_t name, int64_t unit)
{
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	Pprof__ValueType type = PPROF__VALUE_TYPE__INIT, *types[] = { &type };

	type.type = name;
	type.unit = unit;
	piece.n_sample_type = 1;
	piece.sample_type = types;
	pprof_stream_put(&p->stream, &piece);
	p->nvalues++;
}

/* Of each event: how many samples it has, and what they stand for. */
static void put_types(struct pprof *p)
{
	const struct model *m = p->report->model;

	for (size_t e = 0; e < m->nevents; e++) {
		const struct model_event *event = &m->events[e];
		char *samples;

		if (event->flags & PROF_EVENT_COUNT_ONLY)
			continue;
		samples = alloc_printf("%s samples", event->label);
		put_type(p, pprof_string(&p->names, samples), pprof_string(&p->names, "count"));
		free(samples);
		put_type(p, pprof_string(&p->names, event->label),
			 pprof_string(&p->names,
				      event->unit == PROF_UNIT_NS ? "nanoseconds" : "count"));
	}
}

/* The earliest begin and the latest end of the processes, by the clock of the day. */
static void pprof_put_times(const struct model *m, Pprof__Profile *head)
{
	uint64_t first = UINT64_MAX, last = 0;

	for (size_t i = 0; i < m->nprocesses; i++) {
		const uint64_t start = m->processes[i].file->header.start_realtime_ns;
		const uint64_t end = prof_add(start, model_elapsed_ns(&m->processes[i]));

		first = start < first ? start : first;
		last = end > last ? end : last;
	}
	if (!m->nprocesses)
		return;
	head->time_nanos = (int64_t)first;
	head->duration_nanos = (int64_t)(last - first);
}

static void put_head(struct pprof *p)
{
	static const char *const keys[LABELS] = { "thread", "region", "state", "class" };
	const struct report *r = p->report;
	Pprof__Profile head = PPROF__PROFILE__INIT;
	Pprof__ValueType type = PPROF__VALUE_TYPE__INIT;

	for (unsigned i = 0; i < LABELS; i++)
		p->key[i] = pprof_string(&p->names, keys[i]);
	pprof_put_times(r->model, &head);
	if (r->event < r->model->nevents) {
		const struct model_event *e = &r->model->events[r->event];

		type.type = pprof_string(&p->names, e->label);
		type.unit =
			pprof_string(&p->names, e->unit == PROF_UNIT_NS ? "nanoseconds" : "count");
		head.default_sample_type = type.type;
		head.period_type = &type;
		head.period = (int64_t)e->period;
	}
	pprof_stream_put(&p->stream, &head);
	put_types(p);
}

/* What a filter left is in a comment. */
static void put_comment(struct pprof *p)
{
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	char *text = NULL;
	size_t size;
	FILE *out = alloc_stream(&text, &size);
	int64_t comment;

	filter_text(out, p->report->filtered, "");
	alloc_stream_end(out);
	if (size) {
		comment = pprof_string(&p->names, text);
		piece.n_comment = 1;
		piece.comment = &comment;
		pprof_stream_put(&p->stream, &piece);
	}
	free(text);
}

int pprof_write(FILE *out, const struct report *r)
{
	struct pprof p = { .report = r };

	pprof_stream_begin(&p.stream, out);
	p.values = alloc_zeroed(2 * r->model->nevents + 1, sizeof(*p.values));
	pprof_names_init(&p.names, r);
	put_head(&p);
	put_comment(&p);
	pprof_samples(&p);
	pprof_names_write(&p.names, &p.stream);
	pprof_stream_end(&p.stream);
	pprof_names_fini(&p.names);
	map_free(&p.texts);
	free(p.values);
	free(p.path);
	return 0;
}
