/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cfi.h - call frame information: the rules of .eh_frame for one PC.
 *
 * Sources: the DWARF standard, version 5, sections 2.5 and 6.4; the Linux Standard
 * Base, chapter 10.6 (.eh_frame and .eh_frame_hdr); the System V and AArch64
 * supplements.
 *
 * The tables are read in memory and are not trusted: nothing outside [lo, hi) is
 * read, every loop is bounded, and invalid contents are an error.
 * Async-signal-safe, no state.
 */
#ifndef OMPHWC_OMPT_TOOL_UNWIND_CFI_H
#define OMPHWC_OMPT_TOOL_UNWIND_CFI_H

#include <stdbool.h>
#include <stdint.h>

#include "ompt_tool/machine/arch.h"

struct cfi_row;

struct cfi_tables {
	uintptr_t lo, hi; /* readable */
	uintptr_t hdr;	  /* .eh_frame_hdr, within */
};

/* A frame description entry (FDE) with the contents of its CIE. */
struct cfi_fde {
	uintptr_t address;    /* of the entry */
	uintptr_t begin, end; /* the code that it describes */
	const uint8_t *code, *code_end;
	const uint8_t *cie_code, *cie_code_end;
	uint64_t code_align;
	int64_t data_align;
	uint32_t ra_column;
	bool signal;		  /* a signal's frame: its caller was interrupted */
	uint8_t address_encoding; /* of DW_CFA_set_loc */
};

/* How a register is found. */
enum cfi_how {
	CFI_UNSPECIFIED = 0,
	CFI_UNDEFINED,
	CFI_SAME,
	CFI_OFFSET,	    /* at CFA + value */
	CFI_VAL_OFFSET,	    /* is CFA + value */
	CFI_REGISTER,	    /* in register value */
	CFI_EXPRESSION,	    /* at the address that the expression at value yields */
	CFI_VAL_EXPRESSION, /* is what the expression at value yields */
};

/* The rules for one PC. value[r] is valid only where how[r] needs it. */
struct cfi_row {
	bool cfa_expression; /* cfa_value is the address of an expression */
	uint8_t cfa_register;
	uint8_t how[ARCH_COLUMNS];
	int64_t cfa_value;
	int64_t value[ARCH_COLUMNS];
};

/* The entry for pc.  0, -ENOENT (no rules here) or -EINVAL (broken). */
int cfi_find(const struct cfi_tables *t, uintptr_t pc, struct cfi_fde *fde);

/* The code around pc, which no entry covers: from the end of the entry before it (0: there is
   none) to the beginning of the next (UINTPTR_MAX).  0, or -EINVAL (broken, or not sorted). */
int cfi_gap(const struct cfi_tables *t, uintptr_t pc, uintptr_t *lo, uintptr_t *hi);

/* The entry at address.  0, -ENOENT (the end, or a CIE) or -EINVAL. */
int cfi_parse(const struct cfi_tables *t, uintptr_t address, struct cfi_fde *fde);

/* The rules that hold before the instruction at pc, which the entry covers.
   0 or -EINVAL. */
int cfi_rules(const struct cfi_tables *t, const struct cfi_fde *fde, uintptr_t pc,
	      struct cfi_row *row);

/* Whether the entry has no instructions: its CIE's rules hold throughout. */
bool cfi_is_empty(const struct cfi_fde *fde);

/* The registers and memory for expressions. */
struct cfi_machine {
	const uintptr_t *reg;
	uint64_t known; /* a bit for each register */
	/* Reads 1, 2, 4 or 8 bytes; false: not allowed. */
	bool (*read)(const void *arg, uintptr_t address, unsigned bytes, uint64_t *value);
	const void *arg;
};

/* The value of the expression (a length and its operations) at address.
   initial: pushed first, when not NULL.  0, -EINVAL, -EFAULT (a read was
   refused) or -ENODATA (needs a register that isn't known). */
int cfi_evaluate(const struct cfi_tables *t, uintptr_t address, const uintptr_t *initial,
		 const struct cfi_machine *m, uintptr_t *value);

/*
 * prologue_MACHINE.c: derives rules for code whose table entry is empty.
 *
 * Assemblers write such entries for functions without CFI directives. They claim that no frame is
 * built, up to the last instruction. One file for each machine. Signal-safe.
 */

/*
 * Interprets the instructions from begin, where the rules in row hold, up to at,
 * and changes row to the rules at at. An unknown instruction counts as building no
 * frame. All of [begin, at + 4) is readable code.
 */
void prologue_rules(uintptr_t begin, uintptr_t at, struct cfi_row *row);

#endif
