/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hatchet.c - the calling-context tree in Hatchet's literal form: nested nodes, each with a
 * frame, its metrics and its children.
 *
 * For each event there are the metrics EVENT and EVENT (inc), and what the first is made of:
 * samples, work, wait and overhead.  Hatchet's default metric is time: the sorting event has that
 * name where it measures time.  Unknown attributes of a frame are left out, since Hatchet
 * compares frames by their attributes.
 */
#include "config.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/model/model.h"
#include "src/output/formats.h"
#include "src/output/json/json_parts.h"
#include "src/output/output.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

#include "src/base/alloc.h"

struct hatchet {
	const struct report *report;
	struct json_stream stream;
	struct tree_children children;
	struct cost *self, *inclusive;
	uint32_t *next; /* by node: the position among its children */
	char **name;	/* of the metrics of each event, as JSON */
	size_t block;
};

/* Prints a value with the next name. */
static void put_metric(struct hatchet *h, size_t *at, uint64_t value)
{
	fprintf(h->stream.out, "%s%s:%" PRIu64, *at ? "," : "", h->name[*at], value);
	++*at;
}

static void put_metrics(struct hatchet *h, uint32_t node)
{
	const struct cost *self = &h->self[node * h->block];
	size_t at = 0;

	fputs("\"metrics\":{", h->stream.out);
	for (size_t e = 0; e < h->report->model->nevents; e++) {
		const struct cost sum = cost_sum(self, e);

		if (!model_is_sampled(h->report->model, e))
			continue;
		put_metric(h, &at, cost_sum(&h->inclusive[node * h->block], e).weight);
		put_metric(h, &at, sum.weight);
		put_metric(h, &at, sum.samples);
		for (unsigned class = 0; class < OMP_CLASSES; class ++)
			if (omp_has_class(h->report->view->classes, class))
				put_metric(h, &at,
					   cost_at(self, e, (enum omp_class) class)->weight);
	}
	putc_unlocked('}', h->stream.out);
}

/* Depth first, without recursion. */
static void hatchet_walk(struct hatchet *h)
{
	const struct tree *tree = &h->report->view->tree;
	uint32_t at = 0;
	bool first = true;

	for (;;) {
		if (h->next[at] < h->children.first[at + 1]) {
			const uint32_t child = h->children.child[h->next[at]++];

			/* Of a filtered view the tree has the paths of samples left out, too. */
			if (h->report->view->kept && cost_is_zero(&h->inclusive[child * h->block],
								  h->report->model->nevents))
				continue;
			fputs(first ? "\n{\"frame\":" : ",\n{\"frame\":", h->stream.out);

			const struct names *names = &h->report->view->names;
			const struct tree_node *n = &h->report->view->tree.nodes[child];
			const struct function *f = &names->functions[n->function];
			const struct line *l = &names->lines[n->line];
			const bool at_line = n->line && l->file && l->line;
			const char *file = at_line ? l->file : f->file;
			const unsigned line = at_line ? l->line : f->line;
			struct json_object *o = json_new_object();

			json_put_text(o, "name", f->name ? f->name : "(no function)");
			json_put_text(o, "type", f->kind == FUNCTION_PLAIN ? "function" : "state");
			if (f->module)
				json_put_text(o, "module", f->module);
			if (file)
				json_put_text(o, "file", file);
			if (file && line)
				json_put_number(o, "line", line);
			json_print(&h->stream, o);
			putc_unlocked(',', h->stream.out);
			put_metrics(h, child);
			fputs(",\"children\":[", h->stream.out);
			first = true;
			at = child;
		} else if (at) {
			fputs("]}", h->stream.out);
			first = false;
			at = tree->nodes[at].parent;
		} else {
			return;
		}
	}
}

/* ---- names of metrics ------------------------------------------------ */

/* In the order in which put_metrics() prints them; after them those of the classes. */
static const char *const metrics[] = { " (inc)", "", " samples" };
enum { METRICS = sizeof(metrics) / sizeof(*metrics) };

/* The name in JSON; malloc'ed. */
static char *metric_name(const char *event, const char *what, const char *class)
{
	struct json_stream stream = { 0 };
	char *plain = NULL, *text = NULL;
	size_t size;

	plain = alloc_printf("%s%s%s", event, what, class);
	stream.out = alloc_stream(&text, &size);
	json_print(&stream, json_text(plain));
	alloc_stream_end(stream.out);
	free(plain);
	return text;
}

static void hatchet_names(struct hatchet *h)
{
	const struct model *m = h->report->model;
	const unsigned each = METRICS + OMP_CLASSES;
	size_t at = 0;

	h->name = alloc_zeroed(m->nevents * each + 1, sizeof(*h->name));
	for (size_t e = 0; h->name && e < m->nevents; e++) {
		const bool time = e == h->report->event && m->events[e].unit == PROF_UNIT_NS;
		const char *event = time ? "time" : m->events[e].label;

		for (unsigned i = 0; i < each && model_is_sampled(m, e); i++) {
			const bool class = i >= METRICS;

			if (class && !omp_has_class(h->report->view->classes, i - METRICS))
				continue;
			h->name[at] =
				metric_name(event, class ? " " : metrics[i],
					    class ? omp_class_name((enum omp_class)(i - METRICS)) :
						    "");
			at++;
		}
	}
}

/* ---- the whole ------------------------------------------------------- */

static void hatchet_init(struct hatchet *h)
{
	const struct report *r = h->report;

	tree_children(&r->view->tree, &h->children);
	h->block = r->model->nevents * OMP_CLASSES;
	h->next = alloc_zeroed(r->view->tree.n, sizeof(*h->next));
	hatchet_names(h);
	tree_costs(r->view, &h->self, &h->inclusive);
	memcpy(h->next, h->children.first, r->view->tree.n * sizeof(*h->next));
}

int hatchet_write(FILE *out, const struct report *r)
{
	struct hatchet h = { .report = r, .stream = { .out = out } };

	hatchet_init(&h);
	putc('[', out);
	hatchet_walk(&h);
	fputs("]\n", out);
	tree_children_fini(&h.children);
	free(h.self);
	free(h.inclusive);
	free(h.next);
	for (size_t i = 0; h.name && h.name[i]; i++)
		free(h.name[i]);
	free(h.name);
	return 0;
}
