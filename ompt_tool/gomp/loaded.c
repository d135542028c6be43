/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loader's list of objects is read in a callback of dl_iterate_phdr(), which holds the
 * lock that objects are added and removed under. Nothing that takes a lock of the loader's
 * is called there.
 */
#include "config.h"

#include "ompt_tool/gomp/copies.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

struct loaded_place {
	uintptr_t address, lo, hi;
	struct link_map *map;
};

static int search_place(struct dl_phdr_info *info, size_t size, void *data)
{
	struct loaded_place *p = data;

	(void)size;
	uintptr_t lo = UINTPTR_MAX, hi = 0;

	for (const ElfW(Phdr) *h = info->dlpi_phdr; h < info->dlpi_phdr + info->dlpi_phnum; h++) {
		const uintptr_t at = info->dlpi_addr + h->p_vaddr;

		if (h->p_type != PT_LOAD)
			continue;
		lo = at < lo ? at : lo;
		hi = at + h->p_memsz > hi ? at + h->p_memsz : hi;
	}
	if (p->address < lo || p->address >= hi)
		return 0;
	p->lo = lo;
	p->hi = hi;
	for (struct link_map *m = _r_debug.r_map; m && !p->map; m = m->l_next) {
		if (m->l_addr == info->dlpi_addr && strcmp(m->l_name, info->dlpi_name) == 0)
			p->map = m;
	}
	return 1;
}

static struct loaded_place place_of(const void *address)
{
	struct loaded_place p = { .address = (uintptr_t)address };

	dl_iterate_phdr(search_place, &p);
	return p;
}

void *loaded_object(const void *address)
{
	return place_of(address).map;
}

