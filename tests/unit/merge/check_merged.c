/* SPDX-License-Identifier: BSD-3-Clause */
/* check_merged.c - merged files: what is read again, and damaged ones. */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "src/answers/answers.h"
#include "src/answers/lookup.h"
#include "src/answers/questions.h"
#include "src/base/exit_status.h"
#include "src/merge/inputs.h"
#include "src/merge/merge.h"
#include "src/model/model.h"
#include "src/profile/reader/append.h"
#include "src/profile/reader/extract.h"
#include "src/profile/reader/merged.h"
#include "src/view/view.h"
#include "tests/support/mkprofile.h"
#include "tests/support/suite_main.h"

enum { RANKS = 3, MANY = 65, THREADS = 2, LOCK = 7000 };

static char folder[] = "/tmp/check_merged.XXXXXX";
static char merged[64], damaged[64];

static void name_of(char *name, size_t bytes, const char *file)
{
	snprintf(name, bytes, "%s/%s", folder, file);
}

static void name_of_rank(char *name, size_t bytes, unsigned rank)
{
	char text[16];

	snprintf(text, sizeof(text), "%u.omphwc", rank);
	name_of(name, bytes, text);
}

/* A thread: a region's body that works, and a wait for a lock at an address of its own. */
static void add_thread(struct mkprofile *m, uint32_t thread, unsigned rank, uint32_t app,
		       uint32_t *site)
{
	const uint32_t root = mk_root(m, thread);
	const uint32_t other =
		mk_path(m, root, PROF_LOC(app, thread ? 0x100 : 0x110), PROF_LOC(app, 0x200));
	uint32_t boundary, body;

	if (!thread)
		*site = mk_path(m, root, PROF_LOC(app, 0x100), PROF_LOC(app, 0x200));
	boundary = mk_boundary(m, root, *site, PROF_BOUNDARY_REGION);
	body = mk_path(m, boundary, PROF_LOC(app, 0x300));
	mk_leaf(m, body, 0, PROF_STATE_PARALLEL, PROF_CAUSE_NONE, 10 + rank, 100 * (10 + rank));
	mk_leaf(m, mk_object(m, body, LOCK + rank, 0), 0, PROF_STATE_LOCK, PROF_CAUSE_NONE, 2, 201);
	mk_stats(m, boundary, PROF_STATS_REGION, 5, 500);
	mk_stats(m, mk_construct(m, boundary, PROF_LOC(app, 0x310), PROF_CONSTRUCT_LOCK),
		 PROF_STATS_OBJECT, PROF_LOC(app, 0x900), PROF_LOC(app, 0x940));
	mk_data(m, body, 0x7000 + rank * 0x1000, PROF_DATA_OTHER, PROF_SOURCE_L1);
	mk_cpu(m, root, 0, thread, 12 + rank, 1201);
	/* Of another thread's fork: one context, and two nodes of it beside each other. */
	mk_stats(m, mk_boundary(m, root, other, PROF_BOUNDARY_REGION), PROF_STATS_REGION, 1, 50);
	mk_construct(m, boundary, PROF_LOC(app, 0x320 + thread), PROF_CONSTRUCT_LOOP);
	mk_timeline(m, thread, 4,
		    (const struct prof_cell[]){
			    { body, 0, 600,
			      6 << PROF_CELL_SAMPLES_SHIFT |
				      PROF_CELL_KEY(0, PROF_STATE_PARALLEL) },
			    { boundary, 3 + rank, 400,
			      4 << PROF_CELL_SAMPLES_SHIFT |
				      PROF_CELL_KEY(0, PROF_STATE_PARALLEL) },
		    },
		    2);
	mk_trace(m, thread,
		 (const struct prof_traced[]){
			 { 1000 + rank, *site, PROF_TRACE_ENTER, PROF_STATE_PARALLEL, 0 },
			 { 2000, 0, PROF_TRACE_LEAVE, PROF_STATE_PARALLEL, 0 },
		 },
		 2);
}

