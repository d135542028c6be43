/* finding_teams.c - the rule about regions that asked for more threads than their teams have. */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/model/model.h"
#include "src/tables/finding_rules.h"
#include "src/tables/surroundings.h"
#include "src/view/view.h"

#define ASKED_WORK 0.1 /* of the run's work: in the region */
#define ASKED_NS 100e3 /* an entry: a shorter one gains nothing by more threads */

const char *finding_dynamic(const struct finding_evidence *e)
{
	const struct prof_file *f = e->view->model->processes[0].file;
	const char *setting = surroundings_setting(f, "OMP_DYNAMIC");

	return setting && !strcasecmp(setting + sizeof("OMP_DYNAMIC"), "true") ? setting : NULL;
}

/* Why a team is smaller than was asked for: a setting that says so, or a region around it. */
static const char *why_fewer(const struct finding_evidence *e, const struct region *r)
{
	const struct prof_file *f = e->view->model->processes[0].file;
	const char *dynamic = finding_dynamic(e);
	const char *limit = surroundings_setting(f, "OMP_THREAD_LIMIT");

	for (size_t i = 0; i < r->ncontexts; i++)
		if (r->contexts[i] >= REGION_SPECIALS &&
		    e->view->regions[r->contexts[i]].parent >= REGION_SPECIALS)
			return FINDING_NESTED;
	return dynamic ? dynamic : limit;
}

static void rule_asked(struct finding_evidence *e, struct finding_list *list, uint32_t row)
{
	const struct region *r = &e->regions.all[row];
	uint64_t fewer = 0, asked = 0;
	struct finding *f;
	double work = 0;

	if (r->special != REGION_SPECIALS || !r->entries || !r->elapsed_known)
		return;
	for (size_t i = 0; i < r->ncontexts; i++) {
		fewer += e->view->regions[r->contexts[i]].fewer;
		asked += e->view->regions[r->contexts[i]].asked;
	}
	for (size_t i = 0; i < e->rows[row].n; i++)
		work += e->units[e->rows[row].first + i].work;
	if (!fewer || work < ASKED_WORK * e->losses->run.work ||
	    finding_worth(e, work) < FINDING_SAMPLES ||
	    (double)r->elapsed_ns < ASKED_NS * (double)r->entries)
		return;
	f = finding_add(list, FINDING_ASKED, r, 0);
	if (!f)
		return;
	f->part = work / e->losses->run.all;
	f->pieces = fewer;
	f->ncpus = (uint32_t)(asked / fewer);
	f->nthreads = r->team_least;
	f->setting = why_fewer(e, r);
}

void finding_rules_teams(struct finding_evidence *e, struct finding_list *list)
{
	for (uint32_t row = 0; row < e->regions.n; row++)
		rule_asked(e, list, row);
}
