/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbols_made.h - names of code that was made at run time, from what its maker wrote for perf:
 *   /tmp/perf-PID.map lines "START SIZE NAME" in hexadecimal digits
 *   jit-PID.dump what perf inject reads (tools/perf/Documentation/jitdump-specification.txt in
 *   Linux's sources, version 1): names alone, no code, lines or unwind rules
 *
 * PID is the process's own number, as in its namespace. Both are looked for in /tmp and TMPDIR, the
 * dump also in the current folder, JITDUMPDIR, and .debug/jit/ANY in JITDUMPDIR and HOME. Only a
 * regular file of this user (or root) counts, which was changed while the process ran. Nothing in
 * it is trusted. For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_SYMBOLS_SYMBOLS_MADE_H
#define OMPHWC_SRC_SYMBOLS_SYMBOLS_MADE_H

#include <stdint.h>

struct prof_file;

/* The maps of the profiles that were asked for. A zeroed struct is empty and ready. */
struct symbols_made {
	struct symbols_made_map *maps;
};

/* The function at address of f's process; of several, which were there one after another, the
   last. NULL: unknown. Valid until symbols_made_free(). */
const char *symbols_made_find(struct symbols_made *m, const struct prof_file *f, uint64_t address);

void symbols_made_free(struct symbols_made *m);

#endif
