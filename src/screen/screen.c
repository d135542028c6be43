/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * screen.c - see screen.h.
 *
 * Text comes with the sequences of printable.h, and no others: all that is foreign went through
 * clean.h.  Whatever else begins with an escape character is not drawn.
 */
#include "config.h"

#include "src/screen/screen.h"

#include <curses.h>
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "src/base/alloc.h"
#include "src/base/page.h"
#include "src/output/printable.h"

enum { ESCAPE_MS = 25, ESCAPE = 27 };

static SCREEN *terminal;
static bool coloured;

/* ---- signals ----------------------------------------------------------------- */

/* What ends the process in any way but screen_close() leaves the terminal as it was found. */
static const int ends[] = { SIGHUP,  SIGINT,  SIGQUIT, SIGTERM,	  SIGABRT, SIGSEGV,
			    SIGBUS,  SIGFPE,  SIGILL,  SIGUSR1,	  SIGUSR2, SIGALRM,
			    SIGXCPU, SIGXFSZ, SIGPROF, SIGVTALRM, SIGTRAP, SIGSYS };
enum { ENDS = sizeof(ends) / sizeof(*ends) };
static struct sigaction actions[ENDS];
static struct termios found;
static char restore[128];

/* Async-signal-safe.  The signal's action is the default again. */
static void screen_ended(int sig)
{
	if (tcgetpgrp(STDIN_FILENO) == getpgrp()) {
		(void)!write(STDOUT_FILENO, restore, strlen(restore));
		tcsetattr(STDIN_FILENO, TCSANOW, &found);
	}
	raise(sig);
}

static void screen_signals(void)
{
	static const char *const names[] = { "sgr0", "rmkx", "cnorm", "rmcup" };
	struct sigaction a = { .sa_handler = screen_ended, .sa_flags = (int)SA_RESETHAND };
	size_t used = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *text = tigetstr(names[i]);

		if (text && text != (const char *)-1 && used < sizeof(restore))
			used += (size_t)snprintf(restore + used, sizeof(restore) - used, "%s",
						 text);
	}
	sigfillset(&a.sa_mask);
	for (unsigned i = 0; i < ENDS; i++)
		if (!sigaction(ends[i], NULL, &actions[i]) && actions[i].sa_handler != SIG_IGN)
			sigaction(ends[i], &a, NULL);
}

/* ---- the terminal ------------------------------------------------------------ */

/* delscreen() needs memory. */
static void screen_restore(void)
{
	endwin();
}

int screen_open(void)
{
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return -ENOTTY;
	if (!page_able())
		return -ENODEV;
	setlocale(LC_CTYPE, "");
	tcgetattr(STDIN_FILENO, &found);
	terminal = newterm(NULL, stdout, stdin);
	if (!terminal)
		return -ENODEV;
	screen_signals();
	alloc_undo(screen_restore);
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	set_escdelay(ESCAPE_MS);
	curs_set(0);
	coloured = page_colours(STDOUT_FILENO) && has_colors() && start_color() == OK;
	if (coloured) {
		use_default_colors();
		for (unsigned p = PAINT_WORK; p < PAINTS; p++)
			init_pair((short)p, (short)paint_colour((enum paint)p, COLORS), -1);
	}
	return 0;
}

const char *screen_refusal(int err)
{
	return err == -ENODEV ? "TERM is not the name of a terminal that can show it" :
				"it needs a terminal";
}

void screen_close(void)
{
	if (!terminal)
		return;
	endwin();
	for (unsigned i = 0; i < ENDS; i++)
		sigaction(ends[i], &actions[i], NULL);
	delscreen(terminal);
	terminal = NULL;
	alloc_undo(NULL);
	setlocale(LC_CTYPE, "C");
}

size_t screen_rows(void)
{
	return (size_t)getmaxy(stdscr);
}

size_t screen_columns(void)
{
	return (size_t)getmaxx(stdscr);
}

bool screen_colours(void)
{
	return coloured;
}

/* Changes the attributes as the sequence at s says, and returns its length. */
static size_t screen_paint(const char *s, attr_t base)
{
	const size_t n = strcspn(s, "m");
	enum paint p;

	if (!s[n])
		return n;
	p = paint_at(s, n + 1);
	switch (p) {
	case PAINT_TITLE:
	case PAINT_STRONG: attron(A_BOLD); break;
	case PAINT_FAINT: attron(A_DIM); break;
	case PAINT_PLAIN: attrset(base); break;
	case PAINTS: break;
	default: attron(COLOR_PAIR(p)); break;
	}
	return n + 1;
}

/* The character at s that can be drawn, and its columns.  Returns its bytes. */
static size_t screen_char(const char *s, wchar_t out[2], int *width)
{
	mbstate_t state = { 0 };
	size_t n = mbrtowc(out, s, MB_CUR_MAX, &state);

	out[1] = L'\0';
	*width = 1;
	if (n == (size_t)-1 || n == (size_t)-2 || !n) {
		out[0] = L'?';
		/* In a locale of single bytes one character is many. */
		for (n = 1; ((unsigned char)s[n] & 0xc0) == 0x80;)
			n++;
		return n;
	}
	*width = wcwidth(out[0]);
	if (*width < 0 || out[0] < L' ') {
		out[0] = L'?';
		*width = 1;
	}
	return n;
}

void screen_line(size_t row, const char *text, size_t from, enum screen_look look)
{
	const attr_t base = look == SCREEN_PLAIN ? A_NORMAL : A_REVERSE;
	const size_t columns = screen_columns();
	size_t at = 0, x = 0;
	wchar_t c[2];
	int width;

	attrset(base);
	move((int)row, 0);
	while (*text && x < columns) {
		if (*text == '\033') {
			text += screen_paint(text, base);
			continue;
		}
		text += screen_char(text, c, &width);
		if (at >= from && x + (size_t)width <= columns) {
			addwstr(c);
			x += (size_t)width;
		}
		at += (size_t)width;
	}
	attrset(base);
	for (; x < columns; x++)
		addch(' ');
	attrset(A_NORMAL);
}

void screen_clear(void)
{
	erase();
}

void screen_show(void)
{
	refresh();
}

int screen_key(int timeout_ms)
{
	static const struct {
		int curses, key;
	} keys[] = {
		{ KEY_UP, SCREEN_UP },
		{ KEY_DOWN, SCREEN_DOWN },
		{ KEY_LEFT, SCREEN_LEFT },
		{ KEY_RIGHT, SCREEN_RIGHT },
		{ KEY_PPAGE, SCREEN_PAGE_UP },
		{ KEY_NPAGE, SCREEN_PAGE_DOWN },
		{ KEY_HOME, SCREEN_HOME },
		{ KEY_END, SCREEN_END },
		{ KEY_ENTER, SCREEN_ENTER },
		{ '\r', SCREEN_ENTER },
		{ '\n', SCREEN_ENTER },
		{ ESCAPE, SCREEN_ESCAPE },
		{ KEY_BACKSPACE, SCREEN_BACKSPACE },
		{ '\b', SCREEN_BACKSPACE },
		{ 0x7f, SCREEN_BACKSPACE },
		{ KEY_F(1), SCREEN_HELP },
		{ KEY_RESIZE, SCREEN_RESIZED },
	};
	int c;

	timeout(timeout_ms);
	c = getch();
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (keys[i].curses == c)
			return keys[i].key;
	return c == ERR || c > 0xff ? SCREEN_NONE : c;
}
