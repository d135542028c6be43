/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/diff/diff_judge.h"

#include <math.h>

#include "src/diff/diff.h"

struct diff_judged diff_judge(const struct diff *d)
{
	const bool elapsed = d->elapsed.side[BEFORE].all.mean > 0 &&
			     d->elapsed.side[AFTER].all.mean > 0;
	const struct diff_row *row = elapsed ? &d->elapsed : &d->by[DIFF_RUN].rows[0];
	const double before = row->side[BEFORE].all.mean;

	return (struct diff_judged){
		.row = row,
		.elapsed = elapsed,
		.percent = before > 0 ? 100 * row->change / before : NAN,
	};
}

bool diff_is_above(const struct diff *d, double percent)
{
	const struct diff_judged j = diff_judge(d);
	const bool by_chance = !isnan(j.row->noise) && diff_within_noise(j.row);

	return !by_chance && j.percent > percent;
}
