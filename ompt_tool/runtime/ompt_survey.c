/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/runtime/ompt_parts.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* All events up to OpenMP 6.0, with their numbers. */
/* clang-format off */
#define EVENTS(E) \
	E(1, thread_begin) E(2, thread_end) E(3, parallel_begin) E(4, parallel_end) \
	E(5, task_create) E(6, task_schedule) E(7, implicit_task) E(8, target) \
	E(9, target_data_op) E(10, target_submit) E(11, control_tool) \
	E(12, device_initialize) E(13, device_finalize) E(14, device_load) \
	E(15, device_unload) E(16, sync_region_wait) E(17, mutex_released) \
	E(18, dependences) E(19, task_dependence) E(20, work) E(21, masked) \
	E(22, target_map) E(23, sync_region) E(24, lock_init) E(25, lock_destroy) \
	E(26, mutex_acquire) E(27, mutex_acquired) E(28, nest_lock) E(29, flush) \
	E(30, cancel) E(31, reduction) E(32, dispatch) E(33, target_emi) \
	E(34, target_data_op_emi) E(35, target_submit_emi) E(36, target_map_emi) \
	E(37, error)
/* clang-format on */

enum { EVENTS_END = 38 };

/* Owned by this file; but for calls set once, before any event. */
static _Atomic uint64_t calls[EVENTS_END];
static int answers[EVENTS_END];
static char runtime_text[256], path[256];
static pid_t owner; /* 0: nobody yet */
static bool running;
static ompt_function_lookup_t look_up;

/* Whatever an event's arguments are, its callback ignores them. */
#define E(number, name) \
	static int on_##name(void) \
	{ \
		atomic_fetch_add_explicit(&calls[number], 1, memory_order_relaxed); \
		return 0; \
	}
EVENTS(E)
#undef E

static const struct {
	const char *name;
	int (*count)(void);
} events[EVENTS_END] = {
#define E(number, name) [number] = { #name, on_##name },
	EVENTS(E)
#undef E
};

static const char *const entries[] = {
	"ompt_enumerate_states",  "ompt_enumerate_mutex_impls",
	"ompt_set_callback",	  "ompt_get_callback",
	"ompt_get_thread_data",	  "ompt_get_num_procs",
	"ompt_get_num_places",	  "ompt_get_place_proc_ids",
	"ompt_get_place_num",	  "ompt_get_partition_place_nums",
	"ompt_get_proc_id",	  "ompt_get_state",
	"ompt_get_parallel_info", "ompt_get_task_info",
	"ompt_get_task_memory",	  "ompt_get_num_devices",
	"ompt_get_target_info",	  "ompt_get_unique_id",
	"ompt_finalize_tool",
};

static void write_kinds(int fd, const char *kind, const char *entry, int first)
{
	enum { MOST = 256 };
	const ompt_enumerate_states_t next = (ompt_enumerate_states_t)look_up(entry);
	const char *name = NULL;

	for (int value = first, n = 0; next && n < MOST && next(value, &value, &name); n++)
		dprintf(fd, "%s\t0x%x\t%s\n", kind, (unsigned)value, name ? name : "?");
}

/* The file is opened each time: a program may close a descriptor that stays open, and have a file
   of its own by that number. */
static void write_all(bool ended)
{
	const int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);

	if (fd < 0)
		return;
	dprintf(fd, "runtime\t%s\n", runtime_text);
	for (int i = 1; i < EVENTS_END; i++)
		dprintf(fd, "event\t%s\t%d\t%llu\n", events[i].name, answers[i],
			(unsigned long long)atomic_load(&calls[i]));
	for (size_t i = 0; i < sizeof(entries) / sizeof(*entries); i++)
		dprintf(fd, "entry\t%s\t%d\n", entries[i], look_up(entries[i]) ? 1 : 0);
	write_kinds(fd, "state", "ompt_enumerate_states", ompt_state_undefined);
	write_kinds(fd, "mutex", "ompt_enumerate_mutex_impls", 0);
	dprintf(fd, "ended\t%d\n", ended);
	close(fd);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	const ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");

	(void)device;
	(void)data;
	look_up = lookup;
	for (int i = 1; i < EVENTS_END && set; i++)
		answers[i] = (int)set((ompt_callbacks_t)i, (ompt_callback_t)events[i].count);
	write_all(false);
	return 1;
}

/* A child of fork() has other numbers. */
static void finalize(ompt_data_t *data)
{
	(void)data;
	if (getpid() == owner)
		write_all(true);
	running = false;
}

/* Whether nothing was written yet: no other process, and no other runtime, was first. */
static bool is_first(void)
{
	const int fd = owner == 0 ? open(path, O_WRONLY | O_CLOEXEC) : -1;
	const bool first = fd >= 0 && lseek(fd, 0, SEEK_END) == 0;

	if (fd >= 0)
		close(fd);
	return first;
}

ompt_start_tool_result_t *ompt_survey(unsigned version, const char *runtime)
{
	static ompt_start_tool_result_t result = { initialize, finalize, { 0 } };

	if (owner == 0)
		snprintf(path, sizeof(path), "%s", getenv("OMPHWC_SURVEY"));
	/* A runtime that was shut down may start again: its numbers go on. */
	if (running || (owner != getpid() && !is_first()))
		return NULL;
	owner = getpid();
	running = true;
	snprintf(runtime_text, sizeof(runtime_text), "%s\t%u",
		 runtime ? runtime : "unnamed runtime", version);
	return &result;
}
