/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * printable.h - formats numbers and names for people.
 *
 * Numbers are written to buffers of FORMAT_BYTES.  Names are printed so that neither
 * control characters nor invalid sequences of bytes reach the terminal.
 */
#ifndef OMPHWC_SRC_OUTPUT_PRINTABLE_H
#define OMPHWC_SRC_OUTPUT_PRINTABLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { FORMAT_BYTES = 32 };

/* Formats a count of an event: "9.812 s", "12.35 G"; unit is enum prof_unit.  Returns buf. */
char *format_amount(char buf[FORMAT_BYTES], uint64_t value, uint32_t unit);

/* "ns" or "events". */
const char *format_unit(uint32_t unit);

/* Converts a number computed from a profile's, which may have any value: negative numbers
   give 0, too large ones the maximum. */
uint64_t format_whole(double value);

/* "1,234,567". */
char *format_count(char buf[FORMAT_BYTES], uint64_t value);

/* "8.0 MiB". */
char *format_bytes(char buf[FORMAT_BYTES], uint64_t bytes);

/* A share of total in percent, "64.5"; "-" if total is 0. */
char *format_percent(char buf[FORMAT_BYTES], uint64_t part, uint64_t total);

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
