/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/screen/shown.h"

#include <errno.h>

#include "src/model/model.h"

int shown_open(struct shown *l, char *const *paths, size_t n, enum view_kind kind,
	       struct profiles_error *e)
{
	*l = (struct shown){ .looks = false };
	profiles_init(&l->profiles);
	for (size_t i = 0; i < n; i++)
		if (profiles_add(&l->profiles, paths[i], e))
			return -EINVAL;
	lookup_open(&l->lookup, NULL);
	l->looks = true;
	l->view =
		view_build(&l->profiles.model,
			   &(struct view_options){ .kind = kind, .resolver = &l->lookup.resolver });
	judged_build(l->view, &l->judged);
	l->report = (struct report){
		.model = &l->profiles.model,
		.view = l->view,
		.losses = &l->judged.losses,
		.placement = &l->judged.placement,
		.findings = &l->judged.findings,
		.event = model_first_sampled(&l->profiles.model),
	};
	return 0;
}

void shown_close(struct shown *l)
{
	judged_fini(&l->judged);
	view_free(l->view);
	if (l->looks)
		lookup_close(&l->lookup);
	profiles_fini(&l->profiles);
}
