/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * caller_chain.h - whether frames beyond a supposed return address fit together. Signal-safe.
 */
#ifndef OMPHWC_OMPT_TOOL_UNWIND_CALLER_CHAIN_H
#define OMPHWC_OMPT_TOOL_UNWIND_CALLER_CHAIN_H

#include <stdbool.h>

#include "ompt_tool/unwind/unwind.h"

/*
 * Steps outward from f's return address by the rules, until enough frames fit. f->words become
 * the words that they depend on, and f->fp_matters says whether they depend on f->fp. known:
 * the function's own code shows f's return address.
 */
bool caller_chain_holds(struct caller_found *f, struct unwind_cache *cache,
			const struct unwind_stack *stack, bool known);

#endif
