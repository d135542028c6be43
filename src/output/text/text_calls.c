/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include <stdlib.h>

#include "src/output/formats.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/text/text.h"
#include "src/tables/calls.h"
#include "src/view/label.h"
#include "src/view/view.h"

#include "src/base/alloc.h"

static void calls_rows(const struct text *t, struct table *table, const char *none)
{
	const struct function *functions = t->report->view->names.functions;
	struct text_rest rest = { 0 };
	size_t shown = 0;

	table_sort(table, t->report->event);
	for (size_t i = 0; i < table->n; i++) {
		char *name;

		if (!text_shows(t, table->rows[i].self, shown++)) {
			text_rest_add(t, &rest, table->rows[i].self);
			continue;
		}
		name = table->rows[i].key ? label_function(&functions[table->rows[i].key]) :
					    alloc_text(none);
		text_cells(t, table->rows[i].self);
		text_cell(t, 0, "");
		text_last(t, name);
		free(name);
	}
	text_rest_print(t, &rest, 0);
}

int detail_calls(FILE *out, const struct report *r, const struct detail_target *target)
{
	static const struct text_own indent[] = { { "", 4, COLUMN_OWN }, { 0 } };
	struct text t = { .out = out, .report = r, .own = indent };
	struct table total;
	struct calls c;
	int err = calls_build(r->view, target->name, &c);

	if (err)
		return err;
	table_build(r->view, TABLE_STATE, &total);
	t.total = total.total;
	text_about(&t);
	fprintf(out, "\n%s view, callers and callees; %% of the whole\n\n",
		view_name(r->view->kind));
	text_titles(&t, "called by");
	calls_rows(&t, &c.callers, "(nobody: it is outermost)");
	text_cells(&t, c.inclusive);
	fputs("  ", out);
	format_name(out, target->name, 0);
	fputs(", with what it calls\n", out);
	calls_rows(&t, &c.callees, "(itself)");
	calls_fini(&c);
	table_fini(&total);
	return 0;
}
