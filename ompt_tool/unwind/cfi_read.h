/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cfi_read.h - reads DWARF's encodings from bytes that aren't trusted.
 *
 * A reader that meets its end or an unknown encoding turns bad: it stays at its end
 * and yields zeros. Callers check once, at the end.
 */
#ifndef OMPHWC_OMPT_TOOL_UNWIND_CFI_READ_H
#define OMPHWC_OMPT_TOOL_UNWIND_CFI_READ_H

#include <stdbool.h>
#include <stdint.h>

struct cfi_reader {
	const uint8_t *at, *end;
	bool bad;
};

/* Pointer encodings (DW_EH_PE). */
enum {
	CFI_PE_ABSPTR = 0x00,
	CFI_PE_ULEB128 = 0x01,
	CFI_PE_UDATA2 = 0x02,
	CFI_PE_UDATA4 = 0x03,
	CFI_PE_UDATA8 = 0x04,
	CFI_PE_SLEB128 = 0x09,
	CFI_PE_SDATA2 = 0x0a,
	CFI_PE_SDATA4 = 0x0b,
	CFI_PE_SDATA8 = 0x0c,
	CFI_PE_FORMAT = 0x0f,
	CFI_PE_PCREL = 0x10,
	CFI_PE_DATAREL = 0x30,
	CFI_PE_BASE = 0x70,
	CFI_PE_INDIRECT = 0x80,
	CFI_PE_OMIT = 0xff,
};

static inline uint64_t cfi_bad(struct cfi_reader *r)
{
	r->at = r->end;
	r->bad = true;
	return 0;
}

static inline bool cfi_left(const struct cfi_reader *r, uint64_t bytes)
{
	return (uint64_t)(r->end - r->at) >= bytes;
}

static inline void cfi_skip(struct cfi_reader *r, uint64_t bytes)
{
	if (cfi_left(r, bytes))
		r->at += bytes;
	else
		cfi_bad(r);
}

static inline uint8_t cfi_u8(struct cfi_reader *r)
{
	return r->at < r->end ? *r->at++ : (uint8_t)cfi_bad(r);
}

/* One number of the machine's own byte order, wherever it lies. */
static inline uint64_t cfi_fixed(struct cfi_reader *r, unsigned bytes)
{
	struct packed {
		union {
			uint16_t u16;
			uint32_t u32;
			uint64_t u64;
		};
	} __attribute__((packed, may_alias));
	const struct packed *p = (const struct packed *)r->at;

	if (!cfi_left(r, bytes))
		return cfi_bad(r);
	r->at += bytes;
	return bytes == 8 ? p->u64 :
	       bytes == 4 ? p->u32 :
	       bytes == 2 ? p->u16 :
			    *(const uint8_t *)p;
}

/* The same with the sign carried up. */
static inline int64_t cfi_signed(struct cfi_reader *r, unsigned bytes)
{
	unsigned shift = 64 - 8 * bytes;

	return (int64_t)(cfi_fixed(r, bytes) << shift) >> shift;
}

/*
 * The rare forms are functions of their own and get a copy of the reader, so that
 * compilers can keep the original in registers.
 */
uint64_t cfi_uleb_long(struct cfi_reader *r);
int64_t cfi_sleb_long(struct cfi_reader *r);
uintptr_t cfi_pointer_any(struct cfi_reader *r, uint8_t encoding, uintptr_t data);

static inline uint64_t cfi_uleb(struct cfi_reader *r)
{
	struct cfi_reader copy;
	uint64_t value;

	if (__builtin_expect(r->at < r->end && *r->at < 0x80, 1))
		return *r->at++;
	copy = *r;
	value = cfi_uleb_long(&copy);
	*r = copy;
	return value;
}

static inline int64_t cfi_sleb(struct cfi_reader *r)
{
	struct cfi_reader copy;
	int64_t value;

	if (__builtin_expect(r->at < r->end && *r->at < 0x80, 1))
		return (int64_t)((uint64_t)*r->at++ << 57) >> 57;
	copy = *r;
	value = cfi_sleb_long(&copy);
	*r = copy;
	return value;
}

/* A pointer in the given encoding; data: what DATAREL is relative to. */
static inline uintptr_t cfi_pointer(struct cfi_reader *r, uint8_t encoding, uintptr_t data)
{
	uintptr_t here = (uintptr_t)r->at;
	struct cfi_reader copy;

	if (__builtin_expect(encoding == (CFI_PE_PCREL | CFI_PE_SDATA4), 1))
		return here + (uintptr_t)cfi_signed(r, 4);
	copy = *r;
	here = cfi_pointer_any(&copy, encoding, data);
	*r = copy;
	return here;
}

#endif
