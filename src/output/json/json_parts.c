/* SPDX-License-Identifier: BSD-3-Clause */
/* json_parts.c - values, and the stream they are written to. */
#include "config.h"

#include "src/output/json/json_parts.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/clean.h"
#include "src/diff/side.h"
#include "src/model/model.h"
#include "src/output/output.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

/* ---- json-c, which ends where memory does ------------------------------- */

static struct json_object *json_made(struct json_object *o)
{
	if (!o)
		alloc_failed();
	return o;
}

struct json_object *json_new_object(void)
{
	return json_made(json_object_new_object());
}

struct json_object *json_new_array(void)
{
	return json_made(json_object_new_array());
}

struct json_object *json_new_boolean(bool is)
{
	return json_made(json_object_new_boolean(is));
}

struct json_object *json_new_double(double number)
{
	return json_made(json_object_new_double(number));
}

void json_add(struct json_object *o, const char *key, struct json_object *value)
{
	if (json_object_object_add(o, key, value) != 0)
		alloc_failed();
}

void json_append(struct json_object *array, struct json_object *value)
{
	if (json_object_array_add(array, value) != 0)
		alloc_failed();
}

/* ---- text ---------------------------------------------------------------- */

/* Escapes also what JSON allows, and terminals obey or hide. */
static void json_put(FILE *out, const char *text, bool visible)
{
	const char *plain = text;
	size_t n;

	for (; *text; text += n) {
		n = (unsigned char)*text < 0x7f ? 1 : clean_sequence(text);
		if ((unsigned char)*text < 0x7f || !n || !clean_is_hidden(clean_code(text, n))) {
			n += !n;
			continue;
		}
		fwrite(plain, 1, (size_t)(text - plain), out);

		const uint32_t code = clean_code(text, n);

		if (visible)
			fprintf(out, "\\\\u%04" PRIx32, code);
		else if (code < 0x10000)
			fprintf(out, "\\u%04" PRIx32, code);
		else
			fprintf(out, "\\u%04" PRIx32 "\\u%04" PRIx32,
				0xd800 + ((code - 0x10000) >> 10),
				0xdc00 + ((code - 0x10000) & 0x3ff));
		plain = text + n;
	}
	fputs(plain, out);
}

void json_print(struct json_stream *s, struct json_object *value)
{
	const int flags = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE;
	const char *text = json_object_to_json_string_ext(value, flags);

	if (!text)
		alloc_failed();
	json_put(s->out, text, s->visible);
	json_object_put(value);
}

void json_member(struct json_stream *s, const char *name, struct json_object *value)
{
	fprintf(s->out, "\"%s\":", name);
	json_print(s, value);
	fputs(",\n", s->out);
}

void json_begin(struct json_stream *s, const char *format, int version)
{
	fputs("{\n", s->out);
	json_member(s, "format", json_text(format));
	json_member(s, "version", json_number((uint64_t)version));
	json_member(s, "program", json_text(PACKAGE_NAME " " PACKAGE_VERSION));
}

void json_open(struct json_stream *s, const char *name)
{
	fprintf(s->out, "\"%s\":[", name);
	s->first = true;
}

void json_element(struct json_stream *s, struct json_object *value)
{
	fputs(s->first ? "\n" : ",\n", s->out);
	s->first = false;
	json_print(s, value);
}

void json_close(struct json_stream *s)
{
	fputs("],\n", s->out);
}

struct json_object *json_text(const char *s)
{
	return s ? json_bytes(s, strlen(s)) : NULL;
}

struct json_object *json_bytes(const char *s, size_t bytes)
{
	static const char replacement[] = "\xef\xbf\xbd";
	const size_t each = sizeof(replacement) - 1;
	char *clean = alloc_bytes(bytes * each + 1);
	struct json_object *o;
	size_t at = 0;

	for (size_t i = 0; i < bytes;) {
		size_t n = clean_sequence(s + i);

		if (n && i + n <= bytes) {
			memcpy(clean + at, s + i, n);
			at += n;
			i += n;
		} else {
			memcpy(clean + at, replacement, each);
			at += each;
			i++;
		}
	}
	o = json_made(json_object_new_string_len(clean, (int)at));
	free(clean);
	return o;
}

struct json_object *json_number(uint64_t n)
{
	return json_made(json_object_new_uint64(n));
}

/* Sums of the same parts in another order differ in their last bits: halves go up, and so does what
   lies just below them. */
struct json_object *json_amount(double amount)
{
	return json_made(json_object_new_int64((int64_t)floor(amount + 0.5001)));
}

