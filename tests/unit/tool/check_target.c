/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_target.c - what is offloaded: target constructs, what they ask of devices, and what
 * devices trace.
 *
 * The test is the runtime, and the device.
 */
#include "config.h"

#include <check.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ompt_tool/omp/construct_stack.h"
#include "ompt_tool/runtime/ompt_declarations.h"
#include "ompt_tool/sample/thread.h"
#include "tests/support/suite_main.h"
#include "tests/support/writer_fixture.h"

ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime);

/* ---- the runtime ------------------------------------------------------------------ */

enum { DEVICE = 3, HOST = 4 };

static ompt_callback_t callbacks[64];
static bool knows_emi;
static ompt_data_t task;
static ompt_frame_t frame;
static ompt_start_tool_result_t *tool;

static int get_state(ompt_wait_id_t *id)
{
	*id = 0;
	return ompt_state_work_serial;
}

static int get_task_info(int level, int *flags, ompt_data_t **t, ompt_frame_t **f,
			 ompt_data_t **parallel, int *number)
{
	(void)level;
	*flags = ompt_task_initial;
	*number = 0;
	*t = &task;
	*f = &frame;
	*parallel = NULL;
	return 2;
}

static ompt_set_result_t set_callback(ompt_callbacks_t event, ompt_callback_t function)
{
	if (event >= ompt_callback_target_emi && event <= ompt_callback_target_map_emi &&
	    !knows_emi)
		return ompt_set_never;
	callbacks[event] = function;
	return ompt_set_always;
}

static ompt_interface_fn_t lookup(const char *name)
{
	return strcmp(name, "ompt_set_callback") == 0  ? (ompt_interface_fn_t)set_callback :
	       strcmp(name, "ompt_get_state") == 0     ? (ompt_interface_fn_t)get_state :
	       strcmp(name, "ompt_get_task_info") == 0 ? (ompt_interface_fn_t)get_task_info :
							 NULL;
}

#define TELL(event, ...) ((event##_t)callbacks[event])(__VA_ARGS__)
/* As a runtime reports its caller: a return address on the stack. */
#define HERE ((const void *)__builtin_return_address(0))

static void starts(bool emi)
{
	knows_emi = emi;
	memset(callbacks, 0, sizeof(callbacks));
	writer_setup();
	setenv("OMPHWC_OUTPUT", profile, 1);
	setenv("OMPHWC_EVENTS", "cpu-clock", 1);
	tool = ompt_start_tool(201811, "test");
	ck_assert_ptr_nonnull(tool);
	ck_assert_int_eq(tool->initialize(lookup, 0, &tool->tool_data), 1);
	TELL(ompt_callback_thread_begin, ompt_thread_initial, &(ompt_data_t){ 0 });
}

static void setup(void)
{
	starts(true);
}

static void setup_older(void)
{
	starts(false);
}

static __attribute__((noinline)) void construct(ompt_target_t kind, ompt_scope_endpoint_t endpoint)
{
	TELL(ompt_callback_target_emi, kind, endpoint, DEVICE, &task, NULL, NULL, HERE);
}

/* One operation; returns the number that the tool gave it. */
static __attribute__((noinline)) ompt_id_t operation(int kind, size_t bytes)
{
	const bool from = kind % 16 == ompt_target_data_transfer_from_device;
	ompt_id_t id = 0;

	for (int e = ompt_scope_begin; e <= ompt_scope_end; e++)
		TELL(ompt_callback_target_data_op_emi, (ompt_scope_endpoint_t)e, NULL, NULL, &id,
		     (ompt_target_data_op_t)kind, NULL, from ? DEVICE : HOST, NULL,
		     from ? HOST : DEVICE, bytes, HERE);
	return id;
}

static ompt_id_t kernel(unsigned teams)
{
	ompt_id_t id = 0;

	TELL(ompt_callback_target_submit_emi, ompt_scope_begin, NULL, &id, teams);
	TELL(ompt_callback_target_submit_emi, ompt_scope_end, NULL, &id, teams);
	return id;
}

