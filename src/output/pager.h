/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pager.h - shows a text on standard output, by a pager where it is longer than the screen.
 *
 * As git does it: the pager is OMPHWC_PAGER, PAGER or less; none if that is empty or cat, and on
 * a terminal that can't move its cursor.  LESS is FRX unless it is set.  Signals from the keyboard
 * are the pager's.  For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_OUTPUT_PAGER_H
#define OMPHWC_SRC_OUTPUT_PAGER_H

#include <stdbool.h>
#include <stddef.h>

/* Whether standard output is a terminal on which a pager can be used. */
bool pager_wanted(void);

/* 0 or -errno, of standard output.  A pager that can't be started, or that fails, is no error. */
int pager_show(const char *text, size_t bytes);

#endif
