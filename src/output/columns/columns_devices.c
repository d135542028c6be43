/* SPDX-License-Identifier: BSD-3-Clause */
/* columns_devices.c - what target constructs asked of devices. */
#include "config.h"

#include "src/model/construct_kind.h"
#include "src/output/columns/flat_tables.h"
#include "src/profile/format.h"
#include "src/tables/constructs.h"
#include "src/view/view.h"

static const struct column device_columns[] = {
	{ "construct", "the construct or call that asked, as text has it" },
	{ "kind", "what it is" },
	{ "place", NULL },
	{ "device", "the device's number; empty: not known" },
	{ "operation", "alloc, to, from, delete, associate, disassociate, transfer, memset, "
		       "rectangle; kernel; map: variables" },
	{ "operations", "how many there were" },
	{ "bytes", "their bytes" },
	{ "teams", "of kernels, the teams that were asked for, summed" },
	{ "host_ns", "what threads spent on them" },
	{ "device_ns", "what the device spent on them, as it reports" },
	{ NULL, NULL },
};

void device_cells(const struct cells *c, const struct view_device_op *o)
{
	const bool kernel = o->operation == PROF_DEVICE_KERNEL;

	cells_number_if(c, "device", o->device != PROF_DEVICE_OTHER, o->device);
	cells_text(c, "operation", device_operation_name(o->operation));
	cells_number(c, "operations", o->times);
	cells_number_if(c, "bytes", !kernel, o->n);
	cells_number_if(c, "teams", kernel && o->n, o->n);
	cells_number_if(c, "host_ns", o->timed, o->host_ns);
	cells_number_if(c, "device_ns", o->device_ns != 0, o->device_ns);
}

static void device_rows(const struct cells *c)
{
	const struct view *v = c->report->view;

	for (size_t i = 0; i < v->ndevice_ops && !v->filtered; i++) {
		const struct view_construct *w = &v->constructs[v->device_ops[i].construct];

		cells_take(c, "construct", construct_label(v, w));
		cells_text(c, "kind", construct_name((enum construct_kind)w->kind));
		cells_place(c, w->line);
		device_cells(c, &v->device_ops[i]);
		cells_end(c, COSTS_NONE, NULL);
	}
}

const struct flat_table columns_device = { device_columns, COSTS_NONE, device_rows };
