/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/tables/judged.h"

#include "src/view/view.h"

void judged_build(const struct view *v, struct judged *j)
{
	*j = (struct judged){ .losses = { .unknown = NULL } };
	losses_build(v, &j->losses);
	placement_build(v->model, j->losses.event, &j->placement);
	findings_build(v, &j->losses, &j->placement, &j->findings);
}

void judged_fini(struct judged *j)
{
	placement_fini(&j->placement);
	findings_fini(&j->findings);
	losses_fini(&j->losses);
}
