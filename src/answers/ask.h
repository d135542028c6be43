/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ask.h - what views ask about the program's code and debug information.
 *
 * Who answers is a resolver's business: the program's files and what is stored in a profile
 * (lookup.h), or a test.  questions.c has a row for each question: what its answer consists of, and
 * how the files answer it.
 */
#ifndef OMPHWC_SRC_ANSWERS_ASK_H
#define OMPHWC_SRC_ANSWERS_ASK_H

#include <stdbool.h>
#include <stdint.h>

#include "src/code/callsite_code.h"
#include "src/model/construct_kind.h"
#include "src/model/leaf.h"

struct prof_file;
struct sym_function;
struct sym_location;

/*
 * Questions, and the members of their answers.  loc is the return address of a call, or with exact
 * the instruction itself, where the second column says that it matters.
 *
 * RESOLVE      exact   location             the functions and lines: symbols_resolve()
 * OBJECT               text                 the data symbol at loc: symbols_object()
 * BARRIER              barrier              callsites_barrier()
 * GNU_BARRIER          barrier construct at callsites_gnu_barrier()
 * LOOP         exact   known at             callsites_loop()
 * LOOP_LINES   exact   known text first last   for what LOOP answered: the file and line of the
 *                                           loop, or else of its first code; its last line
 * CRITICAL             text                 callsites_critical()
 * CONSTRUCT            construct            callsites_construct()
 * SECTIONS             count                callsites_sections()
 * SPAN                 known at text first last  of the construct that the call begins or ends:
 *                                           behind the call that begins it; its file, and lines
 *                                           from the directive's (ENTRY_UNPLACED: the first
 *                                           code's), if known
 * TAIL                 known at construct   callsites_tail()
 * WAY                  way                  callsites_way()
 * BODY         exact   known entry at end   callsites_body(), depends on callee
 * CALLED       exact   known text           the name of the function that is called, or jumped to
 * BEGIN                known at             where the function around loc begins
 * ENTRY        exact   known at             callsites_entry()
 * PLACE        exact   text                 "app+0x1234": what the call creates (ENTRY), or itself
 * START        exact   known at             symbols_start()
 * SINGLE       exact   known at single      callsites_single()
 * STRAYS       exact   count                of a construct's call, or for what LOOP answered:
 *                                           symbols_strays()
 * CANCELS              known                callsites_cancels()
 * EXTENT               known first last     the lines of a function: symbols_extent()
 *
 * Lines that are not known are 0.  The numbers are stored in profiles.
 */
enum query {
	QUERY_RESOLVE = 0,
	QUERY_OBJECT = 1,
	QUERY_BARRIER = 2,
	QUERY_GNU_BARRIER = 3,
	QUERY_LOOP = 4,
	QUERY_LOOP_LINES = 5,
	QUERY_CRITICAL = 6,
	QUERY_CONSTRUCT = 7,
	QUERY_SECTIONS = 8,
	QUERY_SPAN = 9,
	QUERY_TAIL = 10,
	QUERY_WAY = 11,
	QUERY_BODY = 12,
	QUERY_CALLED = 13,
	QUERY_BEGIN = 14,
	QUERY_ENTRY = 15,
	QUERY_PLACE = 16,
	QUERY_START = 17,
	QUERY_SINGLE = 18,
	QUERY_STRAYS = 19,
	QUERY_CANCELS = 20,
	QUERIES_STORED, /* by location */
	QUERY_EXTENT = QUERIES_STORED,
	QUERIES
};

struct question {
	enum query query;
	bool exact;
	const struct prof_file *file;
	union {
		uint64_t loc;
		const struct sym_function *function; /* QUERY_EXTENT; file is NULL */
	};
	const char *callee; /* QUERY_BODY: a name; else NULL */
};

/* What is not known is 0, or loc in at. */
struct answer {
	bool known;
	enum construct_kind construct; /* CONSTRUCT_UNKNOWN: not known */
	enum barrier_kind barrier;
	enum single_end single;
	enum callsite_way way;
	unsigned first, last, count;
	uint64_t at, entry, end; /* PROF_LOC */
	union {
		const char *text;
		const struct sym_location *location;
	};
};

struct resolver {
	/* Changes *a where it knows better; *a says that nothing is known. */
	void (*answer)(void *self, const struct question *q, struct answer *a);
	void *self;
};

/* The answer that nothing is known. */
struct answer ask_nobody(const struct question *q);

/* What the answer points to is valid as long as the resolver. */
struct answer ask_question(const struct resolver *r, const struct question *q);

/* The same for a question without a callee about loc in f. */
struct answer ask(const struct resolver *r, const struct prof_file *f, enum query query,
		  uint64_t loc, bool exact);

/* QUERY_EXTENT of the function. */
struct answer ask_extent(const struct resolver *r, const struct sym_function *function);

#endif
