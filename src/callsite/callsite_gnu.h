/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * callsite_gnu.h - a function's code, as far as it shows the constructs for which gcc's code
 * calls no function of their own: loops with a static schedule, and the ends of these and of
 * single, which are calls of GOMP_barrier.
 *
 * Private to the folder.  Addresses are ELF addresses of one module.
 */
#ifndef OMPHWC_SRC_CALLSITE_CALLSITE_GNU_H
#define OMPHWC_SRC_CALLSITE_CALLSITE_GNU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/callsite/callsite.h"
#include "src/code/flow.h"
#include "src/symbols/symbols.h"
#include "src/toolchain/toolchain.h"

struct gnu_insn {
	uint64_t at, target;
	uint8_t bytes;
	uint8_t kind; /* enum flow_kind */
	uint8_t call; /* enum gnu_call, also of a jump out of the function */
};

struct gnu_barrier {
	uint64_t at, end; /* of the call or jump */
	enum barrier_kind kind;
	enum construct_kind ends; /* CONSTRUCT_SINGLE, CONSTRUCT_FOR_STATIC, or unknown */
	uint64_t begin;		  /* of that: see callsites_gnu_barrier() */
};

/* What is known best of a loop's beginning. */
enum gnu_sight { GNU_INSIDE, GNU_GUARD, GNU_CALLS };

struct gnu_loop {
	uint64_t at;  /* the first of the calls, the branch around it, or in it */
	uint64_t end; /* GNU_CALLS: behind that call */
	enum gnu_sight sight;
	struct callsite_loop loop;
};

struct gnu_single {
	uint64_t begin; /* behind the call that begins it */
	uint64_t first; /* the same of the first single that shares its code, or its own */
	enum single_end end;
	struct flow_piece *pieces;
	size_t n;
	/* All that follows in the function, up to another single. */
	struct flow_piece *behind;
	size_t nbehind;
};

struct gnu_function {
	struct callsites *callsites;
	const struct prof_file *file;
	struct callsite_code code;
	uint32_t module;
	uint64_t lo, hi;
	struct gnu_barrier *barriers;
	size_t nbarriers, barriers_room;
	struct gnu_loop *loops;
	size_t nloops, loops_room;
	struct gnu_single *singles;
	size_t nsingles, singles_room;
	/* While it is examined */
	struct gnu_insn *insns;
	size_t ninsns, insns_room;
	struct sym_row *rows;
	size_t nrows;
	bool markers;	     /* among the rows there are some that show no instruction's place */
	uint64_t around;     /* behind the call where a walk is to end; 0: none */
	enum gnu_call until; /* likewise, calls of that function; GNU_NONE: none */
	bool past;	     /* a walk goes on behind barriers */
};

/* The function in [lo, hi) around loc. */
struct gnu_function *gnu_function_new(struct callsites *c, const struct prof_file *f, uint64_t loc,
				      uint64_t lo, uint64_t hi);
void gnu_function_free(struct gnu_function *g);

/* The instruction at an address, or NULL. */
const struct gnu_insn *gnu_insn_at(const struct gnu_function *g, uint64_t at);

/* The barrier to which code goes on from an address without entering anything else; NULL:
   there is none.  plain: without other instructions, else with those that end a reduction. */
struct gnu_barrier *gnu_straight(struct gnu_function *g, uint64_t at, bool plain);

/* All code from an address on, up to barriers (g->past: past them) and what g->around and g->until
   show.  *pieces:
   the caller's, to be free()d.  As of flow_reach(). */
int gnu_reach(struct gnu_function *g, uint64_t from, struct flow_piece **pieces, size_t *n);

/* The line table's row of an address, or NULL. */
const struct sym_row *gnu_row(const struct gnu_function *g, uint64_t at);

/* Whether rows are of the same place in the source. */
bool gnu_same_place(const struct sym_row *a, const struct sym_row *b);

/* Finds the static loops, and the barriers that end them. */
void gnu_find_loops(struct gnu_function *g);

/* Finds the code of singles, after the barriers are known. */
void gnu_find_singles(struct gnu_function *g);

#endif
