/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * view_leaf.c - makes one record from each leaf of the profiles: what the thread was doing,
 * for which region, and its node in the tree.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/answers/ask.h"
#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/base/pinned.h"
#include "src/model/model.h"
#include "src/toolchain/toolchain.h"
#include "src/view/build/verdict.h"
#include "src/view/build/view_build.h"
#include "src/view/label.h"
#include "src/view/view.h"

/* The linkage name, else the name; NULL for function 0. */
static const char *view_function_name(const struct view *v, uint32_t function)
{
	const struct function *f = &v->names.functions[function];

	return !function ? NULL : f->linkage ? f->linkage : f->name;
}

/* Whether a location is in the program's data, and not in a runtime's or ours: what lies
   there has names that the user never saw. */
static bool view_is_users(const struct prof_file *f, uint64_t loc)
{
	const struct prof_rmodule *m = prof_module_by_id(f, PROF_LOC_MODULE(loc));
	const enum site_owner owner = m ? sites_module_owner(m) : SITE_USER;

	/* A runtime may be linked into the executable. */
	if (m && m->flags & PROF_MODULE_MAIN)
		return true;
	return owner != SITE_RUNTIME && owner != SITE_TOOL;
}

const char *view_object_symbol(const struct view_builder *b, const struct prof_rnode *object)
{
	if (object->flags == PROF_OBJECT_MADE) {
		/* "made in bank_new (bank.c:12)": what a lock in the heap is called. */
		const struct sym_frame *at =
			ask(b->options->resolver, b->file, QUERY_RESOLVE, object->a, false)
				.location->frames;
		struct names *n = &b->view->names;
		char *label, *text;
		const char *name;
		uint32_t id = names_symbol(n, at->function);

		id = names_line(n, id, at->file, at->line);
		label = label_line(n, id);
		text = alloc_printf("made in %s", label);
		name = names_string(n, text);
		free(label);
		free(text);
		return name;
	}
	return object->flags && view_is_users(b->file, object->a) ?
		       ask(b->options->resolver, b->file, QUERY_OBJECT, object->a, false).text :
		       NULL;
}

/* The name of a critical section.  Its lock belongs to the runtime, so the name comes from
   the caller. */
static const char *view_critical(const struct view_builder *b, const struct path *x)
{
	const unsigned entry = b->view->names.functions[x->at.entry].entry->flags;

	if (!(entry & ENTRY_CRITICAL))
		return NULL;
	if (entry & ENTRY_UNNAMED)
		return toolchain_unnamed_critical;
	if (!x->at.user_line || x->at.direct)
		return NULL;
	return ask(b->options->resolver, b->file, QUERY_CRITICAL,
		   b->file->nodes[x->at.user_frame].a, false)
		.text;
}

/* The lock of a named critical section is shown by the section's name. */
const char *view_object_name(struct names *n, const char *symbol)
{
	char copy[256];
	size_t bytes;

	if (!toolchain_is_critical(symbol))
		return names_string(n, symbol);
	symbol = toolchain_critical_name(symbol, &bytes);
	snprintf(copy, sizeof(copy), "%.*s", (int)bytes, symbol);
	return names_string(n, *copy ? copy : "(unnamed)");
}

struct answer view_gnu_barrier(const struct view_builder *b, const struct path *x)
{
	if (!x->at.user_line || x->at.direct ||
	    b->view->names.functions[x->at.entry].entry->gnu != GNU_BARRIER)
		return (struct answer){ .construct = CONSTRUCT_UNKNOWN };
	return ask(b->options->resolver, b->file, QUERY_GNU_BARRIER,
		   x->at.jump ? x->at.jump : b->file->nodes[x->at.user_frame].a, false);
}

static enum barrier_kind view_barrier(const struct view_builder *b, const struct path *x)
{
	const struct toolchain_entry *entry = b->view->names.functions[x->at.entry].entry;

	if (entry->gnu == GNU_BARRIER)
		return view_gnu_barrier(b, x).barrier;
	if (!(entry->flags & ENTRY_IDENT) || !x->at.user_line || x->at.direct)
		return BARRIER_UNKNOWN;
	return ask(b->options->resolver, b->file, QUERY_BARRIER,
		   x->at.jump ? x->at.jump : b->file->nodes[x->at.user_frame].a, false)
		.barrier;
}

