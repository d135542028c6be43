/*
 * prologue.h - the rules of code whose entry in the tables is empty.
 *
 * An assembler writes such entries for functions that nobody described: they
 * say that no frame was built, to their last instruction.  One file for each
 * machine.  Signal-safe.
 */
#ifndef OMPHWC_OMPT_TOOL_UNWIND_PROLOGUE_H
#define OMPHWC_OMPT_TOOL_UNWIND_PROLOGUE_H

#include <stdint.h>

struct cfi_row;

/*
 * Follows the instructions from begin, where the rules in row hold, up to at,
 * and changes row to those that hold at at.  What it doesn't understand it takes
 * to build no frame.  All of [begin, at + 4) is readable code.
 */
void prologue_rules(uintptr_t begin, uintptr_t at, struct cfi_row *row);

#endif
