/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/output/pprof/pprof_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/profile.pb-c.h"
#include "src/base/alloc.h"
#include "src/base/clean.h"
#include "src/base/path.h"
#include "src/model/model.h"
#include "src/output/output.h"
#include "src/output/pprof/pprof_stream.h"
#include "src/profile/reader/reader.h"
#include "src/view/view.h"

/* Strings of protocol buffers are UTF-8: other bytes become U+FFFD, and so do characters that
   nobody would see.  malloc'ed. */
static char *names_utf8(const char *s)
{
	static const char replacement[] = "\xef\xbf\xbd";
	char *const clean = alloc_bytes(strlen(s) * (sizeof(replacement) - 1) + 1);
	char *to = clean;

	while (*s) {
		const size_t n = clean_sequence(s);

		to = n && !clean_is_hidden(clean_code(s, n)) ?
			     mempcpy(to, s, n) :
			     mempcpy(to, replacement, sizeof(replacement) - 1);
		s += n ? n : 1;
	}
	*to = '\0';
	return clean;
}

int64_t pprof_string(struct pprof_names *n, const char *s)
{
	char *const clean = names_utf8(s ? s : "");
	const uint32_t number = interner_number(&n->strings, clean, SIZE_MAX);

	free(clean);
	return number;
}

/* The number of a pair, from 1 on. */
static uint64_t names_number(struct map *known, uint64_t a, uint64_t b)
{
	uint32_t number = 0;

	map_add(known, a, b, (uint32_t)known->count + 1, &number);
	return number;
}

void pprof_names_init(struct pprof_names *n, const struct report *r)
{
	*n = (struct pprof_names){ .report = r };
	pprof_string(n, "");

	/* The first mapping is the program's. */
	const struct model *m = n->report->model;
	const struct names *names = &n->report->view->names;
	const char *exe = m->nprocesses ? prof_text(m->processes[0].file, PROF_INFO_EXE) : NULL;

	for (size_t i = 1; exe && i < names->nfunctions; i++) {
		const char *module = names->functions[i].module;

		if (module && !strcmp(module, path_base(exe))) {
			names_number(&n->mappings, (uintptr_t)module, 0);
			return;
		}
	}
}

void pprof_names_fini(struct pprof_names *n)
{
	interner_free(&n->strings);
	map_free(&n->mappings);
	map_free(&n->functions);
	map_free(&n->locations);
}

uint64_t pprof_location(struct pprof_names *n, uint32_t node)
{
	const struct tree_node *t = &n->report->view->tree.nodes[node];

	return names_number(&n->locations, t->function, t->line);
}

/* ---- the tables ------------------------------------------------------ */

static void write_location(struct pprof_names *n, struct pprof_stream *s, size_t i)
{
	const struct names *names = &n->report->view->names;
	const struct map_entry *e = &n->locations.entries[i];
	const char *module = names->functions[e->a].module;
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	Pprof__Location location = PPROF__LOCATION__INIT, *locations[] = { &location };
	Pprof__Line line = PPROF__LINE__INIT, *lines[] = { &line };

	line.function_id = names_number(&n->functions, e->a, 0);
	line.line = names->lines[e->b].line;
	location.id = e->number;
	if (module)
		location.mapping_id = names_number(&n->mappings, (uintptr_t)module, 0);
	location.n_line = 1;
	location.line = lines;
	piece.n_location = 1;
	piece.location = locations;
	pprof_stream_put(s, &piece);
}

/* Functions know the base names of their modules only. */
static const struct prof_rmodule *names_module(const struct model *m, const char *name)
{
	for (size_t p = 0; p < m->nprocesses; p++) {
		const struct prof_file *f = m->processes[p].file;

		for (size_t i = 0; i < f->nmodules; i++)
			if (!strcmp(path_base(f->modules[i].path), name))
				return &f->modules[i];
	}
	return NULL;
}

/* All names are known, so pprof needs no file. */
static void write_mapping(struct pprof_names *n, struct pprof_stream *s, size_t i)
{
	const struct map_entry *e = &n->mappings.entries[i];
	const char *name = (const char *)(uintptr_t)e->a;
	const struct prof_rmodule *m = names_module(n->report->model, name);
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	Pprof__Mapping mapping = PPROF__MAPPING__INIT, *mappings[] = { &mapping };

	mapping.id = e->number;
	mapping.filename = pprof_string(n, m ? m->path : name);

	char id[2 * sizeof(m->build_id) + 1] = "";

	for (uint32_t b = 0; m && b < m->build_id_bytes && b < sizeof(m->build_id); b++)
		snprintf(id + 2 * b, 3, "%02x", m->build_id[b]);
	mapping.build_id = pprof_string(n, id);
	mapping.has_functions = mapping.has_filenames = true;
	mapping.has_line_numbers = mapping.has_inline_frames = true;
	piece.n_mapping = 1;
	piece.mapping = mappings;
	pprof_stream_put(s, &piece);
}

/* In this order each table gives the last numbers of those that follow. */
void pprof_names_write(struct pprof_names *n, struct pprof_stream *s)
{
	for (size_t i = 0; i < n->locations.count; i++)
		write_location(n, s, i);
	for (size_t i = 0; i < n->functions.count; i++) {
		/* pprof takes a name that is its own symbol for one that it may shorten, and
		   <OMP-idle> for a template's arguments: only symbols that differ are shown. */
		const struct map_entry *e = &n->functions.entries[i];
		const struct function *f = &n->report->view->names.functions[e->a];
		Pprof__Profile piece = PPROF__PROFILE__INIT;
		Pprof__Function function = PPROF__FUNCTION__INIT, *functions[] = { &function };

		function.id = e->number;
		function.name = pprof_string(n, f->name ? f->name : "(no function)");
		if (f->linkage && f->name && strcmp(f->linkage, f->name))
			function.system_name = pprof_string(n, f->linkage);
		function.filename = pprof_string(n, f->file);
		function.start_line = f->line;
		piece.n_function = 1;
		piece.function = functions;
		pprof_stream_put(s, &piece);
	}
	for (size_t i = 0; i < n->mappings.count; i++)
		write_mapping(n, s, i);
	for (size_t i = 0; i < n->strings.count; i++) {
		Pprof__Profile piece = PPROF__PROFILE__INIT;
		char *strings[] = { (char *)(uintptr_t)n->strings.strings[i] };

		piece.n_string_table = 1;
		piece.string_table = strings;
		pprof_stream_put(s, &piece);
	}
}
