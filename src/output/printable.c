/* SPDX-License-Identifier: BSD-3-Clause */
/* printable.c - rounds numbers to four digits and removes control characters. */
#include "config.h"

#include "src/output/printable.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/clean.h"
#include "src/output/shorten.h"
#include "src/profile/format.h"

enum { NAME_LEAST = 8 }; /* columns of a name before its place */

struct scale {
	double from;
	const char *unit;
};

static const struct scale scale_ns[] = {
	{ 1e9, " s" },
	{ 1e6, " ms" },
	{ 1e3, " us" },
	{ 1, " ns" },
};

static const struct scale scale_events[] = {
	{ 1e18, " E" }, { 1e15, " P" }, { 1e12, " T" }, { 1e9, " G" },
	{ 1e6, " M" },	{ 1e3, " k" },	{ 1, "" },
};

static char *format_scaled(char buf[FORMAT_BYTES], uint64_t value, const struct scale *s, size_t n)
{
	double v = (double)value;
	size_t i = 0;
	int digits;

	/* A number that would be rounded up to the next unit is shown in that unit. */
	while (i + 1 < n && v < s[i].from * 0.99995)
		i++;
	v /= s[i].from;
	digits = s[i].from == 1 ? 0 : v < 9.9995 ? 3 : v < 99.995 ? 2 : v < 999.95 ? 1 : 0;
	snprintf(buf, FORMAT_BYTES, "%.*f%s", digits, v, s[i].unit);
	return buf;
}

char *format_amount(char buf[FORMAT_BYTES], uint64_t value, uint32_t unit)
{
	if (!value)
		return strcpy(buf, "0");
	if (unit == PROF_UNIT_NS)
		return format_scaled(buf, value, scale_ns, sizeof(scale_ns) / sizeof(*scale_ns));
	return format_scaled(buf, value, scale_events,
			     sizeof(scale_events) / sizeof(*scale_events));
}

uint64_t format_whole(double value)
{
	/* False for NaN, too. */
	if (!(value > 0))
		return 0;
	return value < 0x1p64 ? (uint64_t)value : UINT64_MAX;
}

char *format_count(char buf[FORMAT_BYTES], uint64_t value)
{
	char plain[FORMAT_BYTES];
	size_t n = (size_t)snprintf(plain, sizeof(plain), "%" PRIu64, value), at = 0;

	for (size_t i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			buf[at++] = ',';
		buf[at++] = plain[i];
	}
	buf[at] = '\0';
	return buf;
}

char *format_percent(char buf[FORMAT_BYTES], uint64_t part, uint64_t total)
{
	if (!total)
		return strcpy(buf, "-");
	snprintf(buf, FORMAT_BYTES, "%.1f", 100.0 * (double)part / (double)total);
	return buf;
}

/* ---- names ----------------------------------------------------------- */

size_t format_width(const char *s)
{
	size_t width = 0, used;
	char c[CLEAN_BYTES];

	for (; *s; s += used)
		width += clean_char(s, c, &used);
	return width;
}

/* Prints columns from … to of s. */
static void format_span(FILE *out, const char *s, size_t from, size_t to)
{
	size_t at = 0, used;
	char c[CLEAN_BYTES];

	for (; *s && at < to; s += used) {
		size_t width = clean_char(s, c, &used);

		if (at >= from && at + width <= to)
			fputs(c, out);
		at += width;
	}
}

void format_text(FILE *out, const char *s, size_t columns)
{
	static const char gap[] = "...";
	size_t width = format_width(s), room;

	if (!columns || width <= columns || columns < 8) {
		format_span(out, s, 0, SIZE_MAX);
		return;
	}
	room = columns - (sizeof(gap) - 1);
	format_span(out, s, 0, room - room / 2);
	fputs(gap, out);
	format_span(out, s, width - room / 2, SIZE_MAX);
}

void format_right(FILE *out, const char *s, size_t columns)
{
	const size_t width = format_width(s);

	if (width < columns)
		fprintf(out, "%*s", (int)(columns - width), "");
	format_span(out, s, 0, columns);
}

const char *format_place(const char *s)
{
	const char *end = s + strlen(s), *at = strrchr(s, '('), *line;

	if (!at || at < s + 2 || at[-1] != ' ' || end[-1] != ')' || strchr(at, ' '))
		return end;
	for (line = at - 1; line > s && line[-1] >= '0' && line[-1] <= '9';)
		line--;
	if (line < at - 1 && line > s && line[-1] == ':')
		return line - 1;
	return strchr(at, ':') ? at - 1 : end;
}

/* The place is kept, however little room is left for the name. */
static void format_placed(FILE *out, const char *s, size_t columns)
{
	const char *place = format_place(s);
	const size_t width = format_width(place);
	char *name;

	if (!*place || !columns || format_width(s) <= columns) {
		format_text(out, s, columns);
		return;
	}
	name = alloc_text_part(s, (size_t)(place - s));
	format_text(out, name, columns > width + NAME_LEAST ? columns - width : NAME_LEAST);
	free(name);
	format_span(out, place, 0, SIZE_MAX);
}

void format_name(FILE *out, const char *s, size_t columns)
{
	const size_t room = columns ? columns : FORMAT_NAME_COLUMNS;
	char *shorter = NULL;

	if (format_width(s) > room)
		shorter = shorten_name(s, 1);
	if (shorter && format_width(shorter) > room) {
		free(shorter);
		shorter = shorten_name(s, 0);
	}
	format_placed(out, shorter ? shorter : s, columns);
	free(shorter);
}
