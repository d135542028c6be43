/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "pmu/refusal.h"

#include <stdarg.h>
#include <stdio.h>

static void copy_text(char *to, const char *from)
{
	snprintf(to, PMU_REFUSAL_BYTES, "%s", from ? from : "");
}

void pmu_refuse(struct pmu_refusal *r, int error, const char *what, const char *why,
		const char *todo)
{
	if (!r)
		return;
	r->error = error;
	copy_text(r->what, what);
	copy_text(r->why, why);
	copy_text(r->todo, todo);
}

void pmu_refuse_because(struct pmu_refusal *r, int error, const char *what, const char *todo,
			const char *why, ...)
{
	char text[PMU_REFUSAL_BYTES];
	va_list ap;

	va_start(ap, why);
	vsnprintf(text, sizeof(text), why, ap);
	va_end(ap);
	pmu_refuse(r, error, what, text, todo);
}
