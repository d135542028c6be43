/*
 * symbols_debug.h - finds the separate file that holds an object's debugging
 * information.
 *
 * By build-id beneath /usr/lib/debug/.build-id, then by the name that the
 * object gives (.gnu_debuglink).  A file is taken only if its build-id, or
 * else its checksum, is the one asked for.  Only local files are looked at:
 * no server is ever asked.
 */
#ifndef OMPHWC_SRC_SYMBOLS_SYMBOLS_DEBUG_H
#define OMPHWC_SRC_SYMBOLS_SYMBOLS_DEBUG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A path of its own (malloc'd), or NULL without memory: sysroot before path,
   if path is absolute and sysroot is not NULL. */
char *symbols_path(const char *sysroot, const char *path);

/* Opens a regular file for reading; never waits for a pipe or a device.
   A descriptor or -errno. */
int symbols_open(const char *path);

/* Has the ELF file that fd is open on just that build-id? */
bool symbols_build_id_is(int fd, const uint8_t *build_id, size_t bytes);

/* The file named by build-id beneath sysroot, with suffix (".debug" or "").
   A descriptor with *path malloc'd, or -errno. */
int symbols_open_by_build_id(const char *sysroot, const uint8_t *build_id, size_t bytes,
			     const char *suffix, char **path);

/* The file that object (its path, sysroot included) calls link, with that
   checksum, or that build-id where it has one (bytes not 0).  Likewise. */
int symbols_open_by_link(const char *sysroot, const char *object, const char *link,
			 uint32_t crc, const uint8_t *build_id, size_t bytes, char **path);

/* The supplementary file that debug file object shares with others (dwz);
   name as it stands there.  Likewise. */
int symbols_open_shared(const char *sysroot, const char *object, const char *name, char **path);

#endif
