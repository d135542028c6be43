/*
 * bind.h - puts our wrappers before libc's functions where the loader does not: in a
 * library that was not preloaded (OMP_TOOL_LIBRARIES).
 */
#ifndef OMPHWC_OMPT_TOOL_PROGRAM_BIND_H
#define OMPHWC_OMPT_TOOL_PROGRAM_BIND_H

/*
 * Lets the calls of all objects that are loaded now, but for libc's and our own, go
 * to our wrappers: what the loader stored for them (relocations of the kinds JUMP_SLOT
 * and GLOB_DAT) is replaced where it is libc's function or not resolved yet.
 * Objects of before are passed over.  Does nothing where the library was preloaded.
 * Ordinary code; takes the loader's lock.  After next_find().
 */
void bind_all(void);

#endif
