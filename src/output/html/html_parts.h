/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * html_parts.h - the data of the HTML page: sections beside those of the JSON report.
 *
 * Each section is a member of the page's data; page/data.js says what is in it.
 */
#ifndef OMPHWC_SRC_OUTPUT_HTML_HTML_PARTS_H
#define OMPHWC_SRC_OUTPUT_HTML_HTML_PARTS_H

#include <stddef.h>
#include <stdint.h>

struct cost;
struct json_object;
struct json_stream;
struct report;

/* What the page has at most of each. */
enum {
	HTML_PROCESSES = 64,
	HTML_THREADS = 1024,
	HTML_CPUS = 1024,
	HTML_ROWS = 256, /* groups of threads: see html_rows() */
	HTML_REGIONS = 100,
	HTML_NAME_COLUMNS = 40, /* of a region's short name */
	HTML_TABLE_ROWS = 200,	/* of constructs, tasks, addresses */
	HTML_REGION_PARTS = 12, /* waits, lines of a region */
	HTML_CELLS = 40000,	/* rows times columns of the timeline */
	HTML_FILES = 40,
	HTML_SOURCE_BYTES = 400 << 10,
	HTML_LINE_BYTES = 400,
};

/*
 * Rows of threads, by which regions' costs are shown: a row for each thread, or for so many
 * in a row that there are no more than HTML_ROWS.
 */
void html_rows(struct json_stream *s, const struct report *r);
size_t html_row_threads(const struct report *r);

/* The member of what is not shown: n rows with that cost, a block. */
void html_left(struct json_stream *s, const struct report *r, const char *member, size_t n,
	       const struct cost *sum);

void html_flames(struct json_stream *s, const struct report *r);
void html_regions(struct json_stream *s, const struct report *r);
void html_tables(struct json_stream *s, const struct report *r);
void html_timeline(struct json_stream *s, const struct report *r);
void html_sources(struct json_stream *s, const struct report *r);

/* A block as numbers: for each event an array with key, class, weight, samples for each cell
   that is not 0.  A class is its index among
   classes, the view's. */
struct json_object *html_cells(size_t nevents);
void html_cells_add(struct json_object *cells, size_t nevents, unsigned classes, uint64_t key,
		    const struct cost *block);

#endif
