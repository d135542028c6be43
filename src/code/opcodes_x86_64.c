/* SPDX-License-Identifier: BSD-3-Clause */
/* opcodes_x86_64.c - see opcodes_x86_64.h; rows are opcodes' high digits, columns their low. */
#include "config.h"

#include "src/code/opcodes_x86_64.h"

#include <stddef.h>
#include <string.h>

/* ---- letters: what follows an opcode (enum x86_layout) --------------- */

/* clang-format off */
/* One byte. */
static const char *const legacy[16] = {
	/*	  0 1 2 3 4 5 6 7 8 9 a b c d e f */
	[0x0] = "M M M M b z . . M M M M b z . x",
	[0x1] = "M M M M b z . . M M M M b z . .",
	[0x2] = "M M M M b z p . M M M M b z p .",
	[0x3] = "M M M M b z p . M M M M b z p .",
	[0x4] = "x x x x x x x x x x x x x x x x",
	[0x5] = "- - - - - - - - - - - - - - - -",
	[0x6] = ". . x M p p p p z Z b B - - - -",
	[0x7] = "c c c c c c c c c c c c c c c c",
	[0x8] = "B Z . B M M M M M M M M M M M M",
	[0x9] = "- - - - - - - - - - . - - - - -",
	[0xa] = "o o o o - - - - b z - - - - - -",
	[0xb] = "b b b b b b b b v v v v v v v v",
	[0xc] = "B B R r x x B Z e - R r t b . r",
	[0xd] = "M M M M . x . - M M M M M M M M",
	[0xe] = "c c c c b b b b K J . j - - - -",
	[0xf] = "p t p p t - T T - - - - - - M G",
};

/* 0f.  Not known: 3DNow! (0e, 0f), VIA's (a6, a7), sysenter (34) and rsm (aa), which go
   on where they don't say. */
static const char *const legacy_0f[16] = {
	/*	  0 1 2 3 4 5 6 7 8 9 a b c d e f */
	[0x0] = "M M M M . - - r - - . t . M . .",
	[0x1] = "M M M M M M M M M M M M M M M M",
	[0x2] = "N N N N . . . . M M M M M M M M",
	[0x3] = "- - - - . r . - x . x . . . . .",
	[0x4] = "M M M M M M M M M M M M M M M M",
	[0x5] = "M M M M M M M M M M M M M M M M",
	[0x6] = "M M M M M M M M M M M M M M M M",
	[0x7] = "B B B B M M M - S M . . M M M M",
	[0x8] = "C C C C C C C C C C C C C C C C",
	[0x9] = "M M M M M M M M M M M M M M M M",
	[0xa] = "- - - M B M . . - - . M B M M M",
	[0xb] = "M M M M M M M M P U B M M M M M",
	[0xc] = "M M B M B B B M - - - - - - - -",
	[0xd] = "M M M M M M M M M M M M M M M M",
	[0xe] = "M M M M M M M M M M M M M M M M",
	[0xf] = "M M M M M M M M M M M M M M M U",
};

/* VEX and EVEX 0f, where there is more than a ModRM byte, or less. */
static const char *const vector_0f[16] = {
	/*	  0 1 2 3 4 5 6 7 8 9 a b c d e f */
	[0x7] = "B B B B M M M - M M M M M M M M",
	[0xc] = "M M B M B B B M M M M M M M M M",
};

/* EVEX map 4: general instructions that APX promoted. */
static const char *const evex_4[16] = {
	/*	  0 1 2 3 4 5 6 7 8 9 a b c d e f */
	[0x0] = "M M M M . . . . M M M M . . . .",
	[0x1] = "M M M M . . . . M M M M . . . .",
	[0x2] = "M M M M B . . . M M M M B . . .",
	[0x3] = "M M M M . . . . M M M M . . . .",
	[0x4] = "M M M M M M M M M M M M M M M M",
	[0x6] = "M M . . . M M . . Z . B . . . .",
	[0x8] = "B Z . B M M . . M . . . . . . M",
	[0xa] = ". . . . . M . . . . . . . M . M",
	[0xc] = "B B . . . . . . . . . . . . . .",
	[0xd] = "M M M M . . . . . . . . . . . .",
	[0xf] = "M M M . M M T T M M . . M . M M",
};

/* ---- digits: with which prefixes (bits of enum x86_pp) ---------------- */

