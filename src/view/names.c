/* SPDX-License-Identifier: BSD-3-Clause */
/* names.c - strings are interned, so that comparing names is comparing numbers. */
#include "config.h"

#include "src/view/names.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/pinned.h"
#include "src/toolchain/toolchain.h"

/* The number of s; NULL's is 0. */
static uint32_t names_string_id(struct names *n, const char *s)
{
	return s ? interner_number(&n->strings, s, SIZE_MAX) + 1 : 0;
}

static const char *names_text(const struct names *n, uint32_t id)
{
	return id ? n->strings.strings[id - 1] : NULL;
}

const char *names_string(struct names *n, const char *s)
{
	return names_text(n, names_string_id(n, s));
}

void names_init(struct names *n)
{
	*n = (struct names){ 0 };
	n->functions = pinned_grow(NULL, 0, &n->functions_room, sizeof(*n->functions));
	n->lines = pinned_grow(NULL, 0, &n->lines_room, sizeof(*n->lines));
	n->functions[0].entry = toolchain_entry(NULL);
	n->nfunctions = n->nlines = 1;
}

void names_fini(struct names *n)
{
	pinned_free(n->functions);
	pinned_free(n->lines);
	interner_free(&n->strings);
	map_free(&n->by_function);
	map_free(&n->by_name);
	map_free(&n->by_line);
	map_free(&n->by_symbol);
	*n = (struct names){ 0 };
}

static uint32_t names_function_new(struct names *n, const struct function *f, uint32_t name,
				   uint32_t module, uint32_t file)
{
	struct function copy = *f;
	uint32_t id;

	n->functions =
		pinned_grow(n->functions, n->nfunctions, &n->functions_room, sizeof(*n->functions));
	copy.name = names_text(n, name);
	copy.module = names_text(n, module);
	copy.file = names_text(n, file);
	copy.linkage = names_string(n, f->linkage);
	copy.origin = names_string(n, f->origin);
	copy.entry = toolchain_entry(copy.linkage ? copy.linkage : copy.name);
	/* The same number for a function that was so far known only as an origin. */
	if (map_add(&n->by_name, name, module, (uint32_t)n->nfunctions, &id) ||
	    !n->functions[id].unseen)
		id = (uint32_t)n->nfunctions++;
	n->functions[id] = copy;
	return id;
}

uint32_t names_function(struct names *n, const struct function *f)
{
	const uint32_t name = names_string_id(n, f->name), module = names_string_id(n, f->module),
		       file = names_string_id(n, f->file);
	const uint64_t a = (uint64_t)name << 32 | module, b = (uint64_t)file << 32 | f->line;
	uint32_t id = map_get(&n->by_function, a, b, 0);

	if (!id) {
		id = names_function_new(n, f, name, module, file);
		map_add(&n->by_function, a, b, id, &id);
	}
	return id;
}

uint32_t names_artificial(struct names *n, const char *name, enum function_kind kind)
{
	return names_function(n, &(struct function){ .name = name, .kind = kind });
}

uint32_t names_call(struct names *n, const char *name, const char *module, bool folds)
{
	const struct function call = {
		.name = name,
		.linkage = name,
		.kind = folds ? FUNCTION_PLAIN : FUNCTION_ARTIFICIAL,
	};
	const uint32_t id = names_function(n, &call);
	struct function *f = &n->functions[id];

	if (folds) {
		f->library = true;
		if (module && (!f->module || strcmp(module, f->module) < 0))
			f->module = module;
	}
	return id;
}

uint32_t names_origin(struct names *n, uint32_t f)
{
	const struct function *from = &n->functions[f];
	const struct function origin = {
		.name = from->origin,
		.module = from->module,
		.unseen = true,
	};
	const uint32_t name = names_string_id(n, origin.name),
		       module = names_string_id(n, origin.module);
	const uint32_t id = map_get(&n->by_name, name, module, 0);

	return id ? id : names_function(n, &origin);
}

uint32_t names_symbol(struct names *n, const struct sym_function *f)
{
	const struct function full = {
		.name = f->name,
		.linkage = f->linkage,
		.module = f->module,
		.file = f->file,
		.line = f->line,
		.outlined = f->outlined,
		.origin = f->origin,
		.inner = f->inner,
		.directive = f->directive,
		.symbol = f,
	};
	uint32_t id = map_get(&n->by_symbol, (uintptr_t)f, 0, 0);

	if (!id) {
		id = names_function(n, &full);
		map_add(&n->by_symbol, (uintptr_t)f, 0, id, &id);
	}
	return id;
}

static uint32_t names_line_new(struct names *n, const struct line *l, uint64_t key)
{
	uint32_t id;

	n->lines = pinned_grow(n->lines, n->nlines, &n->lines_room, sizeof(*n->lines));
	if (map_add(&n->by_line, (uint64_t)l->function << 32 | l->line, key, (uint32_t)n->nlines,
		    &id))
		n->lines[n->nlines++] = *l;
	return id;
}

uint32_t names_line(struct names *n, uint32_t function, const char *file, unsigned line)
{
	struct line l = { .function = function, .line = line, .whole = (uint32_t)n->nlines };
	const uint32_t file_id = names_string_id(n, file);

	l.file = names_text(n, file_id);
	return names_line_new(n, &l, file_id);
}

uint32_t names_place(struct names *n, uint32_t line, const char *place)
{
	struct line l = n->lines[line];
	const uint32_t place_id = names_string_id(n, place);

	l.place = names_text(n, place_id);
	/* No collision with names_line(): file numbers have at most 32 bits. */
	return names_line_new(n, &l, (uint64_t)line << 32 | place_id);
}

static const char called_there[] = "in a function called there";

uint32_t names_called(struct names *n, uint32_t line)
{
	const char *place = n->lines[line].place;
	char *both = place ? alloc_printf("%s, %s", place, called_there) : NULL;
	const uint32_t id = names_place(n, line, both ? both : called_there);

	free(both);
	return id;
}

bool names_is_called(const struct line *l)
{
	const size_t n = l->place ? strlen(l->place) : 0;

	return n >= sizeof(called_there) - 1 &&
	       !strcmp(l->place + n - (sizeof(called_there) - 1), called_there);
}

bool names_is_of(const char *name, const char *origin)
{
	const size_t n = strlen(origin);

	return !strncmp(name, origin, n) && (!name[n] || strchr("(<.[ ", name[n]));
}
