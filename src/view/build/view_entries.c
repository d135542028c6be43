/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * view_entries.c - how often constructs were entered, by which threads, and for how long.
 *
 * Samples do not show which synchronization construct they lie in.  So it gets the same
 * name as the waits in it, which comes from the code of the call.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "src/answers/ask.h"
#include "src/base/pinned.h"
#include "src/model/model.h"
#include "src/toolchain/toolchain.h"
#include "src/view/build/view_build.h"
#include "src/view/view.h"

/*
 * The call by which the construct was entered.  A body that left by a tail call has no frame, and
 * the call that created the body stands for it: then the body's jump is the call.  Some
 * runtimes have names for that.
 */
static struct prof_rnode entries_called(const struct view_builder *b, const struct prof_rnode *node)
{
	const char *callee = node->flags == PROF_CONSTRUCT_BARRIER  ? b->toolchain->barrier :
			     node->flags == PROF_CONSTRUCT_TASKWAIT ? b->toolchain->taskwait :
								      NULL;
	const struct origin_tail *tail = origins_tail(&b->paths.evidence.origins, node->a);
	const struct question q = { .query = QUERY_BODY,
				    .exact = tail,
				    .file = b->file,
				    .loc = tail ? tail->at : node->a,
				    .callee = callee };
	struct prof_rnode at = *node;
	struct answer body;

	if (!callee)
		return at;
	body = ask_question(b->options->resolver, &q);
	if (body.known && body.at)
		at.a = body.end;
	return at;
}

/* Whether it is a call of GOMP_barrier that ends a single or a loop: samples there are of that
   construct, too.  *loop: the place after the call that begins a static loop; 0: it is another
   construct. */
static bool entries_is_gnu_end(const struct view_builder *b, uint64_t loc, uint64_t *loop)
{
	const struct answer a = ask(b->options->resolver, b->file, QUERY_GNU_BARRIER, loc, false);
	const bool ends = a.barrier == BARRIER_IMPLICIT;

	*loop = ends && a.construct == CONSTRUCT_FOR_STATIC ? a.at : 0;
	return ends;
}

/* Whether the entries belong to another construct, which counts its own entries.  *loop: but for
   that of gcc's static loop, which begins without a call that counts; else 0. */
static bool entries_are_others(const struct view_builder *b, const struct prof_rnode *node,
			       const char *object, uint64_t *loop)
{
	const struct resolver *r = b->options->resolver;

	switch (node->flags) {
	case PROF_CONSTRUCT_BARRIER: return entries_is_gnu_end(b, node->a, loop);
	case PROF_CONSTRUCT_BARRIER_ANY:
		/* One whose kind the runtime does not report is explicit only if the code of the
		   call says so. */
		return entries_is_gnu_end(b, node->a, loop) ||
		       (ask(r, b->file, QUERY_CONSTRUCT, node->a, false).construct !=
				CONSTRUCT_BARRIER &&
			ask(r, b->file, QUERY_BARRIER, node->a, false).barrier != BARRIER_EXPLICIT);
	case PROF_CONSTRUCT_TASKGROUP:
		return ask(r, b->file, QUERY_CONSTRUCT, node->a, false).construct ==
		       CONSTRUCT_TASKLOOP;
	case PROF_CONSTRUCT_CRITICAL:
		/* A critical section that the compiler made for a reduction. */
		return toolchain_is_reduction(object);
	}
	return false;
}

/* The construct of the entries; *at_end: they are of the barrier at its end.  UINT32_MAX: none. */
static uint32_t entries_construct(struct view_builder *b, const struct prof_rnode *node,
				  const struct path *x, bool *at_end)
{
	const enum construct_kind kind = construct_of_profile(node->flags);
	uint64_t loop = 0;
	const char *object;

	*at_end = false;
	if (!construct_synchronises(kind)) {
		if (node->flags == PROF_CONSTRUCT_LOOP_STATIC && view_is_share(b, node->a, false))
			loop = ask(b->options->resolver, b->file, QUERY_LOOP, node->a, false).at;
		return loop ? view_construct_loop(b, loop, x) : view_construct_of(b, node, x);
	}
	object = node->flags == PROF_CONSTRUCT_CRITICAL ?
			 ask(b->options->resolver, b->file, QUERY_CRITICAL, node->a, false).text :
			 NULL;
	if (entries_are_others(b, node, object, &loop)) {
		*at_end = true;
		/* One whose begin is reported is counted there. */
		return loop && !view_is_share(b, loop, true) ? view_construct_loop(b, loop, x) :
							       UINT32_MAX;
	}
	object = view_object_name(&b->view->names, object);
	return view_construct_at(b, kind, node->a, object, x);
}

