/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * screen.h - the terminal, by ncurses: lines with colours, and keys.
 *
 * Without ncurses (screen_none.c) it can't be opened.  One screen a process.
 */
#ifndef OMPHWC_SRC_SCREEN_SCREEN_H
#define OMPHWC_SRC_SCREEN_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

/* Keys that are no characters.  A resized terminal is a key, too. */
enum screen_key {
	SCREEN_NONE = -1, /* the time is over */
	SCREEN_UP = 0x110000,
	SCREEN_DOWN,
	SCREEN_LEFT,
	SCREEN_RIGHT,
	SCREEN_PAGE_UP,
	SCREEN_PAGE_DOWN,
	SCREEN_HOME,
	SCREEN_END,
	SCREEN_ENTER,
	SCREEN_ESCAPE,
	SCREEN_BACKSPACE,
	SCREEN_HELP,
	SCREEN_RESIZED,
};

/* 0; -ENOSYS: built without ncurses; -ENOTTY: no terminal; -ENODEV: TERM is not the name of one
   that can do it. */
int screen_open(void);

/* That in words. */
const char *screen_refusal(int err);
void screen_close(void);

size_t screen_rows(void);
size_t screen_columns(void);
bool screen_colours(void);

/* Draws a line of text, from column `from` of it on, with the colours in it (printable.h).  Nothing
   is seen before screen_show(). */
enum screen_look { SCREEN_PLAIN, SCREEN_BAR, SCREEN_SELECTED };
void screen_line(size_t row, const char *text, size_t from, enum screen_look look);
void screen_clear(void);
void screen_show(void);

/* A character or enum screen_key; timeout_ms < 0: waits without end. */
int screen_key(int timeout_ms);

#endif
