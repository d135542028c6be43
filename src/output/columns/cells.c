/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/output/columns/cells.h"

#include "src/model/model.h"
#include "src/output/columns/flat_tables.h"
#include "src/output/printable.h"
#include "src/tables/regions.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

const struct flat_table *flat_table_of(enum output_by by)
{
	static const struct flat_table *const tables[BYS] = {
		[BY_REGION] = &columns_region,
		[BY_FUNCTION] = &columns_function,
		[BY_LINE] = &columns_line,
		[BY_PATH] = &columns_path,
		[BY_THREAD] = &columns_thread,
		[BY_STATE] = &columns_state,
		[BY_CONSTRUCT] = &columns_construct,
		[BY_ADDRESS] = &columns_memory,
		[BY_MODULE] = &columns_module,
		[BY_FILE] = &columns_file,
		[BY_BLAME] = &columns_blame,
		[BY_CPU] = &columns_cpu,
		[BY_TIME] = &columns_time,
		[BY_TASK] = &columns_task,
		[BY_COUNT] = &columns_count,
		[BY_RANK] = &columns_rank,
		[BY_HOST] = &columns_host,
		[BY_PARALLELISM] = &columns_parallelism,
		[BY_FINDING] = &columns_finding,
		[BY_PHASE] = &columns_phase,
		[BY_DEVICE] = &columns_device,
		[BY_DEPENDENCE] = &columns_dependence,
		[BY_DESCRIPTOR] = &columns_descriptor,
	};

	return tables[by];
}

void cells_text(const struct cells *c, const char *key, const char *s)
{
	c->put(c->to, key, &(struct cell){ .kind = s ? CELL_TEXT : CELL_EMPTY, .text = s });
}

void cells_take(const struct cells *c, const char *key, char *s)
{
	c->put(c->to, key,
	       &(struct cell){ .kind = s ? CELL_TEXT : CELL_EMPTY, .text = s, .owned = s });
}

void cells_number(const struct cells *c, const char *key, uint64_t n)
{
	cells_number_if(c, key, true, n);
}

void cells_number_if(const struct cells *c, const char *key, bool known, uint64_t n)
{
	c->put(c->to, key, &(struct cell){ .kind = known ? CELL_NUMBER : CELL_EMPTY, .number = n });
}

void cells_real_if(const struct cells *c, const char *key, bool known, double n)
{
	c->put(c->to, key, &(struct cell){ .kind = known ? CELL_REAL : CELL_EMPTY, .real = n });
}

void cells_flag(const struct cells *c, const char *key, bool is)
{
	c->put(c->to, key, &(struct cell){ .kind = CELL_FLAG, .number = is });
}

void cells_place(const struct cells *c, uint32_t line)
{
	const struct view *v = c->report->view;
	const struct line *l = &v->names.lines[line];
	const struct function *f = &v->names.functions[l->function];

	cells_text(c, "function", f->name);
	cells_text(c, "file", l->file ? l->file : f->file);
	cells_number_if(c, "line", l->line != 0, l->line);
	cells_text(c, "place", l->place);
}

void cells_line(const struct cells *c, uint64_t key)
{
	const struct function *functions = c->report->view->names.functions;
	const struct function *f = &functions[key >> TABLE_LINE_FUNCTION];

	cells_place(c, (uint32_t)key);
	cells_text(c, "called", functions[table_line_called(key)].name);
	if ((uint32_t)key)
		return;
	cells_text(c, "function", f->name);
	cells_text(c, "file", f->file);
}

void cells_definition(const struct cells *c, const struct function *f)
{
	cells_text(c, "module", f->module);
	cells_text(c, "file", f->file);
	cells_number_if(c, "line", f->line != 0, f->line);
}

void cells_event(const struct cells *c, size_t event)
{
	const struct model_event *e = &c->report->model->events[event];

	cells_text(c, "event", e->label);
	cells_text(c, "unit", format_unit(e->unit));
}

void cells_region(const struct cells *c, uint32_t region)
{
	cells_take(c, "region", region_label_of(c->report->view, region));
}

void cells_end(const struct cells *c, enum cells_costs costs, const struct cost *block)
{
	if (costs != COSTS_NONE)
		c->costs(c->to, costs, block);
	c->end(c->to);
}