/* Of a node's a, least << 32 | most. */
static void entries_range(uint32_t *least, uint32_t *most, uint64_t a)
{
	if (a >> 32 && (!*least || a >> 32 < *least))
		*least = (uint32_t)(a >> 32);
	if ((uint32_t)a > *most)
		*most = (uint32_t)a;
}

/* If the first and the last lock have the same name, all locks used there have it. */
static void entries_lock(struct view_builder *b, struct view_construct *c,
			 const struct prof_rnode *s)
{
	const struct resolver *r = b->options->resolver;
	struct names *n = &b->view->names;
	const char *low, *high;

	low = names_string(n, ask(r, b->file, QUERY_OBJECT, s->a, false).text);
	high = names_string(n, ask(r, b->file, QUERY_OBJECT, s->b, false).text);
	if (s->a)
		view_construct_lock(c, low == high ? low : NULL);
}

static struct view_entrant *entries_entrant(struct view *v, uint32_t construct, uint32_t thread)
{
	uint32_t id;

	v->entrants =
		pinned_grow(v->entrants, v->nentrants, &v->entrants_room, sizeof(*v->entrants));
	if (map_add(&v->by_entrant, construct, thread, (uint32_t)v->nentrants, &id)) {
		v->entrants[v->nentrants++] = (struct view_entrant){
			.construct = construct,
			.thread = thread,
		};
		v->constructs[construct].nthreads++;
	}
	return &v->entrants[id];
}

static void entries_place(struct view *v, uint32_t construct, uint32_t region)
{
	uint32_t id;

	v->places = pinned_grow(v->places, v->nplaces, &v->places_room, sizeof(*v->places));
	if (map_add(&v->by_place, construct, region, (uint32_t)v->nplaces, &id))
		v->places[v->nplaces++] = (struct view_place){ construct, region };
}

/* What was asked of devices there. */
static void entries_device(struct view_builder *b, uint32_t construct, const struct prof_rnode *s)
{
	struct view *v = b->view;
	struct view_device_op *o;
	uint32_t id;
	bool known;

	v->device_ops = pinned_grow(v->device_ops, v->ndevice_ops, &v->device_ops_room,
				    sizeof(*v->device_ops));
	if (map_add(&v->by_device_op, construct, (uint64_t)s->state << 8 | s->event,
		    (uint32_t)v->ndevice_ops, &id))
		v->device_ops[v->ndevice_ops++] = (struct view_device_op){
			.construct = construct,
			.operation = s->state,
			.device = s->event,
		};
	o = &v->device_ops[id];
	if (s->flags == PROF_STATS_DEVICE) {
		o->times = prof_add(o->times, s->a);
		o->n = prof_add(o->n, s->b);
		return;
	}
	o->host_ns = prof_add(o->host_ns, view_ticks_ns(b->process, s->a, &known));
	o->device_ns = prof_add(o->device_ns, s->b);
	o->timed = known;
}

bool view_stats_of_construct(unsigned stats)
{
	return stats == PROF_STATS_CONSTRUCT || stats == PROF_STATS_COUNT ||
	       stats == PROF_STATS_CHUNKS || stats == PROF_STATS_CHUNK || stats == PROF_STATS_END ||
	       stats == PROF_STATS_OBJECT || stats == PROF_STATS_DEVICE ||
	       stats == PROF_STATS_DEVICE_TIME;
}

/* Counts entries of a construct; scaled: their time is known. */
static void entries_count(struct view_builder *b, const struct prof_rnode *s,
			  const struct prof_rnode *node, uint32_t id, uint64_t ns, bool scaled)
{
	struct view_entrant *entrant = entries_entrant(b->view, id, b->thread);
	struct view_construct *c = &b->view->constructs[id];
	uint32_t number;

	map_add(&b->view->by_context,
		(uint64_t)(b->process - b->view->model->processes) << 32 |
			(uint32_t)(node - b->file->nodes),
		VIEW_CONTEXT_CONSTRUCT, id, &number);
	entrant->entries = prof_add(entrant->entries, s->a);
	entrant->elapsed_ns = prof_add(entrant->elapsed_ns, ns);
	c->entries = prof_add(c->entries, s->a);
	c->elapsed_ns = prof_add(c->elapsed_ns, ns);
	/* Runtimes that do not report ends leave the sum at 0. */
	c->endless = c->endless || !view_end_is_known(b, node);
	c->elapsed_known = c->elapsed_known && scaled && (s->b || !s->a) && !c->endless;
}

