/* SPDX-License-Identifier: BSD-3-Clause */
/* model.c - merges profiles and accounts for their samples. */
#include "config.h"

#include "src/model/model.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"

void model_init(struct model *m)
{
	*m = (struct model){ 0 };
}

void model_fini(struct model *m)
{
	free(m->events);
	free(m->processes);
	free(m->threads);
	free(m->trees);
	model_init(m);
}

/* Losses of samples for which the handler was called. */
static bool model_lost_in_handler(unsigned cause)
{
	return model_lost_samples(cause) && cause != PROF_LOST_OVERRUN;
}

static int model_event(struct model *m, const struct prof_event *e, uint8_t *number)
{
	size_t i;

	/* Substituted events are compared by what they replace, too: cpu-clock for cycles and
	   cpu-clock for instructions are two events with the same label. */
	for (i = 0; i < m->nevents; i++) {
		const struct model_event *one = &m->events[i];

		if (!strcmp(one->label, e->label) && one->unit == e->unit &&
		    !strcmp(one->requested, e->requested) &&
		    (one->flags & PROF_EVENT_COUNT_ONLY) == (e->flags & PROF_EVENT_COUNT_ONLY))
			break;
	}
	if (i == MODEL_EVENTS_MAX)
		return -E2BIG;
	*number = (uint8_t)i;
	if (i < m->nevents) {
		m->events[i].flags |= e->flags;
		return 0;
	}
	m->events = grow(m->events, m->nevents, &m->events_room, sizeof(*m->events));
	m->events[m->nevents++] = (struct model_event){
		.label = e->label,
		.requested = e->requested,
		.flags = e->flags,
		.unit = e->unit,
		.period = e->period,
		.freq_hz = e->freq_hz,
	};
	return 0;
}

/* Whether a frame on the leaf's own stack has a guessed caller. */
static bool model_is_guessed(const struct prof_file *f, uint32_t leaf)
{
	uint32_t at = leaf;

	for (; f->nodes[at].kind != PROF_NODE_ROOT; at = f->nodes[at].parent)
		if (f->nodes[at].kind == PROF_NODE_FRAME && f->nodes[at].flags & PROF_FRAME_GUESSED)
			return true;
	return false;
}

struct prof_kept model_kept(const struct prof_file *f)
{
	struct prof_kept k = { 0 };
	bool guesses = false;

	for (size_t i = 0; i < f->nnodes && !guesses; i++)
		guesses = f->nodes[i].kind == PROF_NODE_FRAME &&
			  f->nodes[i].flags & PROF_FRAME_GUESSED;
	for (size_t i = 0; i < f->nnodes; i++) {
		if (f->nodes[i].kind != PROF_NODE_LEAF)
			continue;
		k.kept = prof_add(k.kept, f->nodes[i].a);
		if (guesses && model_is_guessed(f, (uint32_t)i))
			k.guessed = prof_add(k.guessed, f->nodes[i].a);
	}
	return k;
}

/* A thread's begin or end. */
struct model_change {
	uint64_t ns;
	int by;
};

static int model_earlier(const void *a, const void *b)
{
	const struct model_change *x = a, *y = b;

	/* Ends first: a thread may begin when another has ended. */
	return x->ns != y->ns ? (x->ns > y->ns) - (x->ns < y->ns) : x->by - y->by;
}

/* By the records: how many threads lived at one time, of OpenMP's alone or of all. */
static uint32_t model_most(const struct model_process *p, bool openmp)
{
	struct model_change *changes = alloc_zeroed(2 * (size_t)p->nthreads + 1, sizeof(*changes));
	uint32_t now = 0, most = 0;
	size_t n = 0;

	for (uint32_t i = 0; i < p->nthreads; i++) {
		const struct prof_thread *t = &p->file->threads[i].t;

		if (openmp && t->kind != PROF_THREAD_INITIAL && t->kind != PROF_THREAD_WORKER)
			continue;
		changes[n++] = (struct model_change){ t->start_ns, 1 };
		changes[n++] = (struct model_change){ t->end_ns ? t->end_ns : UINT64_MAX, -1 };
	}
	qsort(changes, n, sizeof(*changes), model_earlier);
	for (size_t i = 0; i < n; i++) {
		now += (uint32_t)changes[i].by;
		most = now > most ? now : most;
	}
	free(changes);
	return most;
}