/* ---- what the profile says ----------------------------------------------------------- */

/* The STATS node of that kind, operation and device beneath a construct of that kind, or NULL. */
static const struct prof_rnode *node(unsigned construct_kind, unsigned stats, unsigned op,
				     unsigned device)
{
	const struct prof_file *f = read_back();

	for (size_t i = 0; i < f->nnodes; i++) {
		const struct prof_rnode *n = &f->nodes[i];

		if (n->kind == PROF_NODE_STATS && n->flags == stats && n->event == device &&
		    n->state == op && n->parent != PROF_NONE &&
		    f->nodes[n->parent].kind == PROF_NODE_CONSTRUCT &&
		    f->nodes[n->parent].flags == construct_kind)
			return n;
	}
	return NULL;
}

static uint64_t entered(unsigned construct_kind)
{
	const struct prof_file *f = read_back();
	uint64_t sum = 0;

	for (size_t i = 0; i < f->nnodes; i++) {
		const struct prof_rnode *n = &f->nodes[i];

		if (n->kind == PROF_NODE_STATS && n->flags == PROF_STATS_CONSTRUCT &&
		    f->nodes[n->parent].flags == construct_kind)
			sum += n->a;
	}
	return sum;
}

static void ck_counted(unsigned construct_kind, unsigned op, uint64_t times, uint64_t bytes)
{
	const struct prof_rnode *n = node(construct_kind, PROF_STATS_DEVICE, op, DEVICE);

	ck_assert_msg(n != NULL, "operation %u", op);
	ck_assert_uint_eq(n->a, times);
	ck_assert_uint_eq(n->b, bytes);
}

/* ---- constructs and operations ----------------------------------------------------------- */

static const struct {
	ompt_target_t target;
	enum prof_construct_kind construct;
} targets[] = {
	{ ompt_target, PROF_CONSTRUCT_TARGET },
	{ ompt_target_enter_data, PROF_CONSTRUCT_TARGET_ENTER_DATA },
	{ ompt_target_exit_data, PROF_CONSTRUCT_TARGET_EXIT_DATA },
	{ ompt_target_update, PROF_CONSTRUCT_TARGET_UPDATE },
	{ ompt_target_nowait, PROF_CONSTRUCT_TARGET },
};

START_TEST(kinds_of_target_constructs)
{
	const struct prof_rnode *n;

	for (int i = 0; i < 3; i++) {
		construct(targets[_i].target, ompt_scope_begin);
		ck_assert_uint_eq(thread_self->omp.constructs.n, 1);
		construct(targets[_i].target, ompt_scope_end);
		ck_assert_uint_eq(thread_self->omp.constructs.n, 0);
	}
	n = node(targets[_i].construct, PROF_STATS_CONSTRUCT, 0, 0);
	ck_assert_ptr_nonnull(n);
	ck_assert_uint_eq(n->a, 3);
	ck_assert_uint_gt(n->b, 0);
}
END_TEST

START_TEST(kinds_of_operations)
{
	for (int op = PROF_DEVICE_ALLOC; op <= PROF_DEVICE_TRANSFER_RECT; op++) {
		construct(ompt_target, ompt_scope_begin);
		operation(op, 100);
		operation(op + 16, 23); /* the asynchronous form */
		construct(ompt_target, ompt_scope_end);
		ck_counted(PROF_CONSTRUCT_TARGET, (unsigned)op, 2, 123);
		ck_assert_uint_gt(node(PROF_CONSTRUCT_TARGET, PROF_STATS_DEVICE_TIME, (unsigned)op,
				       DEVICE)
					  ->a,
				  0);
	}
}
END_TEST

