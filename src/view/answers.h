/*
 * answers.h - what a resolver answered about one profile's locations, to be stored in it.
 *
 * An answer is a list of numbers, whose meaning the query's shape tells; that of
 * QUERY_RESOLVE is a location.  Strings are numbers of interned strings.  For ordinary code,
 * one thread at a time.
 */
#ifndef OMPHWC_SRC_VIEW_ANSWERS_H
#define OMPHWC_SRC_VIEW_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/arena.h"
#include "src/base/interner.h"
#include "src/base/map.h"

struct sym_function;
struct sym_location;

/* The members of struct resolver.  The numbers are stored in profiles. */
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
	QUERIES_FIRST, /* version 1.9 of the format knows of these alone */
	QUERY_SINGLE = QUERIES_FIRST,
	QUERIES
};

enum { ANSWER_NUMBERS = 4, ANSWER_FRAMES_MAX = 256 };

/* What is asked: of PROF_LOC loc; callee: the interned string's number + 1, or 0. */
struct question {
	uint64_t loc;
	uint32_t callee;
	uint8_t query; /* enum query */
	bool exact;
};

struct answer {
	struct question question;
	uint64_t numbers[ANSWER_NUMBERS];
	const struct sym_location *location; /* QUERY_RESOLVE only */
};

/* The lines of a function, as of symbols_extent(). */
struct answers_extent {
	const struct sym_function *function;
	bool known;
	unsigned first, last;
};

/* Why names of a module are missing. */
struct answers_trouble {
	uint32_t module; /* id */
	const char *why; /* interned */
};

/* A zeroed struct is empty and ready. */
struct answers {
	struct answer *all;
	size_t n;
	struct answers_extent *extents;
	size_t nextents;
	struct answers_trouble *troubles;
	size_t ntroubles;
	struct interner strings;
	bool failed; /* without memory: some answer or string is missing */
	/* private */
	size_t room, extents_room, troubles_room;
	struct map index, by_function;
	struct arena arena; /* functions and locations that were unpacked */
};

void answers_free(struct answers *a);

/*
 * The numbers of a query's answer, a character each: b truth value, n unsigned int, l location,
 * s string (its number + 1, or 0), c construct kind, r barrier kind, w callsite way, e end of a
 * single.
 */
const char *answers_shape(enum query query);

/* Whether the query has a callee. */
bool answers_has_callee(enum query query);

/* The number + 1 of the string, which is interned; 0 for NULL, or without memory. */
uint64_t answers_string(struct answers *a, const char *s);

/* The string of that number; NULL for 0. */
const char *answers_text(const struct answers *a, uint64_t number);

/* The answer, or NULL. */
const struct answer *answers_find(const struct answers *a, const struct question *q);

/* Adds an answer, or replaces one.  0 or -ENOMEM. */
int answers_set(struct answers *a, const struct answer *answer);

/* The same for lines of functions and troubles of modules; why NULL: none. */
const struct answers_extent *answers_extent_of(const struct answers *a,
					       const struct sym_function *f);
int answers_set_extent(struct answers *a, const struct answers_extent *extent);
const char *answers_trouble_of(const struct answers *a, uint32_t module);
int answers_set_trouble(struct answers *a, uint32_t module, const char *why);

/* Writes all of a into *bytes, which the caller frees.  Equal answers have equal bytes.
   0, or -ENOMEM with *bytes NULL, also where a->failed. */
int answers_pack(const struct answers *a, unsigned char **bytes, size_t *n);

/* Reads what answers_pack() wrote into a, which is empty.  The bytes are not trusted.  0,
   -ENOMEM or -EINVAL; answers_free() is required in any case. */
int answers_unpack(struct answers *a, const unsigned char *bytes, size_t n);

#endif