struct json_object *json_ratio(double ratio)
{
	char text[32];

	snprintf(text, sizeof(text), "%.12g", ratio);
	return json_made(json_object_new_double_s(ratio, text));
}

struct json_object *json_number_if(bool known, uint64_t n)
{
	return known ? json_number(n) : NULL;
}

static void json_put_cell(void *to, const char *key, const struct cell *cell)
{
	struct json_object *value = NULL;

	switch (cell->kind) {
	case CELL_EMPTY: break;
	case CELL_TEXT: value = json_text(cell->text); break;
	case CELL_NUMBER: value = json_number(cell->number); break;
	case CELL_REAL: value = json_ratio(cell->real); break;
	case CELL_FLAG: value = json_new_boolean(cell->number); break;
	}
	json_add(to, key, value);
	free(cell->owned);
}

struct cells json_cells(struct json_object *o, const struct report *r)
{
	return (struct cells){ .report = r, .to = o, .put = json_put_cell };
}

void json_put_text(struct json_object *o, const char *key, const char *s)
{
	json_add(o, key, json_text(s));
}

void json_put_number(struct json_object *o, const char *key, uint64_t n)
{
	json_add(o, key, json_number(n));
}

struct json_object *json_why(const char *path, const char *why)
{
	struct json_object *o = json_new_object();

	json_put_text(o, "path", path);
	json_put_text(o, "why", why);
	return o;
}

struct json_object *json_sum(uint64_t samples, uint64_t weight)
{
	struct json_object *o = json_new_object();

	json_put_number(o, "samples", samples);
	json_put_number(o, "weight", weight);
	return o;
}

struct json_object *json_sums(const struct cost *c, size_t nevents)
{
	struct json_object *all = json_new_array();

	for (size_t e = 0; e < nevents; e++)
		json_append(all, json_sum(c[e].samples, c[e].weight));
	return all;
}

struct json_object *json_costs(const struct view *v, const struct cost *block)
{
	struct json_object *all = json_new_array();

	for (size_t e = 0; e < v->model->nevents; e++) {
		const struct cost sum = cost_sum(block, e);
		struct json_object *o = json_sum(sum.samples, sum.weight);

		for (unsigned c = 0; c < OMP_CLASSES; c++)
			if (omp_has_class(v->classes, c))
				json_put_number(o, omp_class_name((enum omp_class)c),
						cost_at(block, e, (enum omp_class)c)->weight);
		json_append(all, o);
	}
	return all;
}

void json_put_place(struct json_object *o, const struct view *v, uint32_t line)
{
	const struct line *l = &v->names.lines[line];

	json_put_text(o, "function", v->names.functions[l->function].name);
	json_put_text(o, "file", l->file);
	json_add(o, "line", json_number_if(l->line != 0, l->line));
	json_put_text(o, "place", l->place);
}

/* A key without a line still has a function. */
void json_put_line(struct json_object *o, const struct view *v, uint64_t key)
{
	json_put_place(o, v, (uint32_t)key);
	if (!(uint32_t)key)
		json_put_text(o, "function", v->names.functions[key >> TABLE_LINE_FUNCTION].name);
	json_put_text(o, "called", v->names.functions[table_line_called(key)].name);
}

struct json_object *json_line_cost(const struct report *r, const struct table_row *row)
{
	struct json_object *o = json_new_object();

	json_put_line(o, r->view, row->key);
	json_add(o, "self", json_costs(r->view, row->self));
	return o;
}

/* ---- comparisons of runs ------------------------------------------------ */

void json_put_real(struct json_object *o, const char *key, double value)
{
	json_add(o, key, isfinite(value) ? json_new_double(value) : NULL);
}

struct json_object *json_run(const struct side_run *r, bool whole)
{
	struct json_object *o = json_new_object();

	json_put_text(o, "profile", r->path);
	json_put_number(o, "profiles", r->profiles);
	json_add(o, "elapsed_ns", json_number_if(r->elapsed_ns != 0, r->elapsed_ns));
	if (!whole)
		return o;
	json_put_number(o, "threads", r->threads);
	json_put_text(o, "arguments", r->arguments);
	json_put_text(o, "host", *r->host ? r->host : NULL);
	return o;
}

void json_put_item(struct json_object *o, const struct side_item *item)
{
	const char *file = side_item_file(item);

	json_put_text(o, "name", item->name);
	json_put_text(o, "function", *item->function ? item->function : NULL);
	json_put_text(o, "file", *file ? file : NULL);
	json_add(o, "line", json_number_if(item->place && !item->ordinal, (uint64_t)item->place));
}