static uint8_t view_leaf_state(const struct prof_rnode *leaf)
{
	const uint8_t state = PROF_STATE_OF(leaf->state);

	return state < PROF_STATES ? state : PROF_STATE_UNDEFINED;
}

/* Whether the runtime's frames are recognizable: a runtime inside the executable may lack
   names. */
static bool view_knows_runtime(const struct prof_file *f)
{
	for (size_t i = 0; i < f->nmodules; i++)
		if (sites_module_owner(&f->modules[i]) == SITE_RUNTIME &&
		    !(f->modules[i].flags & PROF_MODULE_MAIN))
			return true;
	return false;
}

static struct leaf_verdict view_verdict(const struct view_builder *b, const struct path *x,
					const struct prof_rnode *leaf, const char *object)
{
	const unsigned kind = b->view->model->threads[b->thread].t->kind;
	const uint8_t state = view_leaf_state(leaf);
	const bool in_runtime = decided_in_runtime(&x->at);
	/* Until its first construct the initial thread has no OpenMP state yet; beneath a runtime
	   that reports nothing it never has one. */
	const bool serial = state == PROF_STATE_NO_OPENMP && kind == PROF_THREAD_INITIAL &&
			    !(b->paths.evidence.unreported && (in_runtime || x->at.callback));
	const struct leaf_evidence e = {
		.state = serial ? PROF_STATE_SERIAL : (enum prof_state)state,
		.entry = view_function_name(b->view, x->at.entry),
		.inner = view_function_name(b->view, x->at.inner),
		.object = object,
		.barrier = view_barrier(b, x),
		.in_runtime = in_runtime,
		.callback = x->at.callback,
		.helper = x->at.helper,
		.no_user_frames = !x->at.user_line,
		.users = state == PROF_STATE_OVERHEAD && x->at.user_line && !leaf->flags &&
			 !in_runtime && view_knows_runtime(b->file),
		.bodiless = x->at.position == PATH_AT_BOUNDARY && !x->at.in_task,
		.in_mpi = x->at.position == PATH_AT_MPI,
		/* A stack of MPI's code alone is that of a thread that MPI started: OpenMP does not
		   know the thread, and no call shows that a part of the stack is missing. */
		.mpi_thread = x->at.position == PATH_AT_MPI && !x->at.user_line &&
			      kind != PROF_THREAD_INITIAL && kind != PROF_THREAD_WORKER &&
			      !(x->at.mpi && leaf->flags),
		.library = decided_library_call(&b->paths.decisions, &x->at),
		.asleep = leaf->state & PROF_ASLEEP,
		.ready = leaf->state & PROF_READY,
		.alone = b->alone,
		.no_device = b->no_device,
	};

	return leaf_decide(&e);
}

static uint32_t view_record_region(struct view_builder *b, const struct path *x,
				   const struct prof_rnode *leaf, enum omp_leaf is)
{
	const struct prof_thread *t = b->view->model->threads[b->thread].t;

	if (is == LEAF_MPI_THREAD)
		return REGION_OUTSIDE;
	if (is == LEAF_IDLE)
		return REGION_IDLE;
	if (decided_in_runtime(&x->at) && x->at.user_line &&
	    b->view->names.functions[x->at.entry].entry->flags & ENTRY_FORK)
		return path_build_fork(&b->paths, x);
	if (x->region)
		return x->region;
	/* A stack that does not reach to its region: a coroutine's, a broken one. */
	if (t->kind == PROF_THREAD_WORKER ||
	    (leaf->kind == PROF_NODE_LEAF && view_leaf_state(leaf) == PROF_STATE_PARALLEL) ||
	    (b->paths.evidence.unreported && x->at.callback))
		return REGION_UNKNOWN;
	return t->kind != PROF_THREAD_INITIAL && view_leaf_state(leaf) == PROF_STATE_NO_OPENMP ?
		       REGION_OUTSIDE :
		       REGION_SERIAL;
}

/* Moves a path beneath <unknown>. */
static uint32_t view_move(struct view_builder *b, unsigned cause, uint32_t node)
{
	struct tree *t = &b->view->tree;
	size_t depth = 0;
	uint32_t moved;

	for (; node && !map_get(&b->moved, node, cause, 0); node = t->nodes[node].parent) {
		b->path = grow(b->path, depth, &b->path_room, sizeof(*b->path));
		b->path[depth++] = node;
	}
	moved = node ? map_get(&b->moved, node, cause, 0) : view_unknown(b->view, cause);
	while (depth-- > 0) {
		const struct tree_node n = t->nodes[b->path[depth]];

		moved = tree_child(t, moved, n.function, n.line);
		t->nodes[moved].why |= n.why;
		map_add(&b->moved, b->path[depth], cause, moved, &moved);
	}
	return moved;
}

