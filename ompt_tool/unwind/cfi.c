/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cfi.c - finds and reads the frame description entry of a PC: by the sorted table
 * that linkers put into .eh_frame_hdr, or by a search of all entries where there is
 * no table.
 */
#include "config.h"

#include "ompt_tool/unwind/cfi.h"

#include <errno.h>
#include <stddef.h>

#include "ompt_tool/unwind/cfi_read.h"

enum {
	HDR_VERSION = 1,
	HDR_TABLE = CFI_PE_DATAREL | CFI_PE_SDATA4, /* the one kind in use */
	ENTRIES_MAX = 1 << 20,			    /* of a section without a table */
	EXTENDED_LENGTH = 0xffffffff,
};

/* The parts of a CIE that only parsing its FDEs needs. */
struct augmentation {
	uint8_t fde_encoding;
	bool sized; /* 'z': augmentation data has a length */
};

struct pair { /* an entry of the sorted table; relative to the header */
	int32_t pc, fde;
};

static inline struct cfi_reader reader_at(const struct cfi_tables *t, uintptr_t address)
{
	struct cfi_reader r = { .end = (const uint8_t *)t->hi };

	if (address < t->lo || address >= t->hi)
		cfi_bad(&r);
	else
		r.at = (const uint8_t *)address;
	return r;
}

/* Limits r to one entry, after its length, and returns where the next begins; 0 at the
   section's end. */
static inline uintptr_t enter(struct cfi_reader *r)
{
	uint64_t length = cfi_fixed(r, 4);

	if (length == EXTENDED_LENGTH)
		length = cfi_fixed(r, 8);
	if (!length)
		return 0;
	if (!cfi_left(r, length))
		return cfi_bad(r);
	r->end = r->at + length;
	return (uintptr_t)r->end;
}

/* ---- CIE -------------------------------------------------------------- */

/* Reads the data of the augmentation letters, up to an unknown letter. */
static inline void read_augmentation(struct cfi_reader *r, const uint8_t *letters,
				     struct augmentation *a, struct cfi_fde *fde)
{
	for (const uint8_t *c = letters; *c; c++) {
		switch (*c) {
		case 'z':
			if (c != letters)
				cfi_bad(r);
			a->sized = true;
			break;
		case 'R': a->fde_encoding = cfi_u8(r); break;
		case 'L': cfi_u8(r); break;
		case 'P': cfi_pointer(r, cfi_u8(r) & CFI_PE_FORMAT, 0); break;
		case 'S': fde->signal = true; break;
		case 'B': /* AArch64: signed with the B key */
		case 'G': /* AArch64: a tagged frame */ break;
		default: cfi_bad(r);
		}
	}
}

static inline int parse_cie(const struct cfi_tables *t, uintptr_t address, struct cfi_fde *fde,
			    struct augmentation *a)
{
	struct cfi_reader r = reader_at(t, address);
	struct cfi_reader data;
	const uint8_t *letters;
	uint8_t version;

	if (!enter(&r) || cfi_fixed(&r, 4))
		return -EINVAL;
	version = cfi_u8(&r);
	letters = r.at;
	while (cfi_u8(&r))
		;
	if (version == 4 && (cfi_u8(&r) != sizeof(void *) || cfi_u8(&r)))
		return -EINVAL;
	if (version != 1 && version != 3 && version != 4)
		return -EINVAL;
	fde->code_align = cfi_uleb(&r);
	fde->data_align = cfi_sleb(&r);
	fde->ra_column = (uint32_t)(version == 1 ? cfi_u8(&r) : cfi_uleb(&r));
	if (r.bad || fde->ra_column >= ARCH_COLUMNS)
		return -EINVAL;
	data = r;
	if (*letters == 'z') {
		uint64_t bytes = cfi_uleb(&r);

		data = r;
		cfi_skip(&r, bytes);
		data.end = r.at;
	}
	*a = (struct augmentation){ .fde_encoding = CFI_PE_ABSPTR };
	fde->signal = false;
	read_augmentation(&data, letters, a, fde);
	if (!a->sized)
		r = data;
	fde->address_encoding = a->fde_encoding;
	fde->cie_code = r.at;
	fde->cie_code_end = r.end;
	return r.bad || data.bad ? -EINVAL : 0;
}

/* ---- FDE -------------------------------------------------------------- */

/* Parses the entry behind r's length; a CIE is -ENOENT. */
static inline int parse_entry(const struct cfi_tables *t, struct cfi_reader *r, uintptr_t address,
			      struct cfi_fde *fde)
{
	uintptr_t here = (uintptr_t)r->at;
	uint64_t back = cfi_fixed(r, 4);
	struct augmentation a;
	int err;

	if (r->bad)
		return -EINVAL;
	if (!back)
		return -ENOENT;
	err = parse_cie(t, here - back, fde, &a);
	if (err)
		return err;
	fde->address = address;
	fde->begin = cfi_pointer(r, a.fde_encoding, t->hdr);
	fde->end = fde->begin + cfi_pointer(r, a.fde_encoding & CFI_PE_FORMAT, 0);
	if (a.sized)
		cfi_skip(r, cfi_uleb(r));
	fde->code = r->at;
	fde->code_end = r->end;
	return r->bad || fde->end < fde->begin ? -EINVAL : 0;
}

int cfi_parse(const struct cfi_tables *t, uintptr_t address, struct cfi_fde *fde)
{
	struct cfi_reader r = reader_at(t, address);

	if (!enter(&r))
		return r.bad ? -EINVAL : -ENOENT;
	return parse_entry(t, &r, address, fde);
}

/* ---- the way to it ---------------------------------------------------- */

/* The section's list of entries, and the sorted table of them where there is one. */
struct index {
	uintptr_t frames;
	const struct pair *pair; /* NULL: none */
	uint64_t count;
};

