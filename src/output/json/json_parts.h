/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_parts.h - parts of the JSON report.
 *
 * Objects are json-c's; invalid UTF-8 in texts is replaced.
 */
#ifndef OMPHWC_SRC_OUTPUT_JSON_JSON_PARTS_H
#define OMPHWC_SRC_OUTPUT_JSON_JSON_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "src/output/columns/cells.h"

struct cost;
struct json_object;
struct model;
struct prof_value;
struct report;
struct view;

/* The state of writing a report: members, and elements of the open array. */
struct json_stream {
	FILE *out;
	bool first;   /* the next element is the first one */
	bool visible; /* for a page: characters that nobody would see become a text \u202e */
};

/* Begins a document with its format, version and program. */
void json_begin(struct json_stream *s, const char *format, int version);

/* Writes `"name":` and the value, which it releases. */
void json_member(struct json_stream *s, const char *name, struct json_object *value);

/* Writes the value alone, and releases it. */
void json_print(struct json_stream *s, struct json_object *value);

/* An array with one element per line. */
void json_open(struct json_stream *s, const char *name);
void json_element(struct json_stream *s, struct json_object *value);
void json_close(struct json_stream *s);

/* As json-c's functions, which must not be called for it: these end the process without memory. */
struct json_object *json_new_object(void);
struct json_object *json_new_array(void);
struct json_object *json_new_boolean(bool is);
struct json_object *json_new_double(double number);
void json_add(struct json_object *o, const char *key, struct json_object *value);
void json_append(struct json_object *array, struct json_object *value);

/* Values; a NULL text is null. */
struct json_object *json_text(const char *s);
struct json_object *json_bytes(const char *s, size_t bytes);
struct json_object *json_number(uint64_t n);
/* Nanoseconds or events that were computed, as a whole number. */
struct json_object *json_amount(double amount);
struct json_object *json_ratio(double ratio);
/* null if known is false. */
struct json_object *json_number_if(bool known, uint64_t n);

/* Takes cells as members of the object. */
struct cells json_cells(struct json_object *o, const struct report *r);

void json_put_text(struct json_object *o, const char *key, const char *s);
void json_put_number(struct json_object *o, const char *key, uint64_t n);

struct json_object *json_why(const char *path, const char *why);

/* {samples, weight}; an array of them, for each event. */
struct json_object *json_sum(uint64_t samples, uint64_t weight);
struct json_object *json_sums(const struct cost *c, size_t nevents);

/* One object for each event: samples, weight, and weight by each class that the view has. */
struct json_object *json_costs(const struct view *v, const struct cost *block);

/* Adds function, file and line of a line number. */
void json_put_place(struct json_object *o, const struct view *v, uint32_t line);

/* Adds the same for the key of a line table, which may stand for a function only, and what is
   called there. */
void json_put_line(struct json_object *o, const struct view *v, uint64_t key);

struct table_row;
struct json_object *json_line_cost(const struct report *r, const struct table_row *row);

/* Parts of comparisons: null where it is not finite; with whole also threads, arguments and host;
   name, function, file and line. */
struct side_item;
struct side_run;
void json_put_real(struct json_object *o, const char *key, double value);
struct json_object *json_run(const struct side_run *r, bool whole);
void json_put_item(struct json_object *o, const struct side_item *item);

/* Sections; each one writes one or several members.  Of processes, threads and CPUs at most so
   many: the first ones. */
void json_events(struct json_stream *s, const struct report *r);
void json_troubles(struct json_stream *s, const struct report *r);
void json_processes(struct json_stream *s, const struct report *r, size_t most);
struct json_object *json_samples(const struct model *m);

/* The ranks; NULL: the processes are none of one job. */
struct json_object *json_job(const struct report *r);
struct json_object *json_counted(const struct prof_value *v, size_t threads);
struct region_row;
/* whole: with what has numbers of the report's tree and threads. */
struct json_object *json_sampled_region(const struct report *r, const struct region_row *g,
					bool whole);
struct json_object *json_time(const struct report *r);
void json_findings(struct json_stream *s, const struct report *r);
struct json_object *json_region_time(const struct report *r, const struct region_row *g);
struct construct_times;
struct view_construct;
/* NULL: its time is not split up. */
struct json_object *json_construct_time(const struct report *r, const struct construct_times *times,
					const struct view_construct *c);
/* What filters left; null without. */
struct json_object *json_filter(const struct report *r);
void json_cpus(struct json_stream *s, const struct report *r, size_t most);
void json_threads(struct json_stream *s, const struct report *r, size_t most);
void json_blame(struct json_stream *s, const struct report *r);
void json_memory(struct json_stream *s, const struct report *r);
void json_timeline(struct json_stream *s, const struct report *r);
void json_parallelism(struct json_stream *s, const struct report *r);
void json_regions(struct json_stream *s, const struct report *r);
/* Nothing where there are fewer than two ranks. */
void json_ranks(struct json_stream *s, const struct report *r);
struct ranks;
struct regions;
/* How even the ranks are in a region, or the run; null: no time. */
struct json_object *json_region_ranks(const struct report *r, const struct ranks *ranks,
				      const struct region_row *g);
struct json_object *json_run_ranks(const struct report *r, const struct ranks *ranks,
				   const struct regions *regions);
void json_tasks(struct json_stream *s, const struct report *r);
void json_constructs(struct json_stream *s, const struct report *r);
/* Of so many regions and without threads, or of all (SIZE_MAX) with them. */
void json_counts(struct json_stream *s, const struct report *r, size_t most);

#endif