/* A stack that only has code that starts or ends a program or thread.  It has no user code,
   but its cost is the program's; the machine view shows the details. */
static void view_start(struct view_builder *b, const struct prof_rnode *leaf, struct view_record *r)
{
	const struct prof_file *f = b->file;
	const bool initial = b->view->model->threads[b->thread].t->kind == PROF_THREAD_INITIAL;

	uint32_t at = leaf->parent;

	r->line = 0;
	while (at != PROF_NONE && f->nodes[at].kind != PROF_NODE_FRAME)
		at = f->nodes[at].parent;
	if (at == PROF_NONE) {
		r->node = view_unknown(b->view, PROF_CAUSE_NONE);
		return;
	}
	const uint32_t function =
		names_artificial(&b->view->names,
				 initial ? "(before or after main)" : "(C library alone)",
				 FUNCTION_ARTIFICIAL);
	r->node = tree_child(&b->view->tree, 0, function, 0);
}

/* The cause if the path lacks the outer end of a broken stack. */
static unsigned view_cause(const struct view *v, const struct path *x,
			   const struct prof_rnode *leaf)
{
	if (!leaf->flags)
		return PROF_CAUSE_NONE;
	if (v->kind == VIEW_MACHINE)
		return leaf->flags == PROF_CAUSE_CONTEXT ? PROF_CAUSE_NONE : leaf->flags;
	if (x->at.whole == PATH_UNKNOWN ||
	    (x->at.whole == PATH_WHOLE && leaf->flags != PROF_CAUSE_CONTEXT))
		return PROF_CAUSE_NONE;
	return leaf->flags;
}

/* The name of the call that a sample in MPI is shown by. */
static const char *view_mpi_call(const struct view *v, const struct path *x)
{
	return x->at.mpi ? v->names.functions[x->at.mpi].name : "<MPI>";
}

static void view_place(struct view_builder *b, const struct path *x, const struct prof_rnode *leaf,
		       struct view_record *r)
{
	struct view *v = b->view;
	/* What the path ends with, if that is no function of the program's. */
	const char *artificial = v->kind == VIEW_MACHINE ? NULL :
				 r->leaf == LEAF_MPI	 ? view_mpi_call(v, x) :
				 r->leaf == LEAF_BLOCKED ? r->object :
							   leaf_function(r->leaf);
	const unsigned cause = view_cause(v, x, leaf);
	uint32_t function;

	if (artificial && r->leaf == LEAF_IDLE) {
		r->node = r->line = 0;
	} else if (cause) {
		r->node = view_move(b, cause, r->node);
	} else if (!r->node && !artificial) {
		view_start(b, leaf, r);
	}
	if (!artificial)
		return;
	if (r->leaf == LEAF_BLOCKED)
		function = names_call(&v->names, artificial, NULL, v->folded);
	else
		function = names_artificial(&v->names, artificial, FUNCTION_ARTIFICIAL);
	r->node = tree_child(&v->tree, r->node, function, 0);
}

static void view_append(struct view *v, const struct view_record *r)
{
	v->records = pinned_grow(v->records, v->nrecords, &v->records_room, sizeof(*v->records));
	v->records[v->nrecords++] = *r;
}

static void view_record_where(const struct view_builder *b, const struct prof_rnode *node,
			      const struct path *x, struct view_record *r)
{
	r->event = b->tree->event[node->event];
	r->thread = b->thread;
	r->phase = b->phase;
	r->node = x->node;
	r->line = x->line;
	r->within = x->at.user_function;
	r->entry = x->at.entry;
	r->team = x->team;
	r->task = x->task;
	r->in_task = x->task && x->at.in_task;
}

/* Whether the thread waits for a lock that is not OpenMP's, in the C library. */
static bool view_is_library_lock(const struct path *x, const struct leaf_verdict *is)
{
	return is->leaf == LEAF_LOCK && x->at.library && !decided_in_runtime(&x->at);
}

