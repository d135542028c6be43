/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reserve.h - reserves disk space before a mapping is written to.
 */
#ifndef OMPHWC_SRC_PROFILE_RESERVE_H
#define OMPHWC_SRC_PROFILE_RESERVE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Reserves bytes [offset, offset + bytes) of the file and extends it to hold them; they
 * read as zero. 0 or -errno (-ENOSPC, -EDQUOT, -EFBIG …).  Async-signal-safe.
 */
int prof_reserve(int fd, uint64_t offset, uint64_t bytes);

/* Whether RLIMIT_FSIZE permits a file of that length.  A write past it raises SIGXFSZ, whose
   default action kills the process; so code inside the profiled program checks before every
   write.  Async-signal-safe. */
bool prof_fsize_allows(uint64_t end);

#endif
