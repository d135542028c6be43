/* SPDX-License-Identifier: BSD-3-Clause */
/* side.c - adds the rows of a run's tables to the items that they are. */
#include "config.h"

#include "src/diff/side.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/base/path.h"
#include "src/base/pinned.h"
#include "src/model/construct_kind.h"
#include "src/model/model.h"
#include "src/tables/constructs.h"
#include "src/tables/losses.h"
#include "src/tables/regions.h"
#include "src/view/view.h"

void side_init(struct side *s, struct interner *strings, size_t capacity)
{
	*s = (struct side){ .strings = strings, .capacity = capacity, .only = ~0u };
	s->runs = alloc_zeroed(capacity + 1, sizeof(*s->runs));
}

void side_fini(struct side *s)
{
	free(s->runs);
	pinned_free(s->items);
	free(s->troubles);
	arena_free(&s->arena);
	hash_free(&s->hash);
	*s = (struct side){ 0 };
}

void side_unnamed(struct side *s, const char *path, const char *why)
{
	const struct side_trouble new = {
		.path = intern(s->strings, path, strlen(path)),
		.why = intern(s->strings, why, strlen(why)),
	};

	for (size_t i = 0; i < s->ntroubles; i++)
		if (s->troubles[i].path == new.path && s->troubles[i].why == new.why)
			return;
	s->troubles = grow(s->troubles, s->ntroubles, &s->troubles_room, sizeof(*s->troubles));
	s->troubles[s->ntroubles++] = new;
}

const struct cost *side_cost(const struct side *s, size_t item, size_t run)
{
	return &s->items[item].costs[run * OMP_CLASSES];
}

double side_total(const struct side *s, size_t item, size_t run)
{
	return (double)cost_sum(side_cost(s, item, run), 0).weight;
}

double side_mean(const struct side *s, size_t item)
{
	double sum = 0;

	for (size_t run = 0; run < s->nruns; run++)
		sum += side_total(s, item, run);
	return s->nruns ? sum / (double)s->nruns : 0;
}

double side_sampling(const struct side *s, size_t run, const struct cost *c)
{
	const struct cost all = cost_sum(side_cost(s, 0, run), 0);
	const double weight = (double)c->weight;
	const double one = all.samples ? (double)all.weight / (double)all.samples : 0;

	return c->samples ? weight * weight / (double)c->samples : one * one;
}

uint64_t side_elapsed(const struct side *s, size_t item, size_t run)
{
	return s->items[item].elapsed_ns[run];
}

double side_efficiency(const struct side *s)
{
	double sum = 0;

	for (size_t i = 0; i < s->nruns; i++)
		sum += s->runs[i].efficiency;
	return sum / (double)s->nruns;
}

double side_lost(const struct side *s, enum loss loss)
{
	double sum = 0;

	for (size_t i = 0; i < s->nruns; i++)
		sum += s->runs[i].lost[loss];
	return sum / (double)s->nruns;
}

uint32_t side_threads(const struct side *s)
{
	for (size_t i = 1; i < s->nruns; i++)
		if (s->runs[i].threads != s->runs[0].threads)
			return 0;
	return s->nruns ? s->runs[0].threads : 0;
}

/* Equal texts have one address. */
const char *side_arguments(const struct side *s)
{
	for (size_t i = 1; i < s->nruns; i++)
		if (s->runs[i].arguments != s->runs[0].arguments)
			return NULL;
	return s->runs[0].arguments;
}

const char *side_host(const struct side *s)
{
	for (size_t i = 1; i < s->nruns; i++)
		if (s->runs[i].host != s->runs[0].host)
			return NULL;
	return s->runs[0].host;
}

bool side_same(const struct side_item *x, const struct side_item *y)
{
	return x->by == y->by && x->ordinal == y->ordinal && x->function == y->function &&
	       x->file == y->file && x->kind == y->kind && x->inside == y->inside &&
	       x->place == y->place;
}

/* ---- items ----------------------------------------------------------- */

/* A run that is being added. */
struct side_adding {
	struct side *side;
	const struct view *view;
	size_t event;
};

static const char *side_text(struct side_adding *a, const char *s)
{
	return intern(a->side->strings, s ? s : "", s ? strlen(s) : 0);
}

/* The item like it, which may be new. */
static struct side_item *side_item_like(struct side_adding *a, const struct side_item *like)
{
	const uint64_t names =
		(uint64_t)hash_of_pair((uintptr_t)like->function, (uintptr_t)like->file) << 32 |
		hash_of_pair((uintptr_t)like->kind, (uintptr_t)like->inside);

	const uint32_t hash = hash_of_pair(names, (uint64_t)like->place << 4 | like->by);
	struct side *s = a->side;
	uint32_t number;

