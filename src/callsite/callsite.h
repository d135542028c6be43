/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * callsite.h - what the machine code at a call into the runtime says of the
 * construct that the call is for.
 *
 * LLVM's compilers pass a struct ident_t whose flags show an explicit barrier
 * from one at a construct's end, which libomp before 17 does not; a critical
 * section's name is the variable passed with it, and a loop's schedule a
 * number or the name of the function called.  The file must be the one that
 * ran (by its build-id).  For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_CALLSITE_CALLSITE_H
#define OMPHWC_SRC_CALLSITE_CALLSITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/code/callsite_code.h"
#include "src/model/construct_kind.h"
#include "src/model/leaf.h"
#include "src/profile/format.h"

struct callsites;
struct flow_insn;
struct flow_piece;
struct prof_file;
struct symbols;

/* sysroot is put before paths (NULL: none); it and symbols are borrowed. */
struct callsites *callsites_new(const char *sysroot, struct symbols *symbols);
void callsites_free(struct callsites *c);

/* All of these speak of the call before return address loc (PROF_LOC of f). */

/* The barrier it waits at; BARRIER_UNKNOWN where it can't be known. */
enum barrier_kind callsites_barrier(struct callsites *c, const struct prof_file *f, uint64_t loc);

/* The symbol of the critical section that it enters, or NULL. */
const char *callsites_critical(struct callsites *c, const struct prof_file *f, uint64_t loc);

/* The construct that it begins, with its schedule; CONSTRUCT_FOR: a loop whose
   schedule can't be known; CONSTRUCT_UNKNOWN: none, or it is not known which. */
enum construct_kind callsites_construct(struct callsites *c, const struct prof_file *f,
					uint64_t loc);

/* How many sections it begins; 0 where it is not known. */
unsigned callsites_sections(struct callsites *c, const struct prof_file *f, uint64_t loc);

/*
 * The code of the construct that the call begins or ends, up to where it ends on
 * every way through it: *begin is the return address (PROF_LOC of f) of the call
 * that begins it; *pieces, by address in its module, are the caller's, to be
 * free()d.  False where it can't be followed.
 */
bool callsites_span(struct callsites *c, const struct prof_file *f, uint64_t loc, uint64_t *begin,
		    struct flow_piece **pieces, size_t *n);

/*
 * For a call in the innermost user frame of what created a region or task, where that
 * call is of no runtime function: the function that it calls left by a tail call of the
 * runtime, directly or through other tail calls.  *at: that jump (PROF_LOC of f); *kind:
 * the construct, as of callsites_construct().  Or else it left by a tail call of another object's
 * function: CONSTRUCT_SERIAL.  False unless exactly one place does so.
 */
bool callsites_tail(struct callsites *c, const struct prof_file *f, uint64_t loc, uint64_t *at,
		    enum construct_kind *kind);

/* How the call says where it goes. */
enum callsite_way callsites_way(struct callsites *c, const struct prof_file *f, uint64_t loc);

/* The body of a region or task, and the tail call by which it left. */
struct callsite_body {
	uint64_t entry; /* PROF_LOC */
	uint64_t at;	/* of the jump; 0: several, or not known */
	uint64_t end;	/* behind it, where a call's return address would be */
};

/*
 * For the call (exact: the jump at loc; or else the first byte of the body itself before loc)
 * that creates a region or task, in which the
 * runtime seems to call the function callee (a name): the body that tail-called callee
 * and so is on no stack.  False if the body is not known, or has no such tail call.
 */
bool callsites_body(struct callsites *c, const struct prof_file *f, uint64_t loc, bool exact,
		    const char *callee, struct callsite_body *body);

/* Where the code begins (PROF_LOC of f) of what the call (exact: the jump at loc)
   creates.  A compiler's copies of one call have it in common.  False: not known. */
bool callsites_entry(struct callsites *c, const struct prof_file *f, uint64_t loc, bool exact,
		     uint64_t *entry);

/*
 * Of gcc's call of GOMP_barrier before loc (a jump: that ends there): a barrier directive, or
 * the end of a loop or single; BARRIER_UNKNOWN where neither code nor lines show.  *ends:
 * CONSTRUCT_SINGLE, and *begin is behind the call that begins it; CONSTRUCT_FOR_STATIC, and
 * *begin is as of callsites_loop(); else CONSTRUCT_UNKNOWN, and 0.
 */
