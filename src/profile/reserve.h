/*
 * reserve.h - room on disk that writing to a mapping can rely on.
 */
#ifndef OMPHWC_SRC_PROFILE_RESERVE_H
#define OMPHWC_SRC_PROFILE_RESERVE_H

#include <stdint.h>

/*
 * Reserves bytes [offset, offset + bytes) of the file and extends it to hold
 * them; they read as zero.  0 or -errno (-ENOSPC, -EDQUOT, -EFBIG …).
 * Async-signal-safe.
 */
int prof_reserve(int fd, uint64_t offset, uint64_t bytes);

#endif
