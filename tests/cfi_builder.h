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
	BUILDER_CODE = 0x100000,	/* functions lie this far behind the tables */
	BUILDER_FUNCTION = 0x100,	/* bytes of a function */
	BUILDER_BYTES = 65536,
	BUILDER_FUNCTIONS_MAX = 256,
};

struct code {			/* instructions */
	const uint8_t *bytes;
	size_t n;
};

#define CODE(...) ((struct code){ (const uint8_t[]){ __VA_ARGS__ }, \
				  sizeof((const uint8_t[]){ __VA_ARGS__ }) })
#define NO_CODE ((struct code){ NULL, 0 })

struct builder {
	/* Settings, before the first function; builder_start() sets the usual. */
	const char *augmentation; /* "zR" */
	uint8_t version;	/* 1 */
	uint8_t pointers;	/* encoding of addresses: pcrel, sdata4 */
	uint8_t code_align;	/* 1 */
	int8_t data_align;	/* -8 */
	uint8_t ra_column;	/* the machine's */
	bool no_table;		/* leave the sorted table out */
	bool long_lengths;	/* 64-bit DWARF's */

	unsigned char *memory;	/* BUILDER_BYTES; ends where reading would fault */
	unsigned char *at;
	unsigned char *cie;
	uint32_t functions;
	int32_t fde[BUILDER_FUNCTIONS_MAX];
};

/* Maps the memory.  Aborts when that fails. */
void builder_start(struct builder *b);
void builder_end(struct builder *b);

/* A CIE for the functions that follow. */
void builder_cie(struct builder *b, struct code code);

/* The next function; returns where its code would begin. */
uintptr_t builder_function(struct builder *b, struct code code);

/* Writes the header; what lies before and behind is not readable to cfi.c. */
struct cfi_tables builder_finish(struct builder *b);

#endif
