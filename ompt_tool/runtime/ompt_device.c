/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/runtime/ompt_parts.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

enum {
	DEVICES = 64,		/* that are traced */
	BUFFER_BYTES = 1 << 18, /* of each buffer, while a device fills it */
	NATIVE = 0x1f,		/* ompt_native_mon_flag_t: copies, kernels, the driver, runtime */
};

struct device {
	_Atomic bool traced; /* set last, cleared first */
	int number;
	ompt_device_t *handle;
	ompt_stop_trace_t stop;
	ompt_translate_time_t translate;
	ompt_advance_buffer_cursor_t advance;
	ompt_get_record_type_t type;
	ompt_get_record_ompt_t record;
	ompt_get_record_native_t native;
	ompt_get_record_abstract_t abstract;
};

/* Devices start on any thread, each once. */
static struct device devices[DEVICES];
static _Atomic uint32_t ndevices;

static struct device *device_traced(int number)
{
	const uint32_t n = atomic_load(&ndevices);

	for (uint32_t i = 0; i < n && i < DEVICES; i++)
		if (atomic_load(&devices[i].traced) && devices[i].number == number)
			return &devices[i];
	return NULL;
}

static void on_request(int number, ompt_buffer_t **buffer, size_t *bytes)
{
	void *room = mmap(NULL, BUFFER_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);

	(void)number;
	*buffer = room == MAP_FAILED ? NULL : room;
	*bytes = room == MAP_FAILED ? 0 : BUFFER_BYTES;
}

static void take(const struct device *d, ompt_id_t operation, ompt_device_time_t begin,
		 ompt_device_time_t end)
{
	const double s = d->translate(d->handle, end) - d->translate(d->handle, begin);

	if (s > 0 && s < 1e9)
		ompt_target_device_time(operation, (uint64_t)(s * 1e9));
}

static void take_record(const struct device *d, ompt_buffer_t *buffer, ompt_buffer_cursor_t at)
{
	const ompt_record_t type = d->type ? d->type(buffer, at) : ompt_record_ompt;

	if (type == ompt_record_native && d->native && d->abstract) {
		ompt_id_t operation = 0;
		void *native = d->native(buffer, at, &operation);
		const ompt_record_abstract_t *r = native ? d->abstract(native) : NULL;

		if (r)
			take(d, operation, r->begin, r->end);
		return;
	}
	const ompt_record_ompt_t *r =
		type == ompt_record_ompt && d->record ? d->record(buffer, at) : NULL;

	if (!r)
		return;
	if (r->type == ompt_callback_target_data_op || r->type == ompt_callback_target_data_op_emi)
		take(d, r->record.data_op.operation, r->time, r->record.data_op.end);
	else if (r->type == ompt_callback_target_submit ||
		 r->type == ompt_callback_target_submit_emi)
		take(d, r->record.kernel.operation, r->time, r->record.kernel.end);
}

static void on_complete(int number, ompt_buffer_t *buffer, size_t bytes, ompt_buffer_cursor_t begin,
			int owned)
{
	const struct device *d = device_traced(number);
	ompt_buffer_cursor_t at = begin;

	if (d && buffer && bytes != 0)
		do
			take_record(d, buffer, at);
		while (d->advance(d->handle, buffer, bytes, at, &at));
	if (owned && buffer)
		munmap(buffer, BUFFER_BYTES);
}

/* Asks for OMPT's records, and for the device's own where it has no others. */
static bool device_asks(const struct device *d, ompt_function_lookup_t lookup)
{
	ompt_set_trace_ompt_t ompt = (ompt_set_trace_ompt_t)lookup("ompt_set_trace_ompt");
	ompt_set_trace_native_t native = (ompt_set_trace_native_t)lookup("ompt_set_trace_native");
	bool asked = false;

	if (ompt && d->record) {
		asked = ompt(d->handle, 1, ompt_callback_target_data_op) >= ompt_set_sometimes;
		asked |= ompt(d->handle, 1, ompt_callback_target_submit) >= ompt_set_sometimes;
	}
	return asked || (native && d->native && d->abstract &&
			 native(d->handle, 1, NATIVE) >= ompt_set_sometimes);
}

static void on_initialize(int number, const char *type, ompt_device_t *handle,
			  ompt_function_lookup_t lookup, const char *documentation)
{
	ompt_start_trace_t start = lookup ? (ompt_start_trace_t)lookup("ompt_start_trace") : NULL;

	(void)type;
	(void)documentation;
	if (!start || device_traced(number) || atomic_load(&ndevices) >= DEVICES)
		return;
	const uint32_t slot = atomic_fetch_add(&ndevices, 1);

	if (slot >= DEVICES)
		return;
	struct device *d = &devices[slot];

	d->number = number;
	d->handle = handle;
	d->stop = (ompt_stop_trace_t)lookup("ompt_stop_trace");
	d->translate = (ompt_translate_time_t)lookup("ompt_translate_time");
	d->advance = (ompt_advance_buffer_cursor_t)lookup("ompt_advance_buffer_cursor");
	d->type = (ompt_get_record_type_t)lookup("ompt_get_record_type");
	d->record = (ompt_get_record_ompt_t)lookup("ompt_get_record_ompt");
	d->native = (ompt_get_record_native_t)lookup("ompt_get_record_native");
	d->abstract = (ompt_get_record_abstract_t)lookup("ompt_get_record_abstract");
	if (!d->stop || !d->translate || !d->advance || !device_asks(d, lookup))
		return;
	atomic_store(&d->traced, true);
	if (!start(handle, on_request, on_complete))
		atomic_store(&d->traced, false);
}

/* The last buffers come while it stops. */
static void device_stop(struct device *d)
{
	d->stop(d->handle);
	atomic_store(&d->traced, false);
}

static void on_finalize(int number)
{
	struct device *d = device_traced(number);

	if (d)
		device_stop(d);
}

void ompt_device_stop(void)
{
	const uint32_t n = atomic_load(&ndevices);

	for (uint32_t i = 0; i < n && i < DEVICES; i++)
		if (atomic_load(&devices[i].traced))
			device_stop(&devices[i]);
}

void ompt_device_register(ompt_set_callback_t set)
{
	set(ompt_callback_device_initialize, (ompt_callback_t)on_initialize);
	set(ompt_callback_device_finalize, (ompt_callback_t)on_finalize);
}
