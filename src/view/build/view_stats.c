/* SPDX-License-Identifier: BSD-3-Clause */
/* view_stats.c - how often regions, tasks and constructs were entered, and their counter
   values. */
#include "config.h"

#include <string.h>

#include "src/answers/ask.h"
#include "src/base/pinned.h"
#include "src/model/model.h"
#include "src/toolchain/toolchain.h"
#include "src/view/build/view_build.h"
#include "src/view/view.h"

uint64_t view_ticks_ns(const struct model_process *p, uint64_t ticks, bool *known)
{
	const struct prof_header *h = &p->file->header;
	struct prof_reading last;
	double ns;

	*known = model_last_reading(p, &last) && last.ticks > h->ticks_start;
	if (!*known)
		return 0;
	ns = (double)ticks * ((double)(last.monotonic_ns - h->start_monotonic_ns) /
			      (double)(last.ticks - h->ticks_start));
	return ns < 0x1p63 ? (uint64_t)ns : UINT64_MAX;
}

/* Adds the time of a region that had not ended at the process's end, or last sample, and sums up
   what is elapsed, in all threads of the teams and of the process. */
static void view_open(const struct view *v, struct view_region *r, const struct view_team *t,
		      struct view_recurrence *sum)
{
	const uint32_t team = t->open & PROF_OPEN_TEAM_MOST;
	struct prof_reading last;
	bool known;

	/* One that ended had one thread. */
	if (t->open && team != 1 && !t->entries && t->process->threads.all == 1)
		region_counts_alone(&r->counts, (uint32_t)(t->process - v->model->processes));
	if (!t->open || !model_last_reading(t->process, &last))
		return;
	const uint64_t ticks = PROF_OPEN_TICKS(t->open, last.ticks);
	const uint64_t ns = view_ticks_ns(t->process, ticks, &known);

	/* More than all: it began after that, by the clock's modulus. */
	if (!known || ns > model_elapsed_ns(t->process))
		return;
	region_counts_open(&r->counts, ns, team < PROF_OPEN_TEAM_MOST ? team : 0,
			   t->process->openmp_threads);
	sum->elapsed_ns += (double)ns;
	sum->team_ns += (double)ns * team;
	sum->wide_ns += (double)ns * t->process->openmp_threads;
}

/* Keeps the longest entry by any thread. */
static void view_longest(const struct view_builder *b, const struct view_team *t)
{
	struct view_region *r = &b->view->regions[t->region];
	bool known;
	const uint64_t ns = view_ticks_ns(t->process, t->longest_ticks, &known);

	if (!known || ns <= r->longest_ns)
		return;
	r->longest_ns = ns;
	r->longest_begin_ns = view_ticks_ns(t->process, t->longest_begin, &known);
	r->longest_entry = t->longest_entry;
	r->longest_process = (uint32_t)(t->process - b->view->model->processes);
	r->longest_team = t->longest_threads <= UINT32_MAX ? (uint32_t)t->longest_threads : 0;
}

void view_settle_teams(struct view_builder *b)
{
	for (size_t i = 0; i < b->nteams; i++) {
		const struct view_team *t = &b->teams[i];
		struct view_region *r = &b->view->regions[t->region];
		const bool even = t->most && t->least == t->most;
		bool known;
		const double ns = (double)view_ticks_ns(t->process, t->ticks, &known);
		struct view_recurrence sum = {
			.region = t->region,
			.around = t->around,
			.elapsed_ns = ns,
			.team_ns = even ? ns * t->most :
					  (double)view_ticks_ns(t->process, t->team_ticks, &known),
			.wide_ns = ns * (double)t->process->openmp_threads,
		};

		region_counts_team_time(&r->counts, ns, sum.team_ns, t->process->openmp_threads,
					even || t->team_ticks || !t->entries);
		view_open(b->view, r, t, &sum);
		view_longest(b, t);
		if (t->around != UINT32_MAX) {
			struct view *v = b->view;

			v->recurrences = pinned_grow(v->recurrences, v->nrecurrences,
						     &v->recurrences_room, sizeof(*v->recurrences));
			v->recurrences[v->nrecurrences++] = sum;
		}
	}
	b->nteams = 0;
	map_free(&b->by_team);
}

