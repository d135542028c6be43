/* SPDX-License-Identifier: BSD-3-Clause */
/* view_descriptor.c - the constructs that an instrumentor described in the program. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/fnv.h"
#include "src/base/pinned.h"
#include "src/model/model.h"
#include "src/profile/reader/reader.h"
#include "src/view/build/view_build.h"
#include "src/view/view.h"

/* By their places; several may be at one. */
static int view_descriptor_order(const void *a, const void *b)
{
	const struct descriptor *x = &((const struct view_descriptor *)a)->what;
	const struct descriptor *y = &((const struct view_descriptor *)b)->what;
	const int files = strcmp(x->file ? x->file : "", y->file ? y->file : "");

	if (files)
		return files;
	return x->begin[0] != y->begin[0] ? (x->begin[0] < y->begin[0] ? -1 : 1) :
					    (x->end[1] < y->end[1]) - (x->end[1] > y->end[1]);
}

static void view_descriptor_add(struct view *v, const char *text)
{
	const uint64_t hash = PROF_PHASE_HASH(fnv(FNV_BEGIN, text, strlen(text)));
	uint32_t i;

	v->descriptors = pinned_grow(v->descriptors, v->ndescriptors, &v->descriptors_room,
				     sizeof(*v->descriptors));
	if (!map_add(&v->by_descriptor, hash, 0, (uint32_t)v->ndescriptors, &i))
		return;
	v->descriptors[v->ndescriptors].hash = hash;
	v->descriptors[v->ndescriptors].elapsed_known = true;
	descriptor_parse(&v->descriptors[v->ndescriptors++].what, text);
}

void view_init_descriptors(struct view *v)
{
	for (size_t i = 0; i < v->model->nprocesses; i++) {
		const struct prof_file *f = v->model->processes[i].file;

		for (size_t k = 0; k < f->ntexts; k++)
			if (f->texts[k].kind == PROF_INFO_DESCRIPTOR)
				view_descriptor_add(v, f->texts[k].text);
	}
	if (!v->ndescriptors)
		return;
	qsort(v->descriptors, v->ndescriptors, sizeof(*v->descriptors), view_descriptor_order);
	map_free(&v->by_descriptor);
	for (uint32_t i = 0; i < v->ndescriptors; i++)
		map_add(&v->by_descriptor, v->descriptors[i].hash, 0, i, &(uint32_t){ 0 });
}

void view_stats_descriptor(struct view_builder *b, const struct prof_rnode *s)
{
	struct view *v = b->view;
	const struct prof_rnode *node = &b->file->nodes[s->parent];
	const uint32_t i = map_get(&v->by_descriptor, node->a, 0, UINT32_MAX);
	bool known;
	const uint64_t ns = view_ticks_ns(b->process, s->b, &known);

	/* Its text had no room in the file. */
	if (i == UINT32_MAX || node->kind != PROF_NODE_DESCRIPTOR)
		return;
	struct view_described *part = &v->descriptors[i].part[s->flags - PROF_STATS_WHOLE];

	part->n = prof_add(part->n, s->a);
	part->elapsed_ns = prof_add(part->elapsed_ns, ns);
	v->descriptors[i].elapsed_known = v->descriptors[i].elapsed_known && known;
}
