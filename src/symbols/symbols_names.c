/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/symbols/symbols_names.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/symbols/demangle.h"
#include "src/symbols/symbols_extents.h"
#include "src/symbols/symbols_functions.h"
#include "src/symbols/symbols_module.h"
#include "src/symbols/symbols_places.h"

static const char *linkage_of(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr))
		return dwarf_formstring(&attr);
	return NULL;
}

static const char *name_of(Dwarf_Die *die)
{
	const char *linkage = linkage_of(die);

	return linkage ? linkage : dwarf_diename(die);
}

/* ---- C++ without a linkage name: the names of what it is declared in --------- */

/* The name of a scope of function, or NULL: it has none. */
static const char *scope_name(Dwarf_Die *scope, const char *function)
{
	const char *name = NULL;

	switch (dwarf_tag(scope)) {
	case DW_TAG_namespace:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_subprogram: name = dwarf_diename(scope);
	}
	if (name)
		return name;
	return symbols_is_closure(scope) && !strcmp(function, "operator()") ? "{lambda}" : NULL;
}

static char *qualified(Dwarf_Die *die)
{
	const char *own = dwarf_diename(die);
	char *name = own ? alloc_text(own) : NULL;
	Dwarf_Die *scopes = NULL;
	int n = name ? dwarf_getscopes_die(die, &scopes) : 0;

	for (int i = 1; i < n && name; i++) {
		char *longer, *outer;
		const char *linkage, *scope = scope_name(&scopes[i], own);

		if (!scope)
			continue;
		linkage = dwarf_tag(&scopes[i]) == DW_TAG_subprogram ? linkage_of(&scopes[i]) :
								       NULL;
		outer = linkage ? demangle(linkage, strlen(linkage), false) : alloc_text(scope);
		longer = alloc_printf("%s::%s", outer, name);
		free(outer);
		free(name);
		name = longer;
		if (linkage) /* a complete path */
			break;
	}
	free(scopes);
	return name;
}

/* ---- outlined functions ----------------------------------------------------------- */

/* gcc declares an outlined function inside the function that contains the construct. */
static const struct sym_function *origin_by_nesting(struct symbols_namer *n, uint32_t enclosing)
{
	while (enclosing != SYMBOLS_NONE) {
		struct symbols_subprogram *s = &n->unit->subprograms[enclosing];
		Dwarf_Die root = symbols_die_root(&s->die);

		const char *name = name_of(&root);
		struct outlined o;
		if (!(name && outlined_parse(name, &o)))
			return symbols_name_die(n, &root, SYMBOLS_NONE, NULL);
		enclosing = s->enclosing;
	}
	return NULL;
}

/* clang 17 and later derive its name from the linkage name of the function that contains the
   construct. */
static const struct sym_function *origin_by_name(struct symbols_namer *n, const struct outlined *o)
{
	for (size_t i = 0; i < n->unit->nsubprograms; i++) {
		Dwarf_Die root = symbols_die_root(&n->unit->subprograms[i].die);
		const char *name = name_of(&root);

		if (name && !strncmp(name, o->origin, o->origin_bytes) && !name[o->origin_bytes])
			return symbols_name_die(n, &root, SYMBOLS_NONE, NULL);
	}
	return NULL;
}

/* Earlier versions of clang show only the line, so the function that contains the line is
   searched.  One without a name (in a supplementary file that is not there) may be the outlined
   function itself. */
static const struct sym_function *origin_by_line(struct symbols_namer *n,
						 const struct sym_function *f)
{
	const struct symbols_extents *e = symbols_extents_of(n->unit);
	const struct symbols_extent *x;
	Dwarf_Die root;
	bool several;

	x = f->file && f->line ? symbols_extents_around(e, f->file, f->line, &several) : NULL;
	if (!x || several)
		return NULL;
	root = x->die;
	return name_of(&root) ? symbols_name_die(n, &root, SYMBOLS_NONE, NULL) : NULL;
}

/* Finds the line of the construct: the line of declaration of the wrapper of clang's inner
   function.  gcc's function has no declaration in DWARF, but gcc gives it the directive's
   place, which is that of its entry. */
static void find_construct(struct symbols_namer *n, struct sym_function *f,
			   const struct outlined *o, uint64_t entry)
{
	const struct symbols_extent *x;
	struct symbols_place p;
	uint64_t before;

	if (o->debug && f->file) {
		x = symbols_extents_wrapper(symbols_extents_of(n->unit), f->file, f->line);
		if (x)
			f->line = x->declared;
	} else if (!f->line && entry) {
		if (!symbols_unit_body(n->unit, entry - 1, &before))
			before = 0;
		p = symbols_unit_entry_place(&n->unit->die, entry, before);
		f->file = p.file;
		f->line = p.line;
		f->directive = o->gnu && p.line;
	}
	if (!f->line)
		f->line = o->line;
}

static void describe_outlined(struct symbols_namer *n, struct sym_function *f,
			      const struct outlined *o, uint64_t entry, uint32_t enclosing,
			      const struct sym_function *outer, char **owned)
{
	const struct sym_function *origin = NULL;

	f->outlined = o->kind;
	f->inner = o->debug;
	if (o->kind == SYM_OUTLINED_REGION && outer && outer->outlined == SYM_OUTLINED_TASK &&
	    outlined_is_task_entry(outer->linkage)) {
		/* clang inlines a task's body here and names it like a region's. */
		f->outlined = SYM_OUTLINED_TASK;
		f->inner = true;
		f->file = outer->file;
		f->line = outer->line;
		f->origin = outer->origin;
		return;
	}
	find_construct(n, f, o, entry);
	/* A mangled name has more information than the DIE of a lambda. */
	if (!o->origin || strncmp(o->origin, "_Z", 2) != 0)
		origin = origin_by_nesting(n, enclosing);
	if (!origin && o->origin)
		origin = origin_by_name(n, o);
	if (!origin && !o->origin)
		origin = origin_by_line(n, f);
	if (origin)
		f->origin = origin->name;
	else if (o->origin)
		f->origin = *owned =
			demangle(o->origin, o->origin_bytes, n->unit->language == SYMBOLS_FORTRAN);
}

