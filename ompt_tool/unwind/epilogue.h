/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * epilogue.h - what a function's code does to the stack pointer: from a PC to its return, or from
 * its entry to a PC.
 *
 * The code is read in the order of addresses; jumps are followed forward only. Of what it does to
 * other registers only copies of the stack pointer are looked at: so the result is to be
 * verified. Signal-safe, without state; reads no more than the code that the caller allows.
 */
#ifndef OMPHWC_OMPT_TOOL_UNWIND_EPILOGUE_H
#define OMPHWC_OMPT_TOOL_UNWIND_EPILOGUE_H

#include <stdbool.h>
#include <stdint.h>

#include "ompt_tool/unwind/unwind.h"

struct callsite_code;

/* Reads the code from pc to its return, or to one of the n known entries, which is then extended.
   Returns that entry, or NULL and *e: e->known is false where no return is found, or the stack
   pointer there is not known. */
struct epilogue *epilogue_read(const struct callsite_code *code, uintptr_t pc,
			       struct epilogue *known, unsigned n, struct epilogue *e);

/* Reads the code from entry to pc: how far below the return address the stack pointer is then,
   from *least to *most bytes (where the code aligns it, they differ). */
bool epilogue_depth(const struct callsite_code *code, uintptr_t entry, uintptr_t pc,
		    uintptr_t *least, uintptr_t *most);

#endif
