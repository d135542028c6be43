/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbols_debug.h - finds the separate file with an object's debug information.
 *
 * It is searched by build-id beneath /usr/lib/debug/.build-id, then by the name in the
 * object (.gnu_debuglink).  A file is accepted only if its build-id, or else its checksum,
 * matches.  Only local files are used; no server is contacted.
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

/* Opens the file that object (a path including sysroot) names as link, if it has that
   checksum, or that build-id unless bytes is 0.  Returns as above. */
int symbols_open_by_link(const char *sysroot, const char *object, const char *link, uint32_t crc,
			 const uint8_t *build_id, size_t bytes, char **path);

/* Opens the supplementary file of debug file object (dwz), by the name in it.  Returns as
   above. */
int symbols_open_shared(const char *sysroot, const char *object, const char *name, char **path);

#endif
