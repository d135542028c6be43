/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/symbols/symbols.h"

#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/profile/reader/reader.h"
#include "src/symbols/demangle.h"
#include "src/symbols/symbols_module.h"
#include "src/symbols/symbols_names.h"
#include "src/symbols/symbols_places.h"
#include "src/symbols/symbols_state.h"

struct symbols *symbols_new(const char *sysroot)
{
	struct symbols *s = alloc_zeroed(1, sizeof(*s));

	s->functions.arena = &s->arena;
	s->functions.strings = &s->strings;
	s->sysroot = sysroot ? alloc_text(sysroot) : NULL;
	return s;
}

void symbols_free(struct symbols *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->nmodules; i++)
		symbols_module_free(s->modules[i]);
	while (s->profiles) {
		struct symbols_profile *next = s->profiles->next;

		free(s->profiles->modules);
		free(s->profiles);
		s->profiles = next;
	}
	map_free(&s->locations);
	map_free(&s->objects);
	map_free(&s->functions.by_key);
	symbols_kernel_free(&s->kernel);
	symbols_made_free(&s->made);
	arena_free(&s->arena);
	interner_free(&s->strings);
	free(s->modules);
	free(s->sysroot);
	free(s);
}

/* ---- modules -------------------------------------------------------------- */

static struct symbols_profile *find_profile(struct symbols *s, const struct prof_file *f)
{
	struct symbols_profile **at, *p;

	for (at = &s->profiles; (p = *at); at = &p->next)
		if (p->file == f)
			break;
	if (p) {
		*at = p->next;
	} else {
		p = alloc_zeroed(1, sizeof(*p));
		p->file = f;
		p->modules = alloc_zeroed(f->nmodules, sizeof(*p->modules));
	}
	p->next = s->profiles;
	s->profiles = p;
	return p;
}

static struct symbols_module *open_module(struct symbols *s, const struct prof_file *f,
					  const struct prof_rmodule *m)
{
	for (size_t i = 0; i < s->nmodules; i++)
		if (symbols_module_is(s->modules[i], m))
			return s->modules[i];
	s->modules = grow(s->modules, s->nmodules, &s->modules_room, sizeof(*s->modules));
	s->modules[s->nmodules] = symbols_module_new(m, prof_text(f, PROF_INFO_CWD), s->sysroot);
	return s->modules[s->nmodules++];
}

struct symbols_module *symbols_module_of(struct symbols *s, const struct prof_file *f, uint32_t id)
{
	const struct prof_rmodule *m = prof_module_by_id(f, id);
	struct symbols_module **at;

	if (!m)
		return NULL;
	at = &find_profile(s, f)->modules[m - f->modules];
	if (!*at)
		*at = open_module(s, f, m);
	return *at;
}

/* ---- frames ------------------------------------------------------------------- */

enum { FRAMES_MAX = 256 };

static const char *symbols_keep(struct symbols *s, const char *string)
{
	return string ? intern(&s->strings, string, strlen(string)) : NULL;
}

/* Names functions from the outermost inward, because an inlined function's name may derive
   from that of the function that contains it. */
static bool name_inlined(struct symbols_namer *n, struct symbols_body *b, const uint32_t *chain,
			 size_t count)
{
	if (!b->function)
		b->function = symbols_name_die(n, &b->die, b->enclosing, NULL);
	const struct sym_function *outer = b->function;

	for (size_t i = count; outer && i-- > 0;) {
		struct symbols_inlined *in = &b->inlined[chain[i]];

		if (!in->function)
			in->function = symbols_name_die(n, &in->die, SYMBOLS_NONE, outer);
		outer = in->function;
	}
	return outer;
}

