/* SPDX-License-Identifier: BSD-3-Clause */
/* view_blame.c - the waiting that is charged to code, from STATS nodes. */
#include "config.h"

#include <string.h>

#include "src/answers/ask.h"
#include "src/base/pinned.h"
#include "src/model/model.h"
#include "src/toolchain/toolchain.h"
#include "src/view/build/view_build.h"
#include "src/view/view.h"

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

void view_stats_blame(struct view_builder *b, const struct prof_rnode *s, const struct path *x)
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
