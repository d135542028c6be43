/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cycles.h - finds cycles among the links of an untrusted file.
 *
 * Every node has at most two links: to a parent and to a context.  The time is linear in
 * the number of nodes, whatever the links are.
 */
#ifndef OMPHWC_SRC_PROFILE_READER_CYCLES_H
#define OMPHWC_SRC_PROFILE_READER_CYCLES_H

#include <stdint.h>

struct cycles_graph {
	const void *arg;
	uint32_t count;
	uint32_t (*parent)(const void *arg, uint32_t i);  /* UINT32_MAX: none */
	uint32_t (*context)(const void *arg, uint32_t i); /* UINT32_MAX: none */
};

/* Sets bit in mark[] for each node from which parent links lead to a cycle.  mark is cleared
   first. */
void cycles_of_parents(const struct cycles_graph *g, uint8_t *mark, uint8_t bit);

/*
 * Sets bit in mark[] for each node whose context link is part of a cycle.  Links of nodes
 * that have the bit skip set are not followed.
 */
void cycles_of_contexts(const struct cycles_graph *g, uint8_t *mark, uint8_t skip, uint8_t bit);

#endif
