/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hide.h - takes the functions of modules out of a view.
 *
 * For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_FILTER_HIDE_H
#define OMPHWC_SRC_FILTER_HIDE_H

#include <stdbool.h>

struct filtered;
struct trouble;
struct view;

/*
 * Hides the modules that the options' patterns with commas stand for, and lists them in f.
 * The view's tree must distinguish lines; it does afterwards if lines is set.  *t is
 * about the patterns that stand for no module of the view; it is empty where each has one.  0;
 * -ENOENT: no pattern has one.
 */
int hide_modules(struct view *v, struct filtered *f, bool lines, struct trouble *t);

#endif
