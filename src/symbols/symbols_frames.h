/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbols_frames.h - finds the beginnings of functions in an object's unwind tables.
 *
 * Stripped objects keep these tables, so functions without names can be distinguished.
 */
#ifndef OMPHWC_SRC_SYMBOLS_SYMBOLS_FRAMES_H
#define OMPHWC_SRC_SYMBOLS_SYMBOLS_FRAMES_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbols_frames {
	const unsigned char *table; /* the sorted table in .eh_frame_hdr */
	size_t count;
	uint64_t address; /* of .eh_frame_hdr */
	bool swap;
};

/* elf must outlive t.  Without a table t is empty. */
void symbols_frames_load(struct symbols_frames *t, Elf *elf);

/* The function that may contain address: its first byte, and that of the next function.
   False: none. */
bool symbols_frames_find(const struct symbols_frames *t, uint64_t address, uint64_t *lo,
			 uint64_t *hi);

#endif
