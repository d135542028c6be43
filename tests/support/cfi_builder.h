/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cfi_builder.h - writes .eh_frame and .eh_frame_hdr into memory, for tests.
 */
#ifndef OMPHWC_TESTS_CFI_BUILDER_H
#define OMPHWC_TESTS_CFI_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ompt_tool/unwind/cfi.h"

enum {
	BUILDER_CODE = 0x100000,  /* offset of the functions from the tables */
	BUILDER_FUNCTION = 0x100, /* bytes per function */
	BUILDER_BYTES = 65536,
	BUILDER_FUNCTIONS_MAX = 256,
};

struct code { /* instructions */
	const uint8_t *bytes;
	size_t n;
};

#define CODE(...) \
	((struct code){ (const uint8_t[]){ __VA_ARGS__ }, \
			sizeof((const uint8_t[]){ __VA_ARGS__ }) })
#define NO_CODE ((struct code){ NULL, 0 })

struct builder {
	/* Settings, to be changed before the first function; builder_start() sets the
	   defaults. */
	const char *augmentation; /* "zR" */
	uint8_t version;	  /* 1 */
	uint8_t pointers;	  /* encoding of addresses: pcrel, sdata4 */
	uint8_t code_align;	  /* factor: 1 */
	int8_t data_align;	  /* -8 */
	uint8_t ra_column;	  /* the machine's */
	bool no_table;		  /* omit the sorted table */
	bool long_lengths;	  /* 64-bit DWARF */

	unsigned char *memory; /* BUILDER_BYTES; an inaccessible page follows */
	unsigned char *at;
	unsigned char *cie;
	uint32_t functions;
	int32_t fde[BUILDER_FUNCTIONS_MAX];
};

/* Maps the memory.  Aborts on failure. */
void builder_start(struct builder *b);
void builder_end(struct builder *b);

/* The CIE of the functions that follow. */
void builder_cie(struct builder *b, struct code code);

/* Adds a function; returns the address of its code. */
uintptr_t builder_function(struct builder *b, struct code code);

/* Writes the header; cfi.c cannot read what precedes and follows it. */
struct cfi_tables builder_finish(struct builder *b);

#endif
