/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * folded.c - writes a line for each path: `outermost;…;leaf COUNT`.
 *
 * Semicolons separate functions and the last blank precedes the count; so in a name `;`
 * becomes `:`, and control characters become blanks.  Paths with equal names (two static
 * functions of one name) share a line.  Siblings are sorted by name, so that outputs can be
 * compared.  With lines, a function is `solve (app.c:26)`.
 */
#include "config.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/clean.h"
#include "src/base/path.h"
#include "src/model/model.h"
#include "src/output/filter_text.h"
#include "src/output/formats.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/profile/reader/reader.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

#include "src/base/alloc.h"

enum {
	DEPTH_MAX = 4096
}; /* maximum number of functions printed of a path, the
				   innermost ones */

/* The view's tree with nodes distinguished by name only; with threads, each thread is the
   outermost function of its paths. */
struct folded {
	const struct report *report;
	const struct view *view;
	struct tree tree; /* function UINT32_MAX: line is a thread's number + 1; else line is that
			     of the view, or 0 */
	struct map known; /* thread + 1, node of the view: node of tree */
	uint32_t *same;	  /* by function: the first function with that name */
	uint32_t *same_line; /* by line: the first one of such a function with that file and line */
	uint64_t *weight;
	char **clean; /* by function: the printed name */
};

static void folded_lines(struct folded *f)
{
	const struct names *n = &f->view->names;
	struct map known = { 0 };

	f->same_line = alloc_zeroed(n->nlines, sizeof(*f->same_line));
	for (uint32_t i = 1; i < n->nlines; i++) {
		const struct line *l = &n->lines[i];
		const uint64_t at = (uint64_t)f->same[l->function] << 32 | l->line;

		if (l->line && l->file)
			map_add(&known, at, (uintptr_t)l->file, i, &f->same_line[i]);
	}
	map_free(&known);
}

/* The child of parent for a node of the view. */
static uint32_t folded_child(struct folded *f, uint32_t parent, const struct tree_node *n)
{
	return tree_child(&f->tree, parent, f->same[n->function], f->same_line[n->line]);
}

/* The node for a thread's path to a node of the view. */
static uint32_t folded_node(struct folded *f, uint64_t thread, uint32_t node)
{
	const struct tree_node *nodes = f->view->tree.nodes;
	uint32_t at = node, above = 0, *path;
	size_t depth = 0, i;

	while (at && !(above = map_get(&f->known, thread, at, 0))) {
		depth++;
		at = nodes[at].parent;
	}
	if (!above)
		above = tree_child(&f->tree, 0, UINT32_MAX, (uint32_t)thread);
	path = alloc_zeroed(depth + 1, sizeof(*path));
	for (at = node, i = depth; i-- > 0; at = nodes[at].parent)
		path[i] = at;
	for (i = 0; i < depth; i++) {
		above = folded_child(f, above, &nodes[path[i]]);
		map_add(&f->known, thread, path[i], above, &above);
	}
	free(path);
	return above;
}

static void folded_sum(struct folded *f, const struct table *t)
{
	const bool by_thread = f->report->by == BY_THREAD;
	const struct tree *tree = &f->view->tree;
	uint32_t *node = alloc_zeroed(by_thread ? t->n + 1 : tree->n, sizeof(*node));

	for (size_t i = 0; by_thread && i < t->n; i++)
		node[i] = folded_node(f, t->rows[i].key + 1, (uint32_t)t->rows[i].key2);
	/* For all threads together: by node of the view. */
	for (size_t i = 1; !by_thread && i < tree->n; i++)
		node[i] = folded_child(f, node[tree->nodes[i].parent], &tree->nodes[i]);
	f->weight = alloc_zeroed(f->tree.n, sizeof(*f->weight));
	for (size_t i = 0; i < t->n; i++) {
		uint64_t *w = &f->weight[node[by_thread ? i : t->rows[i].key]];

		*w = prof_add(*w, cost_sum(t->rows[i].self, f->report->event).weight);
	}
	free(node);
}

/* ---- printing -------------------------------------------------------- */

/* The name without separators and control characters; malloc'ed. */
static char *folded_cleaned(const char *name)
{
	char *const clean = alloc_text(name);
	char c[CLEAN_BYTES], *to = clean;
	size_t used;

	for (; *name; name += used)
		if (*name == ';') {
			*to++ = ':';
			used = 1;
		} else if (clean_char(name, c, &used) > 1) {
			*to++ = ' ';
		} else {
			memcpy(to, name, used);
			to += used;
		}
	*to = '\0';
	return clean;
}

