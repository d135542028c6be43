/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * finding_left.c - losses that no other rule explains: what is known of them is their kind, and
 * where most of it is.
 */
#include "config.h"

#include "src/tables/finding_rules.h"
#include "src/view/view.h"

/* Time in which threads slept has findings of its own, and so has time in which they did not run;
   where ranks differ, MPI's time is explained by that. */
static bool has_rules(const struct finding_list *list, enum loss loss)
{
	if (loss == LOSS_BLOCKED || loss == LOSS_NOT_RUNNING)
		return true;
	for (size_t i = 0; i < list->n && loss == LOSS_MPI; i++)
		if (list->all[i].rule == FINDING_RANKS)
			return true;
	return false;
}

/* The samples of a loss; of what clocks show, those that would be taken in it. */
static double samples_of(const struct finding_evidence *e, uint32_t row, enum loss loss)
{
	if (loss == LOSS_SERIAL || loss == LOSS_SMALL_TEAM)
		return finding_worth(e, e->rows[row].gain[loss] /
						losses_gain_of(e->losses, REGION_SERIAL, 1));
	return finding_samples(e, row, loss);
}

static void rule_left(const struct finding_evidence *e, struct finding_list *list, enum loss loss)
{
	double all = 0, samples = 0;
	uint32_t most = 0;
	struct finding *f;

	for (uint32_t row = 0; row < e->regions.n; row++) {
		const double gain = e->rows[row].gain[loss];

		if (gain <= 0)
			continue;
		all += gain;
		samples += samples_of(e, row, loss);
		most = gain > e->rows[most].gain[loss] ? row : most;
	}
	if (all <= 0 || samples < FINDING_SAMPLES)
		return;
	/* Outside of regions one thread works, and the others are idle. */
	if (loss == LOSS_SERIAL && finding_row_of(e, REGION_SERIAL) != UINT32_MAX)
		most = finding_row_of(e, REGION_SERIAL);
	f = finding_add(list, FINDING_LEFT, &e->regions.all[most], all);
	f->spent = loss;
	f->pieces = e->regions.all[most].counts.entries;
	f->waited = e->contended ? e->waited : 0;
	if (loss == LOSS_RUNTIME)
		finding_runtime_call(e, most, f);
}

void finding_rules_left(const struct finding_evidence *e, struct finding_list *list)
{
	for (unsigned loss = 0; loss < LOSSES; loss++)
		if (!has_rules(list, (enum loss)loss))
			rule_left(e, list, (enum loss)loss);
}
