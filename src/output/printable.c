/* SPDX-License-Identifier: BSD-3-Clause */
/* printable.c - rounds numbers to three digits and removes control characters. */
#include "config.h"

#include "src/output/printable.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/clean.h"
#include "src/base/fnv.h"
#include "src/base/map.h"
#include "src/base/shorten.h"
#include "src/model/model.h"
#include "src/profile/format.h"
#include "src/profile/reader/reader.h"

enum {
	NAME_LEAST = 8, /* columns of a name before its place */
	SENTENCE_NAME_COLUMNS = 60,
};

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

static struct formatted format_scaled(uint64_t value, const struct scale *s, size_t n)
{
	struct formatted to;
	double v = (double)value;
	size_t i = 0;
	int digits;

	/* A number that would be rounded up to the next unit is shown in that unit. */
	while (i + 1 < n && v < s[i].from * 0.9995)
		i++;
	v /= s[i].from;
	digits = s[i].from == 1 ? 0 : v < 9.995 ? 2 : v < 99.95 ? 1 : 0;
	snprintf(to.s, sizeof(to.s), "%.*f%s", digits, v, s[i].unit);
	return to;
}

struct formatted format_amount(uint64_t value, uint32_t unit)
{
	if (!value)
		return (struct formatted){ "0" };
	return unit == PROF_UNIT_NS ?
		       format_scaled(value, scale_ns, sizeof(scale_ns) / sizeof(*scale_ns)) :
		       format_scaled(value, scale_events,
				     sizeof(scale_events) / sizeof(*scale_events));
}

struct formatted format_real(double value, uint32_t unit)
{
	return format_amount(format_whole(value), unit);
}

struct formatted format_ns(double ns)
{
	return format_real(ns, PROF_UNIT_NS);
}

const char *format_unit(uint32_t unit)
{
	return unit == PROF_UNIT_NS ? "ns" : "events";
}

uint64_t format_whole(double value)
{
	/* False for NaN, too. */
	if (!(value > 0))
		return 0;
	return value < 0x1p64 ? (uint64_t)value : UINT64_MAX;
}

struct formatted format_plain(uint64_t value)
{
	struct formatted to;

	snprintf(to.s, sizeof(to.s), "%" PRIu64, value);
	return to;
}

struct formatted format_count(uint64_t value)
{
	struct formatted plain = format_plain(value), to;
	const size_t n = strlen(plain.s);
	size_t at = 0;

	for (size_t i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			to.s[at++] = ',';
		to.s[at++] = plain.s[i];
	}
	to.s[at] = '\0';
	return to;
}

struct formatted format_bytes(uint64_t bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	struct formatted to;
	double n = (double)bytes;
	size_t u = 0;

	while (n >= 1024 && u + 1 < sizeof(units) / sizeof(*units)) {
		n /= 1024;
		u++;
	}
	snprintf(to.s, sizeof(to.s), n < 10 && u > 0 ? "%.1f %s" : "%.0f %s", n, units[u]);
	return to;
}

struct formatted format_percent(uint64_t part, uint64_t total)
{
	struct formatted to = { "-" };