/* 0f 38. */
static const char *const legacy_0f38_pp[16] = {
	/*	  0 1 2 3 4 5 6 7 8 9 a b c d e f */
	[0x0] = "3 3 3 3 3 3 3 3 3 3 3 3 . . . .",
	[0x1] = "2 . . . 2 2 . 2 . . . . 3 3 3 .",
	[0x2] = "2 2 2 2 2 2 . . 2 2 2 2 . . . .",
	[0x3] = "2 2 2 2 2 2 . 2 2 2 2 2 2 2 2 2",
	[0x4] = "2 2 . . . . . . . . . . . . . .",
	[0x8] = "2 2 2 . . . . . . . . . . . . .",
	[0xc] = ". . . . . . . . 1 1 1 1 1 1 . 2",
	[0xd] = ". . . . . . . . 4 . . 2 6 6 6 6",
	[0xf] = "b b . . . 2 7 . e 1 4 4 f . . .",
};

/* 0f 3a. */
static const char *const legacy_0f3a_pp[16] = {
	/*	  0 1 2 3 4 5 6 7 8 9 a b c d e f */
	[0x0] = ". . . . . . . . 2 2 2 2 2 2 2 3",
	[0x1] = ". . . . 2 2 2 2 . . . . . . . .",
	[0x2] = "2 2 2 . . . . . . . . . . . . .",
	[0x4] = "2 2 2 . 2 . . . . . . . . . . .",
	[0x6] = "2 2 2 2 . . . . . . . . . . . .",
	[0xc] = ". . . . . . . . . . . . 1 . 2 2",
	[0xd] = ". . . . . . . . . . . . . . . 2",
	[0xf] = "4 . . . . . . . . . . . . . . .",
};

/* VEX 0f. */
static const char *const vex_0f_pp[16] = {
	/*	  0 1 2 3 4 5 6 7 8 9 a b c d e f */
	[0x1] = "f f f 3 3 3 7 3 . . . . . . . .",
	[0x2] = ". . . . . . . . 3 3 c 3 c c 3 3",
	[0x4] = ". 3 3 . 3 3 3 3 . . 3 3 . . . .",
	[0x5] = "3 f 5 5 3 3 3 3 f f f 7 f f f f",
	[0x6] = "2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 6",
	[0x7] = "e 2 2 2 2 2 2 1 . . . . a a 6 6",
	[0x9] = "3 3 b b . . . . 3 3 . . . . . .",
	[0xa] = ". . . . . . . . . . . . . . 1 .",
	[0xc] = ". . f . 2 2 3 . . . . . . . . .",
	[0xd] = "a 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2",
	[0xe] = "2 2 2 2 2 2 e 2 2 2 2 2 2 2 2 2",
	[0xf] = "8 2 2 2 2 2 2 2 2 2 2 2 2 2 2 .",
};

/* VEX 0f 38. */
static const char *const vex_0f38_pp[16] = {
	/*	  0 1 2 3 4 5 6 7 8 9 a b c d e f */
	[0x0] = "2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2",
	[0x1] = ". . . 2 . . 2 2 2 2 2 . 2 2 2 .",
	[0x2] = "2 2 2 2 2 2 . . 2 2 2 2 2 2 2 2",
	[0x3] = "2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2",
	[0x4] = "2 2 . . . 2 2 2 . b . e . . . .",
	[0x5] = "f f 2 2 . . . . 2 2 2 . c . f .",
	[0x6] = ". . . . . . . . . . . . 3 . . .",
	[0x7] = ". . 4 . . . . . 2 2 . . . . . .",
	[0x8] = ". . . . . . . . . . . . 2 . 2 .",
	[0x9] = "2 2 2 2 . . 2 2 2 2 2 2 2 2 2 2",
	[0xa] = ". . . . . . 2 2 2 2 2 2 2 2 2 2",
	[0xb] = "f 6 . . 2 2 2 2 2 2 2 2 2 2 2 2",
	[0xc] = ". . . . . . . . . . . 8 8 8 . 2",
	[0xd] = ". . 7 7 . . . . . . f 2 2 2 2 2",
	[0xe] = "2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2",
	[0xf] = ". . 1 1 . d 8 f . . . . . . . .",
};

/* VEX 0f 3a. */
static const char *const vex_0f3a_pp[16] = {
	/*	  0 1 2 3 4 5 6 7 8 9 a b c d e f */
	[0x0] = "2 2 2 . 2 2 2 . 2 2 2 2 2 2 2 2",
	[0x1] = ". . . . 2 2 2 2 2 2 . . . 2 . .",
	[0x2] = "2 2 2 . . . . . . . . . . . . .",
	[0x3] = "2 2 2 2 . . . . 2 2 . . . . . .",
	[0x4] = "2 2 2 . 2 . 2 . 2 2 2 2 2 . . .",
	[0x5] = ". . . . . . . . . . . . 2 2 2 2",
	[0x6] = "2 2 2 2 . . . . 2 2 2 2 2 2 2 2",
	[0x7] = ". . . . . . . . 2 2 2 2 2 2 2 2",
	[0xc] = ". . . . . . . . . . . . . . 2 2",
	[0xd] = ". . . . . . . . . . . . . . 2 2",
	[0xf] = "8 . . . . . . . . . . . . . . .",
};

