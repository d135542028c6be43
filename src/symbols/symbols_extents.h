/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbols_extents.h - the ranges of source lines of a unit's functions, and the function
 * that contains a line.
 */
#ifndef OMPHWC_SRC_SYMBOLS_SYMBOLS_EXTENTS_H
#define OMPHWC_SRC_SYMBOLS_SYMBOLS_EXTENTS_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sym_lines;
struct sym_where;
struct symbols_unit;

struct symbols_extent {
	Dwarf_Die die;	      /* root DIE of the function: see symbols_die_root() */
	const char *file;     /* of its declaration, or NULL */
	unsigned declared;    /* line of its declaration; 0: unknown */
	unsigned first, last; /* range of its code's lines, including copies inlined
				   elsewhere in the unit; inlined code counts as the line of
				   its call; 0: no code */
	/* gcc's outlined functions: where the function around begins, and
	   symbols_extents_limit(); 0: not computed */
	unsigned start, limit;
	bool outlined, debug; /* as in outlined.h */
	bool inner;	      /* nested in another function, or only a declaration */
};

/* Where a function of the source begins. */
struct symbols_start {
	const char *file;
	unsigned line;
};

struct symbols_extents {
	struct symbols_extent *at; /* sorted by die.addr */
	size_t count;
	struct symbols_start *starts; /* sorted by file, then line */
	size_t nstarts;
};

/* The extents of u, computed at the first call. */
const struct symbols_extents *symbols_extents_of(struct symbols_unit *u);
void symbols_extents_free(struct symbols_extents *e);

/* The extent of the function with that root DIE, or NULL. */
const struct symbols_extent *symbols_extents_find(const struct symbols_extents *e,
						  const Dwarf_Die *root);

/* How many of the innermost functions at the call do not hold all of the code of the pieces, where
   it is own or unplaced: the call is not theirs. */
unsigned symbols_extents_strays(struct symbols_unit *u, const struct sym_where *where);

/* The lines of the code that the innermost function at the call has there, but for those of
   symbols_extents_strays().  False: unknown. */
bool symbols_extents_within(struct symbols_unit *u, const struct sym_where *where,
			    struct sym_lines *lines);

/*
 * The function from the source that contains line of file, or NULL.  If several begin at
 * one line (template instances), *several is set and one of them returned.
 */
const struct symbols_extent *symbols_extents_around(const struct symbols_extents *e,
						    const char *file, unsigned line, bool *several);

/* clang's wrapper that calls the function whose body begins at line, or NULL.  The wrapper
   begins at the construct. */
const struct symbols_extent *symbols_extents_wrapper(const struct symbols_extents *e,
						     const char *file, unsigned line);

#endif
