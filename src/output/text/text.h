/*
 * text.h - the pieces that reports and summaries for people are made of.
 *
 * Every table begins with the same columns: the amount of the event that
 * sorts, its share of the total, and of that share work, wait and overhead, so
 * that columns and rows add up to what is said at the top.  Rows below the
 * limit are summed up in one.
 */
#ifndef OMPHWC_SRC_OUTPUT_TEXT_TEXT_H
#define OMPHWC_SRC_OUTPUT_TEXT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct cost;
struct model;
struct report;
struct view;

struct text {
	FILE *out;
	const struct report *report;
	const struct cost *total;	/* a block */
	size_t rows_max;		/* of a table; 0: no limit but the report's */
	bool *few;			/* set where a ratio rests on few samples; or NULL */
};

/* What was profiled, by which events, and what was lost. */
void text_about(const struct text *t);

/* "work 13.00 s (85.1 %) + wait … = 15.28 s". */
void text_classes(const struct text *t);

/* One table each.  0 or -ENOMEM. */
int text_regions(const struct text *t);
int text_functions(const struct text *t);
int text_lines(const struct text *t);
int text_memory(const struct text *t);
int text_states(const struct text *t);
int text_constructs(const struct text *t);
int text_threads(const struct text *t);
int text_paths(const struct text *t);

/* Explicit tasks, where there are any, after a table. */
int text_tasks(const struct text *t);

/* What was counted exactly; nothing where nothing was.  0 or -ENOMEM. */
int text_counts(const struct text *t);

/* ---- a table's parts ------------------------------------------------- */

/* The columns that all tables share: titles, and a row's. */
void text_titles(const struct text *t);
void text_cells(const struct text *t, const struct cost *block);

/*
 * A cell of so many columns: how uneven the threads worked, the most of them having that
 * many samples; of fewer than SPREAD_FEW the number is marked.
 * text_few_note() says so beneath a table that has such a number.
 */
void text_imbalance(const struct text *t, int columns, double imbalance, uint64_t samples);
void text_few_note(const struct text *t);

/* Prints s as the last column, used columns being taken. */
void text_last(const struct text *t, size_t used, const char *s);
size_t text_cells_width(const struct text *t);

/* "... and 12 more", with what they cost. */
struct text_rest {
	struct cost *sum;	/* a block */
	size_t n;
};
int text_rest_init(const struct text *t, struct text_rest *rest);
void text_rest_add(const struct text *t, struct text_rest *rest, const struct cost *block);
void text_rest_print(const struct text *t, struct text_rest *rest, size_t between,
		     const char *what);

/* Whether a row of that block, the shown-th, is to be shown. */
int text_shows(const struct text *t, const struct cost *block, size_t shown);

/* "solve (jacobi.c:12)" of a line, "memcpy [libc.so.6]"; a malloc'ed string,
   or NULL without memory. */
char *text_place(const struct view *v, uint32_t line);
char *text_function(const struct view *v, uint32_t function);

/* "main > ... > left > inner": the last functions of the path to a node of the
   tree; likewise. */
char *text_tail(const struct view *v, uint32_t node);

/* The same of a line table's key, which may be of a function alone. */
char *text_line_name(const struct view *v, uint64_t key);

#endif
