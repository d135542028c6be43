/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pprof.c - pprof's profile.proto, compressed: a sample for each path, thread, region and state,
 * with two values for each event, its samples and its weight.
 *
 * Thread, region, state and class are labels, by which pprof filters and groups.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "gen/profile.pb-c.h"
#include "src/base/alloc.h"
#include "src/base/clean.h"
#include "src/base/grow.h"
#include "src/base/interner.h"
#include "src/base/map.h"
#include "src/base/path.h"
#include "src/model/model.h"
#include "src/output/filter_text.h"
#include "src/output/formats.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/profile/reader/reader.h"
#include "src/tables/regions.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

/* ---- the compressed stream --------------------------------------------- */

enum { GZIP_WINDOW = 15 + 16, GZIP_MEMORY = 8, OUT_BYTES = 1 << 15 };

struct pprof_stream {
	FILE *out;
	z_stream deflate;
	uint8_t *piece;
	size_t piece_room;
};

static void pprof_stream_begin(struct pprof_stream *s, FILE *out)
{
	*s = (struct pprof_stream){ .out = out };
	deflateInit2(&s->deflate, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY,
		     Z_DEFAULT_STRATEGY);
}

/* Compresses n bytes; flush: Z_FINISH at the end. */
static void stream_bytes(struct pprof_stream *s, uint8_t *bytes, size_t n, int flush)
{
	uint8_t out[OUT_BYTES];

	s->deflate.next_in = bytes;
	s->deflate.avail_in = (unsigned)n;
	do {
		s->deflate.next_out = out;
		s->deflate.avail_out = sizeof(out);
		deflate(&s->deflate, flush);
		fwrite(out, 1, sizeof(out) - s->deflate.avail_out, s->out);
	} while (!s->deflate.avail_out);
}

/* Appends the fields of a piece, which is a Pprof__Profile. */
static void pprof_stream_put(struct pprof_stream *s, const void *piece)
{
	const size_t n = pprof__profile__get_packed_size(piece);

	if (n > s->piece_room) {
		s->piece = alloc_resize(s->piece, 2 * n);
		s->piece_room = 2 * n;
	}
	pprof__profile__pack(piece, s->piece);
	stream_bytes(s, s->piece, n, Z_NO_FLUSH);
}

/* ---- strings, functions and what has them ------------------------------- */

struct pprof_names {
	const struct report *report;
	struct interner strings;
	struct map mappings;  /* by the name of the module */
	struct map functions; /* by function of the view */
	struct map locations; /* by function, line */
};

/* Strings of protocol buffers are UTF-8: other bytes become U+FFFD, and so do characters that
   nobody would see.  malloc'ed. */
static char *names_utf8(const char *s)
{
	static const char replacement[] = "\xef\xbf\xbd";
	char *const clean = alloc_bytes(strlen(s) * (sizeof(replacement) - 1) + 1);
	char *to = clean;

	while (*s) {
		const size_t n = clean_sequence(s);

		to = n && !clean_is_hidden(clean_code(s, n)) ?
			     mempcpy(to, s, n) :
			     mempcpy(to, replacement, sizeof(replacement) - 1);
		s += n ? n : 1;
	}
	*to = '\0';
	return clean;
}

/* The number of a string; NULL is "". */
static int64_t pprof_string(struct pprof_names *n, const char *s)
{
	char *const clean = names_utf8(s ? s : "");
	const uint32_t number = interner_number(&n->strings, clean, SIZE_MAX);

	free(clean);
	return number;
}

/* The number of a pair, from 1 on. */
static uint64_t names_number(struct map *known, uint64_t a, uint64_t b)
{
	uint32_t number = 0;

	map_add(known, a, b, (uint32_t)known->count + 1, &number);
	return number;
}

static void pprof_names_init(struct pprof_names *n, const struct report *r)
{
	*n = (struct pprof_names){ .report = r };
	pprof_string(n, "");

	/* The first mapping is the program's. */
	const struct model *m = n->report->model;
	const struct names *names = &n->report->view->names;
	const char *exe = m->nprocesses ? prof_text(m->processes[0].file, PROF_INFO_EXE) : NULL;

	for (size_t i = 1; exe && i < names->nfunctions; i++) {
		const char *module = names->functions[i].module;

		if (module && !strcmp(module, path_base(exe))) {
			names_number(&n->mappings, (uintptr_t)module, 0);
			return;
		}
	}
}

static void pprof_names_fini(struct pprof_names *n)
{
	interner_free(&n->strings);
	map_free(&n->mappings);
	map_free(&n->functions);
	map_free(&n->locations);
}

/* The number of a node's location: its function, at its line. */
static uint64_t pprof_location(struct pprof_names *n, uint32_t node)
{
	const struct tree_node *t = &n->report->view->tree.nodes[node];

	return names_number(&n->locations, t->function, t->line);
}

/* ---- the tables ------------------------------------------------------ */

