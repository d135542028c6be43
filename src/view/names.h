/*
 * names.h - the functions and source lines of a report, each once.
 *
 * Two functions are the same when their name, object, file and line of
 * definition are: so ranks and threads meet in one node.  Numbers are dense
 * and start at 1; 0 stands for none.  Strings are copied.
 * For ordinary code, one thread at a time.
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
	FUNCTION_ARTIFICIAL,	/* <OMP-…>: what the runtime is doing; (before or after main) */
	FUNCTION_UNKNOWN,	/* <unknown> and its causes */
};

struct function {
	const char *name;	/* as it is shown */
	const char *linkage;	/* or NULL */
	const char *module;	/* or NULL: artificial */
	const char *file;	/* or NULL */
	unsigned line;		/* of its definition; 0: not known */
	enum sym_outlined outlined;
	const char *origin;	/* or NULL */
	bool inner;		/* as in struct sym_function */
	enum function_kind kind;
	const struct sym_function *symbol; /* or NULL */
	bool unseen;		/* known by name alone: nothing lay in it so far */
	bool body;		/* without a name, and met where a construct's body is */
};

/* A place in the source: a function, seen at one line. */
struct line {
	uint32_t function;
	unsigned line;		/* 0: not known */
	const char *file;	/* or NULL */
	const char *place;	/* or NULL: as in names_place() */
	uint32_t whole;		/* number of the same without a place */
};

struct names {
	struct function *functions;
	size_t nfunctions;	/* with number 0 */
	struct line *lines;
	size_t nlines;		/* with number 0 */
	/* private */
	size_t functions_room, lines_room;
	struct interner strings;
	struct map by_function, by_name, by_line, by_symbol;
};

/* 0 or -ENOMEM; a failed one needs names_fini() too. */
int names_init(struct names *n);
void names_fini(struct names *n);

/* The one copy of s (NULL gives NULL in *out).  0 or -ENOMEM. */
int names_string(struct names *n, const char *s, const char **out);

/* The number of f, whose strings are copied when it is new.  0 or -ENOMEM. */
int names_function(struct names *n, const struct function *f, uint32_t *id);

/* The number of the function that f was taken from (f->origin), which may never
   have been met itself.  0 or -ENOMEM. */
int names_origin(struct names *n, uint32_t f, uint32_t *id);

/* The same for what symbol look-up found; quick for a function seen before. */
int names_symbol(struct names *n, const struct sym_function *f, uint32_t *id);

/* The number of a place.  file is copied when new.  0 or -ENOMEM. */
int names_line(struct names *n, uint32_t function, const char *file, unsigned line,
	       uint32_t *id);

/* The same for a construct whose line is not known: line, at that place in the code
   ("app+0x1234"), which is copied when new.  0 or -ENOMEM. */
int names_place(struct names *n, uint32_t line, const char *place, uint32_t *id);

#endif
