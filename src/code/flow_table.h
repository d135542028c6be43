/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flow_table.h - the tables of addresses by which code jumps, as compilers make
 * them of switches.
 *
 * A table is known by the instructions that led to the jump: one that loads an
 * entry, and a comparison that bounds how many there are.  Where either is not found,
 * nothing is guessed.  x86-64 and AArch64.
 */
#ifndef OMPHWC_SRC_CODE_FLOW_TABLE_H
#define OMPHWC_SRC_CODE_FLOW_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct callsite_code;

enum { FLOW_TABLE_MAX = 2048 }; /* entries */

struct flow_table {
	uint64_t entries; /* where they are */
	unsigned n;	  /* how many, 1 to FLOW_TABLE_MAX */
	unsigned bytes;	  /* of each: 1, 2, 4, 8 */
	bool is_signed;
	unsigned shift; /* by which one is multiplied, … */
	uint64_t base;	/* … before this is added */
};

/* The instructions on the way to an indirect jump: its address is the first, that of
   where the way begins the last. */
struct flow_path {
	const uint64_t *at;
	size_t n;
};

enum flow_jump {
	FLOW_JUMP_UNKNOWN,
	FLOW_JUMP_TABLE, /* to where an entry says */
	FLOW_JUMP_AWAY,	 /* out of the function: its last call, by a pointer */
};

enum {
	FLOW_TABLE_NEAR = 24,  /* instructions from an entry's load to the jump */
	FLOW_TABLE_BOUND = 64, /* from the branch that bounds it */
	FLOW_TABLE_FAR = 2048, /* bytes from where its address is made, off the way */
};

/* t->n is 0 where no bound was found. */
enum flow_jump flow_table_x86_64(const struct callsite_code *c, const struct flow_path *p,
				 struct flow_table *t);
enum flow_jump flow_table_aarch64(const struct callsite_code *c, const struct flow_path *p,
				  struct flow_table *t);

#endif
