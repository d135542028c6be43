/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * callgrind.c - functions, lines and calls in Callgrind's format.
 *
 * A function has its own costs by line, and calls with their inclusive costs by the line of the
 * call.  A sample counts for one call of each function on its path, the outermost one, so the
 * calls of a function add up to its inclusive cost, also where it recurs.  How often a function was
 * called is not known; the number of samples stands there.
 */
#include "config.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/clean.h"
#include "src/base/map.h"
#include "src/model/model.h"
#include "src/output/filter_text.h"
#include "src/output/formats.h"
#include "src/output/output.h"
#include "src/profile/reader/reader.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

/* Costs at a line of a function. */
struct callgrind_item {
	uint32_t function;
	uint32_t line;		  /* number of a line of the view; 0: unknown */
	uint32_t callee;	  /* the function called there; 0: the function's own costs */
	const struct cost *block; /* of a call: inclusive */
};

struct callgrind_costs {
	struct callgrind_item *items; /* by function, then own costs, then by line */
	size_t n;
	struct table self; /* key: function, key2: line */
	struct map calls;  /* caller and its line; callee: number */
	struct cost *inclusive;
};

struct callgrind {
	FILE *out;
	const struct report *report;
	struct callgrind_costs costs;
	bool *named;		   /* by function: it had its number and name already */
	struct map files, objects; /* by interned name: numbers from 1 on */
};

/* ---- costs ----------------------------------------------------------- */

enum { NO_ROW = UINT32_MAX };

static bool self_key(const struct view *v, const struct view_record *r, void *arg,
		     struct table_key_pair *key)
{
	const struct tree_node *n = &v->tree.nodes[r->node];

	(void)arg;
	key->a = n->function;
	key->b = n->line;
	return true;
}

/* ---- calls ----------------------------------------------------------- */

struct call_walk {
	const struct view *view;
	struct tree_children children;
	uint32_t *next;	  /* by node: the position among its children */
	uint32_t *active; /* by function: how often it is on the path */
	uint32_t *row;	  /* by node: the number of its call, or NO_ROW */
};

/* Depth first, without recursion. */
static void callgrind_walk_nodes(struct call_walk *w, struct map *calls)
{
	const struct tree_node *nodes = w->view->tree.nodes;
	uint32_t at = 0;

	w->row[0] = NO_ROW;
	while (true) {
		if (w->next[at] < w->children.first[at + 1]) {
			at = w->children.child[w->next[at]++];

			/* The call that a node is: none if its function is on the path already, or
			   nobody called it. */
			const struct tree_node *n = &nodes[at], *caller = &nodes[n->parent];

			w->row[at] = NO_ROW;
			if (w->active[n->function]++ || !n->parent)
				continue;
			map_add(calls, (uint64_t)caller->function << 32 | caller->line, n->function,
				(uint32_t)calls->count, &w->row[at]);
		} else if (at) {
			w->active[nodes[at].function]--;
			at = nodes[at].parent;
		} else {
			return;
		}
	}
}

/* ---- items ----------------------------------------------------------- */

static int item_order(const void *a, const void *b, void *arg)
{
	const struct callgrind_item *x = a, *y = b;
	const struct line *lines = ((const struct view *)arg)->names.lines;

	if (x->function != y->function)
		return x->function < y->function ? -1 : 1;
	if (!x->callee != !y->callee)
		return x->callee ? 1 : -1;
	if (lines[x->line].line != lines[y->line].line)
		return lines[x->line].line < lines[y->line].line ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->callee < y->callee ? -1 : x->callee > y->callee;
}

static void costs_items(const struct view *v, struct callgrind_costs *c)
{
	const size_t nevents = v->model->nevents, block = nevents * OMP_CLASSES;

	for (size_t i = 0; i < c->self.n; i++)
		c->items[c->n++] = (struct callgrind_item){
			.function = (uint32_t)c->self.rows[i].key,
			.line = (uint32_t)c->self.rows[i].key2,
			.block = c->self.rows[i].self,
		};
	for (size_t i = 0; i < c->calls.count; i++) {
		const struct map_entry *e = &c->calls.entries[i];

		/* Of a filtered view the tree has the paths of samples that were left out. */
		if (!cost_is_zero(&c->inclusive[i * block], nevents))
			c->items[c->n++] = (struct callgrind_item){
				.function = (uint32_t)(e->a >> 32),
				.line = (uint32_t)e->a,
				.callee = (uint32_t)e->b,
				.block = &c->inclusive[i * block],
			};
	}
	if (c->n)
		qsort_r(c->items, c->n, sizeof(*c->items), item_order, (void *)(uintptr_t)v);
}

