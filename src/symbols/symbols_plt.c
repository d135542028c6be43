/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Linkers generate stubs of many forms.  All of them have a jump through a slot of the
 * global offset table, and a relocation that shows what the loader stores in the slot.
 */
#include "config.h"

#include "src/symbols/symbols_plt.h"

#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/grow.h"

struct symbols_plt_slots {
	struct symbols_slot *at;
	size_t count, room;
};

/* Properties of a machine's stubs; decode() examines the code at offset. */
struct machine {
	unsigned id;
	unsigned jump_slot, glob_dat, irelative; /* relocation types of these slots */
	unsigned step;
	bool (*decode)(const unsigned char *code, size_t bytes, size_t offset, uint64_t address,
		       size_t entry, struct symbols_stub *s, uint64_t *slot);
};

/* jmp *disp(%rip), possibly after endbr64 or a prefix. */
static bool decode_x86_64(const unsigned char *code, size_t bytes, size_t offset, uint64_t address,
			  size_t entry, struct symbols_stub *s, uint64_t *slot)
{
	const unsigned char *p = code + offset;
	int32_t disp;

	if (bytes - offset < 6 || p[0] != 0xff || p[1] != 0x25)
		return false;
	memcpy(&disp, p + 2, sizeof(disp));
	*slot = address + offset + 6 + (uint64_t)(int64_t)disp;
	s->lo = address + offset / entry * entry;
	s->hi = s->lo + entry;
	return true;
}

static uint32_t symbols_plt_word_at(const unsigned char *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* adrp x16, page; ldr x17, [x16, #offset]; add; br x17; possibly after bti c. */
static bool decode_aarch64(const unsigned char *code, size_t bytes, size_t offset, uint64_t address,
			   size_t entry, struct symbols_stub *s, uint64_t *slot)
{
	const uint32_t bti_c = 0xd503245f;
	uint32_t adrp, ldr;
	uint64_t pc = address + offset;
	int64_t pages;

	(void)entry;
	if (bytes - offset < 16)
		return false;
	adrp = symbols_plt_word_at(code + offset);
	ldr = symbols_plt_word_at(code + offset + 4);
	if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
		return false;
	pages = (int64_t)((adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3));
	if (pages & 1 << 20)
		pages -= 1 << 21;
	*slot = (pc & ~UINT64_C(0xfff)) + (uint64_t)(pages * 4096) + (ldr >> 10 & 0xfff) * 8;
	s->lo = offset >= 4 && symbols_plt_word_at(code + offset - 4) == bti_c ? pc - 4 : pc;
	s->hi = pc + 16;
	return true;
}

static const struct machine machines[] = {
	{ EM_X86_64, R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT, R_X86_64_IRELATIVE, 1, decode_x86_64 },
	{ EM_AARCH64, R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT, R_AARCH64_IRELATIVE, 4,
	  decode_aarch64 },
};

/* ---- slots ------------------------------------------------------------------- */

/* The function that the loader stores in the slot; false: none that can be called. */
static bool symbols_plt_read_slot(const struct machine *m, Elf *elf, const GElf_Shdr *h,
				  const GElf_Rela *r, struct symbols_slot *slot)
{
	unsigned type = (unsigned)GELF_R_TYPE(r->r_info);
	Elf_Scn *symbols = elf_getscn(elf, h->sh_link);
	Elf_Data *table = symbols ? elf_getdata(symbols, NULL) : NULL;
	GElf_Shdr th;
	GElf_Sym sym;

	*slot = (struct symbols_slot){ .address = r->r_offset };
	if (type == m->irelative) {
		slot->resolver = (uint64_t)r->r_addend;
		return true;
	}
	if ((type != m->jump_slot && type != m->glob_dat) || !table ||
	    !gelf_getshdr(symbols, &th) || !gelf_getsym(table, (int)GELF_R_SYM(r->r_info), &sym))
		return false;
	slot->name = elf_strptr(elf, th.sh_link, sym.st_name);
	if (GELF_ST_TYPE(sym.st_info) == STT_FUNC && sym.st_shndx != SHN_UNDEF)
		slot->function = sym.st_value;
	return slot->name && *slot->name;
}

static int symbols_plt_compare(const void *a, const void *b)
{
	const struct symbols_slot *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

/* All slots, sorted; s is the caller's, also after an error. */
static void find_slots(struct symbols_plt_slots *s, const struct machine *m, Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr h;

	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &h) && h.sh_type == SHT_RELA && h.sh_flags & SHF_ALLOC) {
			Elf_Data *d = elf_getdata(scn, NULL);
			struct symbols_slot slot;
			GElf_Rela r;

			for (int i = 0; d && gelf_getrela(d, i, &r); i++)
				if (symbols_plt_read_slot(m, elf, &h, &r, &slot)) {
					s->at = grow(s->at, s->count, &s->room, sizeof(*s->at));
					s->at[s->count++] = slot;
				}
		}
	if (s->count)
		qsort(s->at, s->count, sizeof(*s->at), symbols_plt_compare);
}

/* ---- stubs --------------------------------------------------------------------- */

static void visit_stubs(const struct symbols_plt_slots *s, const struct machine *m, Elf_Scn *scn,
			const GElf_Shdr *h, void (*visit)(const struct symbols_stub *, void *),
			void *arg)
{
	Elf_Data *d = elf_rawdata(scn, NULL);
	size_t entry = h->sh_entsize == 8 ? 8 : 16;

	if (!d || !d->d_buf)
		return;
	for (size_t at = 0; at < d->d_size; at += m->step) {
		struct symbols_stub stub;
		const struct symbols_slot *found;
		struct symbols_slot key;

		if (!m->decode(d->d_buf, d->d_size, at, h->sh_addr, entry, &stub, &key.address))
			continue;
		found = s->count ?
				bsearch(&key, s->at, s->count, sizeof(key), symbols_plt_compare) :
				NULL;
		if (!found)
			continue;
		stub.name = found->name;
		stub.resolver = found->resolver;
		visit(&stub, arg);
	}
}

static bool is_stubs(Elf *elf, size_t names, const GElf_Shdr *h)
{
	const char *name = elf_strptr(elf, names, h->sh_name);

	return name && (!strncmp(name, ".plt", 4) || !strcmp(name, ".iplt")) &&
	       h->sh_flags & SHF_EXECINSTR && h->sh_type == SHT_PROGBITS;
}

static const struct machine *machine_of(Elf *elf)
{
	GElf_Ehdr e;

	for (size_t i = 0; gelf_getehdr(elf, &e) && i < sizeof(machines) / sizeof(*machines); i++)
		if (machines[i].id == e.e_machine)
			return &machines[i];
	return NULL;
}

void symbols_plt_each(Elf *elf, void (*slot)(const struct symbols_slot *slot, void *arg),
		      void (*stub)(const struct symbols_stub *stub, void *arg), void *arg)
{
	const struct machine *m = machine_of(elf);
	struct symbols_plt_slots s = { 0 };
	Elf_Scn *scn = NULL;
	GElf_Shdr h;
	size_t names;

	if (!m || elf_getshdrstrndx(elf, &names))
		return;
	find_slots(&s, m, elf);
	for (size_t i = 0; i < s.count; i++)
		slot(&s.at[i], arg);
	while (stub && (scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &h) && is_stubs(elf, names, &h))
			visit_stubs(&s, m, scn, &h, stub, arg);
	free(s.at);
}
