/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cfi_builder.c - see cfi_builder.h.  The header gets room at the memory's
 * beginning, entries follow it.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "ompt_tool/unwind/cfi_read.h"
#include "tests/support/cfi_builder.h"

enum {
	PAGE = 65536,
	HEADER_BYTES = 12 + 8 * BUILDER_FUNCTIONS_MAX,
};

void builder_start(struct builder *b)
{
	unsigned char *m = mmap(NULL, PAGE + BUILDER_BYTES + PAGE, PROT_NONE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (m == MAP_FAILED || mprotect(m + PAGE, BUILDER_BYTES, PROT_READ | PROT_WRITE))
		abort();
	*b = (struct builder){
		.augmentation = "zR",
		.version = 1,
		.pointers = CFI_PE_PCREL | CFI_PE_SDATA4,
		.code_align = 1,
		.data_align = -8,
		.ra_column = ARCH_LINK < 0 ? ARCH_PC : ARCH_LINK,
		.memory = m + PAGE,
		.at = m + PAGE + HEADER_BYTES,
	};
}

void builder_end(struct builder *b)
{
	munmap(b->memory - PAGE, PAGE + BUILDER_BYTES + PAGE);
}

static void put(struct builder *b, const void *data, size_t n)
{
	if (n)
		memcpy(b->at, data, n);
	b->at += n;
}

static void put_u8(struct builder *b, uint8_t value)
{
	put(b, &value, 1);
}

static void put_i32(struct builder *b, int64_t value)
{
	int32_t v = (int32_t)value;

	put(b, &v, 4);
}

/* Room for a length; returns where the entry begins. */
static unsigned char *begin_entry(struct builder *b)
{
	unsigned char *entry = b->at;

	b->at += b->long_lengths ? 12 : 4;
	return entry;
}

static void end_entry(struct builder *b, unsigned char *entry)
{
	uint32_t word;
	uint64_t bytes;

	while ((uintptr_t)b->at % 8 != 4)
		put_u8(b, 0);
	if (b->long_lengths) {
		word = 0xffffffff;
		bytes = (uint64_t)(b->at - entry - 12);
		memcpy(entry, &word, 4);
		memcpy(entry + 4, &bytes, 8);
	} else {
		word = (uint32_t)(b->at - entry - 4);
		memcpy(entry, &word, 4);
	}
}

static void put_address(struct builder *b, uintptr_t address)
{
	uintptr_t base = (b->pointers & CFI_PE_BASE) == CFI_PE_PCREL   ? (uintptr_t)b->at :
			 (b->pointers & CFI_PE_BASE) == CFI_PE_DATAREL ? (uintptr_t)b->memory :
									 0;
	uint64_t value = address - base;

	put(b, &value, (b->pointers & 7) == 3 ? 4 : 8);
}

static void put_augmentation(struct builder *b)
{
	for (const char *c = b->augmentation; *c; c++) {
		if (*c == 'R')
			put_u8(b, b->pointers);
		if (*c == 'L')
			put_u8(b, CFI_PE_OMIT);
		if (*c == 'P') {
			put_u8(b, CFI_PE_PCREL | CFI_PE_SDATA4 | CFI_PE_INDIRECT);
			put_i32(b, 0x1234);
		}
	}
}

void builder_cie(struct builder *b, struct code code)
{
	unsigned char *data;

	b->cie = begin_entry(b);
	put_i32(b, 0);
	put_u8(b, b->version);
	put(b, b->augmentation, strlen(b->augmentation) + 1);
	if (b->version == 4) {
		put_u8(b, 8);
		put_u8(b, 0);
	}
	put_u8(b, b->code_align);
	put_u8(b, (uint8_t)b->data_align & 0x7f);
	put_u8(b, b->ra_column);
	data = b->at;
	if (*b->augmentation == 'z')
		b->at++;
	put_augmentation(b);
	if (*b->augmentation == 'z')
		*data = (uint8_t)(b->at - data - 1);
	put(b, code.bytes, code.n);
	end_entry(b, b->cie);
}

uintptr_t builder_function(struct builder *b, struct code code)
{
	uintptr_t begin = (uintptr_t)b->memory + BUILDER_CODE + b->functions * BUILDER_FUNCTION;
	uint64_t length = BUILDER_FUNCTION;
	unsigned char *entry = begin_entry(b);

	b->fde[b->functions++] = (int32_t)(entry - b->memory);
	put_i32(b, b->at - b->cie);
	put_address(b, begin);
	put(b, &length, (b->pointers & 7) == 3 ? 4 : 8);
	if (*b->augmentation == 'z') {
		put_u8(b, strchr(b->augmentation, 'L') ? 4 : 0);
		if (strchr(b->augmentation, 'L'))
			put_i32(b, 0x7777);
	}
	put(b, code.bytes, code.n);
	end_entry(b, entry);
	return begin;
}

struct cfi_tables builder_finish(struct builder *b)
{
	struct cfi_tables t = { (uintptr_t)b->memory, 0, (uintptr_t)b->memory };

	put_i32(b, 0);
	t.hi = (uintptr_t)b->at;
	b->at = b->memory;
	put_u8(b, 1);
	put_u8(b, CFI_PE_PCREL | CFI_PE_SDATA4);
	put_u8(b, b->no_table ? CFI_PE_OMIT : CFI_PE_UDATA4);
	put_u8(b, b->no_table ? CFI_PE_OMIT : CFI_PE_DATAREL | CFI_PE_SDATA4);
	put_i32(b, b->memory + HEADER_BYTES - b->at);
	put_i32(b, b->functions);
	for (uint32_t i = 0; i < b->functions; i++) {
		put_i32(b, BUILDER_CODE + i * BUILDER_FUNCTION);
		put_i32(b, b->fde[i]);
	}
	return t;
}
