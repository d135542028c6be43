/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbols.h - resolves a profile's locations to functions, files and lines.
 *
 * Names come from elfutils: from DWARF if available (inlined functions have frames of their own;
 * separate debug files are found by build-id or link on local disks, else on the servers that
 * symbols_debuginfod.h allows), else from symbol tables, else module+offset, where the offset is
 * the beginning of the function if unwind tables show it.  A file whose build-id differs from
 * the profile's is not used, which is reported.  Results are cached and live as long as the
 * struct symbols; each profile that is passed in must live as long, too.  For ordinary code, one
 * thread at a time.
 */
#ifndef OMPHWC_SRC_SYMBOLS_SYMBOLS_H
#define OMPHWC_SRC_SYMBOLS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/toolchain/outlined.h"

struct flow_piece;
struct prof_file;
struct symbols;

/*
 * clang makes two functions for a region: the one called by the runtime, and an inner one
 * with the body (..._debug__), which is often inlined into it.  A task's body is inlined
 * into .omp_task_entry.  These are two frames with the same line, origin and kind.  gcc's
 * tasks look like regions; the profile (prof_boundary_kind) distinguishes them.
 */
struct sym_function {
	const char *name;    /* demangled, for people; at least "app+0x1234" */
	const char *linkage; /* the symbol's name without the suffix of a copy (.part.0),
				   or NULL */
	const char *module;  /* base name of the object; "": unknown */
	const char *file;    /* of its definition, or NULL */
	unsigned line;	     /* of its definition, or of the construct that it was outlined
				   from; 0: unknown */
	enum sym_outlined outlined;
	const char *origin; /* outlined: name of the function that contains the construct;
				   NULL if it is unknown, or if several are made from the same
				   lines */
	bool inner;	    /* outlined: clang's inner function */
	bool directive;	    /* outlined by gcc: line is exactly that of the directive */
};

struct sym_frame {
	const struct sym_function *function; /* unique: compare the pointer */
	const char *file;		     /* of line, or NULL */
	unsigned line;			     /* 0: unknown */
	bool inlined;			     /* inlined into the next frame */
};

struct sym_location {
	const struct sym_frame *frames; /* innermost first, at least one */
	size_t nframes;
};

/* sysroot is prepended to paths (NULL: none). */
struct symbols *symbols_new(const char *sysroot);
void symbols_free(struct symbols *s);

/*
 * Resolves loc (PROF_LOC) of file f; exact is PROF_FRAME_EXACT.  Never fails: an unknown
 * location has one frame, named by module and offset.
 */
const struct sym_location *symbols_resolve(struct symbols *s, const struct prof_file *f,
					   uint64_t loc, bool exact);

/*
 * The data symbol that contains loc (PROF_LOC of file f), for people: "lock", "locks+0x40",
 * ".gomp_critical_user_NAME.var"; NULL: none.
 */
const char *symbols_object(struct symbols *s, const struct prof_file *f, uint64_t loc);

/* "app+0x1234": the object that contains loc (PROF_LOC of file f), and the offset in it. */
const char *symbols_place(struct symbols *s, const struct prof_file *f, uint64_t loc);

/* Whether the file of loc's module (PROF_LOC of f) was found, and is the one that ran.  *trouble:
   why some of its names are missing, or NULL; valid as long as s. */
bool symbols_opened(struct symbols *s, const struct prof_file *f, uint64_t loc,
		    const char **trouble);

/* Calls visit for each module with missing names, with the reason ("stripped", "file is
   missing", "build-id differs"). */
void symbols_troubles(const struct symbols *s,
		      void (*visit)(const char *path, const char *why, void *arg), void *arg);

/* Calls visit with the folder in which each compilation unit of f's modules was compiled, but for
   those of the system's folders. */
void symbols_folders(struct symbols *s, const struct prof_file *f,
		     void (*visit)(const char *folder, void *arg), void *arg);

/* ---- from the source to the code ----------------------------------------- */

/* The first and last line in fn->file of fn's code; inlined code counts as the line of its
   call.  False: unknown. */
bool symbols_extent(const struct sym_function *fn, unsigned *first, unsigned *last);

/* Lines of a construct's code. */
struct sym_lines {
	const char *file;     /* as long as the symbols */
	unsigned first, last; /* last: 0 or less than first: not known */
};

/* A construct's code: a call, and pieces (flow.h) in its module.  The call alone counts with its
   line, unless it is own or unplaced. */
struct sym_where {
	const struct flow_piece *pieces;
	size_t n;
	unsigned before; /* own: the line of the code before, which the call has; 0: not known */
	bool own;	 /* rows count that begin in the pieces, and not that of the call */
	bool unplaced;	 /* likewise, and the compiler gave the call the place of the code before:
			  the first line is the lowest at which code begins */
	bool next;	 /* unplaced, and the pieces are what follows: only its first row counts */
	bool loop;	 /* unplaced, but optimized code of C and C++ has the line of the loop's
			  statement at the call */
	/* private: in DWARF's addresses; bias is added to those of the pieces */
	uint64_t call, bias;
};

/*
 * How many of the innermost functions at `at` (PROF_LOC of f), an instruction of the construct, are
 * there by mistake: gcc gives calls that it adds the place of the code before, which may be of an
 * inlined function.  A construct is in a function that has all of its pieces, too.
 */
unsigned symbols_strays(struct symbols *s, const struct prof_file *f, uint64_t at,
			struct sym_where *where);

/* The lines that the code has in the innermost function at `at` but for the strays.  Inlined code
   counts as above.  False: unknown. */
bool symbols_lines(struct symbols *s, const struct prof_file *f, uint64_t at,
		   struct sym_where *where, struct sym_lines *lines);

/* A range of a function's code, in ELF addresses of a module of f. */
struct sym_piece {
	const struct sym_function *function;
	uint32_t module;
	uint64_t lo, hi;
};

/* Visits the code of all functions of f's modules with that name (as displayed, or linkage
   name), except copies inlined elsewhere.  Loads the names of every module.  Returns the
   number of pieces. */
size_t symbols_pieces(struct symbols *s, const struct prof_file *f, const char *name,
		      void (*visit)(const struct sym_piece *piece, void *arg), void *arg);

/* A row of a line table: the code at lo <= address < hi was compiled from the line. */
struct sym_row {
	uint32_t module;
	uint64_t lo, hi;
	const char *file;
	unsigned line, column; /* 0: unknown */
	bool statement;	       /* a recommended breakpoint location (is_stmt) */
};

/* The contiguous code around loc (PROF_LOC of f) of one function, in ELF addresses: according
   to DWARF, a symbol, or unwind tables.  False: unknown. */
bool symbols_code_around(struct symbols *s, const struct prof_file *f, uint64_t loc, uint64_t *lo,
			 uint64_t *hi);

/* Where the program of loc's module (PROF_LOC of f) starts, according to its file.  False:
   unknown. */
bool symbols_start(struct symbols *s, const struct prof_file *f, uint64_t loc, uint64_t *start);

/* The symbol that begins at loc, as it is in the file, for a stub of the linkage table or a slot
   of the global offset table with "@plt"; or NULL. */
const char *symbols_code_symbol(struct symbols *s, const struct prof_file *f, uint64_t loc);

/* The line table rows from loc (PROF_LOC of f) to hi, which lie in one unit, by address; of
   those at one address the last is that of the code, the others have none.  *rows is the
   caller's, to be free()d.  Returns their number. */
size_t symbols_rows_of(struct symbols *s, const struct prof_file *f, uint64_t loc, uint64_t hi,
		       struct sym_row **rows);

#endif
