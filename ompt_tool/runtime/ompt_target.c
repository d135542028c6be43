/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The number of an operation is that of its STATS_DEVICE_TIME node.  The thread that began it
 * writes the node's word a, the threads that bring a device's records add to b.
 */
#include "config.h"

#include "ompt_tool/runtime/ompt_parts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ompt_tool/machine/ticks.h"
#include "ompt_tool/omp/construct_stack.h"
#include "ompt_tool/omp/omp_thread.h"
#include "ompt_tool/runtime/calling_thread.h"
#include "ompt_tool/tree/cct.h"
#include "ompt_tool/tree/process.h"

static uint8_t device_number(int device)
{
	return device >= 0 && device < PROF_DEVICE_OTHER ? (uint8_t)device : PROF_DEVICE_OTHER;
}

static uint64_t running_token(void)
{
	ompt_data_t *task;
	ompt_frame_t *frame;

	return ompt_query_task(&task, &frame) && task ? task->value : 0;
}

/* ---- constructs ------------------------------------------------------------ */

static void target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device,
		   const ompt_data_t *task, const void *call)
{
	const unsigned what = (unsigned)kind & 7;
	const uint64_t token = task ? task->value : running_token();
	struct omp_thread *t = calling_thread(PROF_THREAD_OTHER);

	if (!t || what < ompt_target || what > ompt_target_update)
		return;
	const enum prof_construct_kind construct = PROF_CONSTRUCT_TARGET + what - ompt_target;

	if (endpoint & ompt_scope_begin) {
		t->device.number = device_number(device);
		construct_begin(t, construct, (uintptr_t)call, token, 0);
	}
	if (endpoint & ompt_scope_end)
		construct_end(t, construct, token);
}

static void on_target_emi(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device,
			  ompt_data_t *task, ompt_data_t *target_task UNUSED,
			  ompt_data_t *data UNUSED, const void *call)
{
	target(kind, endpoint, device, task, call);
}

static void on_target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device,
		      ompt_data_t *task, ompt_id_t id UNUSED, const void *call)
{
	target(kind, endpoint, device, task, call);
}

/* ---- operations -------------------------------------------------------------- */

struct operation {
	unsigned kind; /* enum prof_device_op */
	uint8_t device;
	uint64_t times, n; /* what is added to the words of STATS_DEVICE */
};

/* The construct that the operation is counted beside: the target construct that the thread is in,
   or the call that asks for it.  NULL: there is no room. */
static const struct construct *operation_in(struct omp_thread *t, const void *call)
{
	const struct construct *c = construct_innermost(&t->constructs);

	t->device.call = !c || c->kind < PROF_CONSTRUCT_TARGET ||
			 c->kind > PROF_CONSTRUCT_TARGET_UPDATE;
	if (!t->device.call)
		return c;
	construct_begin(t, PROF_CONSTRUCT_TARGET_CALL, (uintptr_t)call, running_token(), 0);
	c = construct_innermost(&t->constructs);
	return c && c->kind == PROF_CONSTRUCT_TARGET_CALL ? c : NULL;
}

/* *id: where the runtime keeps the operation's number, or NULL: its end is not reported. */
static void operation_begin(const struct operation *o, ompt_id_t *id, const void *call)
{
	struct omp_thread *t = calling_thread(PROF_THREAD_OTHER);

	if (!t)
		return;
	const struct construct *c = operation_in(t, call);
	const uint8_t device = t->device.call ? o->device : t->device.number;
	const uint32_t node =
		c ? construct_device_stats(t, c, PROF_STATS_DEVICE, (uint8_t)o->kind, device) : 0;

	t->device.time = 0;
	if (node == 0)
		return;
	cct_node(&process.writer, node)->a += o->times;
	cct_node(&process.writer, node)->b += o->n;
	if (!id)
		return;
	t->device.time =
		construct_device_stats(t, c, PROF_STATS_DEVICE_TIME, (uint8_t)o->kind, device);
	t->device.begin_ticks = ticks_now();
	*id = t->device.time;
}

static void operation(ompt_scope_endpoint_t endpoint, const struct operation *o, ompt_id_t *id,
		      const void *call)
{
	if (endpoint & ompt_scope_begin)
		operation_begin(o, id, call);
	if (endpoint & ompt_scope_end) {
		struct omp_thread *t = calling_thread(PROF_THREAD_OTHER);

		if (!t)
			return;
		if (t->device.time != 0)
			cct_node(&process.writer, t->device.time)->a +=
				ticks_now() - t->device.begin_ticks;
		t->device.time = 0;
		if (t->device.call)
			construct_end(t, PROF_CONSTRUCT_TARGET_CALL, running_token());
		t->device.call = false;
	}
}

