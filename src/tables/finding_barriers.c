/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * finding_barriers.c - rules about waits at barriers for later threads.
 *
 * Whether the same thread is late each time is known by the threads' sums: a thread that
 * has less work than another one in all entries together waits for at least the difference.
 */
#include "config.h"

#include <math.h>

#include "src/model/construct_kind.h"
#include "src/tables/finding_rules.h"
#include "src/view/view.h"

#define SAME_THREAD 0.5 /* of the waits that the sums explain */
#define ONE_THREAD 0.5	/* of the range of the threads' work: one is ahead of all others */
#define ALL_WORK 0.9	/* of a region: its end is the loop's */

/* A barrier costs some microseconds, and so does a loop's dispatch. */
#define SHORT_WORK_NS 20e3 /* of a thread between two barriers */
#define SHORT_WAIT_NS 10e3 /* at one, */
#define SHORT_PART 0.01	   /* or it is no cost of the work before it */
enum { SHORT_PASSES = 100 };

#define UNEVEN_MOST 1.25 /* times the mean: one thread has more work than the others */
#define FEW_UNEVEN \
	0.1	       /* of the mean: what a number of iterations that is no multiple of the
			  threads makes them differ by */
#define EVEN_WORK 1.05 /* times the mean: CPUs differ by so much */
#define EVEN_WAITS 0.1 /* of the work before them: so much of it equal work makes threads wait */
#define CPU_WAITS 2.0  /* times what waits for CPUs can cause */
#define LIKE_MOST 3.5  /* equal iterations of a thread */
#define LIKE_OFF 0.08  /* of one */
#define LIKE_ANY 0.5
#define LIKE_UNSURE UINT32_MAX
#define LIKE_SPEED 0.04 /* of one, for each of the thread with the least: CPUs differ in speed */

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

/* Equal work takes threads times that differ a little, and beside other programs more. */
static bool spread_is_even(const struct finding_spread *s, bool contended)
{
	return s->most < (contended ? UNEVEN_MOST : EVEN_WORK) * s->mean;
}

/* Whether the region's end is reached by all threads at a time, for all that their work shows:
   loops without a wait at their ends may make up for each other. */
static bool ends_evenly(const struct finding_evidence *e, const struct finding_row *r,
			const struct finding_unit *end)
{
	double elsewhere = 0;

	for (size_t i = 0; i < r->n; i++)
		elsewhere += e->units[r->first + i].thread[LOSS_IMBALANCE];
	elsewhere -= end->thread[LOSS_IMBALANCE];
	return spread_is_even(&r->spread, e->contended) &&
	       elsewhere < SAME_THREAD * end->thread[LOSS_IMBALANCE];
}

static void move_waits(struct finding_unit *u, struct finding_unit *to)
{
	to->gain[LOSS_IMBALANCE] += u->gain[LOSS_IMBALANCE];
	to->thread[LOSS_IMBALANCE] += u->thread[LOSS_IMBALANCE];
	to->samples[LOSS_IMBALANCE] += u->samples[LOSS_IMBALANCE];
	u->gain[LOSS_IMBALANCE] = u->thread[LOSS_IMBALANCE] = 0;
	u->samples[LOSS_IMBALANCE] = 0;
}

/* Waits at the region's end, or at a barrier directive, are for the loop before it where its
   uneven work explains them; only: those at the region's end always are. Returns the thread time
   of the latter. */
static double move_to_loop(struct finding_evidence *e, const struct finding_row *r,
			   struct finding_unit *to, bool only)
{
	double at_ends = 0;

	for (size_t i = 0; i < r->n; i++) {
		struct finding_unit *u = &e->units[r->first + i];
		const bool at_end = only && kind_of(e, u) == CONSTRUCT_PARALLEL;

		if (u == to || shares_work(kind_of(e, u)) ||
		    (!at_end && to->spread.behind < SAME_THREAD * u->thread[LOSS_IMBALANCE]) ||
		    (!only && kind_of(e, u) == CONSTRUCT_PARALLEL && ends_evenly(e, r, u)))
			continue;
		at_ends += at_end ? u->thread[LOSS_IMBALANCE] : 0;
		move_waits(u, to);
	}
	return at_ends;
}