/* The numbers of the region that are counted by STATS nodes with that parent. */
static struct view_team *view_team_of(struct view_builder *b, uint32_t parent, uint32_t region)
{
	const struct prof_rnode *nodes = b->file->nodes;
	const uint32_t outer = nodes[parent].parent;
	uint32_t at;

	b->teams = pinned_grow(b->teams, b->nteams, &b->teams_room, sizeof(*b->teams));
	if (map_add(&b->by_team, parent, b->thread, (uint32_t)b->nteams, &at))
		b->teams[b->nteams++] = (struct view_team){
			.process = b->process,
			.region = region,
			/* UINT32_MAX: the region's parent. */
			.around = outer != PROF_NONE && nodes[outer].kind == PROF_NODE_BOUNDARY ?
					  path_build_of(&b->paths, outer)->region :
					  UINT32_MAX,
		};
	return &b->teams[at];
}

static void view_stats_region(struct view_builder *b, const struct prof_rnode *s, uint32_t region)
{
	struct region_counts *counts = &b->view->regions[region].counts;
	struct view_team *t = view_team_of(b, s->parent, region);
	uint64_t ns;
	bool known;

	switch (s->flags) {
	case PROF_STATS_LONGEST:
		t->longest_ticks = s->a;
		t->longest_begin = s->b;
		break;
	case PROF_STATS_ASKED:
		counts->fewer = prof_add(counts->fewer, s->a);
		counts->asked = prof_add(counts->asked, s->b);
		break;
	case PROF_STATS_RESIZED: counts->resized = prof_add(counts->resized, s->a); break;
	case PROF_STATS_LONGEST_ENTRY:
		t->longest_entry = s->a;
		t->longest_threads = s->b;
		break;
	case PROF_STATS_TEAM_TIME:
		t->team_ticks = s->a;
		t->open = s->b == PROF_OPEN_LOST ? 0 : s->b;
		break;
	case PROF_STATS_REGION:
		t->entries = s->a;
		t->ticks = s->b;
		/* Runtimes that do not report ends leave the sum at 0. */
		ns = view_ticks_ns(b->process, s->b, &known);
		region_counts_entries(counts, s->a, ns, known && (s->b || !s->a));
		break;
	case PROF_STATS_TEAM:
		t->least = (uint32_t)(s->a >> 32);
		t->most = (uint32_t)s->a;
		region_counts_teams(counts, t->least, t->most, s->b);
		break;
	}
}

/* Events name regions and tasks by their creation contexts. */
static void view_note_context(struct view_builder *b, const struct prof_rnode *boundary,
			      const struct prof_rnode *s, const struct path *x)
{
	const uint64_t process = (uint64_t)(b->process - b->view->model->processes);
	const bool task = s->flags == PROF_STATS_TASK || s->flags == PROF_STATS_TASK_RUN;
	uint32_t number;

	if (boundary->context == PROF_NONE || (!task && s->flags != PROF_STATS_REGION))
		return;
	map_add(&b->view->by_context, process << 32 | boundary->context, task,
		task ? x->task : x->region, &number);
}

/* Whether code of the creating region or task is in a static loop that no runtime reports. */
static bool view_shared(struct view_builder *b, const struct prof_rnode *boundary)
{
	const struct prof_rnode *nodes = b->file->nodes;
	const struct site *site = NULL;

	if (!(b->toolchain->traits & RUNTIME_STATIC_LOOPS))
		return false;
	for (uint32_t i = boundary->context;
	     i != PROF_NONE && nodes[i].kind != PROF_NODE_BOUNDARY && !(site && site->loop);
	     i = nodes[i].parent)
		if (nodes[i].kind == PROF_NODE_FRAME)
			site = sites_find(&b->paths.evidence.sites, &nodes[i]);
	return site && site->loop;
}

static void view_created(struct view_builder *b, const struct prof_rnode *boundary, uint64_t n,
			 uint32_t task)
{
	struct view *v = b->view;

	v->tasks[task].created = prof_add(v->tasks[task].created, n);
	v->created = pinned_grow(v->created, v->ncreated, &v->created_room, sizeof(*v->created));
	v->created[v->ncreated++] = (struct view_created){
		.task = task,
		.thread = b->thread,
		.shared = view_shared(b, boundary),
		.n = n,
	};
}

