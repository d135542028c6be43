/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * insns.h - the cost of each instruction of a function.
 *
 * A sample counts at its interrupted address; called functions do not count.  What the view counts
 * for a line of the function while the thread is in the runtime, as waits, counts in the call.
 */
#ifndef OMPHWC_SRC_TABLES_INSNS_H
#define OMPHWC_SRC_TABLES_INSNS_H

#include <stddef.h>
#include <stdint.h>

#include "src/tables/tables.h"

struct prof_file;
struct symbols;
struct view;

struct insn {
	uint64_t address;  /* ELF address; in a call: of its last byte */
	struct cost *self; /* a block */
};

/* A contiguous range of the function's code. */
struct insns_piece {
	const struct prof_file *file; /* one of the profiles with it, for looking up lines */
	const char *path;	      /* of the object */
	const char *function;
	uint32_t module; /* of file */
	uint64_t lo, hi;
	struct insn *insns; /* instructions with samples, by address */
	size_t ninsns;
	struct cost *sum; /* a block */
};

struct insns {
	struct insns_piece *pieces;
	size_t npieces;
};

/* Combines all functions with that name and the bodies of their regions and tasks.  0;
   -ENOENT: there is none. */
int insns_build(const struct view *v, struct symbols *s, const char *name, struct insns *i);
void insns_fini(struct insns *i);

#endif
