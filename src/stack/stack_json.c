/* SPDX-License-Identifier: BSD-3-Clause */
/* stack_json.c - see stack_look.h. */
#include "config.h"

#include <json-c/json.h>
#include <stdlib.h>

#include "src/output/json/json_parts.h"
#include "src/stack/stack_look.h"
#include "src/tables/regions.h"
#include "src/view/view.h"

enum { JSON_STACK_VERSION = 1 };

static struct json_object *json_threads_of(const struct stack_look *l, const size_t *rows, size_t n)
{
	struct json_object *a = json_new_array();

	for (size_t i = 0; i < n; i++)
		json_append(a, json_number((uint64_t)l->rows[rows[i]].tid));
	return a;
}

static struct json_object *stack_json_finding(const struct stack_look *l,
					      const struct stack_finding *f)
{
	static const char *const kinds[] = {
		[STACK_CYCLE] = "cycle",
		[STACK_STUCK] = "stuck",
		[STACK_MISSING] = "missing",
	};
	struct json_object *o = json_new_object();
	char *text = stack_finding_text(l, f);

	json_put_text(o, "kind", kinds[f->kind]);
	json_add(o, "sure", json_new_boolean(f->sure));
	json_add(o, "threads", json_threads_of(l, f->rows, f->n));
	json_add(o, "missing", json_threads_of(l, f->missing, f->nmissing));
	json_put_text(o, "text", text);
	free(text);
	return o;
}

static struct json_object *json_step(const struct stack_look *l, const struct stack_step *s)
{
	const struct names *n = &l->view->names;
	const struct function *f = &n->functions[s->function];
	const struct line *line = &n->lines[s->line];
	struct json_object *o = json_new_object();

	json_put_text(o, "function", f->name);
	json_put_text(o, "module", f->module);
	json_put_text(o, "file", line->file);
	json_add(o, "line", json_number_if(line->line != 0, line->line));
	return o;
}

static struct json_object *json_region_of(const struct stack_look *l, const struct stack_shown *s)
{
	struct json_object *o;
	char *label;

	if (s->region < REGION_SPECIALS)
		return NULL;
	label = region_label(l->view, REGION_SPECIALS, l->view->regions[s->region].line);
	o = json_text(label);
	free(label);
	return o;
}

static struct json_object *stack_json_thread(const struct stack_look *l, size_t i)
{
	static const char *const waits[STACK_WAITS] = {
		[STACK_RUNS] = NULL,	      [STACK_LOCK] = "lock",
		[STACK_THREAD] = "thread",    [STACK_BARRIER] = "barrier",
		[STACK_END] = "region end",   [STACK_TASKS] = "tasks",
		[STACK_IDLE] = "idle",	      [STACK_CONDITION] = "condition",
		[STACK_CALL] = "system call",
	};
	const struct stack_row *row = &l->rows[i];
	const struct stack_shown *s = &l->shown[i];
	struct json_object *o = json_new_object(), *path = json_new_array();

	json_put_number(o, "thread", (uint64_t)row->tid);
	json_put_text(o, "name", l->process.threads[i].name);
	json_put_number(o, "group", row->look);
	json_put_text(o, "waits_for", waits[row->wait]);
	json_put_text(o, "object", s->object);
	json_add(o, "owner", json_number_if(row->owner != 0, (uint64_t)row->owner));
	json_put_text(o, "text", s->waits);
	json_add(o, "region", json_region_of(l, s));
	json_put_text(o, "begins", s->begins);
	json_add(o, "whole", json_new_boolean(l->process.threads[i].whole));
	for (size_t k = 0; k < s->n; k++)
		json_append(path, json_step(l, &s->steps[k]));
	json_add(o, "path", path);
	return o;
}

void stack_json(const struct stack_look *l, FILE *out)
{
	struct json_stream s = { .out = out, .first = true };

	fputs("{\n", out);
	json_member(&s, "format", json_text("omphwc-stack"));
	json_member(&s, "version", json_number(JSON_STACK_VERSION));
	json_member(&s, "program", json_text(PACKAGE_NAME " " PACKAGE_VERSION));
	json_member(&s, "process", json_number((uint64_t)l->process.pid));
	json_member(&s, "executable", json_text(l->process.exe));
	json_member(&s, "stopped_ns", json_number(l->process.stopped_ns));
	json_open(&s, "findings");
	for (size_t i = 0; i < l->found.n; i++)
		json_element(&s, stack_json_finding(l, &l->found.all[i]));
	json_close(&s);
	json_open(&s, "threads");
	for (size_t i = 0; i < l->n; i++)
		json_element(&s, stack_json_thread(l, l->order[i]));
	fputs("]\n}\n", out);
}
