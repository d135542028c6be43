/* SPDX-License-Identifier: BSD-3-Clause */
/* view_build.c - one record for each leaf of the profiles. */
#include "config.h"

#include "src/view/build/view_build.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/path.h"
#include "src/base/pinned.h"
#include "src/model/leaf.h"
#include "src/model/model.h"
#include "src/path/bodies.h"
#include "src/path/path_build.h"
#include "src/profile/reader/values.h"
#include "src/toolchain/toolchain.h"
#include "src/view/view.h"

enum { PROGRESS_NODES = 1 << 16, PREFETCH_NODES = 12 };

/* Adds the sum of what the threads counted at leaf i, and to each thread's part. */
static void view_sum(struct view_builder *b, uint32_t i, const struct path *x)
{
	const struct model *m = b->view->model;
	struct prof_rnode n = b->file->nodes[i];
	struct summed_cost *of = NULL;
	struct view_record *sum = NULL;
	struct prof_values values;
	struct prof_rvalue v;

	prof_values_begin(&values, b->file, i);
	while (prof_values_next(&values, &v)) {
		const uint32_t thread = b->tree->first_thread + v.thread;

		if (!of) {
			n.a = n.b = 0;
			b->thread = thread;
			b->process = &m->processes[m->threads[thread].process];
			view_leaf(b, &n, x);
			sum = &b->view->records[b->view->nrecords - 1];
			of = summed_of(&b->summed, b->view, sum);
		}
		sum->samples = prof_add(sum->samples, v.a);
		sum->weight = prof_add(sum->weight, v.b);
		of[thread].samples = prof_add(of[thread].samples, v.a);
		of[thread].weight = prof_add(of[thread].weight, v.b);
	}
}

/* Adds what each thread counted at node i. */
static void view_values(struct view_builder *b, uint32_t i)
{
	const struct model *m = b->view->model;
	const struct path *x = path_build_above(&b->paths, i);
	struct prof_rnode n = b->file->nodes[i];
	struct prof_values values;
	struct prof_rvalue v;
	bool again = false;

	if (b->view->summed && n.kind == PROF_NODE_LEAF) {
		view_sum(b, i, x);
		return;
	}
	prof_values_begin(&values, b->file, i);
	for (; prof_values_next(&values, &v); again = true) {
		n.a = v.a;
		n.b = v.b;
		b->thread = b->tree->first_thread + v.thread;
		b->process = &m->processes[m->threads[b->thread].process];
		if (n.kind == PROF_NODE_STATS)
			view_stats(b, &n, x);
		else if (n.kind == PROF_NODE_COUNT)
			view_count(b, &n, x);
		else if (again)
			view_leaf_again(b, &n);
		else
			view_leaf(b, &n, x);
	}
}

const struct toolchain *view_toolchain(const struct prof_file *f)
{
	const char *identity = prof_text(f, PROF_INFO_RUNTIME);

	for (size_t i = 0; !identity && i < f->nmodules; i++) {
		const char *base = path_base(f->modules[i].path);

		if (sites_module_owner(&f->modules[i]) == SITE_RUNTIME &&
		    !toolchain_is_producer(base))
			return toolchain_of_file(base);
	}
	return toolchain_of_runtime(identity);
}

static void view_tree(struct view_builder *b, const struct model_tree *t)
{
	const struct view_options *o = b->options;
	const struct prof_file *f = t->file;

	b->tree = t;
	b->file = f;
	b->toolchain = view_toolchain(f);
	b->no_device = b->toolchain->device;
	for (size_t i = 0; i < f->nmodules; i++)
		b->no_device = b->no_device &&
			       !toolchain_is_device(b->toolchain, path_base(f->modules[i].path));
	path_build_init(&b->paths, b->view, o, f, &b->expert);
	if (b->paths.evidence.unreported)
		b->view->unreported |= UNREPORTED_TASK_CREATE | UNREPORTED_TASK_SCHEDULE;
	if (b->toolchain->traits & RUNTIME_NO_CANCEL)
		b->view->unreported |= UNREPORTED_CANCEL;
	for (size_t i = 0; i < f->nmodules; i++)
		if (f->modules[i].flags & PROF_MODULE_MAIN)
			b->view->cancels |= ask(o->resolver, f, QUERY_CANCELS,
						PROF_LOC((uint64_t)f->modules[i].id, 0), false)
						    .known;
	for (uint32_t i = 0; i < f->nnodes; i++) {
		const uint8_t kind = f->nodes[i].kind;

		/* Parents lie anywhere: theirs are asked for before they are needed. */
		if (i + PREFETCH_NODES < f->nnodes)
			path_build_prefetch(&b->paths, i + PREFETCH_NODES);
		view_phase_note(b, i);
		if (kind == PROF_NODE_LEAF || kind == PROF_NODE_STATS || kind == PROF_NODE_COUNT)
			view_values(b, i);
		else if (kind != PROF_NODE_CPU)
			path_build_make(&b->paths, i);
		if (o->progress && ++b->done % PROGRESS_NODES == 0)
			o->progress(o->arg, b->done, b->total);
	}
	if (b->paths.evidence.unreported && !b->view->linked)
		b->view->linked = b->paths.evidence.sites.linked;
	path_build_fini(&b->paths);
	view_phases_end(b);
	view_settle_teams(b);
}

