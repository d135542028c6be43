/*
 * symbols_frames.h - where functions begin, by an object's unwind tables.
 *
 * They are left in stripped objects, and tell one nameless function from the
 * next.
 */
#ifndef OMPHWC_SRC_SYMBOLS_SYMBOLS_FRAMES_H
#define OMPHWC_SRC_SYMBOLS_SYMBOLS_FRAMES_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbols_frames {
	const unsigned char *table;	/* the sorted one of .eh_frame_hdr */
	size_t count;
	uint64_t address;		/* of .eh_frame_hdr */
	bool swap;
};

/* elf must outlive it.  Without such a table it is empty. */
void symbols_frames_load(struct symbols_frames *t, Elf *elf);

/* The function that address may lie in: its first byte, and that of the next
   one.  False: there is none. */
bool symbols_frames_find(const struct symbols_frames *t, uint64_t address,
			 uint64_t *lo, uint64_t *hi);

#endif
