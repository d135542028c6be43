/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/screen/lines.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/output/text/text.h"

enum { FIRST = 1 }; /* the line above is one of titles, which are always seen */

void lines_fini(struct lines *l)
{
	free(l->text);
	free(l->line);
	free(l->row);
	*l = (struct lines){ .n = 0 };
}

void lines_set(struct lines *l, char *text)
{
	const size_t top = l->top, selected = l->selected;

	lines_fini(l);
	l->text = text;
	for (const char *s = text; s && (s = strchr(s, '\n')); s++)
		l->n++;
	l->line = alloc_zeroed(l->n + 1, sizeof(*l->line));
	l->row = alloc_zeroed(l->n + 1, sizeof(*l->row));

	char *at = l->text, *end;

	for (size_t i = 0; i < l->n; i++, at = end + 1) {
		struct lines_row *row = &l->row[i];
		const size_t mark = text_row_mark(at, &row->number, &row->line);

		row->is = mark != 0;
		l->line[i] = at + mark;
		end = strchr(at, '\n');
		*end = '\0';
	}
	l->top = top < l->n && top >= FIRST ? top : FIRST;
	l->selected = l->found = selected < l->n ? selected : l->n ? l->n - 1 : 0;
}

/* The first row from a line on, before end; n: there is none. */
static size_t lines_after(const struct lines *l, size_t line, size_t end)
{
	while (line < end && !l->row[line].is)
		line++;
	return line < end ? line : l->n;
}

/* The last row up to a line, from first on; n: there is none. */
static size_t lines_before(const struct lines *l, size_t line, size_t first)
{
	for (; line < l->n && line >= first && line > 0; line--)
		if (l->row[line].is)
			return line;
	return l->n;
}

/* Lines are seen: the first ones if there is no room for all. */
static void lines_show(struct lines *l, size_t first, size_t last, size_t rows)
{
	if (last >= l->top + rows)
		l->top = last - rows + 1;
	if (first < l->top)
		l->top = first;
}

void lines_select(struct lines *l, size_t line, size_t rows)
{
	const size_t row = lines_after(l, line, l->n) < l->n ? lines_after(l, line, l->n) :
							       lines_before(l, line, FIRST);

	if (row >= l->n)
		return;
	l->selected = l->found = row;
	lines_show(l, row, row, rows);
}

/* Moves what is seen, and returns whether it did. */
static bool lines_scroll(struct lines *l, long by, size_t rows)
{
	const size_t most = l->n > FIRST + rows ? l->n - rows : FIRST, before = l->top;
	const size_t back = by < 0 ? (size_t)-by : 0, room = before > FIRST ? before - FIRST : 0;

	l->top = by < 0 ? before - (back < room ? back : room) : before + (size_t)by;
	if (l->top > most)
		l->top = most;
	return l->top != before;
}

/* Selects the row at a line, or the nearest one that is seen, or what is seen is beneath. */
static void lines_seen(struct lines *l, size_t line, size_t rows)
{
	const size_t end = l->top + rows < l->n ? l->top + rows : l->n;
	const size_t row = lines_after(l, line, end);

	line = row < l->n ? row : lines_before(l, line < end ? line : end - 1, FIRST);
	if (line < l->n)
		l->selected = l->found = line;
}

void lines_move(struct lines *l, long by, size_t rows)
{
	const size_t before = l->top;
	size_t next;

	if (by == 1 || by == -1) {
		next = by > 0 ? lines_after(l, l->selected + 1, l->n) :
				lines_before(l, l->selected - 1, FIRST);
		if (next < l->n && next + 1 >= l->top && next <= l->top + rows) {
			lines_select(l, next, rows);
			/* With what is beneath it, as far as there is room. */
			lines_show(l, next, lines_after(l, next + 1, l->n) - 1, rows);
		} else {
			lines_scroll(l, by, rows);
			if (l->selected < l->top || l->selected >= l->top + rows)
				lines_seen(l, by > 0 ? l->top : l->top + rows - 1, rows);
		}
		return;
	}
	if (!lines_scroll(l, by, rows) || (size_t)labs(by) >= l->n)
		lines_seen(l, by < 0 ? l->top : l->n - 1, rows);
	else
		lines_seen(l, l->selected + l->top - before, rows);
}

bool lines_search(struct lines *l, const char *word, bool backwards, size_t rows)
{
	for (size_t step = 1; step <= l->n; step++) {
		const size_t ahead = backwards ? l->n - step : step;
		const size_t i = (l->found + ahead) % l->n;

		if (strcasestr(l->line[i], word)) {
			const size_t row = lines_before(l, i, FIRST);

			if (row < l->n)
				l->selected = row;
			lines_show(l, i, i, rows);
			l->found = i;
			return true;
		}
	}
	return false;
}