/* As the header says; where no team was reported, by the records. */
static void model_count_threads(struct model_process *p)
{
	const struct prof_header *h = &p->file->header;
	struct model_threads *t = &p->threads;

	*t = (struct model_threads){ .shared = h->threads_shared, .most = h->threads_most };
	for (unsigned k = 0; k < PROF_THREAD_KINDS; k++) {
		t->begun[k] = h->threads_begun[k];
		t->all = prof_add(t->all, t->begun[k]);
	}
	if (t->all < p->nthreads) {
		*t = (struct model_threads){ .all = p->nthreads };
		for (uint32_t i = 0; i < p->nthreads; i++)
			t->begun[p->file->threads[i].t.kind % PROF_THREAD_KINDS]++;
		t->most = model_most(p, false);
	}
	p->openmp_threads = h->openmp_most;
	/* Regions that begin and end meanwhile may have the same threads. */
	if (h->threads_most && p->openmp_threads > h->threads_most)
		p->openmp_threads = h->threads_most;
	if (!p->openmp_threads)
		p->openmp_threads = model_most(p, true);
	if (!p->openmp_threads)
		p->openmp_threads = 1;
}

/* What became of the samples of a process. */
static void model_tally_of(const struct prof_file *f, const struct prof_kept *kept,
			   struct model_tally *t)
{
	for (unsigned c = 0; c < PROF_LOST_MAX; c++) {
		/* These are not counted in any thread's record. */
		t->lost[c] = f->header.lost[c];
		if (model_lost_in_handler(c))
			t->taken = prof_add(t->taken, f->header.lost[c]);
	}
	for (size_t i = 0; i < f->nthreads; i++) {
		for (unsigned e = 0; e < f->header.nevents; e++)
			t->taken = prof_add(t->taken, f->threads[i].t.samples[e]);
		for (unsigned c = 0; c < PROF_LOST_MAX; c++)
			t->lost[c] = prof_add(t->lost[c], f->threads[i].t.lost[c]);
	}
	t->kept = kept->kept;
	t->guessed = kept->guessed;
	uint64_t known = t->kept;

	for (unsigned c = 0; c < PROF_LOST_MAX; c++)
		if (model_lost_in_handler(c))
			known = prof_add(known, t->lost[c]);
	if (t->taken >= known && t->taken - known <= f->nthreads)
		t->underway = t->taken - known;
	else
		t->unaccounted = true;
}

/* Adds the process of a profile; *kept shows its samples. */
static int model_add_process(struct model *m, const struct prof_file *f,
			     const struct prof_kept *kept)
{
	struct model_process p = {
		.file = f,
		.first_thread = (uint32_t)m->nthreads,
		.nthreads = (uint32_t)f->nthreads,
	};
	int err = 0;

	m->processes = grow(m->processes, m->nprocesses, &m->processes_room, sizeof(*m->processes));
	for (unsigned e = 0; !err && e < f->header.nevents; e++)
		err = model_event(m, &f->header.events[e], &p.event[e]);
	if (err)
		return err;
	model_count_threads(&p);
	/* Threads of an MPI library or of the program's own may have begun before those of OpenMP,
	   which are counted first. */
	uint32_t openmp = 0, of_openmp = 0, other = 0;

	for (size_t i = 0; i < f->nthreads; i++)
		openmp += f->threads[i].t.kind != PROF_THREAD_UNKNOWN;
	for (size_t i = 0; i < f->nthreads; i++) {
		const bool known = f->threads[i].t.kind != PROF_THREAD_UNKNOWN;

		m->threads = grow(m->threads, m->nthreads, &m->threads_room, sizeof(*m->threads));
		m->threads[m->nthreads++] = (struct model_thread){
			.process = (uint32_t)m->nprocesses,
			.number = known ? of_openmp++ : openmp + other++,
			.t = &f->threads[i].t,
		};
	}
	model_tally_of(f, kept, &p.tally);
	m->tally.taken = prof_add(m->tally.taken, p.tally.taken);
	m->tally.kept = prof_add(m->tally.kept, p.tally.kept);
	m->tally.guessed = prof_add(m->tally.guessed, p.tally.guessed);
	for (unsigned c = 0; c < PROF_LOST_MAX; c++)
		m->tally.lost[c] = prof_add(m->tally.lost[c], p.tally.lost[c]);
	m->tally.underway += p.tally.underway;
	m->tally.unaccounted = m->tally.unaccounted || p.tally.unaccounted;
	m->all_threads = prof_add(m->all_threads, p.threads.all);
	m->processes[m->nprocesses++] = p;
	return 0;
}