	for (size_t at = hash; hash_next(&s->hash, hash, &at, &number);)
		if (side_same(&s->items[number], like))
			return &s->items[number];
	s->items = pinned_grow(s->items, s->nitems, &s->items_room, sizeof(*s->items));
	hash_add(&s->hash, hash, (uint32_t)s->nitems);
	s->items[s->nitems] = *like;
	s->items[s->nitems].costs =
		arena_alloc(&s->arena, s->capacity * OMP_CLASSES * sizeof(struct cost));
	s->items[s->nitems].elapsed_ns = arena_alloc(&s->arena, s->capacity * sizeof(uint64_t));
	return &s->items[s->nitems++];
}

/* Adds a block's cost of the event to the item like that; returns it. */
static struct side_item *add(struct side_adding *a, const struct side_item *like,
			     const struct cost *block)
{
	struct side_item *item = side_item_like(a, like);

	cost_add(&item->costs[a->side->nruns * OMP_CLASSES], cost_at(block, a->event, OMP_WORK), 1);
	return item;
}

/* ---- places in the source -------------------------------------------- */

/* The build-id of the module with that base name, in hexadecimal. */
static void build_id(const struct view *v, const char *module, char *buf, size_t bytes)
{
	*buf = '\0';
	for (size_t p = 0; p < v->model->nprocesses; p++) {
		const struct prof_file *f = v->model->processes[p].file;

		for (size_t i = 0; i < f->nmodules; i++) {
			const struct prof_rmodule *m = &f->modules[i];

			if (strcmp(path_base(m->path), module) != 0)
				continue;
			for (uint32_t k = 0; k < m->build_id_bytes && 2 * k + 2 < bytes; k++)
				snprintf(buf + 2 * k, 3, "%02x", m->build_id[k]);
			return;
		}
	}
}

/* A function that is known by its address only is the same in the same object only. */
static const char *function_key(struct side_adding *a, const struct function *f)
{
	const char *module = path_base(f->module);
	const size_t n = module ? strlen(module) : 0;
	char id[65], *key;

	if (!n || strncmp(f->name, module, n) != 0 || f->name[n] != '+')
		return side_text(a, f->linkage ? f->linkage : f->name);
	build_id(a->view, module, id, sizeof(id));
	key = alloc_printf("%s of %s", f->name, id);
	const char *copy = side_text(a, key);

	free(key);
	return copy;
}

static void item_function(struct side_adding *a, struct side_item *item, uint64_t function)
{
	const struct function *f = &a->view->names.functions[function];

	if (!function)
		return;
	item->function = function_key(a, f);
	item->name = side_text(a, f->name);
	item->file = side_text(a, path_base(f->file ? f->file : f->module));
	item->function_at = f->file ? f->line : 0;
}

static void item_line(struct side_adding *a, struct side_item *item, uint32_t line)
{
	const struct line *l = &a->view->names.lines[line];
	const char *file;

	item_function(a, item, l->function);
	item->place = l->line;
	item->ordinal = !l->line && l->place;
	if (item->ordinal) {
		const char *place = l->place;
		const char *plus = strrchr(place, '+');

		item->place = plus ? (int64_t)(strtoull(plus + 1, NULL, 16) >> 1) : 0;
	}
	file = side_text(a, path_base(l->file));
	if (l->line && file != item->file)
		item->inside = file;
}

static struct side_item item_empty(struct side_adding *a, enum diff_by by)
{
	const char *none = side_text(a, NULL);

	return (struct side_item){
		.by = by,
		.function = none,
		.file = none,
		.kind = none,
		.inside = none,
		.name = none,
		.title = none,
	};
}

/* ---- the tables ------------------------------------------------------ */

/* From fork to join; serial code has its samples' time. */
static uint64_t side_region_time(const struct side_adding *a, const struct region_row *r)
{
	if (r->special == REGION_SERIAL && a->view->model->events[a->event].unit == PROF_UNIT_NS)
		return cost_sum(r->self, a->event).weight;
	return r->special == REGION_SPECIALS && r->counts.entries && !r->counts.elapsed_unknown ?
		       r->counts.elapsed_ns :
		       0;
}

static void side_add_regions(struct side_adding *a)
{
	struct regions regions;

	regions_build(a->view, a->event, false, &regions);
	for (size_t i = 0; i < regions.n; i++) {
		const struct region_row *r = &regions.all[i];
		const struct view_region *first = r->ncontexts ? &a->view->regions[r->contexts[0]] :
								 NULL;
		struct side_item like = item_empty(a, DIFF_REGION), *item;

		if (r->special != REGION_SPECIALS) {
			like.kind = like.name = side_text(a, region_special_name(r->special));
		} else {
			item_line(a, &like, r->line);
			like.kind = like.title =
				side_text(a,
					  construct_name(first ? first->kind : CONSTRUCT_PARALLEL));
		}
		item = add(a, &like, r->self);
		item->elapsed_ns[a->side->nruns] += side_region_time(a, r);
	}
	regions_fini(&regions);
}

/* Loops are one kind: their schedule is what people change. */
static const char *construct_key(struct side_adding *a, const struct view_construct *c,
				 const char *title)
{
	if (construct_is_loop((enum construct_kind)c->kind))
		return side_text(a, construct_name(CONSTRUCT_FOR));
	return c->kind == CONSTRUCT_CRITICAL ? title : side_text(a, construct_name(c->kind));
}

