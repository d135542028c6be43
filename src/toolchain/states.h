/* SPDX-License-Identifier: BSD-3-Clause */
/* states.h - sets of states (enum prof_state), for rules. */
#ifndef OMPHWC_SRC_TOOLCHAIN_STATES_H
#define OMPHWC_SRC_TOOLCHAIN_STATES_H

#include <stdint.h>

#include "src/profile/format.h"

#define S(state) (UINT32_C(1) << PROF_STATE_##state)

/* States in which the runtime reports work or nothing: only the entry point shows more. */
#define BUSY (S(NO_OPENMP) | S(SERIAL) | S(PARALLEL) | S(REDUCTION) | S(OVERHEAD) | S(UNDEFINED))
#define BARRIERS \
	(S(BARRIER) | S(BARRIER_IMPLICIT) | S(BARRIER_WORKSHARE) | S(BARRIER_EXPLICIT) | \
	 S(BARRIER_IMPL) | S(BARRIER_TEAMS))
/* Barriers whose kind the state does not show. */
#define VAGUE (S(BARRIER) | S(BARRIER_IMPL))
#define LOCKS (S(MUTEX) | S(LOCK) | S(CRITICAL) | S(ATOMIC) | S(ORDERED))
/* Without OMPT there is no state. */
#define NONE S(NO_OPENMP)
#define ANY UINT32_MAX

#endif
