/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * paint.h - colours of text for terminals: each has one meaning, and no meaning is in colour only.
 */
#ifndef OMPHWC_SRC_OUTPUT_PAINT_H
#define OMPHWC_SRC_OUTPUT_PAINT_H

enum paint {
	PAINT_PLAIN,
	PAINT_TITLE,
	PAINT_STRONG, /* what a row stands out by */
	PAINT_FAINT,  /* zeros, places, what is summed up */
	PAINT_WORK,
	PAINT_WAIT,
	PAINT_OVERHEAD,
	PAINT_MPI,
	PAINT_BLOCKED,
	PAINTS
};

/* The terminal's sequence for it; PAINT_PLAIN ends all others. */
const char *paint_code(enum paint p);

#endif
