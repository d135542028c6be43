/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/runtime/ompt_parts.h"

#include <stdint.h>
#include <stdio.h>

#include "ompt_tool/runtime/runtime_host.h"

static void note_result(const struct ompt_registration *r, ompt_set_result_t result)
{
	char line[256];

	/* OpenMP 5.2, section 19.2.4: by ompt_set_sometimes and ompt_set_sometimes_paired the
	   runtime says that it makes some of these calls, by ompt_set_always all of them. */
	if (result == ompt_set_sometimes || result == ompt_set_sometimes_paired)
		snprintf(line, sizeof(line),
			 "the OpenMP runtime reports only some of its %s events: %s is known "
			 "in part",
			 r->name, r->reports);
	else
		snprintf(line, sizeof(line),
			 "the OpenMP runtime does not report its %s events: %s is not known",
			 r->name, r->reports);
	runtime_host.note(line);
}

/* Owned by this file. Runtimes start one at a time. */
static ompt_callback_t registered[64];

ompt_callback_t ompt_registered(ompt_callbacks_t event)
{
	return registered[event];
}

bool ompt_register(ompt_set_callback_t set, const struct ompt_registration *all, size_t n)
{
	/* What was noted already: a runtime that starts again is not noted twice.
	   Runtimes start one at a time. */
	static uint64_t noted;
	uint64_t unreported = 0;

	for (size_t i = 0; i < n; i++) {
		const ompt_set_result_t result = set(all[i].event, all[i].function);
		const uint64_t bit = UINT64_C(1) << all[i].event;

		registered[all[i].event] = all[i].function;
		if (result == ompt_set_always)
			continue;
		unreported |= bit;
		if ((noted & bit) == 0)
			note_result(&all[i], result);
		noted |= bit;
	}
	runtime_host.unreported(unreported);
	return unreported == 0;
}