static void folded_line(FILE *out, const struct folded *f, uint32_t node)
{
	uint32_t path[DEPTH_MAX];
	size_t depth = 0;

	for (uint32_t n = node; n && depth < DEPTH_MAX; n = f->tree.nodes[n].parent)
		path[depth++] = n;
	if (depth == DEPTH_MAX)
		fputs("(deeper);", out);
	while (depth-- > 0) {
		const struct tree_node *n = &f->tree.nodes[path[depth]];

		if (n->function == UINT32_MAX)
			thread_name(out, f->report->model, n->line - 1);
		else
			fputs_unlocked(f->clean[n->function], out);
		if (n->function != UINT32_MAX && n->line) {
			const struct line *l = &f->view->names.lines[n->line];
			char *const file = folded_cleaned(path_base(l->file));

			fprintf(out, " (%s:%u)", file, l->line);
			free(file);
		}
		putc_unlocked(depth ? ';' : ' ', out);
	}
	fprintf(out, "%" PRIu64 "\n", f->weight[node]);
}

static unsigned folded_number(const struct folded *f, const struct tree_node *n)
{
	return f->view->names.lines[n->line].line;
}

static int folded_order(const void *a, const void *b, void *arg)
{
	const struct folded *f = arg;
	const struct tree_node *x = &f->tree.nodes[*(const uint32_t *)a];
	const struct tree_node *y = &f->tree.nodes[*(const uint32_t *)b];
	const struct function *functions = f->view->names.functions;

	if (x->function != y->function && x->function != UINT32_MAX && y->function != UINT32_MAX)
		return strcmp(functions[x->function].name, functions[y->function].name);
	if (x->function != UINT32_MAX && folded_number(f, x) != folded_number(f, y))
		return folded_number(f, x) < folded_number(f, y) ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* Depth first, without recursion; next[i] is the position among node i's children. */
static void folded_walk(FILE *out, struct folded *f, const struct tree_children *c, uint32_t *next)
{
	uint32_t at = 0;

	for (;;) {
		if (next[at] == c->first[at]) {
			if (f->weight[at])
				folded_line(out, f, at);
			if (c->first[at + 1] - c->first[at] > 1)
				qsort_r(&c->child[c->first[at]], c->first[at + 1] - c->first[at],
					sizeof(*c->child), folded_order, f);
		}
		if (next[at] < c->first[at + 1])
			at = c->child[next[at]++];
		else if (at)
			at = f->tree.nodes[at].parent;
		else
			return;
	}
}

int folded_write(FILE *out, const struct report *r)
{
	struct folded f = { .report = r, .view = r->view };
	struct table t;
	struct tree_children children;

	table_build(r->view, r->by == BY_THREAD ? TABLE_THREAD_PATH : TABLE_PATH, &t);
	/* Flame-graph tools skip lines without a count at their end. */
	filter_text(out, r->filtered, "# ");
	if (r->elapsed)
		fputs("# elapsed time in ns: each thread's work / the threads that worked\n", out);
	tree_init(&f.tree);

	/* Names are interned: equal names have equal addresses. */
	const struct names *n = &f.view->names;
	struct map by_name = { 0 };

	f.same = alloc_zeroed(n->nfunctions, sizeof(*f.same));
	for (uint32_t i = 1; i < n->nfunctions; i++)
		map_add(&by_name, (uintptr_t)n->functions[i].name, 0, i, &f.same[i]);
	map_free(&by_name);
	folded_lines(&f);
	folded_sum(&f, &t);

	/* Computes the printed names. */
	f.clean = alloc_zeroed(n->nfunctions, sizeof(*f.clean));
	for (size_t i = 1; i < n->nfunctions; i++)
		f.clean[i] = folded_cleaned(n->functions[i].name);

	uint32_t *next = alloc_zeroed(f.tree.n, sizeof(*next));

	tree_children(&f.tree, &children);
	memcpy(next, children.first, f.tree.n * sizeof(*next));
	folded_walk(out, &f, &children, next);
	tree_children_fini(&children);
	free(next);
	for (size_t i = 0; i < n->nfunctions; i++)
		free(f.clean[i]);
	free(f.clean);
	tree_fini(&f.tree);
	map_free(&f.known);
	free(f.same);
	free(f.same_line);
	free(f.weight);
	table_fini(&t);
	return 0;
}
