/* SPDX-License-Identifier: BSD-3-Clause */
/* view_phase.c - the phases that the program named, and which samples are in them. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/fnv.h"
#include "src/base/pinned.h"
#include "src/model/model.h"
#include "src/profile/reader/reader.h"
#include "src/view/build/view_build.h"
#include "src/view/view.h"

/* Any process that began it has its name. */
static const char *phase_name(const struct view *v, uint64_t hash)
{
	for (size_t i = 0; i < v->model->nprocesses; i++) {
		const struct prof_file *f = v->model->processes[i].file;

		for (size_t k = 0; k < f->ntexts; k++) {
			const struct prof_text *t = &f->texts[k];

			if (t->kind == PROF_INFO_PHASE &&
			    PROF_PHASE_HASH(fnv(FNV_BEGIN, t->text, strlen(t->text))) == hash)
				return t->text;
		}
	}
	return "(name not known)";
}

static uint32_t phase_add(struct view *v, uint32_t parent, uint64_t hash, bool of_thread)
{
	uint32_t i;

	v->phases = pinned_grow(v->phases, v->nphases, &v->phases_room, sizeof(*v->phases));
	if (map_add(&v->by_phase, hash, (uint64_t)parent << 1 | of_thread, (uint32_t)v->nphases,
		    &i))
		v->phases[v->nphases++] = (struct view_phase){
			.parent = parent,
			.name = hash ? phase_name(v, hash) : NULL,
			.of_thread = of_thread,
			.elapsed_known = true,
		};
	return i;
}

void view_init_phases(struct view *v)
{
	phase_add(v, 0, 0, false);
}

void view_phase_note(struct view_builder *b, uint32_t i)
{
	const struct prof_rnode *n = &b->file->nodes[i];

	b->phase = b->phases && n->parent != PROF_NONE ? b->phases[n->parent] : 0;
	if (n->kind == PROF_NODE_PHASE) {
		if (!b->phases)
			b->phases = alloc_zeroed(b->file->nnodes, sizeof(*b->phases));
		b->phase = phase_add(b->view, b->phase, n->a, n->flags & PROF_PHASE_THREAD);
	}
	if (b->phases)
		b->phases[i] = b->phase;
}

void view_phases_end(struct view_builder *b)
{
	free(b->phases);
	b->phases = NULL;
}

void view_stats_phase(struct view_builder *b, const struct prof_rnode *s)
{
	struct view_phase *p = &b->view->phases[b->phase];
	bool known;
	const uint64_t ns = view_ticks_ns(b->process, s->b, &known);

	p->entries = prof_add(p->entries, (uint32_t)s->a);
	p->elapsed_ns = prof_add(p->elapsed_ns, ns);
	/* The process was killed in it, or is in it. */
	p->elapsed_known = p->elapsed_known && known && s->a >> 32 == (uint32_t)s->a;
}