/* Stores a name in the profile at path. */
static void store_name(const char *path, uint64_t loc, const char *name)
{
	struct answers a = { 0 };
	const struct question q = { .query = QUERY_OBJECT, .loc = loc };
	const struct answer x = { .text = name };
	struct prof_file *f;
	uint32_t version;
	unsigned char *names;
	size_t n;

	answers_set(&a, &q, &x);
	answers_pack(&a, &names, &n);
	ck_assert_int_eq(prof_read(path, &f, &version), PROF_READ_OK);
	ck_assert_int_eq(prof_append_names(f, names, n), 0);
	prof_free(f);
	free(names);
	answers_free(&a);
}

/* The ids of modules differ from rank to rank.  made: a frame is of code without a file. */
static void write_rank(unsigned rank, bool made)
{
	struct mkprofile *m = mk_new();
	char path[64], text[16];
	uint32_t app, site = 0;

	mk_event(m, "cycles", PROF_UNIT_EVENTS);
	mk_header(m)->pid = 100 + rank;
	snprintf(text, sizeof(text), "%u", rank < RANKS ? RANKS - 1 - rank : rank);
	mk_text(m, PROF_INFO_RANK, text);
	mk_text(m, PROF_INFO_HOST, "host");
	mk_text(m, PROF_INFO_RUNTIME, "a runtime");
	if (rank % 2)
		mk_module(m, "/lib/other.so", 0);
	app = mk_module(m, "/bin/app", PROF_MODULE_MAIN);
	for (uint32_t i = 0; i < THREADS; i++)
		mk_thread(m, i ? PROF_THREAD_WORKER : PROF_THREAD_INITIAL, 100 + rank + i);
	for (uint32_t i = 0; i < THREADS; i++)
		add_thread(m, i, rank, app, &site);
	if (made)
		mk_leaf(m, mk_path(m, site, 0x7f0000001000), 0, PROF_STATE_SERIAL, PROF_CAUSE_NONE,
			1, 1);
	mk_end(m);
	name_of_rank(path, sizeof(path), rank);
	ck_assert_int_eq(mk_write(m, path), 0);
	mk_free(m);
	store_name(path, PROF_LOC(app, 0x300 + rank), "an object");
}

static void add_inputs(struct merge_inputs *in, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		char path[64];

		name_of_rank(path, sizeof(path), i);
		ck_assert_int_eq(inputs_add(in, path), 0);
	}
	inputs_sort(in);
	ck_assert_uint_eq(in->n, n);
}