/* Whether the threads' work in a loop does not explain the waits at its end. */
static bool is_late_from_outside(const struct finding_evidence *e, const struct finding_unit *u)
{
	return shares_work(kind_of(e, u)) &&
	       u->spread.behind < SAME_THREAD * u->thread[LOSS_IMBALANCE];
}

/* They are for what one thread does in the region outside of loops, where that explains them all,
   beside the waits at other barriers: so a thread is late that alone prints between two loops. */
static void move_to_rest(struct finding_evidence *e, const struct finding_row *r,
			 struct finding_unit *to)
{
	const uint8_t kind = kind_of(e, to);
	const bool outside = kind == CONSTRUCT_PARALLEL || kind == CONSTRUCT_MASTER ||
			     kind == CONSTRUCT_MASKED;
	double waits = 0, elsewhere = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct finding_unit *u = &e->units[r->first + i];

		if (is_late_from_outside(e, u))
			waits += u->thread[LOSS_IMBALANCE];
		else if (!shares_work(kind_of(e, u)))
			elsewhere += u->thread[LOSS_IMBALANCE];
	}
	if (!outside || to->spread.behind - elsewhere < SAME_THREAD * waits ||
	    r->spread.behind < SAME_THREAD * (waits + to->thread[LOSS_IMBALANCE]))
		return;
	for (size_t i = 0; i < r->n; i++) {
		struct finding_unit *u = &e->units[r->first + i];

		if (is_late_from_outside(e, u))
			move_waits(u, to);
	}
}

/* ---- why threads wait ------------------------------------------------ */

/* Waits at a barrier, and what comes before it: a loop or sections, or all of a region. */
struct barrier {
	struct finding_unit *unit;
	const struct view_construct *construct;
	const struct region_row *region;
	const struct finding_spread *spread; /* of the work before it */
	const struct finding_late *late;
	bool shared;	    /* that is a loop or sections */
	double waits, work; /* thread time */
	double all_waits;   /* with sleep at barriers */
	uint64_t passes;    /* of a thread; 0: not known */
	double shares;	    /* of passes: of each thread in each */
	double sample_ns;   /* thread time of a sample */
	bool contended;	    /* threads waited for CPUs, */
	double waited;	    /* for so much thread time */
	bool asleep;	    /* threads slept as long as they were seen to wait */
	bool at_end;	    /* nearly all waits are at the region's end */
};

/* More threads than a team has are those of several teams. */
static uint32_t barrier_team(const struct barrier *b)
{
	const uint32_t all = b->spread->nthreads, most = (uint32_t)b->region->counts.team_most;

	return all && (all < most || !most) ? all : most;
}

/* The threads' sums don't compare where only some have a part in all teams. */
static bool barrier_compares(const struct barrier *b)
{
	return b->region->counts.team_least == b->region->counts.team_most &&
	       b->spread->nthreads <= b->region->counts.team_most;
}

static uint32_t threads_of_pass(const struct barrier *b)
{
	const uint32_t all = b->construct->nthreads, most = (uint32_t)b->region->counts.team_most;

	return most && most < all ? most : all;
}