/* Adds the rows of a table, each as the item that fill makes of its key. */
static void add_table(struct side_adding *a, enum table_key key, enum diff_by by,
		      void (*fill)(struct side_adding *a, struct side_item *item, uint64_t key))
{
	struct table t;

	table_build(a->view, key, &t);
	for (size_t i = 0; i < t.n; i++) {
		struct side_item like = item_empty(a, by);

		fill(a, &like, t.rows[i].key);
		add(a, &like, t.rows[i].self);
	}
	table_fini(&t);
}

static void fill_line(struct side_adding *a, struct side_item *item, uint64_t key)
{
	if ((uint32_t)key)
		item_line(a, item, (uint32_t)key);
	else
		item_function(a, item, key >> TABLE_LINE_FUNCTION);
}

/* Deeper paths are the same if their innermost functions are. */
enum { PATH_FUNCTIONS = 32 };

/* The functions of the path to a node, outermost first: by their keys, or as displayed. */
static const char *path_text(struct side_adding *a, uint32_t node, bool keys)
{
	const struct tree_node *nodes = a->view->tree.nodes;
	uint32_t functions[PATH_FUNCTIONS];
	char *s = NULL;
	size_t n = 0, size;
	FILE *out = alloc_stream(&s, &size);

	for (; node && n < PATH_FUNCTIONS; node = nodes[node].parent)
		functions[n++] = nodes[node].function;
	fputs(node ? "... > " : "", out);
	while (n-- > 0) {
		const struct function *f = &a->view->names.functions[functions[n]];

		fprintf(out, "%s%s", keys ? function_key(a, f) : f->name, n ? " > " : "");
	}
	alloc_stream_end(out);
	const char *copy = side_text(a, s);

	free(s);
	return copy;
}

static void side_fill_path(struct side_adding *a, struct side_item *item, uint64_t key)
{
	item->kind = path_text(a, (uint32_t)key, true);
	item->name = path_text(a, (uint32_t)key, false);
}

/* The whole, and each class of it. */
static void add_total(struct side_adding *a)
{
	struct table t;

	table_build(a->view, TABLE_STATE, &t);
	struct side_item like = item_empty(a, DIFF_RUN);

	like.name = side_text(a, "the run");
	add(a, &like, t.total);
	for (unsigned c = 0; c < OMP_CLASSES; c++) {
		const struct cost *from = cost_at(t.total, a->event, (enum omp_class)c);
		struct side_item *item;

		if (!omp_has_class(a->view->classes, c))
			continue;
		like.by = DIFF_CLASS;
		like.kind = like.name = side_text(a, omp_class_name((enum omp_class)c));
		item = side_item_like(a, &like);
		item->costs[a->side->nruns * OMP_CLASSES + c] = *from;
	}
	table_fini(&t);
}

static void add_losses(struct side_adding *a, struct side_run *run)
{
	struct losses l;

	losses_build(a->view, &l);
	const bool known = !l.unknown && l.nprocesses && l.parallel && l.run.all > 0;

	run->efficiency = known ? losses_efficiency(&l) : NAN;
	for (unsigned i = 0; i < LOSSES; i++)
		run->lost[i] = known ? l.run.lost[i] / l.run.all : NAN;
	losses_fini(&l);
}

void side_add(struct side *s, const struct side_run *run, const struct view *v, size_t event)
{
	struct side_adding a = { .side = s, .view = v, .event = event };

	if (s->only & 1u << DIFF_RUN)
		add_total(&a);
	if (s->only & 1u << DIFF_REGION)
		side_add_regions(&a);
	if (s->only & 1u << DIFF_CONSTRUCT) {
		struct constructs constructs;

		constructs_build(a.view, a.event, &constructs);
		for (size_t i = 0; i < constructs.n; i++) {
			const struct view_construct *c = constructs.all[i].what;
			struct side_item like = item_empty(&a, DIFF_CONSTRUCT);
			char *title = construct_title(c);

			like.title = side_text(&a, title);
			free(title);
			like.kind = construct_key(&a, c, like.title);
			if (c->kind < CONSTRUCT_SPECIALS)
				like.name = like.title;
			else
				item_line(&a, &like, c->line);
			add(&a, &like, constructs.all[i].self);
		}
		constructs_fini(&constructs);
	}
	if (s->only & 1u << DIFF_FUNCTION)
		add_table(&a, TABLE_CALL, DIFF_FUNCTION, item_function);
	if (s->only & 1u << DIFF_LINE)
		add_table(&a, TABLE_LINE, DIFF_LINE, fill_line);
	if (s->only & 1u << DIFF_PATH)
		add_table(&a, TABLE_PATH, DIFF_PATH, side_fill_path);
	s->classes |= v->classes;
	s->runs[s->nruns] = *run;
	s->runs[s->nruns].program = side_text(&a, run->program);
	s->runs[s->nruns].arguments = side_text(&a, run->arguments);
	s->runs[s->nruns].host = side_text(&a, run->host);
	add_losses(&a, &s->runs[s->nruns++]);
}
