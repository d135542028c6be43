/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bind.h - redirects calls of libc's functions to our wrappers where the loader
 * does not: in a library that was not preloaded (OMP_TOOL_LIBRARIES) or is linked
 * in.
 */
#ifndef OMPHWC_OMPT_TOOL_PROGRAM_BIND_H
#define OMPHWC_OMPT_TOOL_PROGRAM_BIND_H

/*
 * Redirects the calls of all loaded objects, but libc's, the loader's and our own,
 * to our wrappers: replaces the addresses that the loader stored (relocations
 * JUMP_SLOT and GLOB_DAT) where they are libc's functions or not resolved yet.
 * Objects that an earlier call handled are skipped. Does nothing where the library
 * was preloaded. Ordinary code; takes the loader's lock. After next_find().
 */
void bind_all(void);

#endif
