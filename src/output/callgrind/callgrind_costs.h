/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * callgrind_costs.h - the costs of functions by line, and of the calls in them.
 *
 * For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_OUTPUT_CALLGRIND_CALLGRIND_COSTS_H
#define OMPHWC_SRC_OUTPUT_CALLGRIND_CALLGRIND_COSTS_H

#include <stddef.h>
#include <stdint.h>

#include "src/base/map.h"
#include "src/tables/tables.h"

struct view;

/* Costs at a line of a function. */
struct callgrind_item {
	uint32_t function;
	uint32_t line;		  /* number of a line of the view; 0: unknown */
	uint32_t callee;	  /* the function called there; 0: the function's own costs */
	const struct cost *block; /* of a call: inclusive */
};

struct callgrind_costs {
	struct callgrind_item *items; /* by function, then own costs, then by line */
	size_t n;
	struct table self; /* key: function, key2: line */
	/* private */
	struct map calls; /* caller and its line; callee: number */
	struct cost *inclusive;
};

/* The view's tree has to distinguish lines. */
void callgrind_costs(const struct view *v, struct callgrind_costs *c);
void callgrind_costs_fini(struct callgrind_costs *c);

#endif
