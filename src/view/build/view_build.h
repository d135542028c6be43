/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * view_build.h - shared by the parts that build a view, and private to them.
 */
#ifndef OMPHWC_SRC_VIEW_BUILD_VIEW_BUILD_H
#define OMPHWC_SRC_VIEW_BUILD_VIEW_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/hash.h"
#include "src/base/map.h"
#include "src/model/construct_kind.h"
#include "src/path/path_build.h"

struct model_process;
struct model_tree;
struct names;
struct prof_file;
struct prof_rnode;
struct view;
struct view_construct;
struct view_options;
struct view_record;

/*
 * The samples of many threads by leaf, and by thread, instead of by both.  A merged file has a
 * number for each of thousands of threads at each of thousands of leaves.  A summed view has a
 * record for each leaf, and a part for each thread and all that records show but the place in the
 * code.
 */

/* What the threads did that have all but the place in common. */
struct summed_group {
	struct view_record *like;
	struct summed_cost *of; /* by thread of the model */
};

struct summed {
	struct summed_group *groups;
	size_t n, room;
	struct hash by_record;
};

void summed_free(struct summed *s);

/* The costs of the group that record r belongs to, by thread of v's model. */
struct summed_cost *summed_of(struct summed *s, const struct view *v, const struct view_record *r);

struct summed_cost {
	uint64_t samples, weight;
};

/* Adds the parts of v, when all is added. */
void summed_parts(const struct summed *s, struct view *v);

/* The code of a construct, identified by the call that begins or ends it. */
struct view_span {
	uint64_t begin;	      /* location after the call that begins it */
	const char *file;     /* of the lines; NULL: unknown */
	unsigned first, last; /* lines; 0: unknown */
};

/* What one thread counted of a region in one context. */
struct view_team {
	const struct model_process *process;
	uint32_t region;
	uint32_t around;      /* of a view_recurrence; UINT32_MAX: it is none */
	uint32_t least, most; /* threads */
	uint64_t entries, ticks, team_ticks;
	uint64_t open; /* PROF_OPEN() of a region that has not ended; 0: none */
	/* The longest entry */
	uint64_t longest_ticks, longest_begin;
	uint64_t longest_entry, longest_threads;
};

/* State that is needed only while a view is built. */
struct view_builder {
	struct view *view;
	const struct view_options *options;
	const struct prof_file *file; /* the tree's */
	const struct toolchain *toolchain;
	const struct model_tree *tree;
	/* Of the node or value that is looked at */
	const struct model_process *process;
	uint32_t thread;  /* of the model */
	uint32_t phase;	  /* of the view */
	uint32_t *phases; /* by node of the tree: that of what lies beneath; NULL: there is none */
	bool alone;	  /* each process has one thread */
	bool no_device;	  /* of the runtime's, in the process */
	struct summed summed;
	struct path_build paths;
	struct map expert; /* names of outlined functions */
	struct map moved;  /* paths moved beneath <unknown> */
	uint32_t *path;	   /* scratch of view_move(): nodes, innermost first */
	size_t path_room;
	struct view_span *spans;
	size_t nspans, spans_room;
	struct map by_call;	 /* spans, by file and location */
	struct view_team *teams; /* of this tree */
	size_t nteams, teams_room;
	struct map by_team;
	size_t done, total;
};

/* Adds the record of a leaf whose parent has context x. */
void view_leaf(struct view_builder *b, const struct prof_rnode *leaf, const struct path *x);

/* Adds that of another thread at the leaf that the last record is of. */
void view_leaf_again(struct view_builder *b, const struct prof_rnode *leaf);

/* Adds the numbers of a STATS node whose parent has context x. */
void view_stats(struct view_builder *b, const struct prof_rnode *s, const struct path *x);

/* The symbol of an OBJECT node; NULL: not known, or not the user's. */
const char *view_object_symbol(const struct view_builder *b, const struct prof_rnode *object);

/* Fills in where r is, as that of a thread that works beneath context x. */
void view_record_working(struct view_builder *b, const struct prof_rnode *node,
			 const struct path *x, struct view_record *r);

/* Called after a tree's nodes: computes its regions' time in all threads of their teams. */
void view_settle_teams(struct view_builder *b);

/* view_init_phases() adds number 0.  view_phase_note(): b->phase is that of node i from here on;
   after those of all nodes before it.  view_phases_end(): the tree has no more nodes. */