/* The frames at address in b's code: inlined functions, then b. */
static size_t body_frames(struct symbols *s, struct symbols_namer *n, struct symbols_body *b,
			  uint64_t lo, uint64_t address, struct sym_frame *frames)
{
	uint32_t chain[FRAMES_MAX], at = symbols_body_inlined(b, address, &lo);
	struct symbols_place p = symbols_unit_place(&n->unit->die, lo, address);
	size_t count = 0;

	for (; at != SYMBOLS_NONE && count < FRAMES_MAX - 1; at = b->inlined[at].outer)
		chain[count++] = at;
	if (!name_inlined(n, b, chain, count))
		return 0;
	for (size_t i = 0; i < count; i++) {
		struct symbols_inlined *in = &b->inlined[chain[i]];

		frames[i] =
			(struct sym_frame){ in->function, symbols_keep(s, p.file), p.line, true };
		p = symbols_call_place(&in->die);
	}
	frames[count] = (struct sym_frame){ b->function, symbols_keep(s, p.file), p.line, false };
	return count + 1;
}

/* For code that DWARF does not describe, or only by lines. */
static void table_frame(struct symbols *s, struct symbols_namer *n, uint64_t address,
			struct sym_frame *frame)
{
	const struct symbols_module *m = n->module;
	const struct symbols_entry *e = symbols_table_code(&m->table, address);
	struct symbols_place p = { NULL, 0 };
	uint64_t lo, hi;

	*frame = (struct sym_frame){ .function = NULL };
	if (!e)
		e = symbols_table_slot(&m->table, address);
	if (e)
		frame->function = symbols_name_entry(n, e);
	else if (symbols_frames_find(&m->frames, address, &lo, &hi))
		frame->function = symbols_name_offset(n, lo);
	else
		frame->function = symbols_name_offset(n, address);
	n->module->nameless |= !e;
	if (n->unit)
		p = symbols_unit_place(&n->unit->die, 0, address - m->dwarf_bias);
	frame->file = symbols_keep(s, p.file);
	frame->line = p.line;
}

static size_t find_frames(struct symbols *s, struct symbols_module *m, uint64_t address,
			  struct sym_frame *frames)
{
	struct symbols_namer n = { .functions = &s->functions, .module = m };
	uint64_t there = address - m->dwarf_bias, lo;
	struct symbols_body *b;
	size_t count = 0;

	n.unit = symbols_units_find(&m->units, there);
	b = n.unit ? symbols_unit_body(n.unit, there, &lo) : NULL;
	if (b)
		count = body_frames(s, &n, b, lo, there, frames);
	if (count)
		return count;
	table_frame(s, &n, address, frames);
	return 1;
}

/* ---- look-up ----------------------------------------------------------------- */

static const struct sym_location *keep_location(struct symbols *s, const struct sym_frame *frames,
						size_t count, uint64_t a, uint64_t b)
{
	struct sym_location *l = arena_alloc(&s->arena, sizeof(*l));
	struct sym_frame *copy = arena_alloc(&s->arena, count * sizeof(*copy));

	memcpy(copy, frames, count * sizeof(*copy));
	*l = (struct sym_location){ copy, count };
	map_set_pointer(&s->locations, a, b, l);
	return l;
}

static const struct sym_location *symbols_look_up(struct symbols *s, struct symbols_module *m,
						  uint64_t address)
{
	struct sym_frame frames[FRAMES_MAX];
	size_t count = find_frames(s, m, address, frames);

	return keep_location(s, frames, count, (uintptr_t)m, address);
}

/* What the profile's own machine or process shows: kernel code, of whose address a location has the
   lower bits, or a run-time address outside all known modules: code that was made at run time,
   mostly.  The key cannot be a module's address, because it is odd. */
