/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/view/build/view_build.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/base/pinned.h"
#include "src/model/model.h"
#include "src/profile/reader/values.h"
#include "src/view/view.h"

void summed_free(struct summed *s)
{
	for (size_t i = 0; i < s->n; i++) {
		free(s->groups[i].like);
		free(s->groups[i].of);
	}
	pinned_free(s->groups);
	hash_free(&s->by_record);
	*s = (struct summed){ 0 };
}

struct summed_cost *summed_of(struct summed *s, const struct view *v, const struct view_record *r)
{
	struct view_record like;
	uint32_t hash, number;
	size_t at;

	/* All that a part shows: padding is zero in both. */
	memset(&like, 0, sizeof(like));
	like.object = r->object;
	like.line = r->class == OMP_MPI || r->class == OMP_BLOCKED ? r->line : 0;
	like.region = r->region;
	like.task = r->task;
	like.construct = r->construct;
	like.inside = r->inside;
	like.memory = r->memory;
	like.team = r->team;
	like.event = r->event;
	like.leaf = r->leaf;
	like.class = r->class;
	like.source = r->source;
	like.in_task = r->in_task;
	like.own = r->own;
	like.in_call = r->in_call;
	at = hash = hash_of_bytes(&like, sizeof(like));
	while (hash_next(&s->by_record, hash, &at, &number))
		if (!memcmp(s->groups[number].like, &like, sizeof(like)))
			return s->groups[number].of;
	hash_add_here(&s->by_record, hash, at, (uint32_t)s->n);

	struct summed_group new = {
		.like = alloc_bytes(sizeof(like)),
		.of = alloc_zeroed(v->model->nthreads + 1, sizeof(*new.of)),
	};

	s->groups = pinned_grow(s->groups, s->n, &s->room, sizeof(*s->groups));
	memcpy(new.like, &like, sizeof(like));
	s->groups[s->n++] = new;
	return s->groups[s->n - 1].of;
}

void summed_parts(const struct summed *s, struct view *v)
{
	for (size_t i = 0; i < s->n; i++) {
		for (uint32_t t = 0; t < v->model->nthreads; t++) {
			const struct summed_cost *c = &s->groups[i].of[t];

			if (!c->samples && !c->weight)
				continue;
			v->parts =
				pinned_grow(v->parts, v->nparts, &v->parts_room, sizeof(*v->parts));
			v->parts[v->nparts] = *s->groups[i].like;
			v->parts[v->nparts].thread = t;
			v->parts[v->nparts].samples = c->samples;
			v->parts[v->nparts++].weight = c->weight;
		}
	}
}

/* ---- one thread ------------------------------------------------------ */

/* Appends what a thread counted at the leaf of a record. */
static void add_of_thread(const struct model_tree *t, uint32_t node, uint32_t thread,
			  const struct view_record *sum, struct view_records *to)
{
	struct prof_values values;
	struct prof_rvalue value;

	prof_values_of(&values, t->file, node, thread - t->first_thread, 1);
	while (prof_values_next(&values, &value)) {
		if (value.thread != thread - t->first_thread)
			continue;
		to->all = grow(to->all, to->n, &to->room, sizeof(*to->all));
		to->all[to->n] = *sum;
		to->all[to->n].thread = thread;
		to->all[to->n].samples = value.a;
		to->all[to->n++].weight = value.b;
	}
}

void view_of_thread(const struct view *v, uint32_t thread, struct view_records *of)
{
	const struct model *m = v->model;
	size_t record = 0, leaf = 0;

	*of = (struct view_records){ 0 };
	for (size_t t = 0; t < m->ntrees; t++) {
		const struct prof_file *f = m->trees[t].file;

		for (uint32_t i = 0; i < f->nnodes; i++)
			if (f->nodes[i].kind == PROF_NODE_LEAF && prof_values_any(f, i) &&
			    (!v->kept || v->kept[leaf++]))
				add_of_thread(&m->trees[t], i, thread, &v->records[record++], of);
	}
}