/* at_ends: the part of the waits that are at the region's end. */
static struct barrier barrier_of(const struct finding_evidence *e, struct finding_unit *u,
				 double at_ends)
{
	struct barrier b = {
		.unit = u,
		.construct = &e->view->constructs[u->construct],
		.region = &e->regions.all[u->row],
		.late = &e->rows[u->row].late,
		.shared = shares_work(kind_of(e, u)),
		.waits = u->thread[LOSS_IMBALANCE],
		.sample_ns = e->sample_ns,
		.contended = e->contended,
		.waited = e->waited * e->losses->run.all,
	};
	const struct finding_row *row = &e->rows[u->row];
	size_t nnested;
	const struct finding_share *nested = finding_nested_of(e, u->row, &nnested);

	b.at_end = at_ends > 0 && at_ends >= ALL_WORK * b.waits;
	/* The region's end is reached after all work, a loop's after its own. */
	b.spread = b.shared ? &u->spread : &row->spread;
	b.work = b.shared ? u->work : 0;
	for (size_t i = 0; i < row->n && !b.shared; i++)
		b.work += e->units[row->first + i].work;
	/* Nothing shows in which of the region's constructs nested regions are. */
	for (size_t i = 0; i < nnested; i++)
		b.work += nested[i].work;
	/* A loop with a barrier of its own may be passed many times in a region's entry. */
	if (b.construct->kind == CONSTRUCT_PARALLEL)
		b.passes = b.region->counts.entries;
	else if (b.construct->entries && b.construct->nthreads)
		b.passes = b.construct->entries / threads_of_pass(&b);
	else if (b.at_end)
		b.passes = b.region->counts.entries;
	/* A loop that is its region ends where that does: once in each entry. */
	/* Whether the loop is at the region's directive: it is the region, or a macro has both. */
	const struct line *loop = &e->view->names.lines[b.construct->line];
	if ((b.shared && loop->line && loop->whole == e->view->names.lines[b.region->line].whole) &&
	    b.passes <= b.region->counts.entries)
		b.at_end = true;
	b.shares = (double)b.passes * barrier_team(&b);
	if (!barrier_compares(&b) && b.region->counts.entries)
		b.shares = (double)b.passes * (double)b.region->counts.team_sum /
			   (double)b.region->counts.entries;
	return b;
}

/* Of a thread in a pass. */
static double barrier_work_ns(const struct barrier *b)
{
	return b->work / b->shares;
}

static double barrier_wait_ns(const struct barrier *b)
{
	return b->waits / b->shares;
}

/* Whether a pass has too little work for the barrier at its end: then the waits are the barrier's
   own cost, and no other division of the work is worth its own. */
static bool barrier_is_short(const struct barrier *b)
{
	const double work = barrier_work_ns(b), wait = barrier_wait_ns(b);

	return b->passes >= SHORT_PASSES && b->shares > 0 &&
	       (work < SHORT_WORK_NS || (wait < SHORT_WAIT_NS && wait >= SHORT_PART * work));
}

static bool explains(const struct barrier *b, const struct finding_spread *s)
{
	return barrier_compares(b) && s->behind >= SAME_THREAD * b->all_waits;
}

static bool is_late_for(const struct barrier *b)
{
	return b->late->loss < LOSSES && explains(b, &b->late->busy) &&
	       b->late->most - b->late->mean >= FINDING_SAMPLES / 2 * b->sample_ns;
}

/* Whether the threads' work differs by no more than so few iterations must: 3 iterations for 2
   threads are 2 for one and 1 for the other. Where no thread has more than two, another schedule
   can do little for uneven ones. */
static bool barrier_has_few(const struct barrier *b)
{
	const uint32_t team = barrier_team(b), n = b->construct->count_most;
	const double most = team ? (n + team - 1) / team : 0, mean = (double)n / (team ? team : 1);

	return n && most > (1 + FEW_UNEVEN) * mean && b->construct->count_least == n &&
	       (most <= 2 || b->spread->most <= (1 + FEW_UNEVEN) * most / mean * b->spread->mean);
}

/* How far the least work may be, by chance, from a multiple of what the most is more than it: two
   standard deviations of least / (most - least). */
static double chance_of_like(const struct finding_spread *s, double sample_ns)
{
	const double one = s->most - s->least;

	return 2 * sqrt(s->most * s->least * (s->most + s->least) * sample_ns) / (one * one);
}