START_TEST(kernels_and_what_is_mapped)
{
	size_t bytes[] = { 8, 1000 };

	construct(ompt_target, ompt_scope_begin);
	TELL(ompt_callback_target_map_emi, NULL, 2, NULL, NULL, bytes, NULL, HERE);
	kernel(30);
	kernel(12);
	construct(ompt_target, ompt_scope_end);
	ck_counted(PROF_CONSTRUCT_TARGET, PROF_DEVICE_KERNEL, 2, 42);
	ck_counted(PROF_CONSTRUCT_TARGET, PROF_DEVICE_MAP, 2, 1008);
}
END_TEST

/* omp_target_memcpy() is in no construct: the call itself is one, on the device that it names. */
START_TEST(a_call_of_the_program)
{
	ompt_id_t id = 0;

	for (int op = PROF_DEVICE_TO; op <= PROF_DEVICE_FROM; op++)
		operation(op, op == PROF_DEVICE_TO ? 32 : 64);
	TELL(ompt_callback_target_data_op_emi, ompt_scope_beginend, NULL, NULL, &id,
	     ompt_target_data_delete, NULL, DEVICE, NULL, -1, 0, HERE);
	ck_assert_uint_eq(thread_self->omp.constructs.n, 0);
	ck_counted(PROF_CONSTRUCT_TARGET_CALL, PROF_DEVICE_DELETE, 1, 0);
	ck_counted(PROF_CONSTRUCT_TARGET_CALL, PROF_DEVICE_FROM, 1, 64);
	ck_counted(PROF_CONSTRUCT_TARGET_CALL, PROF_DEVICE_TO, 1, 32);
	ck_assert_uint_eq(entered(PROF_CONSTRUCT_TARGET_CALL), 3);
}
END_TEST

/* A runtime of OpenMP 5.0 reports that operations are, not how long they take. */
START_TEST(callbacks_of_older_runtimes)
{
	size_t bytes = 5;

	TELL(ompt_callback_target, ompt_target, ompt_scope_begin, DEVICE, &task, 7, HERE);
	TELL(ompt_callback_target_data_op, 7, 8, ompt_target_data_transfer_to_device, NULL, HOST,
	     NULL, DEVICE, 10, HERE);
	TELL(ompt_callback_target_submit, 7, 9, 2);
	TELL(ompt_callback_target_map, 7, 1, NULL, NULL, &bytes, NULL, HERE);
	TELL(ompt_callback_target, ompt_target, ompt_scope_end, DEVICE, &task, 7, HERE);
	ck_counted(PROF_CONSTRUCT_TARGET, PROF_DEVICE_TO, 1, 10);
	ck_counted(PROF_CONSTRUCT_TARGET, PROF_DEVICE_KERNEL, 1, 2);
	ck_counted(PROF_CONSTRUCT_TARGET, PROF_DEVICE_MAP, 1, 5);
	ck_assert_ptr_null(
		node(PROF_CONSTRUCT_TARGET, PROF_STATS_DEVICE_TIME, PROF_DEVICE_TO, DEVICE));
}
END_TEST

/* ---- a device that traces ------------------------------------------------------------------ */

enum { MOST = 8 };

/* Its clock has ten ticks a microsecond. */
static struct device {
	bool has_ompt, has_native;
	unsigned events; /* that it was asked to trace */
	int native;
	ompt_callback_buffer_request_t request;
	ompt_callback_buffer_complete_t complete;
	ompt_record_t type[MOST];
	ompt_record_ompt_t record[MOST];
	ompt_record_abstract_t abstract[MOST];
	ompt_id_t native_operation[MOST];
	unsigned n;
} device;

static double translate_time(ompt_device_t *d, ompt_device_time_t time)
{
	ck_assert_ptr_eq(d, &device);
	return 100 + (double)time * 1e-7;
}

static ompt_set_result_t set_trace_ompt(ompt_device_t *d, unsigned int enable, unsigned int event)
{
	ck_assert_ptr_eq(d, &device);
	device.events += enable && (event == ompt_callback_target_data_op ||
				    event == ompt_callback_target_submit);
	return ompt_set_always;
}

