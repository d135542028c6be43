/*
 * json_parts.h - pieces of the JSON report.
 *
 * Objects are json-c's; text that is not UTF-8 has its broken bytes replaced.
 * What belongs to json-c without memory is NULL, which it takes for null: a
 * writer that cares looks at json_failed().
 */
#ifndef OMPHWC_SRC_OUTPUT_JSON_JSON_PARTS_H
#define OMPHWC_SRC_OUTPUT_JSON_JSON_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct cost;
struct json_object;
struct model;
struct prof_value;
struct report;
struct view;

/* A report under way: members, and elements of the array that is open. */
struct json_stream {
	FILE *out;
	bool first;		/* of the elements */
	bool failed;		/* without memory */
};

/* `"name":` of the next member, and its value, which is given up. */
void json_member(struct json_stream *s, const char *name, struct json_object *value);

/* An array of many: one element a line. */
void json_open(struct json_stream *s, const char *name);
void json_element(struct json_stream *s, struct json_object *value);
void json_close(struct json_stream *s);

/* Values; NULL text is null. */
struct json_object *json_text(const char *s);
struct json_object *json_bytes(const char *s, size_t bytes);
struct json_object *json_number(uint64_t n);
/* Null where known is false. */
struct json_object *json_number_if(bool known, uint64_t n);

void json_put_text(struct json_object *o, const char *key, const char *s);
void json_put_number(struct json_object *o, const char *key, uint64_t n);

/* One object for each event: samples, weight, and the weight by class. */
struct json_object *json_costs(const struct cost *block, size_t nevents);

/* function, file, line of a place. */
void json_put_place(struct json_object *o, const struct view *v, uint32_t line);

/* The same of a line table's key, which may be of a function alone. */
void json_put_line(struct json_object *o, const struct view *v, uint64_t key);

/* Sections, each one or several members. */
void json_processes(struct json_stream *s, const struct model *m);
struct json_object *json_samples(const struct model *m);
struct json_object *json_counted(const struct prof_value *v, size_t threads);
int json_threads(struct json_stream *s, const struct report *r);
int json_memory(struct json_stream *s, const struct report *r);
int json_regions(struct json_stream *s, const struct report *r);
int json_tasks(struct json_stream *s, const struct report *r);
int json_constructs(struct json_stream *s, const struct report *r);
int json_counts(struct json_stream *s, const struct report *r);

#endif
