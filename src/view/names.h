/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * names.h - functions and source lines of a report, each stored once.
 *
 * Two functions are the same if name, object, file and line of definition are equal, so
 * that ranks and threads share nodes.  Numbers are dense and start at 1; 0 stands for none.
 * Strings are copied.  For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_VIEW_NAMES_H
#define OMPHWC_SRC_VIEW_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/interner.h"
#include "src/base/map.h"
#include "src/symbols/symbols.h"

enum function_kind {
	FUNCTION_PLAIN = 0,
	FUNCTION_ARTIFICIAL, /* <OMP-…>: runtime activity; (before or after main) */
	FUNCTION_UNKNOWN,    /* <unknown> and its causes */
};

struct toolchain_entry;

struct function {
	const char *name;		     /* as displayed */
	const char *linkage;		     /* or NULL */
	const char *module;		     /* or NULL: artificial */
	const char *file;		     /* or NULL */
	unsigned line;			     /* of its definition; 0: unknown */
	const struct toolchain_entry *entry; /* what is known of it as a runtime's */
	enum sym_outlined outlined;
	const char *origin; /* or NULL */
	bool inner;	    /* as in struct sym_function */
	bool directive;	    /* likewise */
	enum function_kind kind;
	const struct sym_function *symbol; /* or NULL */
	bool unseen;			   /* known by name only: no frame of it was met */
	bool library;			   /* the system's, not the program's: see sites.h */
	bool body;			   /* the unnamed function of a construct's body */
};

/* A position in the source: a function and a line in it. */
struct line {
	uint32_t function;
	unsigned line;	   /* 0: unknown */
	const char *file;  /* or NULL */
	const char *place; /* or NULL: see names_place(), names_called() */
	uint32_t whole;	   /* number of the same line without a place */
};

struct names {
	struct function *functions;
	size_t nfunctions; /* including number 0 */
	struct line *lines;
	size_t nlines; /* including number 0 */
	/* private */
	size_t functions_room, lines_room;
	struct interner strings;
	struct map by_function, by_name, by_line, by_symbol;
};

void names_init(struct names *n);
void names_fini(struct names *n);

/* The interned copy of s; NULL for NULL. */
const char *names_string(struct names *n, const char *s);

/* The number of f; the strings of a new one are copied. */
uint32_t names_function(struct names *n, const struct function *f);

/* The number of a function that the program does not have: "<unknown>". */
uint32_t names_artificial(struct names *n, const char *name, enum function_kind kind);

/* The function of a library as the program's code calls it, in a view that folds libraries; of the
   modules whose code ran there (module, or NULL) it has the first in alphabetical order: an entry
   may leave by a jump to another library.  In other views it is an artificial one. */
uint32_t names_call(struct names *n, const char *name, const char *module, bool folds);

/* The number of the function that f was outlined from (f->origin), which may have no frame of
   its own. */
uint32_t names_origin(struct names *n, uint32_t f);

/* The same for a symbol; fast for a known one. */
uint32_t names_symbol(struct names *n, const struct sym_function *f);

/* The number of a line.  file is copied if new. */
uint32_t names_line(struct names *n, uint32_t function, const char *file, unsigned line);

/* The number of a construct without a line number: line at that place in the code
   ("app+0x1234").  place is copied if new. */
uint32_t names_place(struct names *n, uint32_t line, const char *place);

/* The number of a construct in a function that the line calls, of which nothing else is known: its
   place says so, behind the line's own. */
uint32_t names_called(struct names *n, uint32_t line);

/* Whether the line is of names_called(). */
bool names_is_called(const struct line *l);

/* Whether name is that of origin, or of a copy or an instance of it: solve, solve(int),
   solve<double>, solve.part.0, solve [clone .isra.0]; not solver. */
bool names_is_of(const char *name, const char *origin);

#endif
