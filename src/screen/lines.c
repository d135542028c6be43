/* SPDX-License-Identifier: BSD-3-Clause */
/* lines.c - see lines.h. */
#include "config.h"

#include "src/screen/lines.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"

static void lines_split(struct lines *l)
{
	char *at = l->text, *end;

	for (size_t i = 0; i < l->n; i++, at = end + 1) {
		l->line[i] = at;
		end = strchr(at, '\n');
		*end = '\0';
	}
}

void lines_fini(struct lines *l)
{
	free(l->text);
	free(l->line);
	free(l->what);
	*l = (struct lines){ .n = 0 };
}

void lines_set(struct lines *l, char *text, uint32_t *what)
{
	const size_t top = l->top, selected = l->selected;

	lines_fini(l);
	l->text = text;
	l->what = what;
	for (const char *s = text; s && (s = strchr(s, '\n')); s++)
		l->n++;
	l->line = alloc_zeroed(l->n + 1, sizeof(*l->line));
	lines_split(l);
	l->selected = selected < l->n ? selected : l->n ? l->n - 1 : 0;
	l->top = top <= l->selected ? top : l->selected;
}

void lines_move(struct lines *l, long by, size_t rows)
{
	const size_t last = l->n ? l->n - 1 : 0;

	if (by < 0)
		l->selected -= (size_t)-by < l->selected ? (size_t)-by : l->selected;
	else
		l->selected = (size_t)by < last - l->selected ? l->selected + (size_t)by : last;
	if (l->selected < l->top)
		l->top = l->selected;
	if (rows && l->selected >= l->top + rows)
		l->top = l->selected - rows + 1;
}

/* Whether the line has the word, between its colours. */
static bool lines_has(const char *line, const char *word)
{
	return strcasestr(line, word);
}

bool lines_search(struct lines *l, const char *word, bool backwards, size_t rows)
{
	for (size_t step = 1; step <= l->n; step++) {
		const size_t ahead = backwards ? l->n - step : step;
		const size_t i = (l->selected + ahead) % l->n;

		if (lines_has(l->line[i], word)) {
			lines_move(l, (long)i - (long)l->selected, rows);
			return true;
		}
	}
	return false;
}