/* Adds the tree of a file, whose thread 0 is that thread of the model. */
static int model_add_tree(struct model *m, const struct prof_file *f, size_t first_thread)
{
	struct model_tree t = { .file = f, .first_thread = (uint32_t)first_thread };
	int err = 0;

	m->trees = grow(m->trees, m->ntrees, &m->trees_room, sizeof(*m->trees));
	for (unsigned e = 0; !err && e < f->header.nevents; e++)
		err = model_event(m, &f->header.events[e], &t.event[e]);
	if (!err)
		m->trees[m->ntrees++] = t;
	return err;
}

int model_add(struct model *m, const struct prof_file *f)
{
	const size_t first_thread = m->nthreads;
	const struct prof_kept kept = model_kept(f);
	const int err = model_add_process(m, f, &kept);

	return err ? err : model_add_tree(m, f, first_thread);
}

int model_add_merged(struct model *m, const struct prof_merged *merged)
{
	const size_t first_thread = m->nthreads;
	int err = 0;

	for (size_t i = 0; i < merged->nprocesses && !err; i++)
		err = model_add_process(m, merged->processes[i], &merged->kept[i]);
	for (size_t i = 0; i < merged->ntrees && !err; i++)
		err = model_add_tree(m, merged->trees[i], first_thread);
	return err;
}

int model_find_event(const struct model *m, const char *name)
{
	for (size_t i = 0; i < m->nevents; i++)
		if (!strcmp(m->events[i].label, name))
			return (int)i;
	for (size_t i = 0; i < m->nevents; i++)
		if (!strcmp(m->events[i].requested, name))
			return (int)i;
	return -1;
}

size_t model_first_sampled(const struct model *m)
{
	for (size_t i = 0; i < m->nevents; i++)
		if (model_is_sampled(m, i))
			return i;
	return 0;
}

uint64_t model_evidence(const struct model *m, size_t event, uint64_t samples, uint64_t weight)
{
	const struct model_event *e = &m->events[event];
	const uint64_t periods = e->flags & PROF_EVENT_WALL && e->period ? weight / e->period : 0;

	return periods > samples ? periods : samples;
}

uint32_t model_threads_of(const struct model_process *p, unsigned kinds)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->nthreads; i++) {
		const uint32_t kind = p->file->threads[i].t.kind;

		n += kinds >> (kind < PROF_THREAD_OTHER ? kind : PROF_THREAD_OTHER) & 1;
	}
	return n;
}

const struct prof_value *model_thread_value(const struct model *m, size_t thread, size_t event)
{
	const struct model_process *p = &m->processes[m->threads[thread].process];
	const struct prof_thread *t = m->threads[thread].t;

	for (unsigned e = 0; e < p->file->header.nevents; e++)
		if (p->event[e] == event && t->values_known & 1u << e)
			return &t->values[e];
	return NULL;
}

size_t model_counted(const struct model *m, size_t event, struct prof_value *sum)
{
	size_t known = 0;

	*sum = (struct prof_value){ 0 };
	for (size_t i = 0; i < m->nthreads; i++) {
		const struct prof_value *v = model_thread_value(m, i, event);

		if (!v)
			continue;
		sum->value = prof_add(sum->value, v->value);
		sum->enabled_ns = prof_add(sum->enabled_ns, v->enabled_ns);
		sum->running_ns = prof_add(sum->running_ns, v->running_ns);
		known++;
	}
	return known;
}

