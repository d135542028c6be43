/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tables.h - sums of a view's records, grouped by a key.
 *
 * A cost has samples and weight.  A block has one cost for each event and class: see
 * cost_at().  All tables of a view have equal totals.
 */
#ifndef OMPHWC_SRC_TABLES_TABLES_H
#define OMPHWC_SRC_TABLES_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/model/leaf.h"

struct view;
struct view_record;

struct cost {
	uint64_t samples;
	uint64_t weight;
};

enum table_key {
	TABLE_FUNCTION,		/* key: function */
	TABLE_CALL,		/* key: function; of a call that view_called() is, the caller, and
				   key2: what it called */
	TABLE_LINE,		/* key: table_line_key() */
	TABLE_PATH,		/* key: node */
	TABLE_THREAD,		/* key: thread */
	TABLE_STATE,		/* key: enum omp_leaf */
	TABLE_STATE_LINE,	/* key: enum omp_leaf, line; key2: object's address */
	TABLE_REGION,		/* key: table_region_key() */
	TABLE_REGION_CONTEXT,	/* key: table_region_key(), key2: region */
	TABLE_REGION_THREAD,	/* key: table_region_key(), key2: thread */
	TABLE_CONSTRUCT,	/* key: construct */
	TABLE_CONSTRUCT_THREAD, /* key: construct, key2: thread */
	TABLE_THREAD_PATH,	/* key: thread, key2: node */
	TABLE_PHASE,		/* key: phase; also those without samples */
	TABLE_MODULE,		/* key: struct table_name's name, key2: kind */
	TABLE_FILE,		/* likewise */
	TABLE_MEMORY,		/* key: memory */
	TABLE_MEMORY_LINE,	/* key: memory, key2: table_line_key() */
	TABLE_MEMORY_SOURCE,	/* key: memory, key2: enum prof_data_source */
	TABLE_KEYS
};

struct table_row {
	uint64_t key, key2;
	struct cost *self;	/* a block */
	struct cost *inclusive; /* a block, or NULL */
};

struct table {
	struct table_row *rows;
	size_t n;
	size_t nevents;
	struct cost *total; /* a block */
	/* private */
	struct cost *self, *inclusive;
};

/* Rows are in the order of their first record. */
void table_build(const struct view *v, enum table_key by, struct table *t);

/* A table by any key.  table_key_of returns false for records to be left out. */
struct table_key_pair {
	uint64_t a, b;
};
typedef bool (*table_key_of)(const struct view *v, const struct view_record *r, void *arg,
			     struct table_key_pair *key);
void table_build_of(const struct view *v, table_key_of of, void *arg, struct table *t);

/* The same of some of the view's records, by number. */
struct table_records {
	const struct view_record *all; /* NULL: the view's */
	const uint32_t *number;
	size_t n;
};

/* Of what threads did, and no path or line but those of calls of MPI: see view_parts(). */
void table_build_parts(const struct view *v, table_key_of of, void *arg, struct table *t);

void table_build_among(const struct view *v, const struct table_records *among, table_key_of of,
		       void *arg, struct table *t);

void table_fini(struct table *t);

/* For TABLE_FUNCTION and TABLE_CALL: computes the costs including callees; each sample counts once,
   even if a function recurs on its path. */
void table_add_inclusive(const struct view *v, enum table_key by, struct table *t);

/* Sorts by weight of event, descending, then by samples, then by inclusive cost. */
void table_sort(struct table *t, size_t event);

/* The cost of an event and class in a block. */
static inline const struct cost *cost_at(const struct cost *block, size_t event,
					 enum omp_class class)
{
	return &block[event * OMP_CLASSES + class];
}

/* The sum of an event over all classes. */
struct cost cost_sum(const struct cost *block, size_t event);

/* Adds b to a. */
void cost_plus(struct cost *a, const struct cost *b);

/* Adds block b of nevents to block a. */
void cost_add(struct cost *a, const struct cost *b, size_t nevents);

/* Whether a block of nevents has nothing. */
bool cost_is_zero(const struct cost *block, size_t nevents);

/* Adds a record to a block. */
void cost_add_record(struct cost *block, const struct view_record *r);

/* Computes a block for each node of the view's tree: its own cost, and that including its
   descendants.  The caller frees both. */
void tree_costs(const struct view *v, struct cost **self, struct cost **inclusive);

/* The key of a record's line and, shifted by TABLE_LINE_FUNCTION bits, of the function that the
   line calls there (see view_called(); 0: none); without a line, of its function. */
enum { TABLE_LINE_FUNCTION = 32 };
uint64_t table_line_key(const struct view *v, const struct view_record *r);

static inline uint32_t table_line_called(uint64_t key)
{
	return (uint32_t)key ? (uint32_t)(key >> TABLE_LINE_FUNCTION) : 0;
}

/* "composite (heat.c:71)", "cos(), called at composite (heat.c:71)" for the key of a line, with
   what a sentence has before it in table_line_at(); and the like for a row of TABLE_CALL, "cos(),
   called by composite (heat.c:60)".  malloc'ed. */
char *table_line_label(const struct view *v, uint64_t key);
char *table_call_label(const struct view *v, const struct table_row *row);

static inline const char *table_line_at(uint64_t key)
{
	return table_line_called(key) ? "in" : "at";
}

/* The module, or the file of the source, that a record's innermost code is in; waits are where
   they began.  Names are interned; their addresses identify them. */
enum table_name_kind {
	TABLE_NAME_FILE,   /* a module's, or a source's */
	TABLE_NAME_MODULE, /* of code without a source */
	TABLE_NAME_NONE,   /* no code: the name is an artificial function's */
};
/* "file", "module", "none". */
const char *table_name_kind(enum table_name_kind kind);
struct table_name {
	const char *name;
	enum table_name_kind kind;
};
struct table_name table_module(const struct view *v, const struct view_record *r);

/* Adds to each of nrows blocks the cost of the nodes with that row and of their descendants;
   each sample counts once, even if the row recurs on its path.  row has a number for each
   node, UINT32_MAX for none. */
void tree_inclusive(const struct view *v, const uint32_t *row, size_t nrows, struct cost *into);

/* The key of a region: the line of its directive, in all calling contexts.  Special regions
   have their number, others are above them. */
uint64_t table_region_key(const struct view *v, uint32_t region);

#endif
