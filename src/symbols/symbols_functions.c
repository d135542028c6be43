/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/symbols/symbols_functions.h"

#include <string.h>

#include "src/base/arena.h"
#include "src/base/interner.h"

/* Replaces s by its interned copy, so that comparing pointers compares strings. */
static void symbols_functions_keep(struct interner *in, const char **s)
{
	if (*s)
		*s = intern(in, *s, strlen(*s));
}

const struct sym_function *symbols_functions_get(struct symbols_functions *t,
						 const struct sym_function *f, uint32_t source,
						 struct symbols_unit *unit, const Dwarf_Die *root)
{
	struct sym_function kept = *f;
	const struct symbols_function *first, *x;
	struct symbols_function *fresh;
	uint64_t a, b;

	struct interner *in = t->strings;

	symbols_functions_keep(in, &kept.name);
	symbols_functions_keep(in, &kept.linkage);
	symbols_functions_keep(in, &kept.module);
	symbols_functions_keep(in, &kept.file);
	symbols_functions_keep(in, &kept.origin);
	a = (uintptr_t)kept.name;
	b = (uintptr_t)kept.file ^ (uint64_t)kept.line << 48;
	first = map_pointer(&t->by_key, a, b);
	for (x = first; x; x = x->next)
		if (x->f.name == kept.name && x->f.module == kept.module &&
		    x->f.file == kept.file && x->f.line == kept.line &&
		    (kept.file || (x->f.linkage == kept.linkage && x->source == source)))
			return &x->f;
	fresh = arena_alloc(t->arena, sizeof(*fresh));
	map_set_pointer(&t->by_key, a, b, fresh);
	fresh->f = kept;
	fresh->source = source;
	fresh->next = (struct symbols_function *)first;
	if (root) {
		fresh->unit = unit;
		fresh->root = *root;
	}
	return &fresh->f;
}