void view_init_phases(struct view *v);
void view_phase_note(struct view_builder *b, uint32_t i);
void view_phases_end(struct view_builder *b);

/* Adds the numbers of a STATS node beneath a PHASE node. */
void view_stats_phase(struct view_builder *b, const struct prof_rnode *s);

/* The constructs that an instrumentor described; adds the numbers of a STATS node beneath a
   DESCRIPTOR node. */
void view_init_descriptors(struct view *v);
void view_stats_descriptor(struct view_builder *b, const struct prof_rnode *s);

/* Adds the numbers of a COUNT node whose parent has context x. */
void view_count(struct view_builder *b, const struct prof_rnode *n, const struct path *x);

/* What gcc's barrier at x is, and what it ends: see callsites_gnu_barrier(). */
struct answer view_gnu_barrier(const struct view_builder *b, const struct path *x);

/* Determines the construct of a record whose leaf, region and task are known. */
void view_record_construct(struct view_builder *b, const struct path *x,
			   const struct prof_rnode *leaf, struct view_record *r);

/* The kind of a barrier whose construct is not found yet. */
enum { CONSTRUCT_ENDING = CONSTRUCT_KINDS };

/* Extends c by the lines of a construct that begins before loc, as far as they are known. */
void view_construct_extend(struct view_builder *b, struct view_construct *c,
			   const struct view_span *span);

/* Whether samples beneath the node of a construct, all of whose leaves are reported to be inside,
   are of it. */
enum inside { INSIDE, INSIDE_UNSURE, BEHIND };
enum inside view_inside(const struct view_builder *b, const struct prof_rnode *node,
			const struct prof_rnode *leaf);

/* Whether the call before loc (exact: at loc) begins a static loop in code of GCC 17, whose end no
   call shows. */
bool view_is_share(const struct view_builder *b, uint64_t loc, bool exact);

/* Whether the end of the construct's entries is reported, or known from its code. */
bool view_end_is_known(const struct view_builder *b, const struct prof_rnode *node);

/* The construct that a CONSTRUCT node stands for. */
uint32_t view_construct_of(struct view_builder *b, const struct prof_rnode *node,
			   const struct path *x);

/* The construct of that kind at loc, with the name of its object or NULL. */
uint32_t view_construct_at(struct view_builder *b, enum construct_kind kind, uint64_t loc,
			   const char *object, const struct path *x);

/* The static loop of gcc that has the instruction at `at`. */
uint32_t view_construct_loop(struct view_builder *b, uint64_t at, const struct path *x);

/* Notes the use of a lock.  lock is its interned name, or NULL: unnamed, or several locks. */
void view_construct_lock(struct view_construct *c, const char *lock);

/* Whether STATS nodes of that kind belong to a construct. */
bool view_stats_of_construct(unsigned stats);

/* Adds the numbers of a STATS node beneath the CONSTRUCT node of construct. */
void view_stats_construct(struct view_builder *b, const struct prof_rnode *s,
			  const struct prof_rnode *node, const struct path *x);

/* Called after all nodes: sorts entrants and assigns them to their constructs. */
void view_settle_entrants(struct view *v);

/* The interned name of an object, for people. */
const char *view_object_name(struct names *n, const char *symbol);

/* Determines the memory that a leaf's samples accessed, from the DATA or BLOCK node of its
   path. */
void view_record_memory(struct view_builder *b, const struct prof_rnode *leaf,
			struct view_record *r);

/* Adds the cost of accesses, from a STATS node beneath the node data. */
void view_stats_memory(struct view_builder *b, const struct prof_rnode *s,
		       const struct prof_rnode *data);

/* Adds the blocks allocated in context x, from a STATS node beneath its node. */
void view_stats_alloc(struct view_builder *b, const struct prof_rnode *s, const struct path *x);

/* view_init_memory() adds number 0; view_settle_memory(), called after all records, merges
   ranges of mapped memory. */
void view_init_memory(struct view *v);
void view_settle_memory(struct view_builder *b);

/* Called after all records: assigns barriers to the constructs that they end, and fills in
   the constructs' numbers and last lines. */
void view_settle_constructs(struct view_builder *b);

/* The number of a construct; created if it is new. */
uint32_t view_construct(struct view *v, enum construct_kind kind, uint32_t line,
			const char *object);

/* Converts ticks of a process's cycle clock to nanoseconds; *known is false if the profile
   does not show the clock's rate. */
uint64_t view_ticks_ns(const struct model_process *p, uint64_t ticks, bool *known);

#endif