static ompt_set_result_t set_trace_native(ompt_device_t *d, int enable, int flags)
{
	(void)d;
	device.native = enable ? flags : 0;
	return ompt_set_always;
}

static int start_trace(ompt_device_t *d, ompt_callback_buffer_request_t request,
		       ompt_callback_buffer_complete_t complete)
{
	(void)d;
	device.request = request;
	device.complete = complete;
	return 1;
}

static int advance(ompt_device_t *d, ompt_buffer_t *buffer, size_t bytes,
		   ompt_buffer_cursor_t current, ompt_buffer_cursor_t *next)
{
	(void)d;
	(void)buffer;
	ck_assert_uint_eq(bytes, device.n);
	*next = current + 1;
	return *next < device.n;
}

static ompt_record_t record_type(ompt_buffer_t *buffer, ompt_buffer_cursor_t current)
{
	(void)buffer;
	return device.type[current];
}

static ompt_record_ompt_t *record_ompt(ompt_buffer_t *buffer, ompt_buffer_cursor_t current)
{
	(void)buffer;
	return &device.record[current];
}

static void *record_native(ompt_buffer_t *buffer, ompt_buffer_cursor_t current, ompt_id_t *id)
{
	(void)buffer;
	*id = device.native_operation[current];
	return &device.abstract[current];
}

static ompt_record_abstract_t *record_abstract(void *native)
{
	return native;
}

/* Brings what it has, in a buffer that it asked for. */
static int stop_trace(ompt_device_t *d)
{
	ompt_buffer_t *buffer = NULL;
	size_t bytes = 0;

	(void)d;
	device.request(DEVICE, &buffer, &bytes);
	ck_assert_ptr_nonnull(buffer);
	memset(buffer, 0xff, bytes);
	device.complete(DEVICE, buffer, device.n, 0, 1);
	return 1;
}