/* Merges so many ranks. */
static void write_merged(unsigned n)
{
	struct merge_inputs in = { 0 };
	struct merge m = { .inputs = &in };
	int fd;

	for (unsigned i = 0; i < n; i++)
		write_rank(i, false);
	add_inputs(&in, n);
	fd = open(merged, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(merge_run(&m, fd), 0);
	ck_assert_uint_eq(m.forest.ntrees, 1);
	close(fd);
	merge_fini(&m);
	inputs_free(&in);
}

/* Merges the files into another one. */
static void merge_into(const char *path, const char *const *files, size_t n)
{
	struct merge_inputs in = { 0 };
	struct merge m = { .inputs = &in };
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	for (size_t i = 0; i < n; i++)
		ck_assert_int_eq(inputs_add(&in, files[i]), 0);
	inputs_sort(&in);
	ck_assert_int_eq(merge_run(&m, fd), 0);
	close(fd);
	merge_fini(&m);
	inputs_free(&in);
}

static void setup(void)
{
	ck_assert_ptr_nonnull(mkdtemp(folder));
	name_of(merged, sizeof(merged), "merged");
	name_of(damaged, sizeof(damaged), "damaged");
	write_merged(RANKS);
}

static void teardown(void)
{
	char path[64];

	for (unsigned i = 0; i < MANY; i++) {
		name_of_rank(path, sizeof(path), i);
		unlink(path);
	}
	unlink(merged);
	unlink(damaged);
	rmdir(folder);
}

static struct prof_merged *read_merged(const char *path, enum prof_read_error expected)
{
	struct prof_merged *m = NULL;
	uint32_t version;

	ck_assert_int_eq(prof_read_merged(path, &m, &version), expected);
	return m;
}

START_TEST(processes_are_by_rank)
{
	struct prof_merged *m = read_merged(merged, PROF_READ_OK);

	ck_assert_uint_eq(m->nprocesses, RANKS);
	for (unsigned i = 0; i < RANKS; i++) {
		char rank[16];

		snprintf(rank, sizeof(rank), "%u", i);
		ck_assert_str_eq(prof_text(m->processes[i], PROF_INFO_RANK), rank);
		ck_assert_uint_eq(m->processes[i]->header.pid, 100 + RANKS - 1 - i);
		ck_assert_uint_eq(m->processes[i]->nthreads, THREADS);
		ck_assert_uint_eq(m->kept[i].kept, THREADS * (12 + RANKS - 1 - i));
	}
	prof_merged_free(m);
}
END_TEST

START_TEST(modules_are_found_by_path)
{
	struct prof_merged *m = read_merged(merged, PROF_READ_OK);
	const struct prof_file *p = m->processes[1];

	ck_assert_uint_eq(m->trees[0]->nmodules, 2);
	ck_assert_uint_eq(p->nmodules, 2);
	ck_assert_str_eq(p->modules[0].path, "/lib/other.so");
	ck_assert_str_eq(p->modules[1].path, "/bin/app");
	ck_assert_uint_eq(p->modules[1].flags, PROF_MODULE_MAIN);
	prof_merged_free(m);
}
END_TEST

/* The samples of each thread, by state. */
struct sums {
	uint64_t work[RANKS * THREADS], lock[RANKS * THREADS];
	size_t nodes;
	const struct prof_rnode *last;
};

static void add_leaf(const struct model_value *v, void *arg)
{
	struct sums *s = arg;

	s->nodes += v->node != s->last;
	s->last = v->node;
	*(v->node->state == PROF_STATE_LOCK ? &s->lock[v->thread] : &s->work[v->thread]) += v->a;
	ck_assert_uint_eq(v->b, v->node->state == PROF_STATE_LOCK ? 201 : v->a * 100);
}

START_TEST(each_thread_has_its_numbers)
{
	struct prof_merged *m = read_merged(merged, PROF_READ_OK);
	struct model model;
	struct sums s = { .nodes = 0 };

	model_init(&model);
	ck_assert_int_eq(model_add_merged(&model, m), 0);
	ck_assert_uint_eq(model.nthreads, RANKS * THREADS);
	model_values(&model, PROF_NODE_LEAF, add_leaf, &s);
	/* Of the initial threads and of the workers; locks without a name are one. */
	ck_assert_uint_eq(s.nodes, 4);
	for (unsigned i = 0; i < RANKS * THREADS; i++) {
		ck_assert_uint_eq(s.work[i], 10 + RANKS - 1 - i / THREADS);
		ck_assert_uint_eq(s.lock[i], 2);
	}
	model_fini(&model);
	prof_merged_free(m);
}
END_TEST

static void see_lock(const struct model_value *v, void *arg)
{
	if (v->node->flags != PROF_STATS_OBJECT)
		return;
	++*(unsigned *)arg;
	ck_assert_uint_eq(PROF_LOC_ADDRESS(v->a), 0x900);
	ck_assert_uint_eq(PROF_LOC_ADDRESS(v->b), 0x940);
	ck_assert_str_eq(prof_module_by_id(v->tree->file, PROF_LOC_MODULE(v->a))->path, "/bin/app");
}

START_TEST(locks_keep_their_locations)
{
	struct prof_merged *m = read_merged(merged, PROF_READ_OK);
	struct model model;
	unsigned n = 0;

	model_init(&model);
	ck_assert_int_eq(model_add_merged(&model, m), 0);
	model_values(&model, PROF_NODE_STATS, see_lock, &n);
	ck_assert_uint_eq(n, RANKS * THREADS);
	model_fini(&model);
	prof_merged_free(m);
}
END_TEST

START_TEST(code_made_at_run_time_is_apart)
{
	struct merge_inputs in = { 0 };
	struct merge m = { .inputs = &in };
	struct prof_merged *merged_again;
	char path[64];
	int fd;

	write_rank(RANKS, true);
	name_of(path, sizeof(path), "3.omphwc");
	ck_assert_int_eq(inputs_add(&in, path), 0);
	name_of(path, sizeof(path), "0.omphwc");
	ck_assert_int_eq(inputs_add(&in, path), 0);
	inputs_sort(&in);
	fd = open(damaged, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	ck_assert_int_eq(merge_run(&m, fd), 0);
	close(fd);
	ck_assert_uint_eq(m.special[BATCH_MADE], 1);
	ck_assert_uint_eq(m.special[BATCH_KERNEL], 0);
	merged_again = read_merged(damaged, PROF_READ_OK);
	ck_assert_uint_eq(merged_again->ntrees, 2);
	ck_assert_ptr_ne(merged_again->processes[0]->tree, merged_again->processes[1]->tree);
	prof_merged_free(merged_again);
	merge_fini(&m);
	inputs_free(&in);
}
END_TEST

/* ---- processes again ------------------------------------------------- */

static size_t read_file(const char *path, unsigned char *to, size_t room)
{
	FILE *f = fopen(path, "rb");
	size_t n;

	ck_assert_ptr_nonnull(f);
	n = fread(to, 1, room, f);
	fclose(f);
	return n;
}

static bool same_files(const char *a, const char *b)
{
	static unsigned char x[1 << 20], y[1 << 20];
	const size_t n = read_file(a, x, sizeof(x));

	return n == read_file(b, y, sizeof(y)) && !memcmp(x, y, n);
}

/* Names are as they were, too, but in another order. */
static bool same_chunks(const char *a, const char *b)
{
	static unsigned char x[1 << 20], y[1 << 20];
	const size_t n = read_file(a, x, sizeof(x)), other = read_file(b, y, sizeof(y));

	for (size_t at = PROF_PAGE; at < n && at < other;) {
		const struct prof_chunk *c = (const struct prof_chunk *)(x + at);

		if (c->kind == PROF_CHUNK_NAMES)
			return true;
		if (memcmp(x + at, y + at, c->size_bytes))
			return false;
		at += c->size_bytes;
	}
	return n == other;
}

/* A process as it was: what its nodes are, and what was counted at them, in any order. */
static uint64_t sum_of(const struct prof_file *f)
{
	uint64_t *node = calloc(f->nnodes + 1, sizeof(*node)), sum = 0;

	ck_assert_ptr_nonnull(node);
	for (size_t i = 0; i < f->nnodes; i++) {
		const struct prof_rnode *n = &f->nodes[i];
		const bool address = n->kind == PROF_NODE_OBJECT && !n->flags;
		const bool linked = n->kind == PROF_NODE_BOUNDARY || n->kind == PROF_NODE_BLOCK;
		const uint64_t own[] = { n->parent == PROF_NONE ? 0 : node[n->parent],
					 n->context == PROF_NONE ? 0 : node[n->context],
					 n->kind,
					 n->flags,
					 n->event,
					 n->state,
					 n->thread,
					 address || linked ? 0 : n->a,
					 linked ? 0 : n->b };

		node[i] = prof_packed_hash(own, sizeof(own));
		sum += node[i];
	}
	for (size_t i = 0; i < f->ntimelines; i++)
		for (size_t k = 0; k < f->timelines[i].n; k++) {
			const struct prof_rcell *c = &f->timelines[i].cells[k];
			const uint64_t own[] = { node[c->node],
						 c->bucket,
						 c->weight,
						 c->samples,
						 c->event,
						 c->state,
						 f->timelines[i].thread,
						 f->timelines[i].shift,
						 f->timelines[i].origin_ticks };

			sum += prof_packed_hash(own, sizeof(own));
		}
	for (size_t i = 0; i < f->ntraces; i++)
		for (size_t k = 0; k < f->traces[i].n; k++) {
			const struct prof_rtraced *e = &f->traces[i].events[k];
			const uint64_t own[] = { e->context == PROF_NONE ? 1 : node[e->context],
						 e->ticks,
						 e->kind,
						 e->state,
						 f->traces[i].lost,
						 f->traces[i].thread };

			sum += prof_packed_hash(own, sizeof(own));
		}
	free(node);
	return sum;
}

START_TEST(processes_are_as_they_were)
{
	struct prof_merged *m = read_merged(merged, PROF_READ_OK);
	struct prof_file *files[RANKS], *f;
	char path[64];
	uint32_t version;

	ck_assert(m->timed);
	ck_assert_int_eq(prof_extract(m, 0, RANKS, EXTRACT_IDS_OWN, files), 0);
	for (unsigned i = 0; i < RANKS; i++) {
		name_of_rank(path, sizeof(path), RANKS - 1 - i);
		ck_assert_int_eq(prof_read(path, &f, &version), PROF_READ_OK);
		ck_assert_str_eq(files[i]->path, path);
		ck_assert_uint_eq(files[i]->nnodes, f->nnodes);
		ck_assert_uint_eq(files[i]->ntimelines, THREADS);
		ck_assert_uint_eq(files[i]->ntraces, THREADS);
		ck_assert_uint_eq(files[i]->nmodules, f->nmodules);
		for (size_t k = 0; k < f->nmodules; k++)
			ck_assert_str_eq(files[i]->modules[k].path, f->modules[k].path);
		ck_assert_uint_eq(files[i]->ntexts, f->ntexts);
		ck_assert_mem_eq(&files[i]->header, &f->header, sizeof(f->header));
		ck_assert_uint_eq(sum_of(files[i]), sum_of(f));
		prof_free(f);
		prof_free(files[i]);
	}
	prof_merged_free(m);
}
END_TEST

/* Whichever of them were merged before. */
START_TEST(merged_files_can_be_merged)
{
	char a[64], b[64], c[64], again[64], path[3][64];

	name_of(a, sizeof(a), "a");
	name_of(b, sizeof(b), "b");
	name_of(c, sizeof(c), "c");
	name_of(again, sizeof(again), "again");
	for (unsigned i = 0; i < RANKS; i++)
		name_of_rank(path[i], sizeof(path[i]), i);
	merge_into(again, (const char *const[]){ merged }, 1);
	ck_assert(same_files(again, merged));
	merge_into(a, (const char *const[]){ path[0], path[2] }, 2);
	merge_into(again, (const char *const[]){ a, path[1] }, 2);
	ck_assert(same_chunks(again, merged));
	merge_into(b, (const char *const[]){ path[1] }, 1);
	merge_into(again, (const char *const[]){ b, a }, 2);
	ck_assert(same_chunks(again, merged));
	/* A process is there once. */
	merge_into(again, (const char *const[]){ merged, a, path[1], b }, 4);
	ck_assert(same_chunks(again, merged));
	unlink(a);
	unlink(b);
	unlink(c);
	unlink(again);
}
END_TEST

/* ---- memory ---------------------------------------------------------- */

static long allocations = -1; /* that succeed before one fails; -1: all */

static bool fails(void)
{
	if (allocations < 0 || allocations-- > 0)
		return false;
	errno = ENOMEM;
	return true;
}

void *__real_malloc(size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_malloc(size_t n)
{
	return fails() ? NULL : __real_malloc(n);
}

void *__real_calloc(size_t n, size_t of);
void *__wrap_calloc(size_t n, size_t of);
void *__wrap_calloc(size_t n, size_t of)
{
	return fails() ? NULL : __real_calloc(n, of);
}

void *__real_reallocarray(void *p, size_t n, size_t of);
void *__wrap_reallocarray(void *p, size_t n, size_t of);
void *__wrap_reallocarray(void *p, size_t n, size_t of)
{
	return fails() ? NULL : __real_reallocarray(p, n, of);
}

enum { MERGED = 10, MERGED_WITHOUT, OUT_OF_MEMORY, OTHER_FAILURE };

/* Merges the profiles of setup() into the file at path, but for an allocation after n others, in a
   child: it may end there.  Returns its exit status; MERGED: there were fewer. */
static int merge_without(const struct merge_inputs *in, long n, const char *path)
{
	struct merge m = { .inputs = in };
	int status, err;
	const pid_t child = fork();

	ck_assert_int_ge(child, 0);
	if (!child) {
		const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		const int quiet = open("/dev/null", O_WRONLY);

		dup2(quiet, STDERR_FILENO);
		allocations = n;
		err = merge_run(&m, fd);
		_exit(err == -ENOMEM  ? OUT_OF_MEMORY :
		      err	      ? OTHER_FAILURE :
		      allocations < 0 ? MERGED_WITHOUT :
					MERGED);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

START_TEST(a_merge_without_memory_fails)
{
	struct merge_inputs in = { 0 };
	int status = OUT_OF_MEMORY;

	add_inputs(&in, RANKS);
	for (long n = 0; status != MERGED; n++) {
		status = merge_without(&in, n, damaged);
		ck_assert_msg(status == OUT_OF_MEMORY || status == COMMAND_FAILED ||
				      ((status == MERGED || status == MERGED_WITHOUT) &&
				       same_files(merged, damaged)),
			      "allocation %ld: %d", n, status);
	}
	inputs_free(&in);
}
END_TEST

/* The exit status of a child that reads the file but for an allocation after n others. */
static int read_without(long n)
{
	struct prof_merged *m;
	uint32_t version;
	int status;
	const pid_t child = fork();

	ck_assert_int_ge(child, 0);
	if (!child) {
		dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
		allocations = n;
		_exit(prof_read_merged(merged, &m, &version) == PROF_READ_OK ? MERGED :
									       OTHER_FAILURE);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

START_TEST(a_file_is_not_read_without_memory)
{
	int status = COMMAND_FAILED;

	for (long n = 0; status != MERGED; n++) {
		status = read_without(n);
		ck_assert(status == MERGED || status == COMMAND_FAILED);
	}
}
END_TEST

/* ---- damage ---------------------------------------------------------- */

static unsigned char *bytes;
static size_t size;

static void load_file(void)
{
	bytes = calloc(1, 1 << 20);
	size = read_file(merged, bytes, 1 << 20);
}

/* As a new file: one that is truncated is written to the disk by ext4. */
static void write_damaged(size_t n)
{
	FILE *f;

	unlink(damaged);
	f = fopen(damaged, "wb");
	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(bytes, 1, n, f), n);
	fclose(f);
}

START_TEST(a_cut_file_is_refused)
{
	load_file();
	for (size_t n = PROF_PAGE; n < size; n += PROF_PAGE) {
		write_damaged(n);
		read_merged(damaged, PROF_READ_DAMAGED);
	}
	free(bytes);
}
END_TEST

START_TEST(changed_contents_are_refused)
{
	load_file();
	bytes[PROF_PAGE + sizeof(struct prof_chunk) + sizeof(struct prof_packed) + 10] ^= 1;
	write_damaged(size);
	read_merged(damaged, PROF_READ_DAMAGED);
	free(bytes);
}
END_TEST

/* Returns the place of the nth chunk of a kind; no chunk: the file's end. */
static size_t chunk_at(uint32_t kind, unsigned n)
{
	size_t at = PROF_PAGE;

	while (at < size) {
		const struct prof_chunk *c = (const struct prof_chunk *)(bytes + at);

		if (c->kind == kind && !n--)
			return at;
		at += c->size_bytes;
	}
	return at;
}

static void refuse_with(size_t at, unsigned char bits)
{
	bytes[at] ^= bits;
	write_damaged(size);
	read_merged(damaged, PROF_READ_DAMAGED);
	bytes[at] ^= bits;
}

/* More processes than a batch has: without their second chunk the rest would be a whole file. */
START_TEST(no_chunk_is_left_out)
{
	size_t at;

	write_merged(MANY);
	load_file();
	at = chunk_at(PROF_CHUNK_RANKS, 1);
	ck_assert_uint_lt(at, size);
	for (unsigned bit = 0; bit < 8; bit++) {
		refuse_with(at + offsetof(struct prof_chunk, magic), (unsigned char)(1u << bit));
		refuse_with(at + offsetof(struct prof_chunk, kind), (unsigned char)(1u << bit));
		refuse_with(at + offsetof(struct prof_chunk, offset), (unsigned char)(1u << bit));
	}
	refuse_with(offsetof(struct prof_header, header_bytes) + 1, 0x20);
	free(bytes);
}
END_TEST

static void look_at(const struct model_value *v, void *arg)
{
	*(uint64_t *)arg += v->a + v->b + v->thread;
}

/* Whatever a file with right hashes has, it is refused, or can be shown. */
static void show_damaged(const struct resolver *r)
{
	const struct view_options options = { .kind = VIEW_USER, .resolver = r };
	struct prof_merged *m;
	struct model model;
	struct view *v;
	uint32_t version;
	uint64_t sum = 0;

	if (prof_read_merged(damaged, &m, &version) != PROF_READ_OK)
		return;
	model_init(&model);
	if (!model_add_merged(&model, m)) {
		for (int kind = PROF_NODE_ROOT; kind <= PROF_NODE_DESCRIPTOR; kind++)
			model_values(&model, (enum prof_node_kind)kind, look_at, &sum);
		v = view_build(&model, &options);
		view_free(v);
	}
	model_fini(&model);
	for (size_t i = 0; i < m->nprocesses; i++) {
		struct prof_file *f;

		if (!prof_extract(m, i, 1, i % 2 ? EXTRACT_IDS_OWN : EXTRACT_IDS_TREE, &f)) {
			sum += sum_of(f);
			prof_free(f);
		}
	}
	prof_merged_free(m);
}

/* A heap that uses no address twice (moving.c) needs mappings, of which a process may have some
   65,000: there every eighth byte has to do. */
static size_t damage_step(void)
{
	const char *preloaded = getenv("LD_PRELOAD");

	return preloaded && strstr(preloaded, "moving.so") ? 8 : 1;
}

static void damage_chunk(struct prof_chunk *c, const struct resolver *r)
{
	struct prof_packed *p = (struct prof_packed *)(c + 1);
	unsigned char *payload = (unsigned char *)(p + 1);

	for (size_t i = 0; i < p->bytes; i += damage_step())
		for (unsigned bit = 0; bit < 8; bit += 7) {
			payload[i] ^= (unsigned char)(1u << bit);
			p->hash = prof_packed_hash(payload, (size_t)p->bytes);
			write_damaged(size);
			show_damaged(r);
			payload[i] ^= (unsigned char)(1u << bit);
		}
	p->hash = prof_packed_hash(payload, (size_t)p->bytes);
}

/* What is stored is kept by profile, and these end at once. */
static void answer_by_files(void *self, const struct question *q, struct answer *a)
{
	question_rows[q->query].files(self, q, a);
}

START_TEST(no_contents_do_harm)
{
	struct lookup lookup;
	const struct resolver files = { answer_by_files, &lookup };

	write_merged(RANKS);
	load_file();
	lookup_open(&lookup, "/nonexistent");
	for (size_t at = PROF_PAGE; at < size;) {
		struct prof_chunk *c = (struct prof_chunk *)(bytes + at);

		if (c->kind == PROF_CHUNK_RANKS || c->kind == PROF_CHUNK_TREE)
			damage_chunk(c, &files);
		at += c->size_bytes;
	}
	lookup_close(&lookup);
	free(bytes);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("merged");
	TCase *t = tcase_create("merged");

#ifdef _OPENMP
	/* Tests run in forked children, where a runtime's threads are missing. */
	omp_set_num_threads(1);
#endif

	tcase_add_unchecked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, processes_are_by_rank);
	tcase_add_test(t, modules_are_found_by_path);
	tcase_add_test(t, each_thread_has_its_numbers);
	tcase_add_test(t, locks_keep_their_locations);
	tcase_add_test(t, code_made_at_run_time_is_apart);
	tcase_add_test(t, processes_are_as_they_were);
	tcase_add_test(t, merged_files_can_be_merged);
	tcase_add_test(t, a_merge_without_memory_fails);
	tcase_add_test(t, a_file_is_not_read_without_memory);
	tcase_add_test(t, a_cut_file_is_refused);
	tcase_add_test(t, changed_contents_are_refused);
	tcase_add_test(t, no_chunk_is_left_out);
	tcase_add_test(t, no_contents_do_harm);
	suite_add_tcase(s, t);
	return suite_main(s);
}
