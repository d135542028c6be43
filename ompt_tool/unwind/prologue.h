/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * prologue.h - derives rules for code whose table entry is empty.
 *
 * Assemblers write such entries for functions without CFI directives. They claim
 * that no frame is built, up to the last instruction. One file for each machine.
 * Signal-safe.
 */
#ifndef OMPHWC_OMPT_TOOL_UNWIND_PROLOGUE_H
#define OMPHWC_OMPT_TOOL_UNWIND_PROLOGUE_H

#include <stdint.h>

struct cfi_row;

/*
 * Interprets the instructions from begin, where the rules in row hold, up to at,
 * and changes row to the rules at at. An unknown instruction counts as building no
 * frame. All of [begin, at + 4) is readable code.
 */
void prologue_rules(uintptr_t begin, uintptr_t at, struct cfi_row *row);

#endif