void view_stats_construct(struct view_builder *b, const struct prof_rnode *s,
			  const struct prof_rnode *node, const struct path *x)
{
	const struct prof_rnode at = entries_called(b, node);
	struct view_entrant *entrant;
	struct view_construct *c;
	uint64_t ns;
	bool scaled, at_end;
	const uint32_t id = entries_construct(b, &at, x, &at_end);

	if (id == UINT32_MAX || (at_end && s->flags != PROF_STATS_CONSTRUCT))
		return;
	c = &b->view->constructs[id];
	/* Whether it may be such a call, or a directive's. */
	c->unsure =
		c->unsure ||
		(at.flags == PROF_CONSTRUCT_BARRIER && b->toolchain->traits & RUNTIME_ONE_BARRIER &&
		 ask(b->options->resolver, b->file, QUERY_GNU_BARRIER, at.a, false).barrier ==
			 BARRIER_UNKNOWN);
	ns = view_ticks_ns(b->process, at_end ? 0 : s->b, &scaled);
	switch (s->flags) {
	case PROF_STATS_COUNT:
		entries_range(&c->count_least, &c->count_most, s->a);
		c->count_sum = prof_add(c->count_sum, s->b);
		break;
	case PROF_STATS_CHUNKS:
		c->chunks = prof_add(c->chunks, s->a);
		c->chunks_sum = prof_add(c->chunks_sum, s->b);
		/* The threads of others than these do not ask for each of the loop's chunks. */
		c->chunks_unsure |= node->flags != PROF_CONSTRUCT_LOOP_DYNAMIC &&
				    node->flags != PROF_CONSTRUCT_LOOP_GUIDED &&
				    node->flags != PROF_CONSTRUCT_LOOP_OTHER;
		entrant = entries_entrant(b->view, id, b->thread);
		entrant->chunks = prof_add(entrant->chunks, s->a);
		break;
	case PROF_STATS_CHUNK:
		entries_range(&c->chunk_least, &c->chunk_most, s->a);
		c->chunk_longest_ns = scaled && ns > c->chunk_longest_ns ? ns : c->chunk_longest_ns;
		break;
	case PROF_STATS_OBJECT: entries_lock(b, c, s); return;
	case PROF_STATS_DEVICE:
	case PROF_STATS_DEVICE_TIME: entries_device(b, id, s); return;
	case PROF_STATS_END:
		c->ended = prof_add(c->ended, s->a);
		c->longest_ns = ns > c->longest_ns ? ns : c->longest_ns;
		break;
	case PROF_STATS_CONSTRUCT:
		entries_count(b, s, node, id, ns, scaled && !at_end);
		entries_place(b->view, id, x->region);
		break;
	}
}

static int entries_order(const void *a, const void *b)
{
	const struct view_entrant *x = a, *y = b;

	return x->construct != y->construct ? (x->construct < y->construct ? -1 : 1) :
	       x->thread < y->thread	    ? -1 :
					      x->thread > y->thread;
}

static int device_order(const void *a, const void *b)
{
	const struct view_device_op *x = a, *y = b;

	if (x->host_ns != y->host_ns)
		return x->host_ns < y->host_ns ? 1 : -1;
	if (x->construct != y->construct)
		return x->construct < y->construct ? -1 : 1;
	return x->operation != y->operation ? x->operation - y->operation : x->device - y->device;
}

/* LLVM's runtime reports a thread's first chunk of a loop with a static schedule, which may not be
   all. The chunks are known if they have all iterations: each thread of a team counts those of the
   loop. */
static bool chunks_known(const struct view *v, const struct view_construct *c)
{
	if (!c->chunks_unsure)
		return true;
	for (uint32_t i = 1; i < c->nentrants; i++)
		if (v->entrants[c->entrants + i].entries != v->entrants[c->entrants].entries)
			return false;
	return (unsigned __int128)c->chunks_sum * c->nentrants == c->count_sum;
}

void view_settle_entrants(struct view *v)
{
	if (v->ndevice_ops)
		qsort(v->device_ops, v->ndevice_ops, sizeof(*v->device_ops), device_order);
	if (v->nentrants)
		qsort(v->entrants, v->nentrants, sizeof(*v->entrants), entries_order);
	for (size_t i = v->nentrants; i-- > 0;) {
		struct view_construct *c = &v->constructs[v->entrants[i].construct];

		c->entrants = (uint32_t)i;
		c->nentrants++;
	}
	for (size_t i = 0; i < v->nconstructs; i++)
		if (v->constructs[i].chunks && !chunks_known(v, &v->constructs[i]))
			v->constructs[i].chunks = 0;
	/* The time of synchronization constructs is known only for entries with an end. */
	for (size_t i = 0; i < v->nconstructs; i++)
		if (construct_synchronises((enum construct_kind)v->constructs[i].kind))
			v->constructs[i].elapsed_known = v->constructs[i].elapsed_known &&
							 v->constructs[i].ended;
}
