/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/base/page.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "src/base/exit_status.h"
#include "src/base/message.h"

unsigned page_width(void)
{
	struct winsize w;

	return !ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) && w.ws_col >= 40 ? w.ws_col : 0;
}

unsigned page_rows(void)
{
	struct winsize w;

	return !ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) ? w.ws_row : 0;
}

bool page_able(void)
{
	const char *term = getenv("TERM");

	return term && *term && strcmp(term, "dumb") != 0;
}

bool page_colours(int fd)
{
	const char *none = getenv("NO_COLOR");

	return isatty(fd) && page_able() && !(none && *none);
}

void page_fold(const char *text, int indent, int *column)
{
	const int terminal = (int)page_width(), width = terminal ? terminal : 80;

	while (*(text += strspn(text, " "))) {
		int length = (int)strcspn(text, " ");

		if (*column > indent && *column + 1 + length >= width) {
			putchar('\n');
			*column = 0;
		}
		if (*column < indent)
			*column += printf("%*s", indent - *column, "");
		else if (*column > indent)
			*column += printf(" ");
		*column += printf("%.*s", length, text);
		text += length;
	}
}

int page_end(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return 0;
	message_parts("standard output", strerror(errno), NULL);
	return COMMAND_FAILED;
}
