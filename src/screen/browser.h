/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * browser.h - looks around in a report on the screen: the call tree, tables, source.
 */
#ifndef OMPHWC_SRC_SCREEN_BROWSER_H
#define OMPHWC_SRC_SCREEN_BROWSER_H

struct shown;

/* Until the user leaves; the screen is open.  sources is a folder, or NULL. */
void browser_run(struct shown *l, const char *sources);

#endif