/* The number of equal iterations that the threads' work is divided as, for all that the samples
   show: k for some, k + 1 for the others; 0: it is not; LIKE_UNSURE: there are too few samples, by
   which any work is half of one or less off, or other programs had the CPUs, beside which equal
   work takes unequal CPU time. */
static uint32_t barrier_looks_like(const struct barrier *b)
{
	const struct finding_spread *s = b->spread;
	const double one = s->most - s->least, k = one > 0 ? s->least / one : LIKE_MOST;
	const double all = one > 0 ? s->nthreads * s->mean / one : 0;
	const double off =
		LIKE_OFF + LIKE_SPEED * k + (one > 0 ? chance_of_like(s, b->sample_ns) : 0);

	if (k >= LIKE_MOST)
		return 0;
	/* That one has nothing to do is no matter of speed. */
	if (off >= LIKE_ANY || (b->contended && k > LIKE_OFF))
		return LIKE_UNSURE;
	if (fabs(k - round(k)) > off)
		return 0;
	/* Of two threads the one with the least decides. */
	if (s->nthreads == 2)
		return 2 * (uint32_t)round(k) + 1;
	return fabs(all - round(all)) > off ? 0 : (uint32_t)round(all);
}

/* A dynamic schedule is no remedy for one, nor for sections. */
static enum finding_rule rule_of_loop(const struct barrier *b, bool same_thread)
{
	const uint8_t kind = b->construct->kind;

	if (barrier_has_few(b))
		return FINDING_FEW_ITERATIONS;
	if (kind == CONSTRUCT_SECTIONS)
		return same_thread ? FINDING_SECTIONS : FINDING_VARYING_SECTIONS;
	if (barrier_is_short(b))
		return FINDING_SHORT_LOOP;
	if (!same_thread && is_late_for(b))
		return FINDING_LATE_FOR;
	if (kind != CONSTRUCT_FOR_STATIC && kind != CONSTRUCT_DISTRIBUTE && kind != CONSTRUCT_FOR)
		return same_thread ? FINDING_OTHER_LOOP : FINDING_VARYING_CHUNKS;
	if (!same_thread)
		return b->passes ? FINDING_VARYING_LOOP : FINDING_UNCOUNTED_LOOP;
	if (kind == CONSTRUCT_FOR)
		return FINDING_OTHER_LOOP;
	return !b->construct->count_most && barrier_looks_like(b) ? FINDING_LIKE_FEW :
								    FINDING_STATIC_LOOP;
}

static enum finding_rule rule_of_team(const struct finding_evidence *e, const struct barrier *b,
				      bool same_thread)
{
	const struct finding_spread *s = b->spread;

	/* The row has their waits, and rows of their own have most of their work. */
	if (names_is_called(&e->view->names.lines[b->region->line]))
		return FINDING_UNKNOWN_TEAMS;
	if (same_thread)
		return s->most - s->second > ONE_THREAD * (s->most - s->least) ?
			       FINDING_LATE_THREAD :
			       FINDING_UNEVEN_TEAM;
	if (is_late_for(b))
		return FINDING_LATE_FOR;
	return barrier_is_short(b) ? FINDING_SHORT_STEPS : FINDING_VARYING_TEAM;
}

/* Whether the finding is about the thread with the most work. */
static bool barrier_names_thread(enum finding_rule rule)
{
	return rule == FINDING_STATIC_LOOP || rule == FINDING_OTHER_LOOP ||
	       rule == FINDING_SECTIONS || rule == FINDING_LATE_THREAD ||
	       rule == FINDING_UNEVEN_TEAM;
}

/* Whether no other division of the work helps. */
static bool barrier_is_even(const struct barrier *b, enum finding_rule rule)
{
	if (barrier_names_thread(rule) || rule == FINDING_LIKE_FEW)
		return spread_is_even(b->spread, b->contended);
	return b->waits < EVEN_WAITS * b->work;
}

