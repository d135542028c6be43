/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * paint.h - colours of text for terminals: each has one meaning, and no meaning is in colour only.
 *
 * Classes have the hues that they have on the page (html/page/style.css): work blue, waiting
 * amber, overhead red, MPI purple, blocked teal.  Those of terminals with 256 colours differ for
 * colour-blind people, too, and can be read on black and on white.
 */
#ifndef OMPHWC_SRC_OUTPUT_PAINT_H
#define OMPHWC_SRC_OUTPUT_PAINT_H

#include <stddef.h>

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

/* The terminal's sequence for it, by TERM and COLORTERM; PAINT_PLAIN ends all others. */
const char *paint_code(enum paint p);

/* The number of its colour, of 256 or of 8; -1: it has none. */
int paint_colour(enum paint p, int colours);

/* The paint whose sequence of n bytes is at s; PAINTS: none. */
enum paint paint_at(const char *s, size_t n);

#endif
