/*
 * symbols.h - from a location of a profile to functions, files and lines.
 *
 * Names come from elfutils: DWARF where there is any (inlined functions as
 * frames of their own), else the symbol tables, else module+offset.  A file
 * whose build-id is not the profile's is not used for names, and said so.
 * Results are cached and live as long as the struct symbols.
 * For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_ANALYSIS_SYMBOLS_H
#define OMPHWC_SRC_ANALYSIS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prof_file;
struct symbols;

/* What a compiler made an outlined function from. */
enum sym_outlined {
	SYM_NOT_OUTLINED = 0,
	SYM_OUTLINED_REGION,	/* parallel or teams: .omp_outlined., foo._omp_fn.0 */
	SYM_OUTLINED_TASK,	/* .omp_task_entry. and the like */
	SYM_OUTLINED_HELPER,	/* reduction, copy, destructor, cleanup functions */
};

struct sym_function {
	const char *name;	/* demangled, for people; "app+0x1234" at worst */
	const char *linkage;	/* the symbol table's name, or NULL */
	const char *module;	/* base name of the object */
	const char *file;	/* where it is defined, or NULL */
	unsigned line;		/* of its definition; 0: not known */
	enum sym_outlined outlined;
	const char *origin;	/* outlined: demangled name of the function that
				   it was taken from, or NULL if not known */
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

/* Modules that gave no names, or not all: calls visit for each with why
   ("stripped", "file is missing", "build-id differs"). */
void symbols_troubles(const struct symbols *s,
		      void (*visit)(const char *path, const char *why, void *arg), void *arg);

#endif
