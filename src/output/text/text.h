/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.h - parts of reports and summaries for people.
 *
 * Every table begins with the same columns: the amount of the sorting event, its share of
 * the total, and the shares of work, wait and overhead in it; so columns and rows add up to
 * the totals at the top.  Rows below the limit are combined into one.
 */
#ifndef OMPHWC_SRC_OUTPUT_TEXT_TEXT_H
#define OMPHWC_SRC_OUTPUT_TEXT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "src/output/printable.h"

struct cost;
struct map;
struct ranks;
struct report;
struct view;

/* The columns that a narrow terminal has no room for, the first one first. */
enum text_column {
	COLUMN_OWN, /* never */
	COLUMN_ENTRIES,
	COLUMN_OVERHEAD,
	COLUMN_AMOUNT,
	COLUMN_OTHERS, /* the shares of other events */
	COLUMN_THREADS,
	COLUMN_WORK,
	COLUMN_GAIN,
	COLUMN_IMBALANCE,
	COLUMN_MPI,
	COLUMN_BLOCKED,
	COLUMN_WAIT,
	COLUMNS
};

/* How much a screen shows. */
struct text_detail {
	size_t losses;	    /* causes by name */
	size_t findings;    /* besides conditions of the run */
	size_t whys, helps; /* so many of the first findings have their evidence, or a remedy */
	size_t regions;
	bool notes;	  /* what is not shown, and what marks mean */
	bool short_lines; /* sentences are cut to the screen's width */
	bool tight;	  /* no line is blank that need not be */
};

struct text {
	FILE *out;
	const struct report *report;
	const struct cost *total;	  /* a block */
	const struct text_own *own;	  /* the table's own columns; NULL: none */
	size_t rows_max;		  /* maximum rows of a table; 0: only the report's limit
					   applies */
	unsigned hidden;		  /* bit N: there is no room for enum text_column N */
	bool whole_lines;		  /* only names are fitted to the columns */
	const struct ranks *ranks;	  /* of several, or NULL: regions report them */
	size_t rows;			  /* of a screen: its lines; 0: as many as there are */
	const struct text_detail *detail; /* of a screen; NULL: all */
	bool marked;			  /* rows begin with a text_row() for who selects them */
	bool *few;			  /* set if a ratio is based on few samples; or NULL */
	struct map *shown;		  /* names of the table, so that they differ; or NULL */
};

/* Prints what ran ("app -n 3: 1.8 s, 2 threads, ..."), what a sample of each event stands for, and
   what the reader must know to trust the numbers, if there is such a thing. */
void text_about(const struct text *t);

/* Why everything ran on one thread, where the only process used no OpenMP. */
void text_no_regions(const struct text *t);

/* Its lines about events. */
void text_events(const struct text *t);

/* "rank 3 of 4, " where the only process has a rank. */
void text_rank(const struct text *t);

/* Says what the ranks of several processes are.  Whether they all have one. */
bool text_job(const struct text *t);

/* What its line says of a refused event, in the words of the note; NULL: the note is not of that
   event. */
struct model_event;
const char *text_refused_why(const struct model_event *e, const char *note);

/* Whether one event is sampled: its line says what was lost. */
bool text_one_sampled(const struct text *t);

/* before and "2 no room in the file (of 12 taken)"; false: nothing, as nothing was lost. */
bool text_lost(const struct text *t, const char *before);

/* "work 13.00 s (85.1 %) + wait … = 15.28 s". */
void text_classes(const struct text *t);

/* That, and the event. */
void text_sums(const struct text *t);

/* "parallel efficiency 74.1 % …", with the losses by cause; or why it is not known. Where the
   report has losses. */
void text_efficiency(const struct text *t);

/* The sum of the samples of an MPI library's own threads, which are in no table. */
void text_mpi_threads(const struct text *t);

/* An event's samples in the profiles: before filters, and those that are not shown. */
struct cost text_event_all(const struct text *t, size_t event);

/* Says how even the ranks' work is, and in which MPI call they wait for the slowest one: of the
   run, where it has several ranks, and of a region, if it is uneven. */
struct region_row;
void text_ranks_of_run(const struct text *t);
void text_ranks_of_region(const struct text *t, const struct region_row *g);

/* Prints the findings. */
void text_findings(const struct text *t);

/* Says where the threads were placed badly. Where the report has a placement. */
void text_placement(const struct text *t);

/* ", CPUs 0 (98.2 %), 3, 12 moves", of a row of a thread; nothing where no CPU is known. */
void text_thread_cpus(const struct text *t, uint32_t thread);

/* "its threads' 2.0 s: work 90.0 %, …", the largest loss first. */
struct time_split;
void text_split(const struct text *t, const struct time_split *s);

/* What the run would gain if the region's threads only worked: a line, and a cell with percent
   of the run. */
bool text_gains(const struct text *t, const struct region_row *r); /* enough for a line */
void text_region_gain(const struct text *t, const struct region_row *r);
void text_region_gain_cell(const struct text *t, const struct region_row *r, int columns);

/* Prints what fits a screen of t->rows lines: the program, its efficiency, where to begin, the
   regions, and functions where there is room. */
void text_screen(const struct text *t);

/* The same with all findings and, of tables, that of counts alone; then text_facts(). */
void text_summary(const struct text *t);

