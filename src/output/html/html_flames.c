/* SPDX-License-Identifier: BSD-3-Clause */
/* html_flames.c - the views' paths, as columns of numbers. */
#include "config.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/shorten.h"
#include "src/output/html/html_parts.h"
#include "src/output/json/json_parts.h"
#include "src/output/output.h"
#include "src/tables/flame.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

struct json_object *html_cells(size_t nevents)
{
	struct json_object *all = json_new_array();

	for (size_t e = 0; e < nevents; e++)
		json_append(all, json_new_array());
	return all;
}

void html_cells_add(struct json_object *cells, size_t nevents, unsigned classes, uint64_t key,
		    const struct cost *block)
{
	for (size_t e = 0; e < nevents; e++)
		for (unsigned c = 0; c < OMP_CLASSES; c++) {
			const struct cost *one = cost_at(block, e, (enum omp_class)c);
			struct json_object *to = json_object_array_get_idx(cells, e);

			if (!one->weight && !one->samples)
				continue;
			json_append(to, json_number(key));
			json_append(to, json_number(omp_class_index(classes, c)));
			json_append(to, json_number(one->weight));
			json_append(to, json_number(one->samples));
		}
}

/* name, kind, file, line, module, short name */
static void flames_function(struct json_stream *s, const struct flame_function *f)
{
	struct json_object *o = json_new_array();
	char *brief = shorten(f->name ? f->name : "", SHORT_OWN);

	json_append(o, json_text(f->name));
	json_append(o, json_number(f->kind));
	json_append(o, json_text(f->file));
	json_append(o, json_number_if(f->line != 0, f->line));
	json_append(o, json_text(f->module));
	if (f->name && strcmp(brief, f->name) != 0)
		json_append(o, json_text(brief));
	json_element(s, o);
	free(brief);
}

static void flames_tree(struct json_stream *s, const char *name, const struct flame_tree *t,
			const struct flame *f)
{
	fprintf(s->out, "\"%s\":{\n", name);
	json_member(s, "least", json_new_double(t->least));

	struct json_object *cells = html_cells(f->nevents);

	for (size_t i = 0; i < t->tree.n; i++)
		html_cells_add(cells, f->nevents, f->classes, i,
			       &t->self[i * f->nevents * OMP_CLASSES]);
	json_member(s, "cells", cells);
	fputs("\"parent\":[", s->out);
	for (size_t i = 0; i < t->tree.n; i++)
		fprintf(s->out, "%s%" PRIu32, i ? "," : "", t->tree.nodes[i].parent);
	fputs("],\n\"function\":[", s->out);
	for (size_t i = 0; i < t->tree.n; i++)
		fprintf(s->out, "%s%" PRIu32, i ? "," : "", t->tree.nodes[i].function);
	fputs("]}", s->out);
}

static void flames_member(struct json_stream *s, const char *name, const struct flame *flames)
{
	fprintf(s->out, "\"%s\":{", name);
	for (unsigned kind = 0; flames && kind < VIEW_KINDS; kind++) {
		fputs(kind ? ",\n" : "\n", s->out);

		const struct flame *f = &flames[kind];

		fprintf(s->out, "\"%s\":{\n", view_name(((enum view_kind)kind)));
		json_open(s, "functions");
		for (size_t i = 0; i < f->nfunctions; i++)
			flames_function(s, &f->functions[i]);
		json_close(s);
		flames_tree(s, "callees", &f->callees, f);
		fputs(",\n", s->out);
		flames_tree(s, "callers", &f->callers, f);
		fputs("}", s->out);
	}
	fputs("},\n", s->out);
}

void html_flames(struct json_stream *s, const struct report *r)
{
	flames_member(s, "flames", r->flames);
	flames_member(s, "elapsed", r->elapsed_flames);
}
