/* SPDX-License-Identifier: BSD-3-Clause */
/* sourceless.c - adds up the work without a line by its modules. */
#include "config.h"

#include "src/tables/sourceless.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/base/map.h"
#include "src/base/path.h"
#include "src/model/leaf.h"
#include "src/profile/reader/reader.h"
#include "src/view/view.h"

/* A module is mentioned from this part of the work on. */
#define WORTH_SAYING 0.05

/* Of a module's code, with and without a line. */
struct module_cost {
	const char *path;
	uint64_t lined, bare;
};

struct modules {
	struct module_cost *all;
	size_t n, room;
	struct map by_path; /* names are stored once */
};

static bool is_python(const char *path)
{
	const char *base = path ? path_base(path) : "";

	/* python3.11, libpython3.11.so.1.0 */
	base += strncmp(base, "lib", 3) == 0 ? 3 : 0;
	return !strncmp(base, "python", 6) && strchr("0123456789.", base[6]);
}

/* A function that the program's source may have, in a file that may have debug information. */
static bool sourceless_is_of_program(const struct function *f)
{
	return f->kind == FUNCTION_PLAIN && !f->library && f->module && *f->module != '[' &&
	       !is_python(f->module);
}

/* The interpreter that code of the program was called by, if no function of its language has a
   name. */
static void sourceless_python(const struct view *v, struct sourceless *s)
{
	for (size_t i = 1; i < v->names.nfunctions; i++) {
		const struct function *f = &v->names.functions[i];

		if (f->name && !strncmp(f->name, "py::", 4)) {
			s->python = NULL;
			return;
		}
		if (is_python(f->module))
			s->python = f->module;
	}
}

struct sourceless sourceless_of(const struct view *v, size_t event)
{
	struct sourceless s = { 0 };
	struct modules m = { 0 };
	uint64_t all = 0;

	for (size_t i = 0; i < v->nrecords; i++) {
		const struct view_record *r = &v->records[i];
		const struct line *l = &v->names.lines[r->line];

		if (r->event != event || r->class != OMP_WORK)
			continue;
		all = prof_add(all, r->weight);
		if (r->line && sourceless_is_of_program(&v->names.functions[l->function])) {
			uint32_t number;
			uint64_t *sum;

			const char *path = v->names.functions[l->function].module;
			const uint64_t weight = r->weight;
			const bool lined = l->line != 0;

			if (map_add(&m.by_path, (uintptr_t)path, 0, (uint32_t)m.n, &number) == 1) {
				m.all = grow(m.all, m.n, &m.room, sizeof(*m.all));
				m.all[m.n++] = (struct module_cost){ .path = path };
			}
			sum = lined ? &m.all[number].lined : &m.all[number].bare;
			*sum = prof_add(*sum, weight);
		}
	}
	const double total = (double)all;
	uint64_t most = 0;

	for (size_t i = 0; i < m.n; i++) {
		const struct module_cost *c = &m.all[i];

		if (c->lined || (double)c->bare < WORTH_SAYING * total)
			continue;
		s.share += (double)c->bare / total;
		s.more += most != 0;
		if (c->bare > most) {
			most = c->bare;
			s.module = c->path;
		}
	}
	sourceless_python(v, &s);
	map_free(&m.by_path);
	free(m.all);
	return s;
}