static const struct sym_location *resolve_own(struct symbols *s, const struct prof_file *f,
					      uint64_t address, bool kernel)
{
	const uintptr_t key = (uintptr_t)f + (kernel ? 1 : 3);
	const struct sym_location *l = map_pointer(&s->locations, key, address);
	const uint64_t whole = kernel ? address | ~((UINT64_C(1) << PROF_LOC_ADDRESS_BITS) - 1) :
					address;
	struct sym_function function = { .module = kernel ? "kernel" : "" };
	struct sym_frame frame = { .function = NULL };
	char digits[32];

	if (l)
		return l;
	function.linkage = kernel ? symbols_kernel_find(&s->kernel, f, whole) :
				    symbols_made_find(&s->made, f, whole);
	if (function.linkage && !kernel)
		function.module = "made at run time";
	snprintf(digits, sizeof(digits), "0x%" PRIx64, whole);
	function.name = function.linkage ? function.linkage : digits;
	frame.function = symbols_functions_get(&s->functions, &function, 0, NULL, NULL);
	return keep_location(s, &frame, 1, key, address);
}

const struct sym_location *symbols_resolve(struct symbols *s, const struct prof_file *f,
					   uint64_t loc, bool exact)
{
	struct symbols_module *m = symbols_module_of(s, f, PROF_LOC_MODULE(loc));
	uint64_t address = PROF_LOC_ADDRESS(loc);
	const struct sym_location *l;

	if (!exact && address)
		address--;
	if (PROF_LOC_MODULE(loc) == PROF_MODULE_ID_KERNEL)
		return resolve_own(s, f, address, true);
	if (!m)
		return resolve_own(s, f, address, false);
	l = map_pointer(&s->locations, (uintptr_t)m, address);
	return l ? l : symbols_look_up(s, m, address);
}

const char *symbols_object(struct symbols *s, const struct prof_file *f, uint64_t loc)
{
	struct symbols_module *m = symbols_module_of(s, f, PROF_LOC_MODULE(loc));
	uint64_t address = PROF_LOC_ADDRESS(loc);
	const struct symbols_entry *e = m ? symbols_table_data(&m->table, address) : NULL;
	const char *name = e ? map_pointer(&s->objects, (uintptr_t)m, address) : NULL;
	char *plain, *whole;

	if (!e || name)
		return name;
	plain = demangle(e->name, strlen(e->name), false);
	whole = address == e->lo ? alloc_text(plain) :
				   alloc_printf("%s+0x%" PRIx64, plain, address - e->lo);
	name = symbols_keep(s, whole);
	map_set_pointer(&s->objects, (uintptr_t)m, address, name);
	free(plain);
	free(whole);
	return name;
}

const char *symbols_place(struct symbols *s, const struct prof_file *f, uint64_t loc)
{
	const struct symbols_module *m = symbols_module_of(s, f, PROF_LOC_MODULE(loc));
	uint64_t address = PROF_LOC_ADDRESS(loc);
	const char *kept;
	char *name;

	if (m && address >= m->file.base)
		address -= m->file.base;
	name = alloc_printf("%s%s0x%" PRIx64, m ? m->name : "", m ? "+" : "", address);
	kept = symbols_keep(s, name);
	free(name);
	return kept;
}

bool symbols_start(struct symbols *s, const struct prof_file *f, uint64_t loc, uint64_t *start)
{
	const uint32_t id = PROF_LOC_MODULE(loc);
	const struct symbols_module *m = symbols_module_of(s, f, id);
	GElf_Ehdr header;

	if (!m || !m->file.elf || !gelf_getehdr(m->file.elf, &header) || !header.e_entry)
		return false;
	*start = PROF_LOC(id, header.e_entry);
	return true;
}

bool symbols_opened(struct symbols *s, const struct prof_file *f, uint64_t loc,
		    const char **trouble)
{
	const struct symbols_module *m = symbols_module_of(s, f, PROF_LOC_MODULE(loc));

	*trouble = m ? symbols_module_trouble(m) : NULL;
	return m && m->file.dwfl;
}

void symbols_troubles(const struct symbols *s,
		      void (*visit)(const char *path, const char *why, void *arg), void *arg)
{
	for (size_t i = 0; i < s->nmodules; i++) {
		const char *why = symbols_module_trouble(s->modules[i]);

		if (why)
			visit(s->modules[i]->path, why, arg);
	}
}