static ompt_interface_fn_t device_lookup(const char *name)
{
	static const struct {
		const char *name;
		ompt_interface_fn_t function;
	} all[] = {
		{ "ompt_translate_time", (ompt_interface_fn_t)translate_time },
		{ "ompt_start_trace", (ompt_interface_fn_t)start_trace },
		{ "ompt_stop_trace", (ompt_interface_fn_t)stop_trace },
		{ "ompt_advance_buffer_cursor", (ompt_interface_fn_t)advance },
		{ "ompt_get_record_type", (ompt_interface_fn_t)record_type },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (strcmp(name, all[i].name) == 0)
			return all[i].function;
	if (device.has_ompt)
		return strcmp(name, "ompt_set_trace_ompt") == 0 ?
			       (ompt_interface_fn_t)set_trace_ompt :
		       strcmp(name, "ompt_get_record_ompt") == 0 ?
			       (ompt_interface_fn_t)record_ompt :
			       NULL;
	if (!device.has_native)
		return NULL;
	return strcmp(name, "ompt_set_trace_native") == 0  ? (ompt_interface_fn_t)set_trace_native :
	       strcmp(name, "ompt_get_record_native") == 0 ? (ompt_interface_fn_t)record_native :
	       strcmp(name, "ompt_get_record_abstract") == 0 ?
							     (ompt_interface_fn_t)record_abstract :
							     NULL;
}

static void device_starts(bool ompt, bool native)
{
	device = (struct device){ .has_ompt = ompt, .has_native = native };
	TELL(ompt_callback_device_initialize, DEVICE, "mock", &device, device_lookup, NULL);
}

static void traces(ompt_callbacks_t type, ompt_id_t id, uint64_t begin, uint64_t end)
{
	ompt_record_ompt_t *r = &device.record[device.n];

	*r = (ompt_record_ompt_t){ .type = type, .time = begin };
	if (type == ompt_callback_target_submit) {
		r->record.kernel.operation = id;
		r->record.kernel.end = end;
	} else {
		r->record.data_op.operation = id;
		r->record.data_op.end = end;
	}
	device.type[device.n++] = ompt_record_ompt;
}

static void ck_device_ns(unsigned op, uint64_t ns)
{
	const struct prof_rnode *n =
		node(PROF_CONSTRUCT_TARGET, PROF_STATS_DEVICE_TIME, op, DEVICE);

	ck_assert_ptr_nonnull(n);
	ck_assert_uint_ge(n->b, ns - 2);
	ck_assert_uint_le(n->b, ns + 2);
}

/* By its end the device's time is beside the operations', and records of others are ignored. */
START_TEST(a_device_reports_its_time)
{
	ompt_id_t to, run;

	device_starts(true, true);
	ck_assert_uint_eq(device.events, 2);
	ck_assert_int_eq(device.native, 0);
	construct(ompt_target, ompt_scope_begin);
	to = operation(ompt_target_data_transfer_to_device, 1000);
	run = kernel(4);
	construct(ompt_target, ompt_scope_end);
	ck_assert_uint_ne(to, run);
	traces(ompt_callback_target_data_op, to, 50, 80);
	traces(ompt_callback_target_submit, run, 100, 600);
	traces(ompt_callback_target_submit, run, 700, 800);
	traces(ompt_callback_target_submit, run, 900, 890);    /* a clock that goes back */
	traces(ompt_callback_target_submit, UINT64_MAX, 0, 9); /* no operation of ours */
	traces(ompt_callback_target_submit, 1, 0, 9);
	traces(ompt_callback_work, run, 0, 9);
	device.type[device.n++] = ompt_record_invalid;
	if (_i == 0)
		TELL(ompt_callback_device_finalize, DEVICE);
	else
		tool->finalize(&tool->tool_data);
	ck_device_ns(PROF_DEVICE_TO, 3000);
	ck_device_ns(PROF_DEVICE_KERNEL, 60000);
}
END_TEST

START_TEST(a_device_has_records_of_its_own)
{
	device_starts(false, true);
	ck_assert_int_ne(device.native, 0);
	construct(ompt_target, ompt_scope_begin);
	device.native_operation[0] = kernel(4);
	construct(ompt_target, ompt_scope_end);
	device.abstract[0] = (ompt_record_abstract_t){ .begin = 10, .end = 40 };
	device.type[device.n++] = ompt_record_native;
	TELL(ompt_callback_device_finalize, DEVICE);
	ck_device_ns(PROF_DEVICE_KERNEL, 3000);
}
END_TEST

START_TEST(a_device_that_does_not_trace)
{
	device_starts(false, false);
	ck_assert_ptr_null(device.request);
	TELL(ompt_callback_device_initialize, DEVICE + 1, "mock", &device, NULL, NULL);
	TELL(ompt_callback_device_finalize, DEVICE);
	construct(ompt_target, ompt_scope_begin);
	kernel(4);
	construct(ompt_target, ompt_scope_end);
	ck_counted(PROF_CONSTRUCT_TARGET, PROF_DEVICE_KERNEL, 1, 4);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("target");
	TCase *c = tcase_create("target"), *older = tcase_create("older");

	tcase_add_checked_fixture(c, setup, writer_teardown);
	tcase_add_loop_test(c, kinds_of_target_constructs, 0, sizeof(targets) / sizeof(*targets));
	tcase_add_test(c, kinds_of_operations);
	tcase_add_test(c, kernels_and_what_is_mapped);
	tcase_add_test(c, a_call_of_the_program);
	tcase_add_loop_test(c, a_device_reports_its_time, 0, 2);
	tcase_add_test(c, a_device_has_records_of_its_own);
	tcase_add_test(c, a_device_that_does_not_trace);
	suite_add_tcase(s, c);
	tcase_add_checked_fixture(older, setup_older, writer_teardown);
	tcase_add_test(older, callbacks_of_older_runtimes);
	suite_add_tcase(s, older);
	return suite_main(s);
}
