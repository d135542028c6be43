/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbols_debug.h - opens files by their path or build-id; only local ones, no server is asked.
 */
#ifndef OMPHWC_SRC_SYMBOLS_SYMBOLS_DEBUG_H
#define OMPHWC_SRC_SYMBOLS_SYMBOLS_DEBUG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Joins sysroot and path if path is absolute and sysroot is not NULL.  The result is
   malloc'd. */
char *symbols_path(const char *sysroot, const char *path);

/* Opens a regular file for reading; never blocks on a pipe or a device.  A descriptor or
   -errno. */
int symbols_open(const char *path);

/* Whether the ELF file fd has exactly that build-id. */
bool symbols_build_id_is(int fd, const uint8_t *build_id, size_t bytes);

/* Opens the file with that build-id beneath sysroot, with suffix (".debug" or "").  Returns a
   descriptor with *path malloc'd, or -errno. */
int symbols_open_by_build_id(const char *sysroot, const uint8_t *build_id, size_t bytes,
			     const char *suffix, char **path);

#endif
