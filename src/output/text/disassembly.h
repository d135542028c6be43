/*
 * disassembly.h - instructions of an object's code, as objdump prints them.
 */
#ifndef OMPHWC_SRC_OUTPUT_TEXT_DISASSEMBLY_H
#define OMPHWC_SRC_OUTPUT_TEXT_DISASSEMBLY_H

#include <stdint.h>

/*
 * Calls visit for each instruction of path at lo <= ELF address < hi.  text
 * lives until visit returns.  0; -ENOEXEC: there is no objdump; -EIO: it
 * failed; other -errno.  Runs a child and waits for it.
 */
int disassemble(const char *path, uint64_t lo, uint64_t hi,
		void (*visit)(void *arg, uint64_t address, const char *text), void *arg);

#endif
