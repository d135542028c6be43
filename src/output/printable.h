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

#endif