void loaded_keep(const void *address)
{
	const struct link_map *m = loaded_object(address);

	if (m && m->l_name && m->l_name[0] != '\0')
		dlopen(m->l_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

bool loaded_is_ours(const void *address)
{
	return (const char *)address >= __ehdr_start && (const char *)address < _end;
}

void loaded_range(const void *address, uintptr_t *lo, uintptr_t *hi)
{
	const struct loaded_place p = place_of(address);

	*lo = p.lo;
	*hi = p.hi;
}

/* ---- dynamic sections ---------------------------------------------------------------- */

struct dynamic {
	const char *strings;
	const ElfW(Sym) * symbols;
	const uint32_t *gnu_hash;
	const uint32_t *hash;
	const ElfW(Verdef) * versions;
	size_t nversions;
	const char *soname;
};

/* Where the section is not writable (RISC-V), the loader leaves offsets in it. */
static const void *pointer_of(const struct link_map *m, ElfW(Addr) value)
{
	return (const void *)(value < m->l_addr ? value + m->l_addr : value);
}

static void dynamic_read(const struct link_map *m, struct dynamic *d)
{
	size_t soname = 0;

	*d = (struct dynamic){ 0 };
	for (const ElfW(Dyn) *e = m->l_ld; e && e->d_tag != DT_NULL; e++) {
		const void *p = pointer_of(m, e->d_un.d_ptr);

		switch (e->d_tag) {
		case DT_STRTAB: d->strings = p; break;
		case DT_SYMTAB: d->symbols = p; break;
		case DT_GNU_HASH: d->gnu_hash = p; break;
		case DT_HASH: d->hash = p; break;
		case DT_VERDEF: d->versions = p; break;
		case DT_VERDEFNUM: d->nversions = e->d_un.d_val; break;
		case DT_SONAME: soname = e->d_un.d_val; break;
		default: break;
		}
	}
	if (soname != 0 && d->strings)
		d->soname = d->strings + soname;
}

/* How many symbols there are: one more than the last in the chains of the hash table. */
static size_t count_by_gnu_hash(const uint32_t *h)
{
	const uint32_t nbuckets = h[0], first = h[1], bloom = h[2];
	const uint32_t *buckets = (const uint32_t *)((const ElfW(Addr) *)(h + 4) + bloom);
	const uint32_t *chains = buckets + nbuckets;
	uint32_t last = 0;

	for (uint32_t i = 0; i < nbuckets; i++) {
		if (buckets[i] > last)
			last = buckets[i];
	}
	if (last < first)
		return first;
	while (!(chains[last - first] & 1))
		last++;
	return (size_t)last + 1;
}

static size_t symbol_count(const struct dynamic *d)
{
	if (d->hash)
		return d->hash[1];
	return d->gnu_hash ? count_by_gnu_hash(d->gnu_hash) : 0;
}

static bool has_symbol(const struct dynamic *d, const char *name, bool defined)
{
	const size_t n = d->symbols && d->strings ? symbol_count(d) : 0;

	for (size_t i = 1; i < n; i++) {
		if (strcmp(d->strings + d->symbols[i].st_name, name) == 0 &&
		    (!defined || d->symbols[i].st_shndx != SHN_UNDEF))
			return true;
	}
	return false;
}

static bool has_version(const struct dynamic *d, const char *name)
{
	const char *at = (const char *)d->versions;

	for (size_t i = 0; at && i < d->nversions; i++) {
		const ElfW(Verdef) *v = (const ElfW(Verdef) *)at;
		const ElfW(Verdaux) *a = (const ElfW(Verdaux) *)(at + v->vd_aux);

		if (strcmp(d->strings + a->vda_name, name) == 0)
			return true;
		if (v->vd_next == 0)
			break;
		at += v->vd_next;
	}
	return false;
}

bool loaded_mentions(const void *address, const char *name)
{
	const struct link_map *m = loaded_object(address);
	struct dynamic d;

	if (!m)
		return false;
	dynamic_read(m, &d);
	return d.strings && (has_symbol(&d, name, false) || has_version(&d, name));
}

/* ---- who needs whom -------------------------------------------------------------------- */

enum { OBJECTS = 1 << 12 };

struct loaded_search {
	const struct link_map *wanted, *root;
	const struct link_map *closure[OBJECTS]; /* of a candidate; in order of discovery */
	size_t n;
};

static bool is_named(const struct link_map *m, const char *name)
{
	const char *base = m->l_name ? strrchr(m->l_name, '/') : NULL;
	struct dynamic d;

	if (m->l_name && strcmp(m->l_name, name) == 0)
		return true;
	dynamic_read(m, &d);
	if (d.soname)
		return strcmp(d.soname, name) == 0;
	return base && strcmp(base + 1, name) == 0;
}

static void add_once(struct loaded_search *s, const struct link_map *m)
{
	for (size_t i = 0; i < s->n; i++) {
		if (s->closure[i] == m)
			return;
	}
	if (s->n < OBJECTS)
		s->closure[s->n++] = m;
}

static bool closure_has(struct loaded_search *s, const struct link_map *root)
{
	s->n = 0;
	add_once(s, root);
	for (size_t i = 0; i < s->n; i++) {
		struct dynamic d;

		if (s->closure[i] == s->wanted)
			return true;
		const struct link_map *by = s->closure[i];
		dynamic_read(by, &d);
		for (const ElfW(Dyn) *e = by->l_ld; d.strings && e && e->d_tag != DT_NULL; e++) {
			if (e->d_tag != DT_NEEDED)
				continue;
			for (const struct link_map *m = _r_debug.r_map; m; m = m->l_next) {
				if (is_named(m, d.strings + e->d_un.d_val)) {
					add_once(s, m);
					break;
				}
			}
		}
	}
	return false;
}

/* Called for the first object only. */
static int search(struct dl_phdr_info *info, size_t size, void *data)
{
	struct loaded_search *s = data;

	(void)info, (void)size;
	for (const struct link_map *m = _r_debug.r_map; m && !s->root; m = m->l_next) {
		if (closure_has(s, m))
			s->root = m;
	}
	return 1;
}

void *loaded_root(const void *object)
{
	struct loaded_search *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->wanted = object;
	dl_iterate_phdr(search, s);
	const struct link_map *root = s->root;
	free(s);
	return (void *)root;
}

/* ---- who defines what ------------------------------------------------------------------- */

struct definition {
	const char *name;
	const struct link_map *found;
};

static int search_definition(struct dl_phdr_info *info, size_t size, void *data)
{
	struct definition *s = data;
	struct dynamic d;

	(void)info, (void)size;
	for (const struct link_map *m = _r_debug.r_map; m && !s->found; m = m->l_next) {
		dynamic_read(m, &d);
		if (!loaded_is_ours(m->l_ld) && has_symbol(&d, s->name, true))
			s->found = m;
	}
	return 1;
}

void *loaded_definer(const char *name)
{
	struct definition s = { .name = name };

	dl_iterate_phdr(search_definition, &s);
	if (!s.found || !s.found->l_name || s.found->l_name[0] == '\0')
		return NULL;
	/* What was loaded for others only has no scope to search yet. The reference is kept. */
	return dlopen(s.found->l_name, RTLD_LAZY | RTLD_NOLOAD);
}
