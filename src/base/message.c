/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/base/message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/base/clean.h"

enum { LINE_BYTES = 4096 };

struct message_line {
	char text[LINE_BYTES];
	size_t used;
};

/* Always leaves room for the newline. */
static void line_text(struct message_line *l, const char *s)
{
	char c[CLEAN_BYTES];
	size_t used, n;

	for (; *s; s += used) {
		clean_char(s, c, &used);
		n = strlen(c);
		if (l->used + n > sizeof(l->text) - 1)
			return;
		memcpy(l->text + l->used, c, n);
		l->used += n;
	}
}

int trouble(struct trouble *t, const char *why, const char *todo, const char *what, ...)
{
	va_list ap;

	va_start(ap, what);
	vsnprintf(t->what, sizeof(t->what), what, ap);
	va_end(ap);
	snprintf(t->why, sizeof(t->why), "%s", why ? why : "");
	snprintf(t->todo, sizeof(t->todo), "%s", todo ? todo : "");
	return -1;
}

void message_parts(const char *what, const char *why, const char *todo)
{
	const char *part[] = { what, why, todo };
	struct message_line l = { .used = 0 };

	line_text(&l, "ompcount");
	for (size_t i = 0; i < sizeof(part) / sizeof(part[0]); i++) {
		if (!part[i] || !*part[i])
			continue;
		line_text(&l, ": ");
		line_text(&l, part[i]);
	}

	size_t done = 0;

	l.text[l.used++] = '\n';
	while (done < l.used) {
		ssize_t n = write(STDERR_FILENO, l.text + done, l.used - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		done += (size_t)n;
	}
}

void message_trouble(const struct trouble *t)
{
	message_parts(t->what, t->why, t->todo);
}

void message(const char *format, ...)
{
	char text[LINE_BYTES - 64];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	message_parts(text, NULL, NULL);
}
