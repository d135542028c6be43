/*
 * symbols_extents.h - which source lines a unit's functions stretch over, and
 * so which one a line belongs to.
 */
#ifndef OMPHWC_SRC_SYMBOLS_SYMBOLS_EXTENTS_H
#define OMPHWC_SRC_SYMBOLS_SYMBOLS_EXTENTS_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct flow_piece;
struct symbols_unit;

struct symbols_extent {
	Dwarf_Die die;		/* the function's root: symbols_die_root() */
	const char *file;	/* that it is declared in, or NULL */
	unsigned declared;	/* line; 0: not known */
	unsigned first, last;	/* of its code, copies inlined elsewhere in the
				   unit included; of what is inlined into it, the
				   line of the call; 0: it has no code */
	unsigned limit;		/* gcc's outlined functions: symbols_extents_limit() of
				   the line that its code begins with; 0: not asked for */
	bool outlined, debug;	/* as in outlined.h */
	bool inner;		/* it lies in another one, or is a declaration alone */
};

struct symbols_extents {
	struct symbols_extent *at;	/* sorted by die.addr */
	size_t count;
};

/* Those of u, made when first asked for; NULL without memory. */
const struct symbols_extents *symbols_extents_of(struct symbols_unit *u);
void symbols_extents_free(struct symbols_extents *e);

/* The extent of the function with that root, or NULL. */
const struct symbols_extent *symbols_extents_find(const struct symbols_extents *e,
						  const Dwarf_Die *root);

/*
 * The first line after that one where another function of the file begins, or
 * UINT_MAX: a construct has ended before.  Code that gcc moved out of an inlined
 * function keeps its line, and is not said to be that function's.
 */
unsigned symbols_extents_limit(const struct symbols_extents *e, const char *file, unsigned line);

/* A call, and pieces of code (flow.h) with that bias to its address. */
struct symbols_where {
	uint64_t call;
	const struct flow_piece *pieces;
	size_t n;
	uint64_t bias;
};

/* The lines that the innermost function at the call has code for there.  False: not
   known. */
bool symbols_extents_within(struct symbols_unit *u, const struct symbols_where *where,
			    unsigned *first, unsigned *last);

/*
 * The function that a person wrote around line of file, or NULL.  Where
 * several begin at one line (instances of a template), *several is set and one
 * of them returned.
 */
const struct symbols_extent *symbols_extents_around(const struct symbols_extents *e,
						    const char *file, unsigned line,
						    bool *several);

/* clang's outlined function that runs the one whose body begins at line, or
   NULL: it begins at the construct itself. */
const struct symbols_extent *symbols_extents_wrapper(const struct symbols_extents *e,
						     const char *file, unsigned line);

#endif
