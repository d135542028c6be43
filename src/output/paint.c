/* SPDX-License-Identifier: BSD-3-Clause */
/* paint.c - see paint.h. */
#include "config.h"

#include "src/output/paint.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { COLOURS = 256 };

/* clang-format off */
static const struct {
	const char *few, *many; /* sequences for terminals of 8 and of 256 colours */
	int of_few, of_many;	/* their colours */
} paints[PAINTS] = {
	[PAINT_PLAIN]	 = { "\033[m",	"\033[m",	   -1, -1 },
	[PAINT_TITLE]	 = { "\033[1m",	"\033[1m",	   -1, -1 },
	[PAINT_STRONG]	 = { "\033[1m",	"\033[1m",	   -1, -1 },
	[PAINT_FAINT]	 = { "\033[2m",	"\033[2m",	   -1, -1 },
	[PAINT_WORK]	 = { "\033[34m", "\033[38;5;27m",  4,  27 },
	[PAINT_WAIT]	 = { "\033[33m", "\033[38;5;136m", 3, 136 },
	[PAINT_OVERHEAD] = { "\033[31m", "\033[38;5;203m", 1, 203 },
	[PAINT_MPI]	 = { "\033[35m", "\033[38;5;170m", 5, 170 },
	[PAINT_BLOCKED]	 = { "\033[36m", "\033[38;5;30m",  6,  30 },
};
/* clang-format on */

const char *paint_code(enum paint p)
{
	const char *term = getenv("TERM"), *more = getenv("COLORTERM");
	const bool many = (term && strstr(term, "256color")) || (more && *more);

	return many ? paints[p].many : paints[p].few;
}

int paint_colour(enum paint p, int colours)
{
	return colours >= COLOURS ? paints[p].of_many : paints[p].of_few;
}

enum paint paint_at(const char *s, size_t n)
{
	unsigned p = 0;

	while (p < PAINTS && (strlen(paint_code(p)) != n || strncmp(paint_code(p), s, n) != 0))
		p++;
	return (enum paint)p;
}
