/*
 * callsite.h - what the machine code at a call says of the construct.
 *
 * LLVM's compilers pass a struct ident_t to each call into the runtime, whose
 * flags tell an explicit barrier from one at a construct's end; libomp before
 * 17 reports one state for both.  The code before the call loads that
 * struct's address.  The file must be the one that ran (by its build-id).
 * For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_ANALYSIS_CALLSITE_H
#define OMPHWC_SRC_ANALYSIS_CALLSITE_H

#include <stdint.h>

#include "src/analysis/leaf.h"

struct callsites;
struct prof_file;

/* NULL without memory.  sysroot is put before paths (NULL: none), and borrowed. */
struct callsites *callsites_new(const char *sysroot);
void callsites_free(struct callsites *c);

/* The barrier that the call before return address loc (PROF_LOC of f) is for;
   BARRIER_UNKNOWN where it can't be told. */
enum barrier_kind callsites_barrier(struct callsites *c, const struct prof_file *f,
				    uint64_t loc);

/* ---- for tests: the code alone --------------------------------------- */

/* An object's bytes by ELF address; NULL where n of them are not there. */
struct callsite_code {
	const unsigned char *(*at)(void *self, uint64_t address, uint64_t n);
	void *self;
	unsigned machine;	/* e_machine */
};

enum barrier_kind callsite_barrier(const struct callsite_code *c, uint64_t return_address);

#endif
