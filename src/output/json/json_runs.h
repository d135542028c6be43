/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_runs.h - parts of the JSON of comparisons.
 */
#ifndef OMPHWC_SRC_OUTPUT_JSON_JSON_RUNS_H
#define OMPHWC_SRC_OUTPUT_JSON_JSON_RUNS_H

#include <stdbool.h>

struct json_object;
struct side_item;
struct side_run;

/* null where it is not finite. */
void json_put_real(struct json_object *o, const char *key, double value);

/* whole: also threads, arguments and host. */
struct json_object *json_run(const struct side_run *r, bool whole);

/* Adds name, function, file and line. */
void json_put_item(struct json_object *o, const struct side_item *item);

#endif