/* EVEX 0f; 90 to 93 by APX. */
static const char *const evex_0f_pp[16] = {
	/*	  0 1 2 3 4 5 6 7 8 9 a b c d e f */
	[0x1] = "f f f 3 3 3 7 3 . . . . . . . .",
	[0x2] = ". . . . . . . . 3 3 c 3 c c 3 3",
	[0x5] = ". f . . 3 3 3 3 f f f 7 f f f f",
	[0x6] = "2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 e",
	[0x7] = "e 2 2 2 2 2 2 . f f e e . . 6 e",
	[0x9] = "3 3 b b . . . . . . . . . . . .",
	[0xc] = ". . f . 2 2 3 . . . . . . . . .",
	[0xd] = ". 2 2 2 2 2 2 . 2 2 2 2 2 2 2 2",
	[0xe] = "2 2 2 2 2 2 e 2 2 2 2 2 2 2 2 2",
	[0xf] = ". 2 2 2 2 2 2 . 2 2 2 2 2 2 2 .",
};

/* EVEX 0f 38; 49, 4b and e0 to f7 by APX. */
static const char *const evex_0f38_pp[16] = {
	/*	  0 1 2 3 4 5 6 7 8 9 a b c d e f */
	[0x0] = "2 . . . 2 . . . . . . 2 2 2 . .",
	[0x1] = "6 6 6 6 6 6 2 . 2 2 2 2 2 2 2 2",
	[0x2] = "6 6 6 6 6 6 6 6 6 6 6 2 2 2 . .",
	[0x3] = "6 6 6 6 6 6 2 2 6 6 6 2 2 2 2 2",
	[0x4] = "2 . 2 2 2 2 2 2 . 3 . e 2 2 f 2",
	[0x5] = "f f e a 2 2 . . 2 2 2 2 . . . .",
	[0x6] = ". . 2 2 2 2 2 . 8 . . . . . . .",
	[0x7] = "2 2 e 2 . 2 2 2 2 2 2 2 2 2 2 2",
	[0x8] = ". . . 2 . . . . 2 2 2 2 . 2 . 2",
	[0x9] = "2 2 2 2 . . 2 2 2 2 a a 2 2 2 2",
	[0xa] = "2 2 2 2 . . 2 2 2 2 a a 2 2 2 2",
	[0xb] = ". . . . 2 2 2 2 2 2 2 2 2 2 2 2",
	[0xc] = ". . . . 2 . 2 2 2 . 2 2 2 2 . 2",
	[0xd] = ". . . . . . . . . . . . 2 2 2 2",
	[0xe] = "2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2",
	[0xf] = ". . 1 1 . d 8 f . . . . . . . .",
};

/* EVEX 0f 3a; f0 by APX. */
static const char *const evex_0f3a_pp[16] = {
	/*	  0 1 2 3 4 5 6 7 8 9 a b c d e f */
	[0x0] = "2 2 . 2 2 2 . . 3 2 3 2 . . . 2",
	[0x1] = ". . . . 2 2 2 2 2 2 2 2 . 2 2 2",
	[0x2] = "2 2 2 2 . 2 3 3 . . . . . . . .",
	[0x3] = ". . . . . . . . 2 2 2 2 . . 2 2",
	[0x4] = ". . f 2 2 . . . . . . . . . . .",
	[0x5] = "2 2 . . 2 2 3 3 . . . . . . . .",
	[0x6] = ". . . . . . 3 3 . . . . . . . .",
	[0x7] = "f 2 f 2 . . . . . . . . . . . .",
	[0xc] = ". . 5 . . . . . . . . . . . 2 2",
	[0xf] = "8 . . . . . . . . . . . . . . .",
};

