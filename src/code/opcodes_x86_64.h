/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * opcodes_x86_64.h - the opcode maps of x86-64 in 64-bit mode: which opcodes there are,
 * and what follows each.
 *
 * Sources: Intel SDM volume 2, appendix A; AMD APM volume 3, appendix A (XOP); Intel APX
 * architecture specification (EVEX map 4, REX2).  What is in no table is not known.
 */
#ifndef OMPHWC_SRC_CODE_OPCODES_X86_64_H
#define OMPHWC_SRC_CODE_OPCODES_X86_64_H

#include <stdbool.h>

enum x86_map {
	X86_LEGACY, /* one byte */
	X86_LEGACY_0F,
	X86_LEGACY_0F38,
	X86_LEGACY_0F3A,
	X86_VEX_0F,
	X86_VEX_0F38,
	X86_VEX_0F3A,
	X86_EVEX_0F,
	X86_EVEX_0F38,
	X86_EVEX_0F3A,
	X86_EVEX_4,
	X86_EVEX_5,
	X86_EVEX_6,
	X86_XOP_8,
	X86_XOP_9,
	X86_XOP_A,
	X86_UNKNOWN_MAP,
};

/* What follows an opcode: a letter of the tables. */
enum x86_layout {
	X86_NOT_KNOWN = '.', /* undefined in 64-bit mode, or not known here */
	X86_PREFIX = 'p',    /* of 26 2e 36 3e 64 to 67 f0 f2 f3 */
	X86_ESCAPE = 'x',    /* 0f, REX, REX2, VEX, EVEX: to another map */
	X86_NOTHING = '-',
	X86_IMM8 = 'b',
	X86_IMM_Z = 'z',  /* 2 bytes with operands of 16 bits, else 4 */
	X86_IMM_V = 'v',  /* as many bytes as operands have */
	X86_OFFSET = 'o', /* an address: 8 bytes, or 4 (67) */
	X86_ENTER = 'e',  /* 3 bytes */
	/* A ModRM byte, and what it asks for; then … */
	X86_MODRM = 'M', /* nothing */
	X86_MODRM_IMM8 = 'B',
	X86_MODRM_IMM_Z = 'Z',
	X86_MODRM_REGISTERS = 'N', /* nothing; its mod field is ignored */
	X86_MODRM_F3 = 'P',	   /* nothing; not known without the prefix f3 */
	X86_MODRM_SSE4A = 'S',	   /* two bytes with the prefix 66 or f2 */
	X86_MODRM_TEST = 'T',	   /* an immediate where reg is 0 or 1 */
	/* The ways on. */
	X86_BRANCH8 = 'c',
	X86_BRANCH32 = 'C', /* conditional */
	X86_JUMP8 = 'j',
	X86_JUMP32 = 'J',
	X86_JUMP64 = 'A', /* to an address (REX2) */
	X86_CALL32 = 'K',
	X86_MODRM_JUMP = 'G', /* ModRM; a call or jump by what its reg field says */
	X86_RETURN = 'r',
	X86_RETURN16 = 'R', /* with 2 bytes */
	X86_TRAP = 't',
	X86_MODRM_TRAP = 'U',
};

/* Bits of prefixes, as the pp field of VEX and EVEX counts them. */
enum x86_pp {
	X86_PP_NONE = 1,
	X86_PP_66 = 2,
	X86_PP_F3 = 4,
	X86_PP_F2 = 8,
};

/* pp: one bit of enum x86_pp. */
enum x86_layout x86_layout(enum x86_map map, unsigned opcode, enum x86_pp pp);

/* Whether a ModRM byte is defined after that opcode, as far as its reg field says. */
bool x86_group_has(enum x86_map map, unsigned opcode, unsigned modrm);

#endif