static void callgrind_costs(const struct view *v, struct callgrind_costs *c)
{
	struct call_walk w;

	*c = (struct callgrind_costs){ 0 };
	table_build_of(v, self_key, NULL, &c->self);

	const size_t block = v->model->nevents * OMP_CLASSES;

	w = (struct call_walk){
		.view = v,
		.next = alloc_zeroed(v->tree.n, sizeof(*w.next)),
		.active = alloc_zeroed(v->names.nfunctions + 1, sizeof(*w.active)),
		.row = alloc_zeroed(v->tree.n, sizeof(*w.row)),
	};
	tree_children(&v->tree, &w.children);
	memcpy(w.next, w.children.first, v->tree.n * sizeof(*w.next));
	callgrind_walk_nodes(&w, &c->calls);
	c->inclusive = alloc_zeroed(c->calls.count * block + 1, sizeof(*c->inclusive));
	tree_inclusive(v, w.row, c->calls.count, c->inclusive);
	tree_children_fini(&w.children);
	free(w.next);
	free(w.active);
	free(w.row);
	c->items = alloc_zeroed(c->self.n + c->calls.count + 1, sizeof(*c->items));
	costs_items(v, c);
}

static void callgrind_costs_fini(struct callgrind_costs *c)
{
	table_fini(&c->self);
	map_free(&c->calls);
	free(c->inclusive);
	free(c->items);
	*c = (struct callgrind_costs){ 0 };
}

/* ---- names ----------------------------------------------------------- */

/* Control characters would break lines. */
static void put_clean(FILE *out, const char *s)
{
	char one[CLEAN_BYTES];
	size_t used;

	for (; *s; s += used)
		if (clean_char(s, one, &used) > 1)
			putc_unlocked(' ', out);
		else
			fwrite(s, 1, used, out);
}

/* "fl=(3) src/app.c", the next time "fl=(3)" */
static void put_numbered(FILE *out, const char *key, uint32_t number, bool first, const char *name)
{
	fprintf(out, "%s=(%" PRIu32 ")", key, number);
	if (first) {
		putc_unlocked(' ', out);
		put_clean(out, name && *name ? name : "???");
	}
	putc_unlocked('\n', out);
}

static void callgrind_put_name(struct callgrind *c, const char *key, struct map *known,
			       const char *name)
{
	uint32_t number;
	const bool added = map_add(known, (uintptr_t)name, 0, (uint32_t)known->count + 1, &number);

	put_numbered(c->out, key, number, added, name);
}

/* Functions of one name are distinguished by their numbers. */
static void callgrind_put_function(struct callgrind *c, const char *key, uint32_t function)
{
	put_numbered(c->out, key, function, !c->named[function],
		     c->report->view->names.functions[function].name);
	c->named[function] = true;
}

/* ---- the header ------------------------------------------------------ */

/* KCachegrind takes letters, digits and _ in the short name of an event. */
static char short_letter(char c)
{
	const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			   (c >= '0' && c <= '9');

	return plain || !c ? c : '_';
}

static bool has_same_short_name(const char *a, const char *b)
{
	while (*a && short_letter(*a) == short_letter(*b)) {
		a++;
		b++;
	}
	return !*a && !*b;
}

/* "cpu_clock_u"; an event with the name of an earlier one has its number after it. */
static void put_event_name(FILE *out, const struct model *m, size_t event)
{
	bool taken = false;

	for (const char *s = m->events[event].label; *s; s++)
		putc_unlocked(short_letter(*s), out);
	for (size_t e = 0; e < event; e++)
		taken = taken || has_same_short_name(m->events[e].label, m->events[event].label);
	if (taken)
		fprintf(out, "_%zu", event);
}

