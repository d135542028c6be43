/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shorten.h - shortens C++ names that are too long for a line.
 *
 * What distinguishes a name least goes first: the types of arguments and the scopes within template
 * arguments, the name's own scopes, then template arguments.  The function's own name stays, and
 * of a lambda the function that it is in.  Text may contain several names, and words between
 * them; a text with unbalanced brackets, or of more than 8 KiB, is unchanged.  Pure functions.
 */
#ifndef OMPHWC_SRC_BASE_SHORTEN_H
#define OMPHWC_SRC_BASE_SHORTEN_H

#include <stdbool.h>

/*
 * The forms, the whole text first.  Of a::b::C<d::E<int>>::f, and of h<k()::{lambda(int)#1}>:
 *   SHORT_INNER   a::b::C<E<int>>::f    h<k()::{lambda#1}>
 *   SHORT_CLASS   C<E<int>>::f
 *   SHORT_NESTED  C<E<...>>::f
 *   SHORT_ARGS    C<...>::f             h<k()::{lambda#1}>
 *   SHORT_OWN     f                     h<k{#1}>
 *   SHORT_LINE    the same, and of a place at the end the line alone, as in f(...):12
 *   SHORT_BARE    the same without the arguments before it, as in f:12
 */
enum short_form {
	SHORT_WHOLE,
	SHORT_INNER,
	SHORT_CLASS,
	SHORT_NESTED,
	SHORT_ARGS,
	SHORT_OWN,
	SHORT_LINE,
	SHORT_BARE,
	SHORT_FORMS
};

/* Where the place in the source begins that a label ends with: " (a.c:12)", ":12 (a.c)"; its end
   if there is none. */
const char *shorten_place(const char *label);

/* The text in that form; malloc'ed. */
char *shorten(const char *text, enum short_form form);

/* Whether the pattern (pattern.h) stands for one of the text's shorter forms. */
bool shorten_matches(const char *pattern, const char *text);

#endif
