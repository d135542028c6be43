/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * caller_budget.h - what a thread's searches for callers (caller.h) may cost.
 *
 * A search may take longer than the time from one sample to the next. If each sample had one, as
 * in a recursion without rules, the program would hardly go on: so a thread's searches may take
 * about a twentieth of its time. Signal-safe; all times are ticks (ticks.h).
 */
#ifndef OMPHWC_OMPT_TOOL_UNWIND_CALLER_BUDGET_H
#define OMPHWC_OMPT_TOOL_UNWIND_CALLER_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

struct caller_budget;

/* Whether a search may begin now. Each question is noted: what is saved grows from one to the
   next. */
bool caller_budget_allows(struct caller_budget *b, uint64_t now);

/* Takes the ticks that a search took; beyond a bound the thread did not run for all of them. */
void caller_budget_charge(struct caller_budget *b, uint64_t ticks);

#endif
