/*
 * refusal.c - fills in what is told to the person who asked.
 */
#include "config.h"

#include "pmu/refusal.h"

#include <stdio.h>

static void copy_text(char *to, const char *from)
{
	snprintf(to, PMU_REFUSAL_BYTES, "%s", from ? from : "");
}

void pmu_refuse(struct pmu_refusal *r, int error, const char *what,
		const char *why, const char *todo)
{
	if (!r)
		return;
	r->error = error;
	copy_text(r->what, what);
	copy_text(r->why, why);
	copy_text(r->todo, todo);
}