static void put_costs(struct callgrind *c, const struct cost *block)
{
	const struct model *m = c->report->model;

	for (size_t e = 0; e < m->nevents; e++)
		if (model_is_sampled(m, e))
			fprintf(c->out, " %" PRIu64, cost_sum(block, e).weight);
	putc_unlocked('\n', c->out);
}

static void put_header(struct callgrind *c)
{
	const struct model *m = c->report->model;

	fputs("# callgrind format\nversion: 1\ncreator: " PACKAGE_NAME "\n", c->out);
	filter_text(c->out, c->report->filtered, "# ");
	if (m->nprocesses) {
		const struct prof_file *f = c->report->model->processes[0].file;

		fputs("cmd:", c->out);
		for (size_t i = 0; i < f->ntexts; i++) {
			const struct prof_text *t = &f->texts[i];

			for (size_t at = 0; t->kind == PROF_INFO_ARGV && at < t->bytes;
			     at += strlen(t->text + at) + 1) {
				putc_unlocked(' ', c->out);
				put_clean(c->out, t->text + at);
			}
		}
		putc_unlocked('\n', c->out);
		if (c->report->model->nprocesses == 1)
			fprintf(c->out, "pid: %u\n", f->header.pid);
	}
	fputs("positions: line\n", c->out);
	for (size_t e = 0; e < m->nevents; e++) {
		if (!model_is_sampled(m, e))
			continue;
		fputs("event: ", c->out);
		put_event_name(c->out, m, e);
		fputs(" : ", c->out);
		put_clean(c->out, m->events[e].label);
		fputs(m->events[e].unit == PROF_UNIT_NS ? " [ns]\n" : "\n", c->out);
	}
	fputs("events:", c->out);
	for (size_t e = 0; e < m->nevents; e++) {
		if (!model_is_sampled(m, e))
			continue;
		putc_unlocked(' ', c->out);
		put_event_name(c->out, m, e);
	}
	fputs("\nsummary:", c->out);
	put_costs(c, c->costs.self.total);
}

/* ---- functions ------------------------------------------------------- */

/* The costs that follow are of a file other than the function's own: code that was included. */
static void put_file(struct callgrind *c, const char *file, const char *own, const char **at)
{
	if (file != *at)
		callgrind_put_name(c, file == own ? "fe" : "fi", &c->files, file);
	*at = file;
}

static void put_call(struct callgrind *c, const struct callgrind_item *item)
{
	const struct function *f = &c->report->view->names.functions[item->callee];
	const uint64_t samples = cost_sum(item->block, c->report->event).samples;

	callgrind_put_name(c, "cob", &c->objects, f->module);
	callgrind_put_name(c, "cfi", &c->files, f->file);
	callgrind_put_function(c, "cfn", item->callee);
	fprintf(c->out, "calls=%" PRIu64 " %u\n", samples ? samples : 1, f->line);
}

int callgrind_write(FILE *out, const struct report *r)
{
	struct callgrind c = { .out = out, .report = r };

	callgrind_costs(r->view, &c.costs);
	c.named = alloc_zeroed(r->view->names.nfunctions + 1, sizeof(*c.named));
	put_header(&c);

	const struct function *functions = c.report->view->names.functions;
	const char *file = NULL;
	uint32_t at = 0;

	for (size_t i = 0; i < c.costs.n; i++) {
		const struct callgrind_item *item = &c.costs.items[i];

		if (item->function != at) {
			at = item->function;
			file = functions[at].file;
			putc_unlocked('\n', c.out);
			callgrind_put_name(&c, "ob", &c.objects, functions[at].module);
			callgrind_put_name(&c, "fl", &c.files, file);
			callgrind_put_function(&c, "fn", at);
		}

		const struct line *l = &c.report->view->names.lines[item->line];
		const struct function *f = &c.report->view->names.functions[item->function];

		put_file(&c, l->file ? l->file : f->file, f->file, &file);
		if (item->callee)
			put_call(&c, item);
		fprintf(c.out, "%u", l->line);
		put_costs(&c, item->block);
	}
	fputs("\ntotals:", out);
	put_costs(&c, c.costs.self.total);
	map_free(&c.files);
	map_free(&c.objects);
	free(c.named);
	callgrind_costs_fini(&c.costs);
	return 0;
}
