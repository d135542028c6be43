/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/tree/process.h"

static const volatile unsigned char dead;

struct process process = { .writer = { .fd = -1 }, .alive = &dead };

static _Atomic uint64_t *lost(void)
{
	return (_Atomic uint64_t *)&prof_header(&process.writer)->lost[PROF_LOST_NO_THREAD];
}

void process_open(void)
{
	atomic_store(&process.profile, PROFILE_OPEN);
	atomic_fetch_add(lost(), atomic_exchange(&process.unplaced, 0));
}

void process_lose(uint64_t samples)
{
	atomic_fetch_add(process_has_profile() ? lost() : &process.unplaced, samples);
}

/* Makes the profile that is due. One thread does; samples of other threads, and of a
   handler that interrupts it, are counted as unplaced meanwhile. */
static bool make(void)
{
	int due = PROFILE_DUE;

	if (!atomic_compare_exchange_strong(&process.profile, &due, PROFILE_BEING_MADE))
		return due == PROFILE_OPEN;
	if (process.make_profile() != 0) {
		atomic_store(&process.profile, PROFILE_NONE);
		return false;
	}
	process_open();
	return true;
}

bool process_ready(void)
{
	if (*process.alive == 0)
		return false;
	return process_has_profile() || make();
}