/* EVEX map 4. */
static const char *const evex_4_pp[16] = {
	/*	  0 1 2 3 4 5 6 7 8 9 a b c d e f */
	[0x0] = "1 3 1 3 . . . . 1 3 1 3 . . . .",
	[0x1] = "1 3 1 3 . . . . 1 3 1 3 . . . .",
	[0x2] = "1 3 1 3 3 . . . 1 3 1 3 3 . . .",
	[0x3] = "1 3 1 3 . . . . 1 3 1 3 . . . .",
	[0x4] = "b b b b b b b b b b b b b b b b",
	[0x6] = "3 3 . . . 2 7 . . 3 . 3 . . . .",
	[0x8] = "1 3 . 3 1 3 . . 3 . . . . . . 1",
	[0xa] = ". . . . . 3 . . . . . . . 3 . 3",
	[0xc] = "1 3 . . . . . . . . . . . . . .",
	[0xd] = "1 3 1 3 . . . . . . . . . . . .",
	[0xf] = "5 7 4 . 3 3 1 3 e 1 . . f . 1 3",
};

/* EVEX map 5: FP16. */
static const char *const evex_5_pp[16] = {
	/*	  0 1 2 3 4 5 6 7 8 9 a b c d e f */
	[0x1] = "4 4 . . . . . . . . . . . 3 . .",
	[0x2] = ". . . . . . . . . . 4 . 4 4 1 1",
	[0x5] = ". 5 . . . . . . 5 5 f 7 5 5 5 5",
	[0x6] = ". . . . . . . . . . . . . . 2 .",
	[0x7] = ". . . . . . . . 7 7 a 6 3 f 2 .",
};

/* EVEX map 6: FP16. */
static const char *const evex_6_pp[16] = {
	/*	  0 1 2 3 4 5 6 7 8 9 a b c d e f */
	[0x1] = ". . . 3 . . . . . . . . . . . .",
	[0x2] = ". . . . . . . . . . . . 2 2 . .",
	[0x4] = ". . 2 2 . . . . . . . . 2 2 2 2",
	[0x5] = ". . . . . . c c . . . . . . . .",
	[0x9] = ". . . . . . 2 2 2 2 2 2 2 2 2 2",
	[0xa] = ". . . . . . 2 2 2 2 2 2 2 2 2 2",
	[0xb] = ". . . . . . 2 2 2 2 2 2 2 2 2 2",
	[0xd] = ". . . . . . c c . . . . . . . .",
};

/* XOP map 8. */
static const char *const xop_8_pp[16] = {
	/*	  0 1 2 3 4 5 6 7 8 9 a b c d e f */
	[0x8] = ". . . . . 1 1 1 . . . . . . 1 1",
	[0x9] = ". . . . . 1 1 1 . . . . . . 1 1",
	[0xa] = ". . 1 1 . . 1 . . . . . . . . .",
	[0xb] = ". . . . . . 1 . . . . . . . . .",
	[0xc] = "1 1 1 1 . . . . . . . . 1 1 1 1",
	[0xe] = ". . . . . . . . . . . . 1 1 1 1",
};

/* XOP map 9. */
static const char *const xop_9_pp[16] = {
	/*	  0 1 2 3 4 5 6 7 8 9 a b c d e f */
	[0x0] = ". 1 1 . . . . . . . . . . . . .",
	[0x1] = ". . 1 . . . . . . . . . . . . .",
	[0x8] = "1 1 1 1 . . . . . . . . . . . .",
	[0x9] = "1 1 1 1 1 1 1 1 1 1 1 1 . . . .",
	[0xc] = ". 1 1 1 . . 1 1 . . . 1 . . . .",
	[0xd] = ". 1 1 1 . . 1 1 . . . 1 . . . .",
	[0xe] = ". 1 1 1 . . . . . . . 1 . . . .",
};

/* XOP map a. */
static const char *const xop_a_pp[16] = {
	/*	  0 1 2 3 4 5 6 7 8 9 a b c d e f */
	[0x1] = "1 . 1 . . . . . . . . . . . . .",
};

/* ---- of all maps ----------------------------------------------------- */