void model_counted_spread(const struct model *m, size_t event, double *least, double *most)
{
	uint64_t longest = 0;

	*least = 1;
	*most = 0;
	for (size_t i = 0; i < m->nthreads; i++) {
		const struct prof_value *v = model_thread_value(m, i, event);

		if (v && v->enabled_ns > longest)
			longest = v->enabled_ns;
	}
	for (size_t i = 0; i < m->nthreads; i++) {
		const struct prof_value *v = model_thread_value(m, i, event);
		double part;

		if (!v || v->enabled_ns <= longest / 10)
			continue;
		part = (double)v->running_ns / (double)v->enabled_ns;
		*least = part < *least ? part : *least;
		*most = part > *most ? part : *most;
	}
}

bool model_last_reading(const struct model_process *p, struct prof_reading *r)
{
	const struct prof_header *h = &p->file->header;

	*r = (struct prof_reading){ h->end_monotonic_ns, h->ticks_end };
	if (!h->end_monotonic_ns && h->nlatest)
		*r = h->latest[(h->nlatest - 1) % 2];
	return r->monotonic_ns > h->start_monotonic_ns;
}

uint64_t model_elapsed_ns(const struct model_process *p)
{
	struct prof_reading last;

	return model_last_reading(p, &last) ?
		       last.monotonic_ns - p->file->header.start_monotonic_ns :
		       0;
}

bool model_was_set(const struct model *m, const char *name)
{
	const size_t n = strlen(name);

	for (size_t i = 0; i < m->nprocesses; i++) {
		const struct prof_file *f = m->processes[i].file;

		for (size_t k = 0; k < f->ntexts; k++)
			if (f->texts[k].kind == PROF_INFO_ENV && f->texts[k].bytes > n &&
			    !memcmp(f->texts[k].text, name, n) && f->texts[k].text[n] == '=')
				return true;
	}
	return false;
}

bool model_lost_samples(unsigned cause)
{
	switch (cause) {
	case PROF_LOST_THROTTLED:
	case PROF_LOST_ENTRIES:
	case PROF_LOST_REGIONS:
	case PROF_LOST_CONSTRUCTS:
	case PROF_LOST_PLACES:
	case PROF_LOST_RECORDS: return false;
	}
	return true;
}

uint64_t model_thread_lost(const struct prof_thread *t)
{
	uint64_t lost = 0;

	for (unsigned cause = 0; cause < PROF_LOST_MAX; cause++)
		if (model_lost_samples(cause))
			lost = prof_add(lost, t->lost[cause]);
	return lost;
}

const char *model_lost_name(unsigned cause)
{
	static const char *const names[PROF_LOST_CAUSES] = {
		[PROF_LOST_NO_ROOM] = "no room in the file",
		[PROF_LOST_REENTRY] = "handler interrupted itself",
		[PROF_LOST_NO_THREAD] = "thread without a record",
		[PROF_LOST_THROTTLED] = "throttled by the kernel",
		[PROF_LOST_OVERRUN] = "timer overrun",
		[PROF_LOST_PAUSED] = "while stopping",
		[PROF_LOST_OWN] = "caused by the profiler itself",
		[PROF_LOST_ENTRIES] = "entries of constructs",
		[PROF_LOST_REGIONS] = "regions nested too deep",
		[PROF_LOST_CONSTRUCTS] = "constructs nested too deep",
		[PROF_LOST_PLACES] = "counts of what is nested too deep",
		[PROF_LOST_RECORDS] = "without the kernel's record",
	};

	return cause < PROF_LOST_CAUSES ? names[cause] : "another cause";
}

typedef void visitor(const struct model_value *v, void *arg);

void model_values(const struct model *m, enum prof_node_kind kind, visitor *visit, void *arg)
{
	for (size_t t = 0; t < m->ntrees; t++) {
		const struct prof_file *f = m->trees[t].file;

		for (uint32_t i = 0; i < f->nnodes; i++) {
			struct model_value found = { .tree = &m->trees[t], .node = &f->nodes[i] };
			struct prof_values values;
			struct prof_rvalue v;

			if (f->nodes[i].kind != kind)
				continue;
			prof_values_begin(&values, f, i);
			while (prof_values_next(&values, &v)) {
				found.a = v.a;
				found.b = v.b;
				found.thread = m->trees[t].first_thread + v.thread;
				visit(&found, arg);
			}
		}
	}
}
