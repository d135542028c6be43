/* SPDX-License-Identifier: BSD-3-Clause */
/* csv_detail.c - a table of a report, or of one function or file in detail. */
#include "config.h"

#include "src/answers/lookup.h"
#include "src/output/columns/cells.h"
#include "src/output/columns/flat_tables.h"
#include "src/output/csv/csv_table.h"
#include "src/output/detail.h"
#include "src/output/formats.h"
#include "src/tables/annotate.h"
#include "src/tables/calls.h"
#include "src/tables/insns.h"

int csv_calls(FILE *out, const struct report *r, const struct detail_target *target)
{
	struct calls calls;
	const struct cells_of of = { .target = target, .calls = &calls };
	int err = calls_build(r->view, target->name, &calls);

	if (err)
		return err;
	err = csv_table(out, r, &columns_calls, &of);
	calls_fini(&calls);
	return err;
}

int csv_annotate(FILE *out, const struct report *r, const struct detail_target *target)
{
	struct annotate a;
	const struct cells_of of = { .target = target, .annotate = &a };
	int err = annotate_build(r->view, &target->lookup->resolver, target->name, &a);

	if (err)
		return err;
	err = csv_table(out, r, &columns_annotate, &of);
	annotate_fini(&a);
	return err;
}

int csv_asm(FILE *out, const struct report *r, const struct detail_target *target)
{
	struct insns insns;
	const struct cells_of of = { .target = target, .insns = &insns };
	int err = insns_build(r->view, target->lookup->symbols, target->name, &insns);

	if (err)
		return err;
	err = csv_table(out, r, &columns_asm, &of);
	insns_fini(&insns);
	return err;
}

int csv_write(FILE *out, const struct report *r)
{
	return csv_table(out, r, flat_table_of(r->by), NULL);
}
