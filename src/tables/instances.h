/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * instances.h - how long the longest entry of each region took, and when it was.
 *
 * One for each region of the source, whatever it was called from.
 */
#ifndef OMPHWC_SRC_TABLES_INSTANCES_H
#define OMPHWC_SRC_TABLES_INSTANCES_H

#include <stddef.h>
#include <stdint.h>

struct view;

struct instance {
	uint32_t region;  /* of the view: the first one at its line */
	uint64_t ns;	  /* of the longest entry */
	double begin_ns;  /* from the first process's start on */
	uint64_t number;  /* among the entries by that thread in that context, from 1; 0: unknown */
	uint32_t team;	  /* its threads; 0: unknown */
	uint64_t entries; /* of the region, all together; 0: unknown */
	uint64_t whole_ns; /* the sum of their times */
	uint32_t process;  /* of the model */
};

/* The longest first; regions whose longest entry is not known are left out.  The caller frees
   *all. */
void instances_build(const struct view *v, struct instance **all, size_t *n);

#endif
