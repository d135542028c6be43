/*
 * fnv.h - the FNV-1a hash with 64 bits, which files and their names hold: it never changes.
 *
 * Pure; signal-safe.
 */
#ifndef OMPHWC_SRC_BASE_FNV_H
#define OMPHWC_SRC_BASE_FNV_H

#include <stddef.h>
#include <stdint.h>

#define FNV_BEGIN UINT64_C(0xcbf29ce484222325)

/* The hash of what h is the hash of (FNV_BEGIN: of nothing), followed by n bytes. */
static inline uint64_t fnv(uint64_t h, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;

	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * UINT64_C(0x100000001b3);
	return h;
}

#endif
