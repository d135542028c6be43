/* SPDX-License-Identifier: BSD-3-Clause */
/* text_devices.c - what target constructs asked of devices. */
#include "config.h"

#include <stdlib.h>

#include "src/model/construct_kind.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/text/text.h"
#include "src/tables/constructs.h"
#include "src/view/view.h"

enum {
	DEVICE_WIDTH = 9,
	OPERATION_WIDTH = 14,
	TIMES_WIDTH = 11,
	BYTES_WIDTH = 11,
	TIME_WIDTH = 11,
	ALL_WIDTH = DEVICE_WIDTH + OPERATION_WIDTH + TIMES_WIDTH + BYTES_WIDTH + 2 * TIME_WIDTH,
};

static void device_time(const struct text *t, bool known, uint64_t ns)
{
	fprintf(t->out, "%*s", TIME_WIDTH, known ? format_amount(ns, PROF_UNIT_NS).s : "-");
}

static void device_row(const struct text *t, const struct view_device_op *o)
{
	const struct view *v = t->report->view;
	const bool kernel = o->operation == PROF_DEVICE_KERNEL;
	char *label = construct_label(v, &v->constructs[o->construct]);

	if (o->device != PROF_DEVICE_OTHER)
		fprintf(t->out, "%*u", DEVICE_WIDTH, o->device);
	else
		fprintf(t->out, "%*s", DEVICE_WIDTH, "-");
	fprintf(t->out, "  %-*s", OPERATION_WIDTH - 2, device_operation_name(o->operation));
	fprintf(t->out, "%*s", TIMES_WIDTH, format_count(o->times).s);
	fprintf(t->out, "%*s", BYTES_WIDTH, kernel ? "-" : format_bytes(o->n).s);
	device_time(t, o->timed, o->host_ns);
	device_time(t, o->device_ns != 0, o->device_ns);
	fputs("  ", t->out);
	text_last_behind(t, ALL_WIDTH + 2, label);
	free(label);
}

void text_devices(const struct text *t)
{
	const struct view *v = t->report->view;

	if (v->filtered) {
		fputs("operations of devices belong to no sample: not shown of a part\n", t->out);
		return;
	}
	if (!v->ndevice_ops) {
		fputs("the OpenMP runtime reported no operation of a device: LLVM's does from "
		      "release 17 on\n",
		      t->out);
		return;
	}
	fprintf(t->out, "%*s  %-*s%*s%*s%*s%*s  construct\n", DEVICE_WIDTH, "device",
		OPERATION_WIDTH - 2, "operation", TIMES_WIDTH, "times", BYTES_WIDTH, "bytes",
		TIME_WIDTH, "host", TIME_WIDTH, "on device");
	for (size_t i = 0; i < v->ndevice_ops; i++)
		device_row(t, &v->device_ops[i]);
}
