/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/profile/reader/cycles.h"

#include <stdlib.h>

#include "src/base/alloc.h"

enum { NONE = UINT32_MAX };
enum { MARK_PATH = 0x80, MARK_SEEN = 0x40 };

void cycles_of_parents(const struct cycles_graph *g, uint8_t *mark, uint8_t bit)
{
	for (uint32_t i = 0; i < g->count; i++)
		mark[i] = 0;
	for (uint32_t i = 0; i < g->count; i++) {
		uint32_t at = i;
		uint8_t verdict;

		while (at != NONE && !mark[at]) {
			mark[at] = MARK_PATH;
			at = g->parent(g->arg, at);
		}
		verdict = at != NONE && mark[at] & (MARK_PATH | bit) ? bit : 0;
		for (at = i; at != NONE && mark[at] == MARK_PATH; at = g->parent(g->arg, at))
			mark[at] = MARK_SEEN | verdict;
	}
	for (uint32_t i = 0; i < g->count; i++)
		mark[i] &= bit;
}

/* Tarjan's strongly connected components, without recursion. */
struct component {
	uint32_t order; /* order of the first visit, from 1 */
	uint32_t low;	/* lowest order reachable within the component */
	uint32_t id;	/* component number; 0: not known yet */
};

struct cycles_search {
	const struct cycles_graph *g;
	const uint8_t *mark;
	uint8_t skip;
	struct component *c;
	uint32_t *walk; /* nodes being visited, outermost first */
	uint8_t *stage; /* by node: number of links followed */
	uint32_t *open; /* visited nodes whose component is not known yet */
	uint32_t nwalk, nopen, visited, components;
};

static uint32_t link(const struct cycles_search *s, uint32_t i, unsigned which)
{
	if (s->mark[i] & s->skip)
		return NONE;
	return which ? s->g->context(s->g->arg, i) : s->g->parent(s->g->arg, i);
}

static void cycles_enter(struct cycles_search *s, uint32_t i)
{
	s->c[i].order = s->c[i].low = ++s->visited;
	s->walk[s->nwalk++] = i;
	s->open[s->nopen++] = i;
}

static void cycles_lower(struct cycles_search *s, uint32_t i, uint32_t order)
{
	if (order < s->c[i].low)
		s->c[i].low = order;
}

static void cycles_leave(struct cycles_search *s, uint32_t i)
{
	uint32_t member;

	s->nwalk--;
	if (s->nwalk)
		cycles_lower(s, s->walk[s->nwalk - 1], s->c[i].low);
	if (s->c[i].low != s->c[i].order)
		return;
	s->components++;
	do {
		member = s->open[--s->nopen];
		s->c[member].id = s->components;
	} while (member != i);
}

void cycles_of_contexts(const struct cycles_graph *g, uint8_t *mark, uint8_t skip, uint8_t bit)
{
	struct cycles_search s = { .g = g,
				   .mark = mark,
				   .skip = skip,
				   .c = alloc_zeroed(g->count, sizeof(*s.c)),
				   .stage = alloc_zeroed(g->count, 1),
				   .walk = alloc_zeroed(g->count, sizeof(*s.walk)),
				   .open = alloc_zeroed(g->count, sizeof(*s.open)) };

	for (uint32_t i = 0; i < g->count; i++)
		if (!s.c[i].order) {
			cycles_enter(&s, i);
			while (s.nwalk) {
				uint32_t at = s.walk[s.nwalk - 1], next;

				if (s.stage[at] == 2) {
					cycles_leave(&s, at);
					continue;
				}
				next = link(&s, at, s.stage[at]++);
				if (next == NONE)
					continue;
				if (!s.c[next].order)
					cycles_enter(&s, next);
				else if (!s.c[next].id)
					cycles_lower(&s, at, s.c[next].order);
			}
		}
	for (uint32_t i = 0; i < g->count; i++) {
		uint32_t to = link(&s, i, 1);

		if (to != NONE && s.c[to].id == s.c[i].id)
			mark[i] |= bit;
	}
	free(s.c);
	free(s.stage);
	free(s.walk);
	free(s.open);
}
