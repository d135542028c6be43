/* SPDX-License-Identifier: BSD-3-Clause */
/* findings.c - the findings of all rules, the largest first. */
#include "config.h"

#include "src/tables/findings.h"

#include <stdlib.h>

#include "src/base/pinned.h"
#include "src/tables/finding_rules.h"

static const char *const keys[FINDING_RULES] = {
	[FINDING_STATIC_LOOP] = "static_loop",
	[FINDING_OTHER_LOOP] = "other_loop",
	[FINDING_SECTIONS] = "sections",
	[FINDING_VARYING_LOOP] = "varying_loop",
	[FINDING_VARYING_CHUNKS] = "varying_chunks",
	[FINDING_VARYING_SECTIONS] = "varying_sections",
	[FINDING_UNCOUNTED_LOOP] = "uncounted_loop",
	[FINDING_FEW_ITERATIONS] = "few_iterations",
	[FINDING_LIKE_FEW] = "like_few_iterations",
	[FINDING_SHORT_LOOP] = "short_loop",
	[FINDING_LATE_THREAD] = "late_thread",
	[FINDING_UNEVEN_TEAM] = "uneven_team",
	[FINDING_VARYING_TEAM] = "varying_team",
	[FINDING_SHORT_STEPS] = "short_steps",
	[FINDING_LATE_FOR] = "late_for",
	[FINDING_UNKNOWN_TEAMS] = "unknown_teams",
	[FINDING_SINGLE] = "single",
	[FINDING_SMALL_TASKS] = "small_tasks",
	[FINDING_FEW_TASKS] = "few_tasks",
	[FINDING_TASK_CHAIN] = "task_chain",
	[FINDING_IDLE_TASKS] = "idle_tasks",
	[FINDING_ONE_CREATOR] = "one_task_creator",
	[FINDING_TASK_WAITS] = "task_waits",
	[FINDING_CRITICAL] = "critical",
	[FINDING_LOCK] = "lock",
	[FINDING_ATOMIC] = "atomic",
	[FINDING_ORDERED] = "ordered",
	[FINDING_SHORT_REGIONS] = "short_regions",
	[FINDING_RUNTIME_CALLS] = "runtime_calls",
	[FINDING_ALLOCATOR] = "allocator",
	[FINDING_CANCEL] = "cancel",
	[FINDING_ALL_DO] = "all_do",
	[FINDING_ALL_CREATE] = "all_create",
	[FINDING_ARRAY_REDUCTION] = "array_reduction",
	[FINDING_FORKED] = "forked",
	[FINDING_ASKED] = "asked_threads",
	[FINDING_ONE_THREAD] = "one_thread",
	[FINDING_DISPATCH] = "dispatch",
	[FINDING_TARGET] = "target",
	[FINDING_SERIAL] = "serial",
	[FINDING_SMALL_TEAMS] = "small_teams",
	[FINDING_CROWDED] = "crowded",
	[FINDING_SHARED_CPU] = "shared_cpu",
	[FINDING_QUOTA] = "quota",
	[FINDING_MASK] = "mask",
	[FINDING_FAULTS] = "page_faults",
	[FINDING_KERNEL] = "kernel",
	[FINDING_PROCESSES] = "processes",
	[FINDING_POOLS] = "pools",
	[FINDING_RUNTIMES] = "runtimes",
	[FINDING_NO_CPU] = "no_cpu",
	[FINDING_BLOCKED] = "blocked",
	[FINDING_MEMORY] = "memory",
	[FINDING_RANKS] = "ranks",
	[FINDING_BLOCKED_CALL] = "blocked_call",
	[FINDING_BLOCKED_MUTEX] = "blocked_mutex",
	[FINDING_BLOCKED_LIBRARY] = "blocked_library",
	[FINDING_BLOCKED_SLEEP] = "blocked_sleep",
	[FINDING_BLOCKED_THREAD] = "blocked_thread",
	[FINDING_DIRECTIVE] = "directive_work",
	[FINDING_LEFT] = "other_loss",
};

const char *finding_key(enum finding_rule rule)
{
	return rule < FINDING_RULES ? keys[rule] : "unknown";
}

struct finding *finding_add(struct finding_list *list, enum finding_rule rule,
			    const struct region_row *r, double gain_ns)
{
	list->all = pinned_grow(list->all, list->n, &list->room, sizeof(*list->all));
	list->all[list->n] = (struct finding){
		.rule = rule,
		.gain_ns = gain_ns,
		.special = r->special,
		.line = r->line,
		.thread = UINT32_MAX,
		.nthreads = r->counts.team_most,
	};
	return &list->all[list->n++];
}