enum barrier_kind callsites_gnu_barrier(struct callsites *c, const struct prof_file *f,
					uint64_t loc, enum construct_kind *ends, uint64_t *begin);

/* Whether the code at loc (exact), or the call before it, is of one of gcc's loops with a
   static schedule.  *at: an instruction of the loop's function that distinguishes it from all
   others (PROF_LOC of f). */
bool callsites_loop(struct callsites *c, const struct prof_file *f, uint64_t loc, bool exact,
		    uint64_t *at);

/* The code of a loop, and what is known of its place; borrowed. */
struct callsite_loop {
	struct flow_piece *pieces; /* by address in its module */
	size_t n;
	const char *file; /* of line */
	unsigned line;	  /* of its statement or directive; 0: unknown */
	unsigned before;  /* that of the code before, where `at` has it, too; 0: it has not, or that
			     is not known */
};

/* The loop of `at`, an answer of callsites_loop(). False: there is none. */
bool callsites_loop_code(struct callsites *c, const struct prof_file *f, uint64_t at,
			 struct callsite_loop *loop);

/* Whether the code at loc (exact), or the call before it, begins one of gcc's singles, is in
   one, or is behind one and in none (*end SINGLE_END_BEHIND, *begin loc).  *begin: behind the
   call that begins it, or behind the first of several that begin the same code (PROF_LOC of
   f). */
bool callsites_single(struct callsites *c, const struct prof_file *f, uint64_t loc, bool exact,
		      uint64_t *begin, enum single_end *end);

/* The code of the single that begins at begin, as of callsites_span().  False: not known. */
bool callsites_single_code(struct callsites *c, const struct prof_file *f, uint64_t begin,
			   struct flow_piece **pieces, size_t *n);

/* ---- for the parts of it --------------------------------------------- */

/* The code of a call; false: it is not there. */
bool callsites_code(struct callsites *c, const struct prof_file *f, uint64_t loc,
		    struct callsite_code *code);

/* The function that it calls, as far as the instruction says so; or NULL. */
const char *callsites_called(struct callsites *c, const struct prof_file *f,
			     const struct callsite_code *code, uint64_t loc);

/* Whether the object has code there. */
bool callsites_is_code(struct callsites *c, const struct prof_file *f, uint64_t loc);

/* Whether loc's object has cancel directives. */
bool callsites_cancels(struct callsites *c, const struct prof_file *f, uint64_t loc);

/* What names are looked up with. */
struct symbols *callsites_symbols(const struct callsites *c);

/* What the function at loc is called. */
const char *callsites_name(struct callsites *c, const struct prof_file *f, uint64_t loc);

/* What begins by a call of the function of that name (or NULL), likewise. */
enum construct_kind callsite_construct(const struct callsite_code *c, uint64_t return_address,
				       const char *called);

/* The function whose code loc is in, as number; 0: not known. */
uint64_t callsites_function(struct callsites *c, const struct prof_file *f, uint64_t loc);

/* ---- the code of a module ---------------------------------------------- */

/* Addresses are those in the module, of f. */
struct callsite_module {
	struct callsites *callsites;
	const struct prof_file *file;
	uint32_t module;
	struct callsite_code code;
};

/* That of loc's module; false: it is not there. */
bool callsite_module_of(struct callsite_module *m, struct callsites *c, const struct prof_file *f,
			uint64_t loc);

static inline uint64_t callsite_module_loc(const struct callsite_module *m, uint64_t address)
{
	return PROF_LOC(m->module, address);
}

/* What the function at an address is called, and which one it is, as number; 0: not known. */
const char *callsite_module_name(const struct callsite_module *m, uint64_t address);
uint64_t callsite_module_function(const struct callsite_module *m, uint64_t address);

/* Calls meet for each jump and branch out of the function that begins at entry: tail calls.  False:
   not all of its code can be followed. */
bool callsite_module_jumps(const struct callsite_module *m, uint64_t entry,
			   void (*meet)(void *arg, uint64_t at, const struct flow_insn *jump),
			   void *arg);

/* ---- for tests ------------------------------------------------------- */

/* The same of code alone. */
enum barrier_kind callsite_barrier(const struct callsite_code *c, uint64_t return_address);

#endif