/* Which modules have no names, and why. */
void text_troubles(const struct text *t);

/* Prints all that is above tables. */
void text_facts(const struct text *t);

/* Prints a part whose lines are broken where the terminal is too narrow for them. */
void text_folded(const struct text *t, void (*print)(const struct text *));

/* Sorts by report->sort; nothing if it is the default. */
struct table;
struct regions;
struct constructs;
void text_sort_table(const struct text *t, struct table *table);
void text_sort_regions(const struct text *t, struct regions *regions);
void text_sort_constructs(const struct text *t, struct constructs *constructs);

/* What paths are sorted by. */
uint64_t text_sort_weight(const struct text *t, const struct cost *block);

/* Prints one table each. */
void text_regions(const struct text *t);
void text_functions(const struct text *t);
void text_lines(const struct text *t);
void text_dependences(const struct text *t);
void text_devices(const struct text *t);
void text_phases(const struct text *t);
void text_descriptors(const struct text *t);
void text_modules(const struct text *t);
void text_files(const struct text *t);
void text_memory(const struct text *t);
void text_blame(const struct text *t);
void text_states(const struct text *t);
void text_constructs(const struct text *t);
void text_threads(const struct text *t);
void text_cpus(const struct text *t);
void text_ranks(const struct text *t);
void text_hosts(const struct text *t);
void text_paths(const struct text *t);
void text_time(const struct text *t);
void text_parallelism(const struct text *t);

/* Prints the table of explicit tasks, if there are any. */
void text_tasks(const struct text *t);

/* Prints exact counts, if there are any. */
void text_counts(const struct text *t);

/* ---- a table's parts ------------------------------------------------- */

/* A column of a table's own, between those of all tables and the name.  Lists end with one without
   a title, whose width is what names should have besides. */
struct text_own {
	const char *title;
	int width;
	enum text_column column; /* hidden as that one */
};

/* t for a table that has these columns: what is too wide is hidden. */
struct text text_fit(const struct text *t, const struct text_own *own);
static inline bool text_has(const struct text *t, enum text_column column)
{
	return !(t->hidden & 1u << column);
}

/* Lines about a row are indented by that. */
enum { TEXT_BENEATH = 14 };

/* From here on text has that colour, where there are colours. */
void text_paint(const struct text *t, enum paint p);

/* Prints a number of these columns, painted if it is not 0. */
void text_number(const struct text *t, int columns, const char *number, enum paint p);

/* Prints the line of titles; last: of the names, or NULL. */
void text_titles(const struct text *t, const char *last);

/* Prints a row's values in the columns that all tables share; then, where it is shown, the table's
   own column i, and in the same way a number. */
void text_cells(const struct text *t, const struct cost *block);
void text_cell(const struct text *t, size_t i, const char *s);
void text_cell_number(const struct text *t, size_t i, const char *number);

/*
 * Columns of regions and constructs, and a row's values but for the gain.  imbalance: of threads
 * whose maximum has that many samples; 0: not known.  Below SPREAD_FEW samples it is marked;
 * text_few_note(), beneath the table, explains the mark.
 */
extern const struct text_own text_spread_own[];
enum { TEXT_GAIN = 3 };
void text_spread(const struct text *t, size_t threads, double imbalance, uint64_t samples,
		 uint64_t entries);
void text_few(const struct text *t, int columns, int digits, double number);
void text_few_note(const struct text *t);

/* Beneath a row of a region or task that is identified by samples alone: see view_region. */
void text_by_samples(const struct text *t);

/* Begins a row, where rows are marked: number stands for what it is of, and line for where that is
   in the source (0: nowhere).  text_row_mark() reads it at s, and returns its length; 0: there is
   none. */
void text_row(const struct text *t, uint32_t number, unsigned line);
size_t text_row_mark(const char *s, uint32_t *number, unsigned *line);

/* A row of a line of the view's names, or of one of its functions. */
void text_row_line(const struct text *t, uint32_t line);

/* Prints the name, which is the last column, behind the others, or so many. */
void text_last(const struct text *t, const char *name);
void text_last_behind(const struct text *t, size_t used, const char *name);

/* The columns that all tables share, and with the table's own. */
size_t text_cells_width(const struct text *t);
size_t text_used(const struct text *t);

/* "... and 12 more", with their cost.  A zeroed one is empty; indent: as of a name. */
struct text_rest {
	struct cost *sum; /* a block */
	size_t n;
};
void text_rest_add(const struct text *t, struct text_rest *rest, const struct cost *block);
void text_rest_print(const struct text *t, struct text_rest *rest, size_t indent);

/* Whether a row with that block, the shown-th, is to be shown. */
int text_shows(const struct text *t, const struct cost *block, size_t shown);

/* Where a path parts from n others, counted from its end: the first frame that none of these has
   in common with it. */
size_t text_parting(const struct view *v, uint32_t node, const uint32_t *others, size_t n);

/* "main > ... > left > inner": the last functions of the path to a node of the tree, and that
   frame; malloc'ed. */
char *text_tail_with(const struct view *v, uint32_t node, size_t frame);

/* "hold (a.c:12), region main:30"; malloc'ed. */
char *text_line_in_region(const struct view *v, uint64_t key, uint32_t region);

#endif
