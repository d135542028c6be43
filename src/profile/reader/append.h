/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * append.h - appends a chunk to the profile of a process that has ended.
 *
 * The chunk's magic is written last, so the profile is valid at every instant.  After a
 * failure the file is as it was.  For ordinary code, one thread at a time; another ompcount
 * that appends at the same time is kept out by a lock on the file.
 */
#ifndef OMPHWC_SRC_PROFILE_READER_APPEND_H
#define OMPHWC_SRC_PROFILE_READER_APPEND_H

#include <stddef.h>

struct prof_file;

/*
 * Appends a NAMES chunk with the n bytes at payload to the file that f was read from.  The
 * caller knows that the process has ended.  0 or -errno: -EPERM: another user's file; -ESTALE:
 * it is no longer what f was read from; -ENODATA: it was truncated; -EBUSY: another process
 * appends to it.
 */
int prof_append_names(const struct prof_file *f, const void *payload, size_t n);

#endif
