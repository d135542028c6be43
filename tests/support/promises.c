/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "tests/support/promises.h"

#include <string.h>

#include "src/profile/reader/reader.h"

static const char *node_broken(const struct prof_file *f, size_t i)
{
	const struct prof_rnode *n = &f->nodes[i];

	if (n->kind < PROF_NODE_ROOT || n->kind > PROF_NODE_DESCRIPTOR)
		return "a node's kind is not known";
	if (n->kind == PROF_NODE_ROOT ? n->parent != PROF_NONE : n->parent >= i)
		return "a node does not come after its parent";
	if (n->context != PROF_NONE &&
	    ((n->kind != PROF_NODE_BOUNDARY && n->kind != PROF_NODE_BLOCK) || n->context >= i))
		return "a node does not come after its creation context";
	if (n->thread >= f->nthreads)
		return "a node's thread is out of range";
	if (n->kind == PROF_NODE_ROOT && n->thread != n->a)
		return "a root's thread is not its own";
	if (n->kind != PROF_NODE_ROOT && n->thread != f->nodes[n->parent].thread)
		return "a node's thread is not its parent's";
	if ((n->kind == PROF_NODE_LEAF ? PROF_STATE_OF(n->state) : n->state) >= PROF_STATES &&
	    n->kind != PROF_NODE_BOUNDARY && n->kind != PROF_NODE_CPU)
		return "a state is out of range";
	if ((n->kind == PROF_NODE_LEAF || n->kind == PROF_NODE_CPU) &&
	    n->event >= f->header.nevents)
		return "a leaf's event is out of range";
	if (n->kind == PROF_NODE_COUNT &&
	    (n->event >= f->header.nevents || n->state >= PROF_PARTS || n->parent == PROF_NONE))
		return "a count's event, part or parent is out of range";
	if (n->parent != PROF_NONE && (f->nodes[n->parent].kind == PROF_NODE_LEAF ||
				       f->nodes[n->parent].kind == PROF_NODE_STATS ||
				       f->nodes[n->parent].kind == PROF_NODE_COUNT))
		return "a node hangs beneath a leaf";
	return NULL;
}

static const char *texts_broken(const struct prof_file *f)
{
	for (size_t i = 0; i < f->ntexts; i++) {
		const struct prof_text *t = &f->texts[i];

		if (t->text[t->bytes] != '\0')
			return "a text has no end";
		if (t->kind != PROF_INFO_ARGV && strlen(t->text) != t->bytes)
			return "a text ends early";
	}
	return NULL;
}

static const char *timelines_broken(const struct prof_file *f)
{
	for (size_t i = 0; i < f->ntimelines; i++) {
		const struct prof_rtimeline *t = &f->timelines[i];

		if (t->thread >= f->nthreads || t->shift > PROF_TIMELINE_SHIFT_MOST)
			return "a timeline's thread or shift is out of range";
		for (size_t k = 0; k < t->n; k++) {
			const struct prof_rcell *c = &t->cells[k];

			if (c->node >= f->nnodes || f->nodes[c->node].thread != t->thread)
				return "a cell's node is not of its thread";
			if (c->event >= f->header.nevents || PROF_STATE_OF(c->state) >= PROF_STATES)
				return "a cell's event or state is out of range";
			if (k && c->bucket < c[-1].bucket)
				return "buckets are not in order";
		}
	}
	return NULL;
}

static const char *traces_broken(const struct prof_file *f)
{
	for (size_t i = 0; i < f->ntraces; i++) {
		const struct prof_rtrace *t = &f->traces[i];

		if (t->thread >= f->nthreads)
			return "a trace's thread is out of range";
		for (size_t k = 0; k < t->n; k++) {
			const struct prof_rtraced *e = &t->events[k];

			if (e->context != PROF_NONE && e->context >= f->nnodes)
				return "an event's context is out of range";
			if (!e->kind || e->kind >= PROF_TRACE_KINDS || e->state >= PROF_STATES)
				return "an event's kind or state is out of range";
		}
	}
	return NULL;
}

static const char *modules_broken(const struct prof_file *f)
{
	for (size_t i = 0; i < f->nmodules; i++) {
		const struct prof_rmodule *m = &f->modules[i];

		if (m->id == 0 || (i && m->id <= f->modules[i - 1].id))
			return "modules are not in order";
		if (m->build_id_bytes > sizeof(m->build_id))
			return "a build-id is too long";
		if (m->map_start > m->map_end)
			return "a mapping ends before it starts";
		if (strlen(m->path) > f->file_bytes)
			return "a path has no end";
		if (prof_module_by_id(f, m->id) != m)
			return "a module can't be found";
	}
	return NULL;
}

const char *promise_broken(const struct prof_file *f)
{
	const char *broken = texts_broken(f);

	if (!broken)
		broken = modules_broken(f);
	if (!broken)
		broken = timelines_broken(f);
	if (!broken)
		broken = traces_broken(f);
	if (f->header.nevents > PROF_EVENTS_MAX)
		broken = "too many events";
	if (f->header.run < PROF_RUN_RUNNING || f->header.run >= PROF_RUNS)
		broken = "the header's run is out of range";
	for (size_t i = 0; i < f->header.nevents; i++)
		if (strnlen(f->header.events[i].label, sizeof(f->header.events[i].label)) >=
		    sizeof(f->header.events[i].label))
			broken = "an event's label has no end";
	for (size_t i = 0; i < f->nthreads && !broken; i++)
		if (f->threads[i].t.index != i)
			broken = "threads are not dense";
	for (size_t i = 0; i < f->nnodes && !broken; i++)
		broken = node_broken(f, i);
	return broken;
}

uint64_t promise_samples(const struct prof_file *f)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < f->nnodes; i++)
		if (f->nodes[i].kind == PROF_NODE_LEAF)
			sum = prof_add(sum, f->nodes[i].a);
	return sum;
}
