/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fnv.h - the 64-bit FNV-1a hash.
 *
 * It is stored in files and file names, so it must not change.  Pure; signal-safe.
 */
#ifndef OMPHWC_SRC_BASE_FNV_H
#define OMPHWC_SRC_BASE_FNV_H

#include <stddef.h>
#include <stdint.h>

#define FNV_BEGIN UINT64_C(0xcbf29ce484222325)

/* Continues the hash h with n bytes; h is FNV_BEGIN at first. */
static inline uint64_t fnv(uint64_t h, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;

	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * UINT64_C(0x100000001b3);
	return h;
}

#endif
