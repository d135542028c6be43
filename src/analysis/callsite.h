/*
 * callsite.h - what the machine code at a call into the runtime says of the
 * construct that the call is for.
 *
 * LLVM's compilers pass a struct ident_t whose flags tell an explicit barrier
 * from one at a construct's end, which libomp before 17 does not; a critical
 * section's name is the variable passed with it, and a loop's schedule a
 * number or the name of the function called.  The file must be the one that
 * ran (by its build-id).  For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_ANALYSIS_CALLSITE_H
#define OMPHWC_SRC_ANALYSIS_CALLSITE_H

#include <stdint.h>

#include "src/analysis/callsite_code.h"
#include "src/analysis/construct.h"
#include "src/analysis/leaf.h"

struct callsites;
struct prof_file;
struct symbols;

/* sysroot is put before paths (NULL: none); it and symbols are borrowed.  NULL
   without memory. */
struct callsites *callsites_new(const char *sysroot, struct symbols *symbols);
void callsites_free(struct callsites *c);

/* All of these speak of the call before return address loc (PROF_LOC of f). */

/* The barrier it waits at; BARRIER_UNKNOWN where it can't be told. */
enum barrier_kind callsites_barrier(struct callsites *c, const struct prof_file *f,
				    uint64_t loc);

/* The symbol of the critical section that it enters, or NULL. */
const char *callsites_critical(struct callsites *c, const struct prof_file *f, uint64_t loc);

/* The loop that it begins: CONSTRUCT_FOR where its schedule can't be told. */
enum construct_kind callsites_loop(struct callsites *c, const struct prof_file *f,
				   uint64_t loc);

/* ---- for tests ------------------------------------------------------- */

/* The same of code alone. */
enum barrier_kind callsite_barrier(const struct callsite_code *c, uint64_t return_address);

/* What a schedule's number (enum sched_type of kmp.h) means. */
enum construct_kind callsite_schedule(uint64_t number);

#endif
