/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/symbols/symbols_table.h"

#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/symbols/symbols_plt.h"

/* A symbol while the table is built. */
struct raw {
	struct symbols_entry e;
	bool code, sized, typed, local, weak;
	unsigned underscores;
};

static bool take_symbol(struct raw *r, Dwfl_Module *mod, int i, uint32_t source)
{
	GElf_Sym sym;
	GElf_Addr address;
	GElf_Word index;
	Elf *elf;
	Dwarf_Addr bias;
	GElf_Shdr section;
	const char *name = dwfl_module_getsym_info(mod, i, &sym, &address, &index, &elf, &bias);
	int type = name ? GELF_ST_TYPE(sym.st_info) : STT_SECTION;
	Elf_Scn *scn;

	/* Symbols of the assembler, and arm64's mapping symbols. */
	if (!(name && *name && *name != '$' && strncmp(name, ".L", 2) != 0) ||
	    type == STT_SECTION || type == STT_FILE || type == STT_TLS || index == SHN_UNDEF ||
	    index >= SHN_LORESERVE)
		return false;
	/* The section, by which it is code or data. */
	scn = elf_getscn(elf, index);
	if (!scn || !gelf_getshdr(scn, &section) || !(section.sh_flags & SHF_ALLOC))
		return false;
	*r = (struct raw){ .e = { .name = name, .lo = address, .hi = address + sym.st_size } };
	r->code = section.sh_flags & SHF_EXECINSTR;
	r->sized = sym.st_size > 0;
	r->typed = r->code ? type == STT_FUNC || type == STT_GNU_IFUNC : type == STT_OBJECT;
	r->local = GELF_ST_BIND(sym.st_info) == STB_LOCAL;
	r->weak = GELF_ST_BIND(sym.st_info) == STB_WEAK;
	r->underscores = (unsigned)strspn(name, "_");
	r->e.source = r->local ? source : 0;
	if (!r->sized) /* to the section's end, or to the next symbol */
		r->e.hi = section.sh_addr + bias + section.sh_size;
	return r->e.lo < r->e.hi;
}

static int compare_flag(bool x, bool y, bool first)
{
	return x == y ? 0 : x == first ? -1 : 1;
}

/* By address, then by preference: see the header. */
static int symbols_table_compare(const void *a, const void *b)
{
	const struct raw *x = a, *y = b;
	int c;

	if (x->e.lo != y->e.lo)
		return x->e.lo < y->e.lo ? -1 : 1;
	if ((c = compare_flag(x->sized, y->sized, true)) ||
	    (c = compare_flag(x->typed, y->typed, true)) ||
	    (c = compare_flag(x->local, y->local, false)))
		return c;
	if (x->underscores != y->underscores)
		return x->underscores < y->underscores ? -1 : 1;
	if ((c = compare_flag(x->weak, y->weak, false)))
		return c;
	if (strlen(x->e.name) != strlen(y->e.name))
		return strlen(x->e.name) < strlen(y->e.name) ? -1 : 1;
	return strcmp(x->e.name, y->e.name);
}

/* All symbols while the table is built. */
struct raws {
	struct symbols_table *t;
	struct raw *at;
	size_t count, room;
	size_t sorted; /* number of symbols when they were last sorted */
};

static struct raw *next_raw(struct raws *r)
{
	r->at = grow(r->at, r->count, &r->room, sizeof(*r->at));
	return &r->at[r->count];
}

/* What calls by the linkage table are named after: the function of that name, or the one that
   its resolver is.  *named: NULL if it has no name. */
static void name_plt(const struct raws *r, const char *name, uint64_t resolver, const char **named)
{
	char *whole;

	*named = NULL;
	if (!name) {
		/* The preferred name of the symbol at address among the n first, which are
		   sorted. */
		size_t lo = 0, hi = r->sorted;

		while (lo < hi) {
			size_t mid = lo + (hi - lo) / 2;

			if (r->at[mid].e.lo < resolver)
				lo = mid + 1;
			else
				hi = mid;
		}
		name = lo < r->sorted && r->at[lo].e.lo == resolver ? r->at[lo].e.name : NULL;
	}
	if (!name)
		return;
	whole = alloc_printf("%.*s@plt", (int)strcspn(name, "@"), name);
	*named = intern(&r->t->names, whole, strlen(whole));
	free(whole);
}