/* A blocked thread is shown in the function that the program called, at the program's own line of
   the call: what that function does beneath is the machine view's. */
static void view_blocked(struct view_builder *b, const struct path *x, struct view_record *r)
{
	const char *name = decided_library_call(&b->paths.decisions, &x->at);
	const struct path *caller;

	if (!name)
		return;
	r->object = names_string(&b->view->names, name);
	if (b->view->kind == VIEW_MACHINE)
		return;
	caller = path_build_above(&b->paths, x->at.library);
	/* A body that jumped to it has no frame: its line is that of the path. */
	if (caller->at.position == PATH_AT_BOUNDARY)
		return;
	r->node = caller->node;
	r->line = caller->line;
	r->within = caller->at.user_function;
}

void view_record_working(struct view_builder *b, const struct prof_rnode *node,
			 const struct path *x, struct view_record *r)
{
	struct prof_rnode leaf = *node;

	/* Not a leaf's: a cause, and the thread's own state. */
	leaf.flags = PROF_CAUSE_NONE;
	leaf.state = PROF_STATE_PARALLEL;
	r->leaf = x->at.position == PATH_AT_MPI ? LEAF_MPI : LEAF_PARALLEL;
	r->class = x->at.position == PATH_AT_MPI ? OMP_MPI : OMP_WORK;
	view_record_where(b, node, x, r);
	r->region = view_record_region(b, x, &leaf, LEAF_PARALLEL);
	view_place(b, x, &leaf, r);
}

void view_leaf(struct view_builder *b, const struct prof_rnode *leaf, const struct path *x)
{
	struct view_record r = { .samples = leaf->a, .weight = leaf->b };
	struct leaf_verdict is;

	/* The symbol of the object that the thread waits for. */
	const struct prof_file *f = b->file;
	const struct prof_rnode *o = leaf->parent == PROF_NONE ? NULL : &f->nodes[leaf->parent];

	r.object = o && o->kind == PROF_NODE_OBJECT ? view_object_symbol(b, o) : NULL;
	if (!r.object)
		r.object = view_critical(b, x);
	is = view_verdict(b, x, leaf, r.object);
	if (view_is_library_lock(x, &is))
		r.object = decided_library_call(&b->paths.decisions, &x->at);
	/* A critical section that the compiler made for a reduction has no name. */
	if (is.class != OMP_WAIT || is.leaf == LEAF_REDUCTION)
		r.object = NULL;
	if (is.leaf == LEAF_MPI && x->at.mpi)
		r.object = view_mpi_call(b->view, x);
	r.object = view_object_name(&b->view->names, r.object);
	r.leaf = (uint8_t)is.leaf;
	r.class = (uint8_t)is.class;
	r.own = x->at.own && is.class != OMP_WORK && is.class != OMP_BLOCKED;
	/* Such a call takes time without another holder, too. */
	const uint8_t state = view_leaf_state(leaf);
	r.in_call = (is.leaf == LEAF_LOCK || is.leaf == LEAF_CRITICAL || is.leaf == LEAF_ATOMIC) &&
		    decided_in_runtime(&x->at) && !(leaf->state & PROF_ASLEEP) &&
		    (state < PROF_STATE_MUTEX || state > PROF_STATE_ORDERED);
	view_record_where(b, leaf, x, &r);
	if (is.leaf == LEAF_BLOCKED)
		view_blocked(b, x, &r);
	r.region = view_record_region(b, x, leaf, is.leaf);
	if (view_is_library_lock(x, &is)) {
		r.leaf = LEAF_PARALLEL;
		view_record_construct(b, x, leaf, &r);
		r.leaf = LEAF_LOCK;
		/* It is the program's, at its own line of the call. */
		r.construct = view_construct(b->view, CONSTRUCT_LOCK, r.line, NULL);
		view_construct_lock(&b->view->constructs[r.construct], r.object);
	} else {
		view_record_construct(b, x, leaf, &r);
	}
	view_record_memory(b, leaf, &r);
	view_place(b, x, leaf, &r);
	view_append(b->view, &r);
}

void view_leaf_again(struct view_builder *b, const struct prof_rnode *leaf)
{
	struct view_record r = b->view->records[b->view->nrecords - 1];

	r.samples = leaf->a;
	r.weight = leaf->b;
	r.thread = b->thread;
	view_append(b->view, &r);
}