/* Functions know the base names of their modules only. */
static const struct prof_rmodule *names_module(const struct model *m, const char *name)
{
	for (size_t p = 0; p < m->nprocesses; p++) {
		const struct prof_file *f = m->processes[p].file;

		for (size_t i = 0; i < f->nmodules; i++)
			if (!strcmp(path_base(f->modules[i].path), name))
				return &f->modules[i];
	}
	return NULL;
}

/* All names are known, so pprof needs no file. */
static void write_mapping(struct pprof_names *n, struct pprof_stream *s, size_t i)
{
	const struct map_entry *e = &n->mappings.entries[i];
	const char *name = (const char *)(uintptr_t)e->a;
	const struct prof_rmodule *m = names_module(n->report->model, name);
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	Pprof__Mapping mapping = PPROF__MAPPING__INIT, *mappings[] = { &mapping };

	mapping.id = e->number;
	mapping.filename = pprof_string(n, m ? m->path : name);

	char id[2 * sizeof(m->build_id) + 1] = "";

	for (uint32_t b = 0; m && b < m->build_id_bytes && b < sizeof(m->build_id); b++)
		snprintf(id + 2 * b, 3, "%02x", m->build_id[b]);
	mapping.build_id = pprof_string(n, id);
	mapping.has_functions = mapping.has_filenames = true;
	mapping.has_line_numbers = mapping.has_inline_frames = true;
	piece.n_mapping = 1;
	piece.mapping = mappings;
	pprof_stream_put(s, &piece);
}

/* In this order each table gives the last numbers of those that follow. */
static void pprof_names_write(struct pprof_names *n, struct pprof_stream *s)
{
	for (size_t i = 0; i < n->locations.count; i++) {
		const struct names *names = &n->report->view->names;
		const struct map_entry *e = &n->locations.entries[i];
		const char *module = names->functions[e->a].module;
		Pprof__Profile piece = PPROF__PROFILE__INIT;
		Pprof__Location location = PPROF__LOCATION__INIT, *locations[] = { &location };
		Pprof__Line line = PPROF__LINE__INIT, *lines[] = { &line };

		line.function_id = names_number(&n->functions, e->a, 0);
		line.line = names->lines[e->b].line;
		location.id = e->number;
		if (module)
			location.mapping_id = names_number(&n->mappings, (uintptr_t)module, 0);
		location.n_line = 1;
		location.line = lines;
		piece.n_location = 1;
		piece.location = locations;
		pprof_stream_put(s, &piece);
	}
	for (size_t i = 0; i < n->functions.count; i++) {
		/* pprof takes a name that is its own symbol for one that it may shorten, and
		   <OMP-idle> for a template's arguments: only symbols that differ are shown. */
		const struct map_entry *e = &n->functions.entries[i];
		const struct function *f = &n->report->view->names.functions[e->a];
		Pprof__Profile piece = PPROF__PROFILE__INIT;
		Pprof__Function function = PPROF__FUNCTION__INIT, *functions[] = { &function };

		function.id = e->number;
		function.name = pprof_string(n, f->name ? f->name : "(no function)");
		if (f->linkage && f->name && strcmp(f->linkage, f->name))
			function.system_name = pprof_string(n, f->linkage);
		function.filename = pprof_string(n, f->file);
		function.start_line = f->line;
		piece.n_function = 1;
		piece.function = functions;
		pprof_stream_put(s, &piece);
	}
	for (size_t i = 0; i < n->mappings.count; i++)
		write_mapping(n, s, i);
	for (size_t i = 0; i < n->strings.count; i++) {
		Pprof__Profile piece = PPROF__PROFILE__INIT;
		char *strings[] = { (char *)(uintptr_t)n->strings.strings[i] };

		piece.n_string_table = 1;
		piece.string_table = strings;
		pprof_stream_put(s, &piece);
	}
}

/* ---- all ---------------------------------------------------------------- */

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
	/* Of each event: how many samples it has, and what they stand for. */
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
	struct table t;
	size_t depth;

	pprof_stream_begin(&p.stream, out);
	p.values = alloc_zeroed(2 * r->model->nevents + 1, sizeof(*p.values));
	pprof_names_init(&p.names, r);
	put_head(&p);
	put_comment(&p);
	table_build_of(p.report->view, sample_key, NULL, &t);
	for (size_t i = 0; i < t.n; i++) {
		uint32_t node = (uint32_t)t.rows[i].key;

		for (depth = 0; node; node = p.report->view->tree.nodes[node].parent) {
			p.path = grow(p.path, depth, &p.path_room, sizeof(*p.path));
			p.path[depth++] = pprof_location(&p.names, node);
		}
		for (unsigned c = 0; c < OMP_CLASSES; c++)
			if (sample_values(&p, t.rows[i].self, (enum omp_class)c))
				sample_put(&p, &t.rows[i], (enum omp_class)c, depth);
	}
	table_fini(&t);
	pprof_names_write(&p.names, &p.stream);
	stream_bytes(&p.stream, NULL, 0, Z_FINISH);
	deflateEnd(&p.stream.deflate);
	free(p.stream.piece);
	pprof_names_fini(&p.names);
	map_free(&p.texts);
	free(p.values);
	free(p.path);
	return 0;
}