/* ---- the waiting that is charged to code ----------------------------------------- */

static enum blame_kind blame_kind_of(uint8_t state)
{
	static const uint8_t kinds[PROF_STATES] = {
		[PROF_STATE_IDLE] = BLAME_IDLE,	      [PROF_STATE_TASKWAIT] = BLAME_TASKS,
		[PROF_STATE_TASKGROUP] = BLAME_TASKS, [PROF_STATE_MUTEX] = BLAME_MUTEX,
		[PROF_STATE_LOCK] = BLAME_LOCK,	      [PROF_STATE_CRITICAL] = BLAME_CRITICAL,
		[PROF_STATE_ATOMIC] = BLAME_ATOMIC,   [PROF_STATE_ORDERED] = BLAME_ORDERED,
	};

	return state < PROF_STATES ? (enum blame_kind)kinds[state] : BLAME_BARRIER;
}

/* A critical section is named by its variable, or by the call that entered it. */
static const char *blame_critical(const struct view_builder *b, const struct prof_rnode *object)
{
	const char *symbol =
		ask(b->options->resolver, b->file, QUERY_CRITICAL, object->a, false).text;

	if (!symbol)
		symbol = view_object_symbol(b, object);
	return toolchain_is_critical(symbol) ? symbol : toolchain_unnamed_critical;
}

/* The name of the mutex; NULL: none, or not known. */
static const char *blame_object(const struct view_builder *b, const struct prof_rnode *s)
{
	const struct prof_rnode *o = &b->file->nodes[s->parent];

	if (o->kind != PROF_NODE_OBJECT)
		return NULL;
	switch (blame_kind_of(s->state)) {
	case BLAME_CRITICAL: return blame_critical(b, o);
	case BLAME_LOCK: return view_object_symbol(b, o);
	default: return NULL;
	}
}

static void stats_blame(struct view_builder *b, const struct prof_rnode *s, const struct path *x)
{
	struct view *v = b->view;
	struct view_blame new = { .kind = (uint8_t)blame_kind_of(s->state) };

	v->blames = pinned_grow(v->blames, v->nblames, &v->blames_room, sizeof(*v->blames));
	new.record.weight = s->a;
	new.record.samples = s->b;
	new.record.object = view_object_name(&v->names, blame_object(b, s));
	view_record_working(b, s, x, &new.record);
	v->blames[v->nblames++] = new;
}

/* ---- dependences ----------------------------------------------------------------- */

/* The boundary, of the tasks `on', lies beneath that of those that depend on them. */
static void view_stats_dependence(struct view_builder *b, const struct prof_rnode *s,
				  const struct prof_rnode *boundary, uint32_t on)
{
	const struct prof_rnode *nodes = b->file->nodes;
	struct view *v = b->view;
	uint32_t id;

	if (boundary->parent == PROF_NONE || nodes[boundary->parent].kind != PROF_NODE_BOUNDARY)
		return;
	const uint32_t task = path_build_of(&b->paths, boundary->parent)->task;

	if (!task || !on)
		return;
	v->dependences = pinned_grow(v->dependences, v->ndependences, &v->dependences_room,
				     sizeof(*v->dependences));
	if (map_add(&v->by_dependence, (uint64_t)task << 32 | on, s->event,
		    (uint32_t)v->ndependences, &id))
		v->dependences[v->ndependences++] = (struct view_dependence){
			.task = task,
			.on = on,
			.kind = s->event & 0xf,
			.on_kind = s->event >> 4,
		};
	v->dependences[id].times = prof_add(v->dependences[id].times, s->a);
}

static void view_stats_path(struct view_builder *b, const struct prof_rnode *s)
{
	struct view *v = b->view;
	bool known;
	const uint64_t ns = view_ticks_ns(b->process, s->a, &known);

	v->path_ns = ns > v->path_ns ? ns : v->path_ns;
	v->tasks_ns = prof_add(v->tasks_ns, view_ticks_ns(b->process, s->b, &known));
}