/* ---- a function of DWARF ------------------------------------------------------------ */

/* The name for people; malloc'd. */
static char *shown_name(struct symbols_namer *n, Dwarf_Die *root, const char *linkage,
			const char *symbol, bool outlined)
{
	const char *name = dwarf_diename(root);
	bool fortran = n->unit->language == SYMBOLS_FORTRAN;

	if (outlined && !linkage)
		linkage = name;
	if (fortran && !outlined && name && (!linkage || !strstr(linkage, "MOD_")))
		return alloc_text(name);
	if ((n->unit->language == SYMBOLS_C || n->unit->language == SYMBOLS_OTHER) &&
	    (!linkage || linkage[0] != '_' || !strchr("ZR", linkage[1]))) {
		linkage = name ? name : linkage;
		/* The C library's malloc is __libc_malloc in its source and __GI___libc_malloc for
		   the linker, but callers know it as malloc. */
		if (linkage && *linkage == '_' && symbol && *symbol != '_')
			linkage = symbol;
	}
	if (linkage)
		return demangle(linkage, strlen(linkage), fortran);
	if (n->unit->language != SYMBOLS_CPLUSPLUS)
		return name ? alloc_text(name) : NULL;
	if (symbol && !strncmp(symbol, "_Z", 2))
		return demangle(symbol, strlen(symbol), false);
	return qualified(root);
}

static const struct sym_function *symbols_names_make(struct symbols_namer *n, Dwarf_Die *root,
						     uint64_t entry, uint32_t enclosing,
						     const struct sym_function *outer)
{
	const char *linkage = linkage_of(root), *name = dwarf_diename(root);
	/* The symbol at its first byte. */
	const uint64_t at = entry + n->module->dwarf_bias;
	const struct symbols_entry *e = entry ? symbols_table_code(&n->module->table, at) : NULL;
	struct sym_function f = { .module = n->module->name };
	const struct sym_function *kept = NULL;
	char *shown, *stem = NULL, *origin = NULL;
	struct outlined o = { .kind = SYM_NOT_OUTLINED };
	struct symbols_place declared = symbols_declared_place(root);

	if (e && e->lo != at)
		e = NULL;
	/* With -g1 clang's task entries have code, but no name. */
	if (!linkage && !name && e)
		linkage = e->name;
	if (linkage || name)
		outlined_parse(linkage ? linkage : name, &o);
	f.name = shown = shown_name(n, root, linkage, e ? e->name : NULL, o.kind);
	f.file = declared.file;
	f.line = declared.line;
	f.linkage = linkage ? linkage : e ? e->name : name;
	if (o.kind)
		describe_outlined(n, &f, &o, entry, enclosing, outer, &origin);
	else if (f.linkage)
		f.linkage = stem =
			alloc_text_part(f.linkage, demangle_stem(f.linkage, strlen(f.linkage)));
	if (f.name)
		kept = symbols_functions_get(n->functions, &f, 0, n->unit, root);
	free(shown);
	free(stem);
	free(origin);
	return kept;
}

const struct sym_function *symbols_name_die(struct symbols_namer *n, Dwarf_Die *die,
					    uint32_t enclosing, const struct sym_function *outer)
{
	Dwarf_Die root = symbols_die_root(die);
	const struct sym_function *f = map_pointer(&n->module->by_die, (uintptr_t)root.addr, 0);

	Dwarf_Addr base, lo = 0, hi;

	if (f)
		return f;
	/* The entry address of die's code; 0: it has no code of its own. */
	if (dwarf_tag(die) != DW_TAG_subprogram ||
	    (dwarf_entrypc(die, &lo) && dwarf_ranges(die, 0, &base, &lo, &hi) <= 0))
		lo = 0;
	f = symbols_names_make(n, &root, lo, enclosing, outer);
	if (f)
		map_set_pointer(&n->module->by_die, (uintptr_t)root.addr, 0, f);
	return f;
}

/* ---- a function of the symbol table ------------------------------------------------- */

const struct sym_function *symbols_name_entry(struct symbols_namer *n,
					      const struct symbols_entry *e)
{
	struct sym_function f = { .module = n->module->name, .linkage = e->name };
	const struct sym_function *kept = NULL;
	char *shown = demangle(e->name, strlen(e->name), false), *stem = NULL, *origin = NULL;
	struct outlined o;

	if (outlined_parse(e->name, &o)) {
		f.outlined = o.kind;
		f.inner = o.debug;
		if (o.origin)
			f.origin = origin = demangle(o.origin, o.origin_bytes, false);
		f.line = o.line;
	} else {
		f.linkage = stem =
			alloc_text_part(e->name, demangle_stem(e->name, strlen(e->name)));
	}
	f.name = shown;
	kept = symbols_functions_get(n->functions, &f, e->source, NULL, NULL);
	free(shown);
	free(stem);
	free(origin);
	return kept;
}

const struct sym_function *symbols_name_offset(struct symbols_namer *n, uint64_t address)
{
	struct sym_function f = { .module = n->module->name };
	const struct sym_function *kept;
	uint64_t base = address < n->module->file.base ? 0 : n->module->file.base;
	char *name;

	name = alloc_printf("%s+0x%" PRIx64, n->module->name, address - base);
	f.name = name;
	kept = symbols_functions_get(n->functions, &f, 0, NULL, NULL);
	free(name);
	return kept;
}
