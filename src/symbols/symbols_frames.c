/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * .eh_frame_hdr (Linux Standard Base, Core, 10.6.2): version, three encodings, a
 * pointer to .eh_frame, a count, then pairs of (function, its entry), sorted.
 */
#include "config.h"

#include "src/symbols/symbols_frames.h"

#include <dwarf.h>
#include <gelf.h>
#include <string.h>

enum { HEADER_BYTES = 12, PAIR_BYTES = 8, HEADER_VERSION = 1 };

/* The encoding that every linker uses; other tables are ignored. */
enum { POINTER_BYTES_MASK = 0x0f, TABLE_ENCODING = DW_EH_PE_datarel | DW_EH_PE_sdata4 };

static uint32_t word(const struct symbols_frames *t, const unsigned char *at)
{
	uint32_t w;

	memcpy(&w, at, sizeof(w));
	return t->swap ? __builtin_bswap32(w) : w;
}

static void symbols_frames_take(struct symbols_frames *t, const Elf_Data *d)
{
	const unsigned char *p = d->d_buf;
	size_t count;

	if (!p || d->d_size < HEADER_BYTES || p[0] != HEADER_VERSION ||
	    !((p[1] & POINTER_BYTES_MASK) == DW_EH_PE_sdata4 ||
	      (p[1] & POINTER_BYTES_MASK) == DW_EH_PE_udata4) ||
	    p[2] != DW_EH_PE_udata4 || p[3] != TABLE_ENCODING)
		return;
	count = word(t, p + 8);
	if (count > (d->d_size - HEADER_BYTES) / PAIR_BYTES)
		return;
	t->table = p + HEADER_BYTES;
	t->count = count;
}

void symbols_frames_load(struct symbols_frames *t, Elf *elf)
{
	const char *ident = elf_getident(elf, NULL);
	const uint16_t one = 1;
	size_t n;
	GElf_Phdr p;

	*t = (struct symbols_frames){ 0 };
	if (!ident || elf_getphdrnum(elf, &n))
		return;
	t->swap = (ident[EI_DATA] == ELFDATA2LSB) != *(const unsigned char *)&one;
	for (size_t i = 0; i < n; i++) {
		Elf_Data *d;

		if (!gelf_getphdr(elf, (int)i, &p) || p.p_type != PT_GNU_EH_FRAME)
			continue;
		t->address = p.p_vaddr;
		d = elf_getdata_rawchunk(elf, (int64_t)p.p_offset, p.p_filesz, ELF_T_BYTE);
		if (d)
			symbols_frames_take(t, d);
		return;
	}
}

static uint64_t symbols_frames_begin_of(const struct symbols_frames *t, size_t i)
{
	return t->address + (uint64_t)(int64_t)(int32_t)word(t, t->table + i * PAIR_BYTES);
}

bool symbols_frames_find(const struct symbols_frames *t, uint64_t address, uint64_t *lo,
			 uint64_t *hi)
{
	size_t first = 0, last = t->count;

	while (first < last) {
		size_t mid = first + (last - first) / 2;

		if (symbols_frames_begin_of(t, mid) <= address)
			first = mid + 1;
		else
			last = mid;
	}
	if (!first)
		return false;
	*lo = symbols_frames_begin_of(t, first - 1);
	*hi = first < t->count ? symbols_frames_begin_of(t, first) : UINT64_MAX;
	return true;
}
