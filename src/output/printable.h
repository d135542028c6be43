/*
 * printable.h - numbers and names, as people read them.
 *
 * Numbers come in buffers of FORMAT_BYTES.  Names are printed so that neither
 * a control character nor a broken sequence of bytes reaches the terminal.
 */
#ifndef OMPHWC_SRC_OUTPUT_PRINTABLE_H
#define OMPHWC_SRC_OUTPUT_PRINTABLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { FORMAT_BYTES = 32 };

/* What a count of an event is shown as: "9.812 s", "12.35 G"; unit is enum
   prof_unit.  Returns buf. */
char *format_amount(char buf[FORMAT_BYTES], uint64_t value, uint32_t unit);

/* A number that was computed from a profile's, whatever those are: none below 0, and the
   largest there is for all that are larger. */
uint64_t format_whole(double value);

/* "1,234,567". */
char *format_count(char buf[FORMAT_BYTES], uint64_t value);

/* A share of total in percent, "64.5"; "-" of nothing. */
char *format_percent(char buf[FORMAT_BYTES], uint64_t part, uint64_t total);

/* How many columns s takes on a terminal, as format_text() prints it. */
size_t format_width(const char *s);

/* Prints s in at most columns (0: no limit), leaving out its middle if it is
   longer. */
void format_text(FILE *out, const char *s, size_t columns);

/* As format_text(), for functions' names, and text made of them: what is longer than columns,
   or than FORMAT_NAME_COLUMNS without a limit, goes without template arguments, the
   inner ones first (shorten.h). */
enum { FORMAT_NAME_COLUMNS = 100 };
void format_name(FILE *out, const char *s, size_t columns);

/* Prints s to the right in so many columns; of a longer one, its beginning. */
void format_right(FILE *out, const char *s, size_t columns);

/* The last part of a path. */
const char *format_base(const char *path);

#endif
