/*
 * symbols.h - from a location of a profile to functions, files and lines.
 *
 * Names come from elfutils: DWARF where there is any (inlined functions as
 * frames of their own; separate debug files are found by build-id or link, on
 * this machine's disks only), else the symbol tables, else module+offset: the
 * offset of the function where unwind tables tell where it begins.  A file
 * whose build-id is not the profile's is not used for names, and said so.
 * Results are cached and live as long as the struct symbols; so must each
 * profile that it was asked for.
 * For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_SYMBOLS_SYMBOLS_H
#define OMPHWC_SRC_SYMBOLS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct flow_piece;
struct prof_file;
struct symbols;

/* What a compiler made an outlined function from. */
enum sym_outlined {
	SYM_NOT_OUTLINED = 0,
	SYM_OUTLINED_REGION,	/* parallel or teams: .omp_outlined., foo._omp_fn.0 */
	SYM_OUTLINED_TASK,	/* .omp_task_entry. and the like */
	SYM_OUTLINED_HELPER,	/* reduction, copy, destructor, cleanup functions */
};

/*
 * clang makes two functions for a region: the one that the runtime calls and an
 * inner one with the body (..._debug__), often inlined into it; and a task's body is
 * inlined into .omp_task_entry.  They are two frames with the same line and
 * origin, and the same kind.  gcc's tasks look like regions: it is the profile
 * (prof_boundary_kind) that tells them apart.
 */
struct sym_function {
	const char *name;	/* demangled, for people; "app+0x1234" at worst */
	const char *linkage;	/* the symbol table's name without what marks a
				   copy (.part.0), or NULL */
	const char *module;	/* base name of the object; "": none is known */
	const char *file;	/* where it is defined, or NULL */
	unsigned line;		/* of its definition, or of the construct that it
				   was made for; 0: not known */
	enum sym_outlined outlined;
	const char *origin;	/* outlined: name (as above) of the function that
				   it was taken from; NULL if not known, or if
				   several are made from the same lines */
	bool inner;		/* outlined: clang's inner function */
};

struct sym_frame {
	const struct sym_function *function; /* unique: compare the pointer */
	const char *file;	/* of the line, or NULL */
	unsigned line;		/* 0: not known */
	bool inlined;		/* inlined into the next frame */
};

struct sym_location {
	const struct sym_frame *frames;	/* innermost first, at least one */
	size_t nframes;
};

/* NULL without memory.  sysroot is put before paths (NULL: none). */
struct symbols *symbols_new(const char *sysroot);
void symbols_free(struct symbols *s);

/*
 * Resolves loc (PROF_LOC) of file f; exact is PROF_FRAME_EXACT.  Never fails:
 * an unknown place gives one frame named by module and offset.
 */
const struct sym_location *symbols_resolve(struct symbols *s, const struct prof_file *f,
					   uint64_t loc, bool exact);

/*
 * The data symbol that holds loc (PROF_LOC of file f), for people: "lock",
 * "locks+0x40", ".gomp_critical_user_NAME.var"; NULL where there is none.
 */
const char *symbols_object(struct symbols *s, const struct prof_file *f, uint64_t loc);

/* "app+0x1234": the object that loc (PROF_LOC of file f) lies in, and the offset there;
   NULL without memory. */
const char *symbols_place(struct symbols *s, const struct prof_file *f, uint64_t loc);

/* Modules that gave no names, or not all: calls visit for each with why
   ("stripped", "file is missing", "build-id differs"). */
void symbols_troubles(const struct symbols *s,
		      void (*visit)(const char *path, const char *why, void *arg), void *arg);

/* ---- from the source to the code ----------------------------------------- */

/* The first and last line of file fn->file that fn has code for; what is inlined
   into it counts with the line of the call.  False: not known. */
bool symbols_extent(struct symbols *s, const struct sym_function *fn,
		    unsigned *first, unsigned *last);

/* The lines that the innermost function at the call before begin (PROF_LOC of f)
   has code for in that call and in the pieces (addresses of its module), likewise.
   False: not known. */
bool symbols_span(struct symbols *s, const struct prof_file *f, uint64_t begin,
		  const struct flow_piece *pieces, size_t n, unsigned *first, unsigned *last);

/* A stretch of a function's code, by ELF addresses of a module of f. */
struct sym_piece {
	const struct sym_function *function;
	uint32_t module;
	uint64_t lo, hi;
};

/* Visits the code of all functions of f's modules that are called name (as
   shown, or by linkage name), copies that are inlined elsewhere left out.
   Loads the names of every module.  How many pieces there were. */
size_t symbols_pieces(struct symbols *s, const struct prof_file *f, const char *name,
		      void (*visit)(const struct sym_piece *piece, void *arg), void *arg);

/* A row of a line table: lo <= address < hi was compiled from that line. */
struct sym_row {
	uint32_t module;
	uint64_t lo, hi;
	const char *file;
	unsigned line, column;	/* 0: not known */
	bool statement;		/* a place where a debugger would stop */
};

/* Visits the rows for source file `file` (a whole path, or its last parts) in
   f's modules, in no order of lines.  How many there were. */
size_t symbols_rows(struct symbols *s, const struct prof_file *f, const char *file,
		    void (*visit)(const struct sym_row *row, void *arg), void *arg);

/* Copies the code at loc from the object's file: the bytes copied, fewer than
   asked for where the code ends, 0 where there is none. */
size_t symbols_code(struct symbols *s, const struct prof_file *f, uint64_t loc,
		    void *buffer, size_t bytes);

#endif
