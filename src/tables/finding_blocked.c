/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * finding_blocked.c - calls in which threads sleep that are neither OpenMP's nor MPI's.
 *
 * A place is a function that the program called and the line of that call.  What the other
 * threads lose while the initial thread sleeps outside of regions is divided among its places.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/grow.h"
#include "src/base/map.h"
#include "src/tables/finding_rules.h"
#include "src/view/view.h"

struct blocked_place {
	const char *call; /* NULL: not known */
	uint32_t line, row;
	double thread_ns, gain_ns;
};

struct blocked_places {
	struct blocked_place *all;
	size_t n, room;
	struct map by_call;
};

/* Functions that sleep for a reason that their name shows. */
static const struct {
	const char *name;
	enum finding_rule rule;
} known[] = {
	{ "pthread_mutex_lock", FINDING_BLOCKED_MUTEX },
	{ "pthread_mutex_timedlock", FINDING_BLOCKED_MUTEX },
	{ "pthread_mutex_clocklock", FINDING_BLOCKED_MUTEX },
	{ "pthread_rwlock_rdlock", FINDING_BLOCKED_MUTEX },
	{ "pthread_rwlock_wrlock", FINDING_BLOCKED_MUTEX },
	{ "mtx_lock", FINDING_BLOCKED_MUTEX },
	{ "sleep", FINDING_BLOCKED_SLEEP },
	{ "usleep", FINDING_BLOCKED_SLEEP },
	{ "nanosleep", FINDING_BLOCKED_SLEEP },
	{ "clock_nanosleep", FINDING_BLOCKED_SLEEP },
	{ "thrd_sleep", FINDING_BLOCKED_SLEEP },
	{ "pthread_barrier_wait", FINDING_BLOCKED_THREAD },
	{ "pthread_cond_wait", FINDING_BLOCKED_THREAD },
	{ "pthread_cond_timedwait", FINDING_BLOCKED_THREAD },
	{ "pthread_cond_clockwait", FINDING_BLOCKED_THREAD },
	{ "std::condition_variable::wait", FINDING_BLOCKED_THREAD },
	{ "std::thread::join", FINDING_BLOCKED_THREAD },
	{ "cnd_wait", FINDING_BLOCKED_THREAD },
	{ "pthread_join", FINDING_BLOCKED_THREAD },
	{ "thrd_join", FINDING_BLOCKED_THREAD },
	{ "sem_wait", FINDING_BLOCKED_THREAD },
	/* What these call the kernel for is nothing but a lock of libc's */
	{ "rand", FINDING_BLOCKED_LIBRARY },
	{ "srand", FINDING_BLOCKED_LIBRARY },
	{ "random", FINDING_BLOCKED_LIBRARY },
	{ "srandom", FINDING_BLOCKED_LIBRARY },
	{ "localtime", FINDING_BLOCKED_LIBRARY },
	{ "localtime_r", FINDING_BLOCKED_LIBRARY },
	{ "mktime", FINDING_BLOCKED_LIBRARY },
	{ "strftime", FINDING_BLOCKED_LIBRARY },
};

/* C++'s names end in what a function takes. */
static bool is_named(const char *call, const char *name)
{
	const size_t n = strlen(name);

	return !strncmp(call, name, n) && (!call[n] || call[n] == '(');
}

static enum finding_rule rule_of(const char *call)
{
	for (size_t i = 0; call && i < sizeof(known) / sizeof(*known); i++)
		if (is_named(call, known[i].name))
			return known[i].rule;
	return FINDING_BLOCKED_CALL;
}

static void find(struct finding_evidence *e, struct finding_list *list,
		 const struct blocked_place *p, enum finding_rule rule, uint64_t pieces)
{
	struct finding *f = finding_add(list, rule, &e->regions.all[p->row], p->gain_ns);

	f->call = p->call;
	f->call_line = p->line;
	f->most_ns = p->thread_ns;
	f->pieces = pieces;
}

static int by_gain(const void *a, const void *b)
{
	const struct blocked_place *x = a, *y = b;

	if (x->gain_ns != y->gain_ns)
		return x->gain_ns < y->gain_ns ? 1 : -1;
	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	return (x->line > y->line) - (x->line < y->line);
}

/* Each place that is worth it, and the others together. */
static void places_find(struct finding_evidence *e, struct finding_list *list,
			struct blocked_places *p)
{
	const double least = FINDING_WORTH * e->losses->elapsed_ns;
	size_t i = 0;

	if (p->n)
		qsort(p->all, p->n, sizeof(*p->all), by_gain);
	for (; i < p->n && p->all[i].gain_ns >= least; i++)
		find(e, list, &p->all[i], rule_of(p->all[i].call), 1);
	if (i + 1 >= p->n)
		return;

	struct blocked_place rest = p->all[i];

	for (size_t k = i + 1; k < p->n; k++) {
		rest.gain_ns += p->all[k].gain_ns;
		rest.thread_ns += p->all[k].thread_ns;
	}
	find(e, list, &rest, FINDING_BLOCKED_CALL, p->n - i);
}

void finding_rules_blocked(struct finding_evidence *e, struct finding_list *list)
{
	struct blocked_places p = { 0 };

	for (uint32_t row = 0; row < e->regions.n; row++) {
		const struct table_records *of = &e->regions.all[row].parts;
		/* What a nanosecond of the initial threads' sleep outside of regions costs beside
		   their own. */
		const struct losses *l = e->losses;
		const double asleep = l->region[REGION_SERIAL].lost[LOSS_BLOCKED];
		const double idle =
			asleep > 0 ?
				losses_gain_of(l, REGION_IDLE,
					       l->region[REGION_IDLE].lost[LOSS_BLOCKED] / asleep) :
				0;

		for (size_t i = 0; i < of->n; i++) {
			const struct view_record *r = &of->all[of->number[i]];
			struct blocked_place *to;

			if (r->event != e->losses->event || r->leaf != LEAF_BLOCKED ||
			    losses_is_outside(r->region))
				continue;
			const double ns = losses_of_record(e->losses, e->view, r, NULL);

			const uint64_t line = (uint64_t)row << 32 | r->line;
			uint32_t at;

			p.all = grow(p.all, p.n, &p.room, sizeof(*p.all));
			if (map_add(&p.by_call, (uintptr_t)r->object, line, (uint32_t)p.n, &at))
				p.all[p.n++] = (struct blocked_place){ .call = r->object,
								       .line = r->line,
								       .row = row };
			to = &p.all[at];
			to->thread_ns += ns;
			to->gain_ns += losses_gain_of(e->losses, r->region, ns) +
				       (r->region == REGION_SERIAL ? idle * ns : 0);
		}
	}
	places_find(e, list, &p);
	free(p.all);
	map_free(&p.by_call);
}
