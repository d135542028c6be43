/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * testomp_fault.c - promises of the interface that the runtime breaks on demand, and the
 * variant that promises least.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/collector/testomp.h"

static const char *const names[FAULT_NUMBER] = {
	[FAULT_START_TWICE] = "start-twice",
	[FAULT_EARLY] = "early",
	[FAULT_STOP_CALLS] = "stop-calls",
	[FAULT_STOP_ANSWERS] = "stop-answers",
	[FAULT_SMALL_UNSAID] = "small-unsaid",
	[FAULT_SMALL_WRITTEN] = "small-written",
	[FAULT_MISALIGNED] = "misaligned",
	[FAULT_BAD_SIZE] = "bad-size",
	[FAULT_BATCH_STOPS] = "batch-stops",
	[FAULT_UNKNOWN_REQUEST] = "unknown-request",
	[FAULT_UNKNOWN_EVENT] = "unknown-event",
	[FAULT_UNREGISTER] = "unregister",
	[FAULT_PAUSE_COUNTS] = "pause-counts",
	[FAULT_PAUSE_CALLS] = "pause-calls",
	[FAULT_PAUSE_FORGETS] = "pause-forgets",
	[FAULT_FIRST_STAYS] = "first-stays",
	[FAULT_LATE_FORK] = "late-fork",
	[FAULT_SAME_ID] = "same-id",
	[FAULT_OLD_ID] = "old-id",
	[FAULT_PARENT_SELF] = "parent-self",
	[FAULT_PARENT_ANYWHERE] = "parent-anywhere",
	[FAULT_EARLY_JOIN] = "early-join",
	[FAULT_IDLE_REGION] = "idle-region",
	[FAULT_IDLE_WORKS] = "idle-works",
	[FAULT_STATE_STAYS] = "state-stays",
	[FAULT_NO_WAIT_ID] = "no-wait-id",
	[FAULT_OWN_BARRIER] = "own-barrier",
	[FAULT_END_MISSING] = "end-missing",
	[FAULT_WRONG_THREAD] = "wrong-thread",
	[FAULT_SERIAL_WORKS] = "serial-works",
	[FAULT_UNSUPPORTED_CALLED] = "unsupported-called",
	[FAULT_LOCKED_REQUEST] = "locked-request",
	[FAULT_FORGETS] = "forgets",
	[FAULT_LATE_BLIND] = "late-blind",
	[FAULT_IN_REGION_BLIND] = "in-region-blind",
	[FAULT_TASK_OVERHEAD] = "task-overhead",
	[FAULT_CHILD_REPEATS] = "child-repeats",
	[FAULT_WORK_EARLY] = "work-early",
	[FAULT_WAIT_ID_LATE] = "wait-id-late",
};

static enum fault chosen;
static bool least;

void testomp_die(const char *why)
{
	fprintf(stderr, "libtestomp: %s\n", why);
	abort();
}

bool fault(enum fault f)
{
	return f == chosen;
}

static __attribute__((constructor)) void choose(void)
{
	const char *name = getenv("TESTOMP_FAULT"), *variant = getenv("TESTOMP_VARIANT");
	int i;

	if (variant && strcmp(variant, "least"))
		testomp_die("TESTOMP_VARIANT is not least");
	least = variant;
	if (!name)
		return;
	for (i = FAULT_NONE + 1; i < FAULT_NUMBER && strcmp(name, names[i]); i++)
		;
	if (i == FAULT_NUMBER)
		testomp_die("there is no such TESTOMP_FAULT");
	chosen = i;
	if (fault(FAULT_FORGETS))
		session_forget();
}

bool variant_least(void)
{
	return least;
}
