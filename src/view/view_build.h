/*
 * view_build.h - what the parts that build a view share.  Private to them.
 */
#ifndef OMPHWC_SRC_VIEW_VIEW_BUILD_H
#define OMPHWC_SRC_VIEW_VIEW_BUILD_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/map.h"
#include "src/model/construct_kind.h"
#include "src/view/view_context.h"

struct model_process;
struct names;
struct prof_rnode;
struct view;
struct view_construct;
struct view_options;
struct view_record;

/* The code of a construct, by the call that begins or ends it. */
struct view_span {
	uint64_t begin;		/* location after the call that begins it */
	unsigned first, last;	/* lines; 0: not known */
};

/* What building a view needs beside the view. */
struct view_builder {
	struct view *view;
	const struct view_options *options;
	const struct model_process *process;
	struct contexts contexts;
	struct map expert;	/* names of outlined functions */
	struct map moved;	/* paths moved beneath <unknown> */
	uint32_t *path;		/* of the one that is moved: nodes, innermost first */
	size_t path_room;
	struct view_span *spans;
	size_t nspans, spans_room;
	struct map by_call;	/* spans, by file and location */
	size_t done, total;
};

/* The record of a leaf whose parent has context x.  0 or -ENOMEM. */
int view_leaf(struct view_builder *b, const struct prof_rnode *leaf, const struct context *x);

/* The numbers of a STATS node, likewise.  0 or -ENOMEM. */
int view_stats(struct view_builder *b, const struct prof_rnode *s, const struct context *x);

/* Those of a COUNT node, likewise. */
int view_count(struct view_builder *b, const struct prof_rnode *n, const struct context *x);

/* What the thread was in: the record's leaf, region and task are known.
   0 or -ENOMEM. */
int view_record_construct(struct view_builder *b, const struct context *x,
			  const struct prof_rnode *leaf, struct view_record *r);

/* The construct that a CONSTRUCT node stands for.  0 or -ENOMEM. */
int view_construct_of(struct view_builder *b, const struct prof_rnode *node,
		      const struct context *x, uint32_t *construct);

/* The same of one of that kind, with the name of its object or NULL. */
int view_construct_at(struct view_builder *b, enum construct_kind kind, uint64_t loc,
		      const char *object, const struct context *x, uint32_t *construct);

/* A lock was met there; its name, interned, or NULL: several, or without one. */
void view_construct_lock(struct view_construct *c, const char *lock);

/* Whether stats of that kind are a construct's. */
bool view_stats_of_construct(unsigned stats);

/* A STATS node beneath the CONSTRUCT node of that construct.  0 or -ENOMEM. */
int view_stats_construct(struct view_builder *b, const struct prof_rnode *s,
			 const struct prof_rnode *node, const struct context *x);

/* When all are there: entrants in their order, and known to their constructs. */
void view_settle_entrants(struct view *v);

/* The one copy of an object's name as people know it.  0 or -ENOMEM. */
int view_object_name(struct names *n, const char *symbol, const char **name);

/* The memory that a leaf's samples accessed, by the DATA or BLOCK node of its path.
   0 or -ENOMEM. */
int view_record_memory(struct view_builder *b, const struct prof_rnode *leaf,
		       struct view_record *r);

/* The cost of accesses: a STATS node beneath the node data. */
int view_stats_memory(struct view_builder *b, const struct prof_rnode *s,
		      const struct prof_rnode *data);

/* What was allocated in context x: a STATS node beneath its node. */
int view_stats_alloc(struct view_builder *b, const struct prof_rnode *s,
		     const struct context *x);

/* Number 0; and when all records are there, mapped memory's ranges. */
int view_init_memory(struct view *v);
int view_settle_memory(struct view_builder *b);

/* When all records are there: barriers find the construct that they end, and
   constructs their numbers and last lines.  0 or -ENOMEM. */
int view_settle_constructs(struct view_builder *b);

/* The number of a construct, made if need be.  0 or -ENOMEM. */
int view_construct(struct view *v, enum construct_kind kind, uint32_t line,
		   const char *object, uint32_t *construct);

/* Ticks of a process's cycle clock in nanoseconds, as far as its profile tells
   how they run: else *known is false. */
uint64_t view_ticks_ns(const struct model_process *p, uint64_t ticks, bool *known);

/* linkage name, or name; NULL of function 0. */
const char *view_function_name(const struct view *v, uint32_t function);

#endif
