/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbols_debuginfod.h - objects and their debug information from debuginfod servers.
 *
 * Servers are asked only where the user names some in DEBUGINFOD_URLS and the command allows it.
 * elfutils' libdebuginfod is opened when it is needed first; it keeps a cache on disk.  An answer
 * has a limit (2 GiB, or DEBUGINFOD_MAXSIZE); after a longer one nothing is asked.  For ordinary
 * code, one thread at a time.
 */
#ifndef OMPHWC_SRC_SYMBOLS_SYMBOLS_DEBUGINFOD_H
#define OMPHWC_SRC_SYMBOLS_SYMBOLS_DEBUGINFOD_H

#include <stddef.h>
#include <stdint.h>

enum debuginfod_kind { DEBUGINFOD_EXECUTABLE, DEBUGINFOD_DEBUGINFO };

/* From now on servers may be waited for so long in all; 0, as at first: they are not asked.  A
   terminal on standard error shows the progress. */
void symbols_debuginfod_allow(unsigned seconds);

/* The file of the object with that build-id: a descriptor and its path, which the caller frees;
   or -ENOENT. */
int symbols_debuginfod_open(enum debuginfod_kind kind, const uint8_t *build_id, size_t bytes,
			    char **path);

#endif