/* Filters change nothing of it, so that all tables of a profile have the same columns. */
static unsigned view_classes(const struct view *v)
{
	unsigned classes = OMP_CLASSES_ALWAYS;

	for (size_t i = 0; i < v->nrecords; i++)
		classes |= OMP_CLASS(v->records[i].class);
	/* The library notes which threads slept where wall time is sampled. */
	const struct model *m = v->model;
	bool wall = false;

	for (size_t k = 0; k < m->nevents; k++)
		wall = wall || m->events[k].flags & PROF_EVENT_WALL;
	return classes | ((wall && m->nprocesses) ? OMP_CLASS(OMP_BLOCKED) : 0);
}

/* The threads that an MPI library began for itself are none of the program's: their samples are in
   no table and no total. */
static void leave_out_mpi_threads(struct view *v)
{
	size_t n = 0;

	for (size_t i = 0; i < v->nrecords; i++) {
		if (v->records[i].leaf != LEAF_MPI_THREAD)
			continue;
		if (!v->kept) {
			v->mpi_threads = alloc_zeroed(v->model->nevents, sizeof(*v->mpi_threads));
			v->kept = alloc_zeroed(v->nrecords, sizeof(*v->kept));
		}

		struct view_sum *sums = v->mpi_threads;
		const struct view_record *r = &v->records[i];

		sums[r->event].samples = prof_add(sums[r->event].samples, r->samples);
		sums[r->event].weight = prof_add(sums[r->event].weight, r->weight);
	}
	if (!v->kept)
		return;
	for (size_t i = 0; i < v->nrecords; i++) {
		v->kept[i] = v->records[i].leaf != LEAF_MPI_THREAD;
		if (v->kept[i])
			v->records[n++] = v->records[i];
	}
	v->nrecords = n;
	/* Removes the parts of threads of an MPI library's own. */
	size_t count = 0;

	for (size_t i = 0; i < v->nparts; i++)
		if (v->parts[i].leaf != LEAF_MPI_THREAD)
			v->parts[count++] = v->parts[i];
	v->nparts = count;
}

struct view *view_build(const struct model *m, const struct view_options *o)
{
	struct view_builder b = { .view = alloc_zeroed(1, sizeof(*b.view)), .options = o };

	for (size_t i = 0; i < m->ntrees; i++)
		b.total += m->trees[i].file->nnodes;
	struct view *v = b.view;

	v->kind = o->kind;
	v->model = m;
	v->summed = o->summed;
	v->folded = o->kind == VIEW_USER && !o->unfold;
	names_init(&v->names);
	tree_init(&v->tree);
	/* The special regions' keys are nodes that no tree has. */
	for (uint32_t k = 0; k < REGION_SPECIALS; k++)
		view_region(v, UINT32_MAX - k, 0, REGION_SERIAL);
	view_task(v, UINT32_MAX, 0);
	for (uint32_t k = 0; k < CONSTRUCT_SPECIALS; k++)
		view_construct(v, (enum construct_kind)k, 0, NULL);
	view_init_memory(v);
	view_init_phases(v);
	view_init_descriptors(v);
	b.alone = true;
	for (size_t i = 0; i < m->nprocesses; i++) {
		b.view->unreported |= m->processes[i].file->header.unreported;
		b.alone = b.alone && m->processes[i].nthreads == 1;
	}
	for (size_t i = 0; i < m->ntrees; i++)
		view_task_bodies(b.view, o, m->trees[i].file);
	for (size_t i = 0; i < m->ntrees; i++)
		view_tree(&b, &m->trees[i]);
	if (o->summed)
		summed_parts(&b.summed, b.view);
	if (!o->mpi_threads)
		leave_out_mpi_threads(b.view);
	view_settle_constructs(&b);
	view_settle_memory(&b);
	summed_free(&b.summed);
	map_free(&b.expert);
	map_free(&b.moved);
	map_free(&b.by_call);
	map_free(&b.by_team);
	pinned_free(b.teams);
	pinned_free(b.spans);
	free(b.path);
	b.view->classes = view_classes(b.view);
	return b.view;
}
