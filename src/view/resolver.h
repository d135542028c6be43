/*
 * resolver.h - how views get their names: symbol look-up, or a test's own.
 */
#ifndef OMPHWC_SRC_VIEW_RESOLVER_H
#define OMPHWC_SRC_VIEW_RESOLVER_H

#include <stdbool.h>
#include <stdint.h>

#include "src/code/callsite_code.h"
#include "src/model/construct_kind.h"
#include "src/model/leaf.h"

struct callsite_body;
struct callsites;
struct prof_file;
struct sym_function;
struct sym_location;
struct symbols;

struct resolver {
	/* As symbols_resolve(), symbols_object(). */
	const struct sym_location *(*resolve)(void *self, const struct prof_file *f,
					      uint64_t loc, bool exact);
	const char *(*object)(void *self, const struct prof_file *f, uint64_t loc);
	/* The kind of barrier that the call before return address loc is made
	   for; may be NULL. */
	enum barrier_kind (*barrier)(void *self, const struct prof_file *f, uint64_t loc);
	/* As callsites_critical(), callsites_construct(), callsites_sections(); may
	   be NULL. */
	const char *(*critical)(void *self, const struct prof_file *f, uint64_t loc);
	enum construct_kind (*construct)(void *self, const struct prof_file *f, uint64_t loc);
	unsigned (*sections)(void *self, const struct prof_file *f, uint64_t loc);
	/* Where the construct begins that the call before loc begins or ends, and the
	   lines that its code has; may be NULL. */
	bool (*span)(void *self, const struct prof_file *f, uint64_t loc, uint64_t *begin,
		     unsigned *first, unsigned *last);
	/* As callsites_tail(); may be NULL. */
	bool (*tail)(void *self, const struct prof_file *f, uint64_t loc, uint64_t *at,
		     enum construct_kind *kind);
	/* As callsites_way(), callsites_body(); may be NULL. */
	enum callsite_way (*way)(void *self, const struct prof_file *f, uint64_t loc);
	bool (*body)(void *self, const struct prof_file *f, uint64_t loc, bool exact,
		     const char *callee, struct callsite_body *body);
	/* "app+0x1234": the code of what the call before loc (exact: the jump at loc)
	   creates, as callsites_entry(), else that call; may be NULL. */
	const char *(*place)(void *self, const struct prof_file *f, uint64_t loc, bool exact);
	/* As symbols_extent(); may be NULL. */
	bool (*extent)(void *self, const struct sym_function *function, unsigned *first,
		       unsigned *last);
	void *self;
};

/* The one that looks into the objects that were profiled. */
struct lookup {
	struct resolver resolver;
	struct symbols *symbols;
	struct callsites *callsites;
};

/* sysroot is put before paths (NULL: none), and borrowed.  0, or -ENOMEM (then
   lookup_close() is not needed).  l must not move while it is used. */
int lookup_open(struct lookup *l, const char *sysroot);
void lookup_close(struct lookup *l);

#endif
