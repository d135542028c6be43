/*
 * resolver.h - supplies views with names: from symbols, or from a test.
 */
#ifndef OMPHWC_SRC_VIEW_RESOLVER_H
#define OMPHWC_SRC_VIEW_RESOLVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/code/callsite_code.h"
#include "src/model/construct_kind.h"
#include "src/model/leaf.h"

struct callsite_body;
struct callsites;
struct prof_file;
struct recall;
struct sym_function;
struct sym_location;
struct symbols;

struct resolver {
	/* See symbols_resolve(), symbols_object(). */
	const struct sym_location *(*resolve)(void *self, const struct prof_file *f, uint64_t loc,
					      bool exact);
	const char *(*object)(void *self, const struct prof_file *f, uint64_t loc);
	/* The kind of barrier at the call with return address loc; may be NULL. */
	enum barrier_kind (*barrier)(void *self, const struct prof_file *f, uint64_t loc);
	/* See callsites_gnu_barrier(), callsites_loop(); may be NULL.  The place of the loop at
	   `at` (see callsites_loop_code()), or else that of its first code, and the last line of
	   its code; 0: unknown. */
	enum barrier_kind (*gnu_barrier)(void *self, const struct prof_file *f, uint64_t loc,
					 enum construct_kind *ends, uint64_t *begin);
	bool (*loop)(void *self, const struct prof_file *f, uint64_t loc, bool exact, uint64_t *at);
	bool (*loop_lines)(void *self, const struct prof_file *f, uint64_t at, const char **file,
			   unsigned *line, unsigned *last);
	/* See callsites_single(); may be NULL. */
	bool (*single)(void *self, const struct prof_file *f, uint64_t loc, bool exact,
		       uint64_t *begin, enum single_end *end);
	/* See callsites_critical(), callsites_construct(), callsites_sections(); may be NULL. */
	const char *(*critical)(void *self, const struct prof_file *f, uint64_t loc);
	enum construct_kind (*construct)(void *self, const struct prof_file *f, uint64_t loc);
	unsigned (*sections)(void *self, const struct prof_file *f, uint64_t loc);
	/* The location after the call that begins the construct, and the construct's lines, from
	   the directive's (leaf_is_unplaced(): the first code's); loc is the return address of
	   the call that begins or ends it.  May be NULL. */
	bool (*span)(void *self, const struct prof_file *f, uint64_t loc, uint64_t *begin,
		     unsigned *first, unsigned *last);
	/* See callsites_tail(); may be NULL. */
	bool (*tail)(void *self, const struct prof_file *f, uint64_t loc, uint64_t *at,
		     enum construct_kind *kind);
	/* See callsites_way(), callsites_body(); may be NULL. */
	enum callsite_way (*way)(void *self, const struct prof_file *f, uint64_t loc);
	bool (*body)(void *self, const struct prof_file *f, uint64_t loc, bool exact,
		     const char *callee, struct callsite_body *body);
	/* The name of the function that the call before loc (exact: the jump at loc) goes to;
	   false: it is unknown; answers stored before 1.11 are of OpenMP's and MPI's alone.
	   Where the function around loc begins.  May be NULL. */
	bool (*called)(void *self, const struct prof_file *f, uint64_t loc, bool exact, char *name,
		       size_t bytes);
	bool (*begin)(void *self, const struct prof_file *f, uint64_t loc, uint64_t *begin);
	/* See callsites_entry(); may be NULL. */
	bool (*entry)(void *self, const struct prof_file *f, uint64_t loc, bool exact,
		      uint64_t *entry);
	/* See symbols_start(); may be NULL. */
	bool (*start)(void *self, const struct prof_file *f, uint64_t loc, uint64_t *start);
	/* "app+0x1234": the code of the construct created by the call before loc (exact: the
	   jump at loc), see callsites_entry(), or else that call; may be NULL. */
	const char *(*place)(void *self, const struct prof_file *f, uint64_t loc, bool exact);
	/* See symbols_extent(); may be NULL. */
	bool (*extent)(void *self, const struct sym_function *function, unsigned *first,
		       unsigned *last);
	void *self;
};

/* The resolver that knows the names stored in profiles, and else examines the profiled
   objects. */
struct lookup {
	struct resolver resolver;
	struct recall *recall;
	struct resolver files; /* examines the objects */
	struct symbols *symbols;
	struct callsites *callsites;
};

/* sysroot is prepended to paths (NULL: none), and borrowed; with it the objects that are there
   count more than stored names.  l must not move while it is in use.  0, or -ENOMEM (then
   lookup_close() must not be called). */
int lookup_open(struct lookup *l, const char *sysroot);
void lookup_close(struct lookup *l);

/* Calls visit for each compilation unit's folder: see symbols_folders(). */
void lookup_folders(struct lookup *l, const struct prof_file *f,
		    void (*visit)(const char *folder, void *arg), void *arg);

/* Calls visit for each module with missing names: see symbols_troubles(). */
void lookup_troubles(const struct lookup *l,
		     void (*visit)(const char *path, const char *why, void *arg), void *arg);

#endif