/* Of a boundary's region or task; x is its context. */
static void view_stats_boundary(struct view_builder *b, const struct prof_rnode *s,
				const struct prof_rnode *boundary, const struct path *x)
{
	struct view_task *task = &b->view->tasks[x->task];
	bool known;

	view_note_context(b, boundary, s, x);
	switch (s->flags) {
	case PROF_STATS_TASK:
		task->makers++;
		view_created(b, boundary, s->a, x->task);
		break;
	case PROF_STATS_TASK_FLAGS:
		task->are |= (uint32_t)s->a;
		task->are_not |= (uint32_t)s->b;
		task->described += (s->a & PROF_TASK_EXPLICIT) != 0;
		break;
	case PROF_STATS_TASK_RUN:
		task->run = prof_add(task->run, s->a);
		task->stolen = prof_add(task->stolen, s->b);
		break;
	case PROF_STATS_TASK_TIME:
		task->body_ns = prof_add(task->body_ns, view_ticks_ns(b->process, s->a, &known));
		task->body_known = task->body_known && known;
		task->cancelled = prof_add(task->cancelled, s->b);
		break;
	case PROF_STATS_REGION:
	case PROF_STATS_TEAM:
	case PROF_STATS_LONGEST:
	case PROF_STATS_LONGEST_ENTRY:
	case PROF_STATS_ASKED:
	case PROF_STATS_RESIZED:
	case PROF_STATS_TEAM_TIME: view_stats_region(b, s, x->region); break;
	}
}

void view_stats(struct view_builder *b, const struct prof_rnode *s, const struct path *x)
{
	const struct prof_rnode *node = s->parent == PROF_NONE ? NULL : &b->file->nodes[s->parent];

	if (s->flags == PROF_STATS_PHASE) {
		view_stats_phase(b, s);
		return;
	}
	if (!node)
		return;
	if (s->flags == PROF_STATS_BLAME)
		stats_blame(b, s, x);
	else if (s->flags >= PROF_STATS_WHOLE && s->flags <= PROF_STATS_BARRIER)
		view_stats_descriptor(b, s);
	else if (node->kind == PROF_NODE_CONSTRUCT && view_stats_of_construct(s->flags))
		view_stats_construct(b, s, node, x);
	else if ((node->kind == PROF_NODE_DATA || node->kind == PROF_NODE_BLOCK) &&
		 s->flags == PROF_STATS_LATENCY)
		view_stats_memory(b, s, node);
	else if (s->flags == PROF_STATS_ALLOC)
		view_stats_alloc(b, s, x);
	else if (s->flags == PROF_STATS_PATH)
		view_stats_path(b, s);
	else if (node->kind == PROF_NODE_BOUNDARY && s->flags == PROF_STATS_DEPENDENCE)
		view_stats_dependence(b, s, node, x->task);
	else if (node->kind == PROF_NODE_BOUNDARY)
		view_stats_boundary(b, s, node, x);
}

void view_count(struct view_builder *b, const struct prof_rnode *n, const struct path *x)
{
	const struct prof_file *f = b->file;
	struct view *v = b->view;
	const struct prof_thread *t = v->model->threads[b->thread].t;
	/* Outside regions the kind of thread decides. */
	const uint32_t outside = t->kind == PROF_THREAD_WORKER	? REGION_IDLE :
				 t->kind == PROF_THREAD_UNKNOWN ? REGION_OUTSIDE :
								  REGION_SERIAL;
	bool known, value = n->flags == PROF_COUNT_VALUE;

	v->counts = pinned_grow(v->counts, v->ncounts, &v->counts_room, sizeof(*v->counts));
	v->counts[v->ncounts++] = (struct view_count){
		.region = f->nodes[n->parent].kind == PROF_NODE_ROOT ? outside : x->region,
		.thread = b->thread,
		.event = b->tree->event[n->event],
		.part = n->state,
		.value = value ? n->a : 0,
		.enabled_ns = value ? n->b : 0,
		.running_ns = value ? 0 : n->a,
		.ticks_ns = value ? 0 : view_ticks_ns(b->process, n->b, &known),
	};
}