static int read_index(const struct cfi_tables *t, struct index *x)
{
	struct cfi_reader r = reader_at(t, t->hdr);
	uint32_t kinds = (uint32_t)cfi_fixed(&r, 4);
	uint8_t count_encoding = kinds >> 16 & 0xff;

	x->frames = cfi_pointer(&r, kinds >> 8 & 0xff, t->hdr);
	x->pair = NULL;
	x->count = 0;
	if (r.bad || (kinds & 0xff) != HDR_VERSION)
		return -EINVAL;
	if (count_encoding == CFI_PE_OMIT || kinds >> 24 != HDR_TABLE)
		return 0;
	x->count = count_encoding == CFI_PE_UDATA4 ? cfi_fixed(&r, 4) :
						     cfi_pointer(&r, count_encoding, t->hdr);
	if (r.bad || (uintptr_t)r.at % sizeof(int32_t) ||
	    x->count > (uint64_t)(r.end - r.at) / sizeof(struct pair))
		return -EINVAL;
	x->pair = (const struct pair *)r.at;
	return 0;
}

/* The last of the sorted pairs that begins at or before pc; NULL: none does. */
static const struct pair *last_before(const struct cfi_tables *t, const struct index *x,
				      uintptr_t pc)
{
	const struct pair *pair = x->pair;
	int64_t want = (int64_t)(pc - t->hdr);
	uint64_t count = x->count;

	if (!count || want < pair->pc)
		return NULL;
	while (count > 1) { /* pair->pc <= want, and it is among count */
		uint64_t half = count / 2;

		pair = pair[half].pc <= want ? pair + half : pair;
		count -= half;
	}
	return pair;
}

static int parse_pair(const struct cfi_tables *t, const struct pair *pair, struct cfi_fde *fde)
{
	return cfi_parse(t, t->hdr + (uintptr_t)(intptr_t)pair->fde, fde) ? -EINVAL : 0;
}

int cfi_find(const struct cfi_tables *t, uintptr_t pc, struct cfi_fde *fde)
{
	const struct pair *pair;
	struct index x;

	if (read_index(t, &x))
		return -EINVAL;
	if (!x.pair) {
		uintptr_t frames = x.frames;

		for (unsigned i = 0; i < ENTRIES_MAX; i++) {
			struct cfi_reader r = reader_at(t, frames);
			uintptr_t next = enter(&r);
			int err;

			if (!next)
				return r.bad ? -EINVAL : -ENOENT;
			err = parse_entry(t, &r, frames, fde);
			if (!err && pc >= fde->begin && pc < fde->end)
				return 0;
			frames = next;
		}
		return -EINVAL;
	}
	pair = last_before(t, &x, pc);
	if (!pair)
		return -ENOENT;
	if (parse_pair(t, pair, fde))
		return -EINVAL;
	return pc >= fde->begin && pc < fde->end ? 0 : -ENOENT;
}

int cfi_gap(const struct cfi_tables *t, uintptr_t pc, uintptr_t *lo, uintptr_t *hi)
{
	const struct pair *pair, *next;
	struct cfi_fde fde;
	struct index x;

	if (read_index(t, &x) || !x.pair)
		return -EINVAL;
	pair = last_before(t, &x, pc);
	if (pair && parse_pair(t, pair, &fde))
		return -EINVAL;
	next = pair ? pair + 1 : x.pair;
	*lo = pair ? fde.end : 0;
	*hi = next < x.pair + x.count ? t->hdr + (uintptr_t)(intptr_t)next->pc : UINTPTR_MAX;
	return 0;
}

/* ---- cfi_read.h: the encodings that are too long to be inline -------------- */

uint64_t cfi_uleb_long(struct cfi_reader *r)
{
	uint64_t value = 0;

	for (unsigned shift = 0; r->at < r->end; shift += 7) {
		uint8_t byte = *r->at++;

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return value;
	}
	return cfi_bad(r);
}

int64_t cfi_sleb_long(struct cfi_reader *r)
{
	uint64_t value = 0;
	unsigned shift = 0;

	while (r->at < r->end) {
		uint8_t byte = *r->at++;

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if (byte >= 0x80)
			continue;
		if (shift < 64 && byte & 0x40)
			value |= ~UINT64_C(0) << shift;
		return (int64_t)value;
	}
	return (int64_t)cfi_bad(r);
}

static uint64_t read_format(struct cfi_reader *r, uint8_t format)
{
	switch (format) {
	case CFI_PE_ABSPTR:
	case CFI_PE_UDATA8:
	case CFI_PE_SDATA8: return cfi_fixed(r, 8);
	case CFI_PE_UDATA4: return cfi_fixed(r, 4);
	case CFI_PE_SDATA4: return (uint64_t)cfi_signed(r, 4);
	case CFI_PE_UDATA2: return cfi_fixed(r, 2);
	case CFI_PE_SDATA2: return (uint64_t)cfi_signed(r, 2);
	case CFI_PE_ULEB128: return cfi_uleb(r);
	case CFI_PE_SLEB128: return (uint64_t)cfi_sleb(r);
	default: return cfi_bad(r);
	}
}

uintptr_t cfi_pointer_any(struct cfi_reader *r, uint8_t encoding, uintptr_t data)
{
	uintptr_t here = (uintptr_t)r->at;
	uintptr_t value = read_format(r, encoding & CFI_PE_FORMAT);

	if (encoding & CFI_PE_INDIRECT)
		return cfi_bad(r);
	switch (encoding & CFI_PE_BASE) {
	case 0: return value;
	case CFI_PE_PCREL: return value + here;
	case CFI_PE_DATAREL: return value + data;
	default: return cfi_bad(r);
	}
}