bool finding_is_condition(enum finding_rule rule)
{
	return rule >= FINDING_FORKED && rule <= FINDING_NO_CPU;
}

#define RESIZED 0.5 /* of a region's entries */

bool finding_is_resized(uint64_t resized, uint64_t entries)
{
	return entries && (double)resized >= RESIZED * (double)entries;
}

bool finding_maps_again(const struct finding *f)
{
	return f->resident > 0 && (double)f->pieces * 4096 > 4 * f->resident;
}

/* What the program lost to the machine, and too little of it for a condition. */
static bool is_machines(const struct finding *f)
{
	return f->rule == FINDING_LEFT && f->spent == LOSS_NOT_RUNNING;
}

/* Conditions first: they hold for what is behind them, too. */
static int by_gain(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;

	if (is_machines(x) != is_machines(y))
		return is_machines(x) ? 1 : -1;
	if (finding_is_condition(x->rule) != finding_is_condition(y->rule))
		return finding_is_condition(x->rule) ? -1 : 1;
	if (x->gain_ns != y->gain_ns)
		return x->gain_ns < y->gain_ns ? 1 : -1;
	if (x->part != y->part)
		return x->part < y->part ? 1 : -1;
	if (x->rule != y->rule)
		return x->rule < y->rule ? -1 : 1;
	return (x->line > y->line) - (x->line < y->line);
}

static bool is_small(const struct finding *f, double least)
{
	return f->gain_ns > 0 && f->gain_ns < least && f->part <= 0 &&
	       !finding_is_condition(f->rule);
}

/* Directives that do nothing are shown, whatever they would save. */
static bool is_worth(const struct finding *f, double elapsed_ns)
{
	return f->gain_ns >= FINDING_WORTH * elapsed_ns || f->part > 0 ||
	       finding_is_condition(f->rule) || f->rule == FINDING_CANCEL;
}

/* Keeps those that are worth it, in the list's memory. */
static void findings_take(struct findings *f, struct finding_list *list, double elapsed_ns)
{
	f->all = list->all;
	for (size_t i = 0; i < list->n; i++)
		if (is_worth(&list->all[i], elapsed_ns))
			f->all[f->n++] = list->all[i];
}

/* A loss may be large, though it is small at each of many places: the largest of a rule's stands
   for all of them. */
static void findings_join(struct finding_list *list, double least)
{
	if (list->n)
		qsort(list->all, list->n, sizeof(*list->all), by_gain);
	for (size_t i = 0; i < list->n; i++) {
		struct finding *one = &list->all[i];
		const bool small = is_small(one, least);

		for (size_t k = i + 1; k < list->n && small; k++) {
			struct finding *other = &list->all[k];

			if (other->rule != one->rule || !is_small(other, least))
				continue;
			one->places = one->places ? one->places + 1 : 2;
			one->gain_ns += other->gain_ns;
			other->gain_ns = 0;
		}
	}
	if (list->n)
		qsort(list->all, list->n, sizeof(*list->all), by_gain);
}

void findings_build(const struct view *v, const struct losses *l, const struct placement *p,
		    struct findings *f)
{
	struct finding_list list = { 0 };
	struct finding_evidence e;

	*f = (struct findings){ 0 };
	/* Such a run has no end, and its losses may not be known. */
	finding_rules_forked(v, &list);
	if (!l || l->unknown || !l->parallel || l->run.all <= 0) {
		findings_take(f, &list, 0);
		return;
	}
	finding_evidence_build(&e, v, l, p);
	finding_rules_ranks(&e, &list);
	finding_rules_cpus(&e, &list);
	finding_rules_calls(&e, &list);
	finding_rules_teams(&e, &list);
	finding_rules_tasks(&e, &list);
	finding_rules_regions(&e, &list);
	finding_rules_directives(&e, &list);
	finding_rules_barriers(&e, &list);
	finding_rules_waits(&e, &list);
	finding_rules_blocked(&e, &list);
	finding_rules_outside(&e, &list);
	finding_rules_rest(&e, &list);
	finding_rules_left(&e, &list);
	finding_rules_memory(&e, &list);
	findings_join(&list, FINDING_WORTH * l->elapsed_ns);
	findings_take(f, &list, l->elapsed_ns);
	finding_evidence_fini(&e);
}

void findings_fini(struct findings *f)
{
	pinned_free(f->all);
	*f = (struct findings){ 0 };
}