/* At a single pass none is late now and another then, and no thread has more work: it is late for
   something else, which is not known. Nor is it while threads wait for CPUs. */
static bool barrier_is_unclear(const struct barrier *b, enum finding_rule rule)
{
	/* Whether it says that now one thread is late, now another. */
	const bool varies = (rule == FINDING_VARYING_LOOP || rule == FINDING_VARYING_TEAM ||
			     rule == FINDING_UNCOUNTED_LOOP) ||
			    rule == FINDING_VARYING_CHUNKS || rule == FINDING_VARYING_SECTIONS;

	if (b->passes == 1 && varies)
		return true;
	/* While a thread waits for a CPU, all others of the team may wait for it: waits of twice
	   that have another cause, too. */
	if (varies || barrier_names_thread(rule) || rule == FINDING_LIKE_FEW)
		return (varies && b->contended &&
			b->waits < CPU_WAITS * (barrier_team(b) - 1) * b->waited) ||
		       barrier_is_even(b, rule);
	return false;
}

static void fill_threads(struct finding *f, const struct finding_spread *s)
{
	f->thread = s->slowest;
	f->nthreads = s->nthreads ? s->nthreads : f->nthreads;
	f->most_ns = s->most;
	f->mean_ns = s->mean;
}

static void fill_barrier(const struct barrier *b, struct finding *f)
{
	f->construct = b->unit->construct;
	f->varies = !barrier_compares(b);
	f->sleeps = b->asleep;
	f->at_end = b->at_end;
	f->pieces = b->passes;
	if (b->shares > 0) {
		f->piece_ns = barrier_work_ns(b);
		f->cost_ns = barrier_wait_ns(b);
	}
	fill_threads(f, b->spread);
	f->iterations = f->rule == FINDING_LIKE_FEW ? barrier_looks_like(b) :
						      b->construct->count_most;
	if (f->rule == FINDING_LIKE_FEW && f->iterations == LIKE_UNSURE)
		f->iterations = 0;
	if (f->rule != FINDING_LATE_FOR)
		return;
	fill_threads(f, &b->late->busy);
	f->spent = b->late->loss;
	f->most_ns = b->late->most;
	f->mean_ns = b->late->mean;
}

/* A finding of a part of the waits, and of so much sleep. */
static void found_waits(struct finding_evidence *e, struct finding_list *list,
			const struct barrier *b, enum finding_rule rule, double part, double asleep)
{
	const double gain = finding_take(e, b->unit, LOSS_IMBALANCE, part) + asleep;
	struct finding *f = finding_add(list, rule, b->region, gain);
	double *rest = &e->rows[b->unit->row].gain[LOSS_NOT_RUNNING];

	*rest = asleep < *rest || *rest < 0 ? *rest - asleep : 0;
	f->asleep_ns = asleep;

	fill_barrier(b, f);
	if (rule == FINDING_LATE_FOR)
		return;
	if (barrier_names_thread(rule)) {
		finding_instructions(e, b->unit->row, b->shared ? b->unit->construct : 0, f);
		finding_hot_line(e, b->unit->row, b->shared ? b->unit->construct : 0, f);
	} else {
		f->thread = UINT32_MAX;
	}
}

/*
 * Uneven work explains as much of the waits as the threads have less work than the one with the
 * most. Where that is not most of them, the rest is a finding of its own: unless threads waited
 * for CPUs, since each other thread of the team waits then, too.
 */
static void rule_barrier(struct finding_evidence *e, struct finding_list *list,
			 struct finding_unit *u, double at_ends, double asleep)
{
	struct barrier b = barrier_of(e, u, at_ends);
	const double gain = u->gain[LOSS_IMBALANCE] + asleep;
	const double samples = (double)u->samples[LOSS_IMBALANCE] +
			       finding_worth(e, finding_thread_ns(e, u->row, asleep));
	double uneven = 0;
	enum finding_rule rule;

