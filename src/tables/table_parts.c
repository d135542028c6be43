/* SPDX-License-Identifier: BSD-3-Clause */
/* table_parts.c - tables of what threads did. */
#include "config.h"

#include "src/tables/tables.h"
#include "src/view/view.h"

void table_build_parts(const struct view *v, table_key_of of, void *arg, struct table *t)
{
	struct table_records parts = { .number = NULL };

	parts.all = view_parts(v, &parts.n);
	table_build_among(v, &parts, of, arg, t);
}