static void take_stub(const struct symbols_stub *stub, void *arg)
{
	struct raws *r = arg;
	struct raw *next = next_raw(r);

	*next = (struct raw){
		.e = { .lo = stub->lo, .hi = stub->hi }, .code = true, .sized = true, .local = true
	};
	name_plt(r, stub->name, stub->resolver, &next->e.name);
	r->count += next->e.name ? 1 : 0;
}

static void take_slot(const struct symbols_slot *slot, void *arg)
{
	struct raws *r = arg;
	struct symbols_table *t = r->t;
	struct symbols_entry *at;

	t->slots = grow(t->slots, t->nslots, &t->slots_room, sizeof(*t->slots));
	at = &t->slots[t->nslots];
	*at = (struct symbols_entry){ .lo = slot->address, .hi = slot->address + 8 };
	name_plt(r, slot->name, slot->resolver, &at->name);
	t->nslots += at->name ? 1 : 0;
}

static void sort(struct raws *r)
{
	if (r->count)
		qsort(r->at, r->count, sizeof(*r->at), symbols_table_compare);
	r->sorted = r->count;
}

void symbols_table_load(struct symbols_table *t, Dwfl_Module *mod)
{
	struct raws r = { .t = t };
	GElf_Addr bias;
	Elf *elf;

	*t = (struct symbols_table){ 0 };
	elf = mod ? dwfl_module_getelf(mod, &bias) : NULL;
	if (!elf)
		return;
	int n = dwfl_module_getsymtab(mod);
	uint32_t source = 0;

	for (int i = 0; i < n; i++) {
		struct raw *next = next_raw(&r);
		GElf_Sym sym;
		GElf_Addr address;

		if (dwfl_module_getsym_info(mod, i, &sym, &address, NULL, NULL, NULL) &&
		    GELF_ST_TYPE(sym.st_info) == STT_FILE)
			source++;
		r.count += take_symbol(next, mod, i, source);
	}
	sort(&r);
	symbols_plt_each(elf, take_slot, take_stub, &r);
	sort(&r);
	/* Keeps one name for each address. */
	struct raw *raw = r.at;
	size_t kept = 0;

	for (size_t i = 0; i < r.count; i++)
		if (!kept || raw[kept - 1].e.lo != raw[i].e.lo)
			raw[kept++] = raw[i];
	for (size_t i = 0; i + 1 < kept; i++)
		if (!raw[i].sized && raw[i].e.hi > raw[i + 1].e.lo)
			raw[i].e.hi = raw[i + 1].e.lo;
	t->entries = kept ? alloc_zeroed(kept, sizeof(*t->entries)) : NULL;
	t->count = kept;
	for (size_t i = 0; i < kept; i++) {
		t->entries[i] = raw[i].e;
		intervals_add(raw[i].code ? &t->code : &t->data, raw[i].e.lo, raw[i].e.hi,
			      (uint32_t)i);
	}
	intervals_sort(&t->code);
	intervals_sort(&t->data);
	free(r.at);
}

void symbols_table_free(struct symbols_table *t)
{
	intervals_free(&t->code);
	intervals_free(&t->data);
	interner_free(&t->names);
	free(t->entries);
	free(t->slots);
	*t = (struct symbols_table){ 0 };
}

static const struct symbols_entry *symbols_table_find(const struct symbols_table *t,
						      const struct intervals *v, uint64_t address)
{
	const struct interval *i = intervals_find(v, address);

	return i ? &t->entries[i->value] : NULL;
}

const struct symbols_entry *symbols_table_code(const struct symbols_table *t, uint64_t address)
{
	return symbols_table_find(t, &t->code, address);
}

const struct symbols_entry *symbols_table_data(const struct symbols_table *t, uint64_t address)
{
	return symbols_table_find(t, &t->data, address);
}

static int symbols_table_compare_slot(const void *key, const void *slot)
{
	const uint64_t address = *(const uint64_t *)key;
	const struct symbols_entry *e = slot;

	return address < e->lo ? -1 : address >= e->hi;
}

const struct symbols_entry *symbols_table_slot(const struct symbols_table *t, uint64_t address)
{
	return t->nslots ? bsearch(&address, t->slots, t->nslots, sizeof(*t->slots),
				   symbols_table_compare_slot) :
			   NULL;
}
