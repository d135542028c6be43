/* SPDX-License-Identifier: BSD-3-Clause */
/* construct_time.c - lays the samples inside of constructs beside the times of their entries. */
#include "config.h"

#include "src/tables/construct_time.h"

#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/base/map.h"
#include "src/model/construct_kind.h"
#include "src/model/model.h"
#include "src/view/view.h"

/* In less than so many samples' time a thread may have run without one. */
#define SAMPLES_LEAST 10

const char *construct_unsplit_text(enum construct_unsplit why)
{
	static const char *const texts[] = {
		[CONSTRUCT_HELD] = "held, and no sample shows what was done meanwhile",
		[CONSTRUCT_RUNS_TASKS] = "explicit tasks may have run inside",
		[CONSTRUCT_RUNS_REGIONS] = "other regions may have run inside",
		[CONSTRUCT_UNFINISHED] = "its region had not ended",
		[CONSTRUCT_ENDLESS] = "its end is not reported",
		[CONSTRUCT_SHORT] = "its time is that of fewer than ten samples",
	};

	return why < sizeof(texts) / sizeof(*texts) ? texts[why] : NULL;
}

/* A region, task or construct at that line; NULL: there is none. */
static struct time_split *at_line(const struct construct_times *t, unsigned kind, uint32_t line)
{
	const uint32_t id =
		map_get(&t->view->by_construct, (uint64_t)kind << 32 | line, 0, UINT32_MAX);

	return id == UINT32_MAX ? NULL : &t->of[id];
}

static bool is_wait(enum construct_kind kind)
{
	return kind == CONSTRUCT_BARRIER || kind == CONSTRUCT_TASKWAIT ||
	       kind == CONSTRUCT_TASKGROUP;
}

static void add_samples(struct construct_times *t, const struct losses *l)
{
	size_t n;
	const struct view_record *parts = view_parts(t->view, &n);
	uint64_t samples = 0;
	double ns = 0;

	for (size_t i = 0; i < n; i++) {
		if (parts[i].event != l->event)
			continue;

		const struct view_record *r = &parts[i];
		const struct view *v = t->view;
		const struct view_task *task = &v->tasks[r->task];
		struct time_split *of_task = r->task && r->in_task && task->kind == CONSTRUCT_TASK ?
						     at_line(t, task->kind, task->line) :
						     NULL;

		if (r->inside)
			split_sample(&t->of[r->inside], l, v, r);
		if (r->class == OMP_WAIT &&
		    is_wait((enum construct_kind)v->constructs[r->construct].kind))
			split_sample(&t->of[r->construct], l, v, r);
		if (of_task)
			split_sample(of_task, l, v, r);
		samples += model_evidence(v->model, l->event, r->samples, r->weight);
		ns += losses_of_record(l, v, r, NULL);
	}
	t->sample_ns = samples ? ns / (double)samples : 0;
}

static enum construct_unsplit why_of(const struct view_construct *c)
{
	switch ((enum construct_kind)c->kind) {
	case CONSTRUCT_PARALLEL:
	case CONSTRUCT_TEAMS: return CONSTRUCT_SPLIT;
	case CONSTRUCT_CRITICAL:
	case CONSTRUCT_ORDERED:
	case CONSTRUCT_ATOMIC:
	case CONSTRUCT_LOCK:
		return c->entries && c->elapsed_known ? CONSTRUCT_HELD : CONSTRUCT_UNTIMED;
	case CONSTRUCT_TASKLOOP: return c->entries ? CONSTRUCT_RUNS_TASKS : CONSTRUCT_UNTIMED;
	default: break;
	}
	if (c->endless && c->entries)
		return CONSTRUCT_ENDLESS;
	if (c->kind < CONSTRUCT_SPECIALS || !c->entries || !c->elapsed_known ||
	    (is_wait((enum construct_kind)c->kind) && c->ended < c->entries))
		return CONSTRUCT_UNTIMED;
	return CONSTRUCT_SPLIT;
}

static void spoil(unsigned char *why, unsigned char by)
{
	if (*why == CONSTRUCT_SPLIT)
		*why = by;
}

/* What is known of each construct's time, by what may have run inside of it. */
static void say_why(struct construct_times *t)
{
	const struct view *v = t->view;
	/* By region: of its constructs. */
	unsigned char *of_region = alloc_zeroed(v->nregions + 1, sizeof(*of_region));

	for (size_t i = 1; i < v->ntasks; i++)
		if (v->tasks[i].run || v->tasks[i].created)
			of_region[v->tasks[i].region] = CONSTRUCT_RUNS_TASKS;
	for (size_t i = REGION_SPECIALS; i < v->nregions; i++) {
		of_region[v->regions[i].parent] = CONSTRUCT_RUNS_REGIONS;
		if (v->regions[i].counts.open_ns)
			of_region[i] = CONSTRUCT_UNFINISHED;
	}

	for (size_t i = 0; i < v->nconstructs; i++)
		t->why[i] = (unsigned char)why_of(&v->constructs[i]);
	for (size_t i = 0; i < v->nplaces; i++)
		spoil(&t->why[v->places[i].construct], of_region[v->places[i].region]);
	/* A task's body has no other tasks' time, but that of regions in it. */
	for (size_t i = 1; i < v->ntasks; i++) {
		const struct view_task *task = &v->tasks[i];
		const struct time_split *s = at_line(t, task->kind, task->line);

		if (s && of_region[task->region] != CONSTRUCT_RUNS_TASKS)
			spoil(&t->why[s - t->of], of_region[task->region]);
	}
	free(of_region);
}

void construct_times_build(const struct view *v, const struct losses *l, struct construct_times *t)
{
	*t = (struct construct_times){ .view = v };
	if (!l || l->unknown)
		return;
	t->of = alloc_zeroed(v->nconstructs + 1, sizeof(*t->of));
	t->why = alloc_zeroed(v->nconstructs + 1, sizeof(*t->why));
	say_why(t);
	add_samples(t, l);
	/* A region's time, with all constructs in it, is that of the table of regions. */
	for (size_t i = REGION_SPECIALS; i < t->view->nregions; i++) {
		const struct view_region *r = &t->view->regions[i];
		struct time_split *s = at_line(t, r->kind, r->line);

		if (s)
			split_add(s, &l->region[i]);
	}
	for (size_t i = 0; i < t->view->nconstructs; i++) {
		const struct view_construct *c = &t->view->constructs[i];
		struct time_split *s = &t->of[i];

		if (t->why[i] != CONSTRUCT_SPLIT)
			continue;
		if (c->kind != CONSTRUCT_PARALLEL && c->kind != CONSTRUCT_TEAMS) {
			s->all = (double)c->elapsed_ns;
			s->lost[LOSS_NOT_RUNNING] += s->all - split_seen(s);
		}
		if (s->all < SAMPLES_LEAST * t->sample_ns)
			t->why[i] = CONSTRUCT_SHORT;
	}
}

void construct_times_fini(struct construct_times *t)
{
	free(t->of);
	free(t->why);
	*t = (struct construct_times){ 0 };
}

enum construct_unsplit construct_time(const struct construct_times *t,
				      const struct view_construct *c, struct time_split *split)
{
	const size_t i = t->of ? (size_t)(c - t->view->constructs) : 0;

	if (!t->of)
		return CONSTRUCT_UNTIMED;
	*split = t->of[i];
	return (enum construct_unsplit)t->why[i];
}