	if (total)
		snprintf(to.s, sizeof(to.s), "%.1f", 100.0 * (double)part / (double)total);
	return to;
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

/* Writes s, whose middle is left out where it is longer; the place is kept, however little room is
   left for the name. */
static void format_cut(FILE *out, const char *s, size_t columns)
{
	const char *place = shorten_place(s);
	const size_t width = format_width(place);
	char *name;

	if (!*place || format_width(s) <= columns) {
		format_text(out, s, columns);
		return;
	}
	name = alloc_text_part(s, (size_t)(place - s));
	format_text(out, name, columns > width + NAME_LEAST ? columns - width : NAME_LEAST);
	free(name);
	format_span(out, place, 0, SIZE_MAX);
}

static uint64_t printable_hash_of(const char *s)
{
	return fnv(FNV_BEGIN, s, strlen(s));
}

/* Whether no other name was shown so, or has such a form. */
static bool is_apart(const struct map *shown, const char *s, const char *shorter)
{
	const uint32_t own = (uint32_t)printable_hash_of(s);

	return !shown || map_get(shown, printable_hash_of(shorter), 0, own) == own;
}

/* The first form that fits and is of no other name, or else one that
   is cut; then one that is too long, the shortest that no other name has. */
char *format_fitting(const char *s, size_t columns, struct map *shown)
{
	enum { CUT = SHORT_FORMS, CANDIDATES };
	char *as[CANDIDATES];
	unsigned chosen = CANDIDATES;
	size_t size;

	for (unsigned i = 0; i < SHORT_FORMS; i++)
		as[i] = shorten(s, (enum short_form)i);

	const char *shortest = as[SHORT_OWN];
	char *cut = NULL;
	FILE *out = alloc_stream(&cut, &size);

	format_cut(out, shortest, columns);
	alloc_stream_end(out);
	as[CUT] = cut;
	for (unsigned i = 0; i < CANDIDATES && chosen == CANDIDATES; i++)
		if ((i == CUT || format_width(as[i]) <= columns) && is_apart(shown, s, as[i]))
			chosen = i;
	for (unsigned i = SHORT_FORMS; i-- > 0 && chosen == CANDIDATES;)
		if (i == SHORT_WHOLE || is_apart(shown, s, as[i]))
			chosen = i;
	for (unsigned i = 0; i < CANDIDATES; i++) {
		uint32_t whose;
		const char *text = as[i];

		if (shown)
			map_add(shown, printable_hash_of(text), 0, (uint32_t)printable_hash_of(s),
				&whose);
		if (i != chosen)
			free(as[i]);
	}
	return as[chosen];
}

void format_name_apart(FILE *out, const char *s, size_t columns, struct map *shown)
{
	char *name = columns ? format_fitting(s, columns, shown) : alloc_text(s);

	format_span(out, name, 0, SIZE_MAX);
	free(name);
}

void format_name(FILE *out, const char *s, size_t columns)
{
	format_name_apart(out, s, columns, NULL);
}

void format_short(FILE *out, const char *s)
{
	for (unsigned form = SHORT_WHOLE; form < SHORT_FORMS; form++) {
		char *name = shorten(s, (enum short_form)form);
		const bool fits = format_width(name) <= SENTENCE_NAME_COLUMNS;

		if (fits || form == SHORT_FORMS - 1)
			format_span(out, name, 0, SIZE_MAX);
		free(name);
		if (fits)
			return;
	}
}

/* ---- threads ----------------------------------------------------------- */

void thread_name(FILE *out, const struct model *m, uint32_t thread)
{
	const struct model_thread *t = &m->threads[thread];
	const struct prof_file *f = m->processes[t->process].file;
	const char *rank = prof_text(f, PROF_INFO_RANK);

	if (m->nprocesses > 1 && rank) {
		fputs("rank ", out);
		format_text(out, rank, 0);
		putc(' ', out);
	} else if (m->nprocesses > 1) {
		fprintf(out, "pid %u ", f->header.pid);
	}
	fprintf(out, "thread %u", t->number);
}

char *thread_text(const struct model *m, uint32_t thread)
{
	char *text = NULL;
	size_t size;
	FILE *out = alloc_stream(&text, &size);

	thread_name(out, m, thread);
	alloc_stream_end(out);
	return text;
}

const char *thread_kind(uint32_t kind)
{
	return kind == PROF_THREAD_INITIAL ? "initial" :
	       kind == PROF_THREAD_WORKER  ? "worker" :
	       kind == PROF_THREAD_OTHER   ? "other" :
					     NULL;
}

/* ---- lines ------------------------------------------------------------- */

enum {
	FURTHER = 2,  /* by how much what follows is indented */
	UNIT_MAX = 3, /* characters of a unit, with what follows it */
};

/* The columns of n bytes: characters but for colours. */
static size_t fold_width(const char *s, size_t n)
{
	size_t width = 0;

	for (size_t i = 0; i < n; i++) {
		if (s[i] == '\033')
			while (i < n && s[i] != 'm')
				i++;
		else
			width += ((unsigned char)s[i] & 0xc0) != 0x80;
	}
	return width;
}

/* The length of the word at s, before end.  A number and its unit are one: "8.1 %", "7.5 s". */
static size_t fold_word(const char *s, const char *end)
{
	size_t n = strcspn(s, " \n"), unit;

	if (!n || !isdigit((unsigned char)s[n - 1]) || s + n >= end || s[n] != ' ')
		return n;
	unit = strcspn(s + n + 1, " \n");
	if (s[n + 1] == '%' || (unit <= UNIT_MAX && isalpha((unsigned char)s[n + 1])))
		n += 1 + unit;
	return n;
}

/* The columns that a line is indented by. */
static size_t fold_indent(const char *line, size_t n)
{
	size_t at = 0, indent = 0;

	for (; at < n && (line[at] == ' ' || line[at] == '\033'); at++) {
		if (line[at] == ' ')
			indent++;
		else
			at += strcspn(line + at, "m");
	}
	return indent;
}

void fold_text(FILE *out, const char *text, size_t columns)
{
	for (const char *end; *text; text = end + 1) {
		end = strchr(text, '\n');
		if (!columns || !end) {
			fputs(text, out);
			return;
		}

		const size_t n = (size_t)(end - text);
		const size_t indent = fold_indent(text, n);
		size_t at = 0, column = 0;

		while (at < n) {
			size_t blanks = strspn(text + at, " ");

			blanks = blanks < n - at ? blanks : n - at;
			const size_t word = fold_word(text + at + blanks, text + n);
			const size_t width = blanks + fold_width(text + at + blanks, word);

			if (column > indent + FURTHER && column + width > columns) {
				fprintf(out, "\n%*s", (int)(indent + FURTHER), "");
				at += blanks;
				column = indent + FURTHER;
				continue;
			}
			fwrite(text + at, 1, blanks + word, out);
			at += blanks + word;
			column += width;
		}
		putc('\n', out);
	}
}

size_t fold_lines(const char *text, size_t columns)
{
	size_t n = 0, width;

	for (const char *end; (end = strchr(text, '\n')); text = end + 1) {
		width = fold_width(text, (size_t)(end - text));
		n += columns && width ? (width + columns - 1) / columns : 1;
	}
	return n;
}

/* ---- colours ----------------------------------------------------------- */

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
