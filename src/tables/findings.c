/* findings.c - the findings of all rules, the largest first. */
#include "config.h"

#include "src/tables/findings.h"

#include <errno.h>
#include <stdlib.h>

#include "src/base/grow.h"
#include "src/tables/finding_rules.h"

static const char *const keys[FINDING_RULES] = {
	[FINDING_STATIC_LOOP] = "static_loop",
	[FINDING_OTHER_LOOP] = "other_loop",
	[FINDING_SECTIONS] = "sections",
	[FINDING_VARYING_LOOP] = "varying_loop",
	[FINDING_LATE_THREAD] = "late_thread",
	[FINDING_UNEVEN_TEAM] = "uneven_team",
	[FINDING_VARYING_TEAM] = "varying_team",
	[FINDING_UNTOLD_TEAMS] = "untold_teams",
	[FINDING_SINGLE] = "single",
	[FINDING_SMALL_TASKS] = "small_tasks",
	[FINDING_FEW_TASKS] = "few_tasks",
	[FINDING_CRITICAL] = "critical",
	[FINDING_LOCK] = "lock",
	[FINDING_ATOMIC] = "atomic",
	[FINDING_ORDERED] = "ordered",
	[FINDING_SHORT_REGIONS] = "short_regions",
	[FINDING_DISPATCH] = "dispatch",
	[FINDING_TARGET] = "target",
	[FINDING_SERIAL] = "serial",
	[FINDING_SMALL_TEAMS] = "small_teams",
	[FINDING_CROWDED] = "crowded",
	[FINDING_SHARED_CPU] = "shared_cpu",
	[FINDING_BUSY_CPUS] = "busy_cpus",
	[FINDING_BLOCKED] = "blocked",
	[FINDING_MEMORY] = "memory",
	[FINDING_RANKS] = "ranks",
};

const char *finding_key(enum finding_rule rule)
{
	return rule < FINDING_RULES ? keys[rule] : "unknown";
}

struct finding *finding_add(struct finding_list *list, enum finding_rule rule,
			    const struct region *r, double gain_ns)
{
	struct finding *all = grow(list->all, list->n, &list->room, sizeof(*all));

	if (!all) {
		list->failed = true;
		return NULL;
	}
	list->all = all;
	all[list->n] = (struct finding){
		.rule = rule,
		.gain_ns = gain_ns,
		.special = r->special,
		.line = r->line,
		.thread = UINT32_MAX,
		.nthreads = r->team_most,
	};
	return &all[list->n++];
}

static int by_gain(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;

	if (x->gain_ns != y->gain_ns)
		return x->gain_ns < y->gain_ns ? 1 : -1;
	if (x->part != y->part)
		return x->part < y->part ? 1 : -1;
	if (x->rule != y->rule)
		return x->rule < y->rule ? -1 : 1;
	return (x->line > y->line) - (x->line < y->line);
}

static void findings_take(struct findings *f, const struct finding_list *list, double elapsed_ns)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct finding *one = &list->all[i];

		if (one->gain_ns < FINDING_WORTH * elapsed_ns && one->part <= 0)
			continue;
		if (f->n < FINDINGS_MAX)
			f->all[f->n++] = *one;
		else
			f->more++;
	}
}

int findings_build(const struct view *v, const struct losses *l, const struct placement *p,
		   struct findings *f)
{
	struct finding_list list = { 0 };
	struct finding_evidence e;
	int err;

	*f = (struct findings){ 0 };
	if (!l || l->unknown || !l->parallel || l->run.all <= 0)
		return 0;
	err = finding_evidence_build(&e, v, l, p);
	if (err)
		return err;
	finding_rules_ranks(&e, &list);
	finding_rules_cpus(&e, &list);
	finding_rules_tasks(&e, &list);
	finding_rules_regions(&e, &list);
	finding_rules_barriers(&e, &list);
	finding_rules_waits(&e, &list);
	finding_rules_outside(&e, &list);
	finding_rules_rest(&e, &list);
	finding_rules_memory(&e, &list);
	if (list.n)
		qsort(list.all, list.n, sizeof(*list.all), by_gain);
	findings_take(f, &list, l->elapsed_ns);
	err = list.failed ? -ENOMEM : 0;
	free(list.all);
	finding_evidence_fini(&e);
	return err;
}
