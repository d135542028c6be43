/*
 * finding_barriers.c - rules about waits at barriers for later threads.
 *
 * Whether the same thread is late each time is told by the threads' sums: a thread that
 * has less work than another one in all entries together waits for at least the difference.
 */
#include "config.h"

#include "src/model/construct_kind.h"
#include "src/tables/finding_rules.h"
#include "src/view/view.h"

#define SAME_THREAD 0.5 /* of the waits that the sums explain */
#define ONE_THREAD 0.5	/* of the range of the threads' work: one is ahead of all others */
#define ALL_WORK 0.9	/* of a region: its end is the loop's */

static uint8_t kind_of(const struct finding_evidence *e, const struct finding_unit *u)
{
	return e->view->constructs[u->construct].kind;
}

static bool shares_work(uint8_t kind)
{
	return construct_is_loop((enum construct_kind)kind) || kind == CONSTRUCT_SECTIONS ||
	       kind == CONSTRUCT_DISTRIBUTE || kind == CONSTRUCT_WORKSHARE;
}

/* The unit of the region in which the threads' work differs most. */
static struct finding_unit *most_uneven(struct finding_evidence *e, const struct finding_row *r)
{
	struct finding_unit *found = NULL;

	for (size_t i = 0; i < r->n; i++) {
		struct finding_unit *u = &e->units[r->first + i];

		if (!found || u->spread.behind > found->spread.behind)
			found = u;
	}
	return found;
}

/* The loop or sections with nearly all work of the region; NULL: there is none. */
static struct finding_unit *only_loop(struct finding_evidence *e, const struct finding_row *r)
{
	struct finding_unit *found = NULL;
	double work = 0;

	for (size_t i = 0; i < r->n; i++) {
		struct finding_unit *u = &e->units[r->first + i];

		work += u->work;
		if (shares_work(kind_of(e, u)) && (!found || u->work > found->work))
			found = u;
	}
	return found && found->work > ALL_WORK * work ? found : NULL;
}

/* Waits at the region's end, or at a barrier directive, are for the loop before it where its
   uneven work explains them; only: those at the region's end always are. */
static void move_to_loop(struct finding_evidence *e, const struct finding_row *r,
			 struct finding_unit *to, bool only)
{
	for (size_t i = 0; i < r->n; i++) {
		struct finding_unit *u = &e->units[r->first + i];
		const bool at_end = only && kind_of(e, u) == CONSTRUCT_PARALLEL;

		if (u == to || shares_work(kind_of(e, u)) ||
		    (!at_end && to->spread.behind < SAME_THREAD * u->thread[LOSS_IMBALANCE]))
			continue;
		to->gain[LOSS_IMBALANCE] += u->gain[LOSS_IMBALANCE];
		to->thread[LOSS_IMBALANCE] += u->thread[LOSS_IMBALANCE];
		to->samples[LOSS_IMBALANCE] += u->samples[LOSS_IMBALANCE];
		u->gain[LOSS_IMBALANCE] = u->thread[LOSS_IMBALANCE] = 0;
		u->samples[LOSS_IMBALANCE] = 0;
	}
}

/* A dynamic schedule is no remedy for one, nor for sections. */
static enum finding_rule rule_of_loop(uint8_t kind, bool same_thread)
{
	switch (kind) {
	case CONSTRUCT_FOR_STATIC:
	case CONSTRUCT_DISTRIBUTE: return same_thread ? FINDING_STATIC_LOOP : FINDING_VARYING_LOOP;
	case CONSTRUCT_FOR: return same_thread ? FINDING_OTHER_LOOP : FINDING_VARYING_LOOP;
	case CONSTRUCT_SECTIONS: return FINDING_SECTIONS;
	}
	return FINDING_OTHER_LOOP;
}

static enum finding_rule rule_of_team(const struct finding_evidence *e, const struct region *r,
				      const struct finding_spread *s, bool same_thread)
{
	/* The row has their waits, and rows of their own have most of their work. */
	if (names_is_called(&e->view->names.lines[r->line]))
		return FINDING_UNTOLD_TEAMS;
	if (!same_thread)
		return FINDING_VARYING_TEAM;
	return s->most - s->second > ONE_THREAD * (s->most - s->least) ? FINDING_LATE_THREAD :
									 FINDING_UNEVEN_TEAM;
}

static void fill_threads(struct finding *f, const struct finding_spread *s)
{
	f->thread = s->slowest;
	f->nthreads = s->nthreads ? s->nthreads : f->nthreads;
	f->most_ns = s->most;
	f->mean_ns = s->mean;
}

static void rule_barrier(struct finding_evidence *e, struct finding_list *list,
			 struct finding_unit *u, double asleep)
{
	const struct region *r = &e->regions.all[u->row];
	const bool shared = shares_work(kind_of(e, u));
	/* The region's end is reached after all work, a loop's after its own. */
	const struct finding_spread *s = shared ? &u->spread : &e->rows[u->row].spread;
	const bool same = s->behind >= SAME_THREAD * u->thread[LOSS_IMBALANCE];
	const double gain = finding_take(e, u, LOSS_IMBALANCE) + asleep;
	const double samples = (double)u->samples[LOSS_IMBALANCE] +
			       finding_worth(e, finding_thread_ns(e, u->row, asleep));
	struct finding *f;

	if (gain <= 0 || r->special != REGION_SPECIALS || samples < FINDING_SAMPLES)
		return;
	f = finding_add(list,
			shared ? rule_of_loop(kind_of(e, u), same) : rule_of_team(e, r, s, same), r,
			gain);
	if (!f)
		return;
	f->construct = u->construct;
	f->asleep_ns = asleep;
	f->pieces = r->entries;
	fill_threads(f, s);
	if (!same || f->rule == FINDING_UNTOLD_TEAMS)
		f->thread = UINT32_MAX;
	else if (finding_hot_line(e, u->row, shared ? u->construct : 0, f))
		list->failed = true;
}

static void rule_row(struct finding_evidence *e, struct finding_list *list, uint32_t row)
{
	struct finding_row *r = &e->rows[row];
	struct finding_unit *uneven = most_uneven(e, r), *most = uneven, *only = only_loop(e, r);

	if (!uneven || e->regions.all[row].special != REGION_SPECIALS)
		return;
	if (only || shares_work(kind_of(e, uneven)))
		move_to_loop(e, r, only ? only : uneven, only);
	for (size_t i = 0; i < r->n; i++)
		if (e->units[r->first + i].gain[LOSS_IMBALANCE] > most->gain[LOSS_IMBALANCE])
			most = &e->units[r->first + i];
	for (size_t i = 0; i < r->n; i++) {
		struct finding_unit *u = &e->units[r->first + i];

		rule_barrier(e, list, u, u == most ? r->asleep : 0);
	}
	r->gain[LOSS_NOT_RUNNING] -= r->asleep;
}

void finding_rules_barriers(struct finding_evidence *e, struct finding_list *list)
{
	for (uint32_t row = 0; row < e->regions.n; row++)
		rule_row(e, list, row);
}
