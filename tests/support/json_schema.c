/* SPDX-License-Identifier: BSD-3-Clause */
/* json_schema.c - the language of schemas, as far as doc/ uses it. */
#include "config.h"

#include <check.h>
#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/json_schema.h"

static struct json_object *member(struct json_object *o, const char *key)
{
	struct json_object *value = NULL;

	ck_assert_msg(json_object_object_get_ex(o, key, &value), "no %s", key);
	return value;
}

static bool schema_type(struct json_object *type, struct json_object *o)
{
	const char *name = json_object_get_string(type);

	if (json_object_is_type(type, json_type_array)) {
		for (size_t i = 0; i < json_object_array_length(type); i++)
			if (schema_type(json_object_array_get_idx(type, i), o))
				return true;
		return false;
	}
	if (!strcmp(name, "number") && json_object_is_type(o, json_type_int))
		return true;
	return !strcmp(name, json_type_to_name(json_object_get_type(o))) ||
	       (!strcmp(name, "integer") && json_object_is_type(o, json_type_int)) ||
	       (!strcmp(name, "number") && json_object_is_type(o, json_type_double));
}

static void schema_check(struct json_object *root, struct json_object *schema,
			 struct json_object *o, const char *where);

static void schema_members(struct json_object *root, struct json_object *schema,
			   struct json_object *o, const char *where)
{
	struct json_object *properties = member(schema, "properties");
	struct json_object *required = member(schema, "required"), *sub;

	for (size_t i = 0; i < json_object_array_length(required); i++) {
		const char *key = json_object_get_string(json_object_array_get_idx(required, i));

		ck_assert_msg(json_object_object_get_ex(o, key, NULL), "%s lacks %s", where, key);
	}
	json_object_object_foreach(o, key, value)
	{
		ck_assert_msg(json_object_object_get_ex(properties, key, &sub),
			      "%s: %s is not in the schema", where, key);
		schema_check(root, sub, value, key);
	}
}

static void schema_check(struct json_object *root, struct json_object *schema,
			 struct json_object *o, const char *where)
{
	struct json_object *part;
	bool found = false;

	if (json_object_object_get_ex(schema, "$ref", &part)) {
		const char *name = strrchr(json_object_get_string(part), '/') + 1;

		schema = member(member(root, "$defs"), name);
	}
	ck_assert_msg(schema_type(member(schema, "type"), o), "%s is %s", where,
		      json_object_to_json_string(o));
	if (json_object_object_get_ex(schema, "enum", &part)) {
		for (size_t i = 0; i < json_object_array_length(part); i++)
			found = found || json_object_equal(json_object_array_get_idx(part, i), o);
		ck_assert_msg(found, "%s is %s", where, json_object_to_json_string(o));
	}
	if (json_object_is_type(o, json_type_object))
		schema_members(root, schema, o, where);
	for (size_t i = 0;
	     json_object_is_type(o, json_type_array) && i < json_object_array_length(o); i++)
		schema_check(root, member(schema, "items"), json_object_array_get_idx(o, i), where);
}

static struct json_object *schema_read(const char *name)
{
	const char *top = getenv("top_srcdir");
	struct json_object *schema;
	char *path;

	ck_assert_int_gt(asprintf(&path, "%s/doc/%s", top ? top : ".", name), 0);
	schema = json_object_from_file(path);
	ck_assert_msg(schema != NULL, "%s", json_util_get_last_err());
	free(path);
	return schema;
}

void json_schema_check(const char *name, const char *text)
{
	struct json_object *schema = schema_read(name), *o = json_tokener_parse(text);

	ck_assert_ptr_nonnull(o);
	schema_check(schema, schema, o, "the whole");
	json_object_put(o);
	json_object_put(schema);
}
