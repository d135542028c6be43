/* SPDX-License-Identifier: BSD-3-Clause */
/* cfi_read.c - the encodings that are too long to be inline. */
#include "config.h"

#include "ompt_tool/unwind/cfi_read.h"

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