static const struct {
	const char *const *letters;
	enum x86_layout layout;		/* of rows without letters */
	const char *const *pp;		/* NULL: with any prefix */
} maps[] = {
	[X86_LEGACY] = { .letters = legacy },
	[X86_LEGACY_0F] = { .letters = legacy_0f },
	[X86_LEGACY_0F38] = { .layout = X86_MODRM, .pp = legacy_0f38_pp },
	[X86_LEGACY_0F3A] = { .layout = X86_MODRM_IMM8, .pp = legacy_0f3a_pp },
	[X86_VEX_0F] = { .letters = vector_0f, .layout = X86_MODRM, .pp = vex_0f_pp },
	[X86_VEX_0F38] = { .layout = X86_MODRM, .pp = vex_0f38_pp },
	[X86_VEX_0F3A] = { .layout = X86_MODRM_IMM8, .pp = vex_0f3a_pp },
	[X86_EVEX_0F] = { .letters = vector_0f, .layout = X86_MODRM, .pp = evex_0f_pp },
	[X86_EVEX_0F38] = { .layout = X86_MODRM, .pp = evex_0f38_pp },
	[X86_EVEX_0F3A] = { .layout = X86_MODRM_IMM8, .pp = evex_0f3a_pp },
	[X86_EVEX_4] = { .letters = evex_4, .layout = X86_NOT_KNOWN, .pp = evex_4_pp },
	[X86_EVEX_5] = { .layout = X86_MODRM, .pp = evex_5_pp },
	[X86_EVEX_6] = { .layout = X86_MODRM, .pp = evex_6_pp },
	[X86_XOP_8] = { .layout = X86_MODRM_IMM8, .pp = xop_8_pp },
	[X86_XOP_9] = { .layout = X86_MODRM, .pp = xop_9_pp },
	[X86_XOP_A] = { .layout = X86_MODRM_IMM_Z, .pp = xop_a_pp },
};

/* The entry of an opcode; of rows that are not there, otherwise. */
static int entry(const char *const *rows, unsigned opcode, int otherwise)
{
	const char *row = rows ? rows[opcode >> 4] : NULL;

	return row ? row[2 * (opcode & 15)] : otherwise;
}

enum x86_layout x86_layout(enum x86_map map, unsigned opcode, enum x86_pp pp)
{
	int digit;

	if (map == X86_UNKNOWN_MAP)
		return X86_NOT_KNOWN;
	if (maps[map].pp) {
		digit = entry(maps[map].pp, opcode, '.');
		if (digit == '.' || !((digit <= '9' ? digit - '0' : digit - 'a' + 10) & (int)pp))
			return X86_NOT_KNOWN;
	}
	return (enum x86_layout)entry(maps[map].letters, opcode, maps[map].layout);
}

/* ---- groups: opcodes that ModRM's reg field extends ------------------- */

static const struct {
	enum x86_map map;
	unsigned char opcode;
	const char *memory, *registers;	/* values of reg that are defined with mod < 3 and with 3 */
} groups[] = {
	{ X86_LEGACY, 0x8f, "0", "0" },
	{ X86_LEGACY, 0xc6, "0", "07" },	/* 7: xabort */
	{ X86_LEGACY, 0xc7, "0", "07" },	/* 7: xbegin */
	{ X86_LEGACY, 0xfe, "01", "01" },
	{ X86_LEGACY, 0xff, "0123456", "01246" },
	{ X86_LEGACY_0F, 0x00, "012345", "012345" },
	{ X86_LEGACY_0F, 0x71, "", "246" },
	{ X86_LEGACY_0F, 0x72, "", "246" },
	{ X86_LEGACY_0F, 0x73, "", "2367" },
	{ X86_LEGACY_0F, 0xba, "4567", "4567" },
	{ X86_LEGACY_0F, 0xc7, "134567", "67" },
	{ X86_VEX_0F, 0x71, "", "246" },
	{ X86_VEX_0F, 0x72, "", "246" },
	{ X86_VEX_0F, 0x73, "", "2367" },
	{ X86_VEX_0F, 0xae, "23", "" },
	{ X86_VEX_0F38, 0xf3, "123", "123" },
	{ X86_EVEX_0F, 0x71, "246", "246" },
	{ X86_EVEX_0F, 0x72, "01246", "01246" },
	{ X86_EVEX_0F, 0x73, "2367", "2367" },
	{ X86_EVEX_0F38, 0xc6, "1256", "" },
	{ X86_EVEX_0F38, 0xc7, "1256", "" },
	{ X86_EVEX_0F38, 0xf3, "123", "123" },
	{ X86_EVEX_4, 0x8f, "", "0" },
	{ X86_EVEX_4, 0xfe, "01", "01" },
	{ X86_EVEX_4, 0xff, "01", "016" },
	{ X86_XOP_9, 0x01, "1234567", "1234567" },
	{ X86_XOP_9, 0x02, "16", "16" },
	{ X86_XOP_9, 0x12, "", "01" },
	{ X86_XOP_A, 0x12, "01", "01" },
};
/* clang-format on */

bool x86_group_has(enum x86_map map, unsigned opcode, unsigned modrm)
{
	const int reg = '0' + (int)(modrm >> 3 & 7);

	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++)
		if (groups[i].map == map && groups[i].opcode == opcode)
			return strchr(modrm >> 6 == 3 ? groups[i].registers : groups[i].memory,
				      reg);
	return true;
}
