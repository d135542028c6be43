/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * disassembly.h - disassembles an object's code by objdump.
 */
#ifndef OMPHWC_SRC_OUTPUT_TEXT_DISASSEMBLY_H
#define OMPHWC_SRC_OUTPUT_TEXT_DISASSEMBLY_H

#include <stdint.h>

/*
 * Calls visit for each instruction of path at lo <= ELF address < hi.  text is valid until
 * visit returns.  Runs a child process and waits for it.  0; -ENOEXEC: objdump is not
 * installed; -EIO: it failed; other -errno.
 */
int disassemble(const char *path, uint64_t lo, uint64_t hi,
		void (*visit)(void *arg, uint64_t address, const char *text), void *arg);

#endif
