/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * printable.h - formats numbers and names for people.
 *
 * Names are printed so that neither control characters nor invalid sequences of bytes reach the
 * terminal.
 */
#ifndef OMPHWC_SRC_OUTPUT_PRINTABLE_H
#define OMPHWC_SRC_OUTPUT_PRINTABLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A number as text, for an argument: format_count(n).s lives as long as the expression with it. */
struct formatted {
	char s[32];
};

/* A count of an event: "9.812 s", "12.35 G"; unit is enum prof_unit.  Also of a value that was
   computed, see format_whole(), and of nanoseconds. */
struct formatted format_amount(uint64_t value, uint32_t unit);
struct formatted format_real(double value, uint32_t unit);
struct formatted format_ns(double ns);

/* "1,234,567"; "1234567". */
struct formatted format_count(uint64_t value);
struct formatted format_plain(uint64_t value);

/* "8.0 MiB". */
struct formatted format_bytes(uint64_t bytes);

/* A share of total in percent, "64.5"; "-" if total is 0. */
struct formatted format_percent(uint64_t part, uint64_t total);

/* Converts a number computed from a profile's, which may have any value: negative numbers
   give 0, too large ones the maximum. */
uint64_t format_whole(double value);

/* "ns" or "events". */
const char *format_unit(uint32_t unit);

/* The number of columns that format_text() needs for s. */
size_t format_width(const char *s);

/* Prints s in at most columns (0: unlimited); the middle of a longer text is left out. */
void format_text(FILE *out, const char *s, size_t columns);

/*
 * Prints a name, or text with names, in at most columns (0: unlimited): the first of its forms that
 * fits (shorten.h), or the shortest with its middle left out.  The place at its end is kept.
 * apart: names that differ are printed differently, even if they take more columns; shown has
 * what was printed of others, is empty at first, and is for map_free().
 */
struct map;
void format_name(FILE *out, const char *s, size_t columns);
void format_name_apart(FILE *out, const char *s, size_t columns, struct map *shown);

/* The text that format_name_apart() prints, for columns other than 0; malloc'ed. */
char *format_fitting(const char *s, size_t columns, struct map *shown);

/* Prints a name within a sentence: its first form of at most 60 columns, or the shortest. */
void format_short(FILE *out, const char *s);

/* Prints s right-aligned in the given number of columns; a longer text is cut at the end. */
void format_right(FILE *out, const char *s, size_t columns);

struct model;

/* "thread 3", where there are several processes with the rank or number of its own; thread
   is an index into m->threads. */
void thread_name(FILE *out, const struct model *m, uint32_t thread);

/* The same as a malloc'ed text. */
char *thread_text(const struct model *m, uint32_t thread);

/* "initial", "worker" or "other"; NULL: it is none of OpenMP's.  kind: enum prof_thread_kind. */
const char *thread_kind(uint32_t kind);

/* Prints text, whose lines are broken at columns (0: not); what follows is indented by two more
   than the line.  Longer words stay whole.  Colours take no columns. */
void fold_text(FILE *out, const char *text, size_t columns);

/* The lines that a text, which ends with a newline, takes on a terminal of so many columns (0:
   any): longer ones go on in the next. */
size_t fold_lines(const char *text, size_t columns);

/*
 * Colours of text for terminals: each has one meaning, and no meaning is in colour only.  Classes
 * have the hues that they have on the page (html/page/style.css): work blue, waiting amber,
 * overhead red, MPI purple, blocked teal.  Those of terminals with 256 colours differ for
 * colour-blind people, too, and can be read on black and on white.
 */

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
