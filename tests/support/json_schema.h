/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_schema.h - compares JSON with a schema in doc/.
 */
#ifndef OMPHWC_TESTS_JSON_SCHEMA_H
#define OMPHWC_TESTS_JSON_SCHEMA_H

/* Fails the test unless the text is what doc/NAME describes. */
void json_schema_check(const char *name, const char *text);

#endif
