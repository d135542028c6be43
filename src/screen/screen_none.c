/* SPDX-License-Identifier: BSD-3-Clause */
/* screen_none.c - see screen.h: this build has no ncurses. */
#include "config.h"

#include <errno.h>

#include "src/screen/screen.h"

int screen_open(void)
{
	return -ENOSYS;
}

const char *screen_refusal(int err)
{
	(void)err;
	return "this build has no ncurses";
}

void screen_close(void)
{
}

size_t screen_rows(void)
{
	return 0;
}

size_t screen_columns(void)
{
	return 0;
}

bool screen_colours(void)
{
	return false;
}

void screen_line(size_t row, const char *text, size_t from, enum screen_look look)
{
	(void)row;
	(void)text;
	(void)from;
	(void)look;
}

void screen_clear(void)
{
}

void screen_show(void)
{
}

int screen_key(int timeout_ms)
{
	(void)timeout_ms;
	return SCREEN_NONE;
}