	if (gain <= 0 || b.region->special != REGION_SPECIALS || samples < FINDING_SAMPLES)
		return;
	b.all_waits = b.waits + finding_thread_ns(e, u->row, asleep);
	b.asleep = finding_thread_ns(e, u->row, e->rows[u->row].gain[LOSS_NOT_RUNNING] - asleep) >=
		   b.waits;
	if (barrier_compares(&b))
		uneven = b.spread->behind < b.all_waits ? b.spread->behind / b.all_waits : 1;
	if (explains(&b, b.spread)) {
		rule = b.shared ? rule_of_loop(&b, true) : rule_of_team(e, &b, true);
		if (!barrier_is_unclear(&b, rule))
			found_waits(e, list, &b, rule, 1, asleep);
	} else {
		if (barrier_compares(&b) && b.spread->most > UNEVEN_MOST * b.spread->mean &&
		    uneven * samples >= FINDING_SAMPLES) {
			rule = b.shared ? rule_of_loop(&b, true) : rule_of_team(e, &b, true);
			found_waits(e, list, &b, rule, uneven, uneven * asleep);
			asleep *= 1 - uneven;
		}
		rule = b.shared ? rule_of_loop(&b, false) : rule_of_team(e, &b, false);
		if (!barrier_is_unclear(&b, rule))
			found_waits(e, list, &b, rule, 1, asleep);
	}
}

/*
 * While other programs had the CPUs, what threads waited for is not known. A static loop takes as
 * long as the thread with the most work of it all the same, which gets no more of a CPU than the
 * others: what it has more than the mean was lost. Schedules that divide by time give a thread
 * without a CPU less to do.
 */
static double uneven_loss(const struct finding_evidence *e, const struct finding_list *list,
			  const struct finding_unit *loop)
{
	const double more = loop->spread.most - loop->spread.mean;
	const double most = (double)e->regions.all[loop->row].counts.elapsed_ns - loop->spread.mean;
	const double loss = e->waited < 1 ? more / (1 - e->waited) : more;
	size_t i = 0;

	while (i < list->n && list->all[i].rule != FINDING_NO_CPU)
		i++;
	if (i == list->n || kind_of(e, loop) != CONSTRUCT_FOR_STATIC || most < more)
		return 0;
	return (loss < most ? loss : most) - loop->gain[LOSS_IMBALANCE];
}

static void rule_row(struct finding_evidence *e, struct finding_list *list, uint32_t row)
{
	struct finding_row *r = &e->rows[row];
	struct finding_unit *uneven = most_uneven(e, r), *most = uneven, *only = only_loop(e, r);
	struct finding_unit *const loop = only ? only : uneven;
	double at_ends = 0;

	if (!uneven || e->regions.all[row].special != REGION_SPECIALS)
		return;
	if (only || shares_work(kind_of(e, uneven)))
		at_ends = move_to_loop(e, r, loop, only);
	else
		move_to_rest(e, r, uneven);
	for (size_t i = 0; i < r->n; i++)
		if (e->units[r->first + i].gain[LOSS_IMBALANCE] > most->gain[LOSS_IMBALANCE])
			most = &e->units[r->first + i];
	const double unseen = uneven_loss(e, list, loop);
	const size_t before = list->n;

	if (unseen > r->asleep)
		most = loop;
	for (size_t i = 0; i < r->n; i++) {
		struct finding_unit *u = &e->units[r->first + i];

		rule_barrier(e, list, u, u == loop ? at_ends : 0,
			     u == most ? fmax(r->asleep, unseen) : 0);
	}
	/* Whether they slept is not known. */
	for (size_t i = before; i < list->n && unseen > r->asleep; i++)
		list->all[i].asleep_ns = 0;
}

void finding_rules_barriers(struct finding_evidence *e, struct finding_list *list)
{
	for (uint32_t row = 0; row < e->regions.n; row++)
		rule_row(e, list, row);
}
