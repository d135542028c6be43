/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checkup.c - the lines of `ompcount check`.
 */
#include "config.h"

#include "src/check/checkup.h"

#include <stdarg.h>
#include <stdio.h>

#include "src/base/page.h"

enum { NAME_COLUMN = 8, TEXT_COLUMN = 30 };

static const char *const words[] = {
	[FINE] = "ok",
	[NOTE] = "note",
	[BAD] = "BAD",
};

void checkup_title(const char *title)
{
	printf("\n%s\n", title);
}

void checkup_line(struct checkup *c, enum verdict v, const char *name, const char *todo,
		  const char *text, ...)
{
	char said[4096];
	va_list ap;
	int column;

	va_start(ap, text);
	vsnprintf(said, sizeof(said), text, ap);
	va_end(ap);
	c->lines++;
	column = printf("  %-*s%-*s", NAME_COLUMN - 2, words[v], TEXT_COLUMN - NAME_COLUMN, name);
	if (column > TEXT_COLUMN) {
		putchar('\n');
		column = 0;
	}
	page_fold(said, TEXT_COLUMN, &column);
	putchar('\n');
	if (!todo || !*todo)
		return;
	column = printf("%*s-> ", TEXT_COLUMN, "");
	page_fold(todo, TEXT_COLUMN + 3, &column);
	putchar('\n');
}