/* The device that takes part: of a copy between two, that which is written. */
static struct operation data_op(ompt_target_data_op_t kind, int from, int to, size_t bytes)
{
	enum { ASYNC = 16 }; /* added to asynchronous forms */
	const unsigned op = (unsigned)kind % ASYNC;

	return (struct operation){
		.kind = op,
		.device = device_number(
			op == ompt_target_data_transfer_from_device || to < 0 ? from : to),
		.times = 1,
		.n = bytes,
	};
}

static void on_target_data_op_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *target_task UNUSED,
				  ompt_data_t *data UNUSED, ompt_id_t *id,
				  ompt_target_data_op_t kind, void *from UNUSED, int from_device,
				  void *to UNUSED, int to_device, size_t bytes, const void *call)
{
	const struct operation o = data_op(kind, from_device, to_device, bytes);

	operation(endpoint, &o, id, call);
}

static void on_target_data_op(ompt_id_t id UNUSED, ompt_id_t operation_id UNUSED,
			      ompt_target_data_op_t kind, void *from UNUSED, int from_device,
			      void *to UNUSED, int to_device, size_t bytes, const void *call)
{
	const struct operation o = data_op(kind, from_device, to_device, bytes);

	operation(ompt_scope_beginend, &o, NULL, call);
}

static void on_target_submit_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *data UNUSED,
				 ompt_id_t *id, unsigned int teams)
{
	operation(endpoint, &(struct operation){ PROF_DEVICE_KERNEL, PROF_DEVICE_OTHER, 1, teams },
		  id, NULL);
}

static void on_target_submit(ompt_id_t id UNUSED, ompt_id_t operation_id UNUSED, unsigned int teams)
{
	operation(ompt_scope_beginend,
		  &(struct operation){ PROF_DEVICE_KERNEL, PROF_DEVICE_OTHER, 1, teams }, NULL,
		  NULL);
}

static void target_map(unsigned int n, const size_t *bytes, const void *call)
{
	struct operation o = { PROF_DEVICE_MAP, PROF_DEVICE_OTHER, n, 0 };

	for (unsigned int i = 0; bytes && i < n; i++)
		o.n += bytes[i];
	operation(ompt_scope_beginend, &o, NULL, call);
}

static void on_target_map_emi(ompt_data_t *data UNUSED, unsigned int n, void **host UNUSED,
			      void **device UNUSED, size_t *bytes, unsigned int *flags UNUSED,
			      const void *call)
{
	target_map(n, bytes, call);
}

static void on_target_map(ompt_id_t id UNUSED, unsigned int n, void **host UNUSED,
			  void **device UNUSED, size_t *bytes, unsigned int *flags UNUSED,
			  const void *call)
{
	target_map(n, bytes, call);
}

void ompt_target_device_time(ompt_id_t operation_id, uint64_t ns)
{
	const struct prof_writer *w = &process.writer;
	const uint32_t node = process_has_profile() && operation_id <= UINT32_MAX ?
				      cct_link(w, (uint32_t)operation_id) :
				      0;

	if (node == 0 || *process.alive == 0)
		return;
	struct prof_node *n = cct_node(w, node);

	if ((n->info & 0xff) == PROF_NODE_STATS && n->info >> 24 == PROF_STATS_DEVICE_TIME)
		__atomic_fetch_add(&n->b, ns, __ATOMIC_RELAXED);
}

/* ---- registration -------------------------------------------------------------- */

/* clang-format off */
#define PAIR(name) \
	{ ompt_callback_##name##_emi, ompt_callback_##name, \
	  (ompt_callback_t)on_##name##_emi, (ompt_callback_t)on_##name }
/* clang-format on */

void ompt_target_register(ompt_set_callback_t set)
{
	static const struct {
		ompt_callbacks_t emi, older;
		ompt_callback_t on_emi, on_older;
	} pairs[] = {
		PAIR(target),
		PAIR(target_data_op),
		PAIR(target_submit),
		PAIR(target_map),
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		if (set(pairs[i].emi, pairs[i].on_emi) < ompt_set_sometimes)
			set(pairs[i].older, pairs[i].on_older);
	ompt_device_register(set);
}
