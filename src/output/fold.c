/* SPDX-License-Identifier: BSD-3-Clause */
/* fold.c - see fold.h. */
#include "config.h"

#include "src/output/fold.h"

#include <ctype.h>
#include <string.h>

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

static void fold_line(FILE *out, const char *line, size_t n, size_t columns)
{
	const size_t indent = fold_indent(line, n);
	size_t at = 0, column = 0;

	while (at < n) {
		size_t blanks = strspn(line + at, " ");

		blanks = blanks < n - at ? blanks : n - at;
		const size_t word = fold_word(line + at + blanks, line + n);
		const size_t width = blanks + fold_width(line + at + blanks, word);

		if (column > indent + FURTHER && column + width > columns) {
			fprintf(out, "\n%*s", (int)(indent + FURTHER), "");
			at += blanks;
			column = indent + FURTHER;
			continue;
		}
		fwrite(line + at, 1, blanks + word, out);
		at += blanks + word;
		column += width;
	}
	putc('\n', out);
}

void fold_text(FILE *out, const char *text, size_t columns)
{
	for (const char *end; *text; text = end + 1) {
		end = strchr(text, '\n');
		if (!columns || !end) {
			fputs(text, out);
			return;
		}
		fold_line(out, text, (size_t)(end - text), columns);
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
