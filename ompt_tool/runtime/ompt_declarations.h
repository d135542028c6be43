/*
 * ompt_declarations.h - the part of OMPT, OpenMP's interface for tools, that we use.
 *
 * Written from the OpenMP specification 5.2, chapter 19; each group names its
 * section, and names and values are the specification's. All of it is binary
 * interface: values never change here. tests/e2e/tree/t-ompt-header.sh compares it with each
 * omp-tools.h that it finds.
 *
 * Never include it together with an omp-tools.h: both define the same names.
 */
#ifndef OMPHWC_OMPT_TOOL_RUNTIME_OMPT_DECLARATIONS_H
#define OMPHWC_OMPT_TOOL_RUNTIME_OMPT_DECLARATIONS_H

#include <stddef.h>
#include <stdint.h>

/* ---- data ----------------------------------------------------------------- */

/* 19.4.4.4: the tool's word in an object of the runtime's. */
typedef union ompt_data_t {
	uint64_t value;
	void *ptr;
} ompt_data_t;

/* 19.4.4.31: what a thread waits for, as a number. */
typedef uint64_t ompt_wait_id_t;

/* 19.4.4.29: where a task's frames begin and end on its stack. */
typedef struct ompt_frame_t {
	ompt_data_t exit_frame, enter_frame;
	int exit_frame_flags, enter_frame_flags;
} ompt_frame_t;

/* ---- kinds ---------------------------------------------------------------- */

/* 19.4.4.10 */
typedef enum ompt_thread_t {
	ompt_thread_initial = 1,
	ompt_thread_worker = 2,
	ompt_thread_other = 3,
	ompt_thread_unknown = 4,
} ompt_thread_t;

/* 19.4.4.11 */
typedef enum ompt_scope_endpoint_t {
	ompt_scope_begin = 1,
	ompt_scope_end = 2,
	ompt_scope_beginend = 3,
} ompt_scope_endpoint_t;

/* 19.4.4.14 */
typedef enum ompt_sync_region_t {
	ompt_sync_region_barrier = 1,
	ompt_sync_region_barrier_implicit = 2,
	ompt_sync_region_barrier_explicit = 3,
	ompt_sync_region_barrier_implementation = 4,
	ompt_sync_region_taskwait = 5,
	ompt_sync_region_taskgroup = 6,
	ompt_sync_region_reduction = 7,
	ompt_sync_region_barrier_implicit_workshare = 8,
	ompt_sync_region_barrier_implicit_parallel = 9,
	ompt_sync_region_barrier_teams = 10,
} ompt_sync_region_t;

/* 19.4.4.16 */
typedef enum ompt_work_t {
	ompt_work_loop = 1,
	ompt_work_sections = 2,
	ompt_work_single_executor = 3,
	ompt_work_single_other = 4,
	ompt_work_workshare = 5,
	ompt_work_distribute = 6,
	ompt_work_taskloop = 7,
	ompt_work_scope = 8,
	ompt_work_workdistribute = 9, /* 6.0 */
	ompt_work_loop_static = 10,
	ompt_work_loop_dynamic = 11,
	ompt_work_loop_guided = 12,
	ompt_work_loop_other = 13,
} ompt_work_t;

/* 19.4.4.13, with 5.2's chunks: what ompt_dispatch_chunk_t is of. */
typedef enum ompt_dispatch_t {
	ompt_dispatch_iteration = 1,
	ompt_dispatch_section = 2,
	ompt_dispatch_ws_loop_chunk = 3,
	ompt_dispatch_taskloop_chunk = 4,
	ompt_dispatch_distribute_chunk = 5,
} ompt_dispatch_t;

typedef struct ompt_dispatch_chunk_t {
	uint64_t start, iterations;
} ompt_dispatch_chunk_t;

/* 19.4.4.17 */
typedef enum ompt_mutex_t {
	ompt_mutex_lock = 1,
	ompt_mutex_test_lock = 2,
	ompt_mutex_nest_lock = 3,
	ompt_mutex_test_nest_lock = 4,
	ompt_mutex_critical = 5,
	ompt_mutex_atomic = 6,
	ompt_mutex_ordered = 7,
} ompt_mutex_t;

/* 19.4.4.19: bits; the upper ones are added to one of the lower. */
typedef enum ompt_task_flag_t {
	ompt_task_initial = 0x1,
	ompt_task_implicit = 0x2,
	ompt_task_explicit = 0x4,
	ompt_task_target = 0x8,
	ompt_task_taskwait = 0x10,
	ompt_task_undeferred = 0x8000000,
	ompt_task_untied = 0x10000000,
	ompt_task_final = 0x20000000,
	ompt_task_mergeable = 0x40000000,
	ompt_task_merged = 0x80000000,
} ompt_task_flag_t;

/* 19.4.4.20: why a thread leaves a task. */
typedef enum ompt_task_status_t {
	ompt_task_complete = 1,
	ompt_task_yield = 2,
	ompt_task_cancel = 3,
	ompt_task_detach = 4,
	ompt_task_early_fulfill = 5,
	ompt_task_late_fulfill = 6,
	ompt_task_switch = 7,
	ompt_taskwait_complete = 8,
} ompt_task_status_t;

/* 19.4.4.22: bits. */
typedef enum ompt_parallel_flag_t {
	ompt_parallel_invoker_program = 0x1,
	ompt_parallel_invoker_runtime = 0x2,
	ompt_parallel_league = 0x40000000,
	ompt_parallel_team = 0x80000000,
} ompt_parallel_flag_t;

/* 19.4.4.15 and, from 7 on, OpenMP 6.0; 16 is added for asynchronous forms. */
typedef enum ompt_target_data_op_t {
	ompt_target_data_alloc = 1,
	ompt_target_data_transfer_to_device = 2,
	ompt_target_data_transfer_from_device = 3,
	ompt_target_data_delete = 4,
	ompt_target_data_associate = 5,
	ompt_target_data_disassociate = 6,
} ompt_target_data_op_t;

/* 19.4.4.21: what a target construct is; 8 is added for nowait. */
typedef enum ompt_target_t {
	ompt_target = 1,
	ompt_target_enter_data = 2,
	ompt_target_exit_data = 3,
	ompt_target_update = 4,
	ompt_target_nowait = 9,
} ompt_target_t;

/* 19.4.4.26: bits, what is cancelled and what became of it. */
typedef enum ompt_cancel_flag_t {
	ompt_cancel_parallel = 0x01,
	ompt_cancel_sections = 0x02,
	ompt_cancel_loop = 0x04,
	ompt_cancel_taskgroup = 0x08,
	ompt_cancel_activated = 0x10,
	ompt_cancel_detected = 0x20,
	ompt_cancel_discarded_task = 0x40,
} ompt_cancel_flag_t;

/* 19.4.4.28; ompt_state_wait_barrier is 5.0's. */
typedef enum ompt_state_t {
	ompt_state_work_serial = 0x000,
	ompt_state_work_parallel = 0x001,
	ompt_state_work_reduction = 0x002,
	ompt_state_work_free_agent = 0x003, /* 6.0 */
	ompt_state_work_induction = 0x004,  /* 6.0 */
	ompt_state_wait_barrier = 0x010,
	ompt_state_wait_barrier_implicit_parallel = 0x011,
	ompt_state_wait_barrier_implicit_workshare = 0x012,
	ompt_state_wait_barrier_implicit = 0x013,
	ompt_state_wait_barrier_explicit = 0x014,
	ompt_state_wait_barrier_implementation = 0x015,
	ompt_state_wait_barrier_teams = 0x016,
	ompt_state_wait_taskwait = 0x020,
	ompt_state_wait_taskgroup = 0x021,
	ompt_state_wait_mutex = 0x040,
	ompt_state_wait_lock = 0x041,
	ompt_state_wait_critical = 0x042,
	ompt_state_wait_atomic = 0x043,
	ompt_state_wait_ordered = 0x044,
	ompt_state_wait_target = 0x080,
	ompt_state_wait_target_map = 0x081,
	ompt_state_wait_target_update = 0x082,
	ompt_state_idle = 0x100,
	ompt_state_overhead = 0x101,
	ompt_state_undefined = 0x102,
} ompt_state_t;

/* 19.4.4.23, with 6.0's inoutset */
typedef enum ompt_dependence_type_t {
	ompt_dependence_type_in = 1,
	ompt_dependence_type_out = 2,
	ompt_dependence_type_inout = 3,
	ompt_dependence_type_mutexinoutset = 4,
	ompt_dependence_type_source = 5,
	ompt_dependence_type_sink = 6,
	ompt_dependence_type_inoutset = 7,
	ompt_dependence_type_out_all_memory = 34,   /* 6.0 */
	ompt_dependence_type_inout_all_memory = 35, /* 6.0 */
} ompt_dependence_type_t;

/* 19.4.4.25 */
typedef struct ompt_dependence_t {
	ompt_data_t variable;
	ompt_dependence_type_t dependence_type;
} ompt_dependence_t;

/* ---- the runtime calls the tool ------------------------------------------- */

/* 19.4.2.1: the events that we use. */
typedef enum ompt_callbacks_t {
	ompt_callback_thread_begin = 1,
	ompt_callback_parallel_begin = 3,
	ompt_callback_parallel_end = 4,
	ompt_callback_task_create = 5,
	ompt_callback_task_schedule = 6,
	ompt_callback_implicit_task = 7,
	ompt_callback_target = 8,
	ompt_callback_target_data_op = 9,
	ompt_callback_target_submit = 10,
	ompt_callback_control_tool = 11,
	ompt_callback_device_initialize = 12,
	ompt_callback_device_finalize = 13,
	ompt_callback_sync_region_wait = 16,
	ompt_callback_mutex_released = 17,
	ompt_callback_dependences = 18,
	ompt_callback_work = 20,
	ompt_callback_masked = 21,
	ompt_callback_target_map = 22,
	ompt_callback_sync_region = 23,
	ompt_callback_lock_init = 24,
	ompt_callback_mutex_acquire = 26,
	ompt_callback_mutex_acquired = 27,
	ompt_callback_nest_lock = 28,
	ompt_callback_cancel = 30,
	ompt_callback_dispatch = 32,
	ompt_callback_target_emi = 33,
	ompt_callback_target_data_op_emi = 34,
	ompt_callback_target_submit_emi = 35,
	ompt_callback_target_map_emi = 36,
} ompt_callbacks_t;

/* 19.4.4.1: one of the functions below, until it is cast back. */
typedef void (*ompt_callback_t)(void);

/* 19.5.2.1 to 19.5.2.16 and 19.5.2.29. `call' is the return address of the program's
   call into the runtime. */
typedef void (*ompt_callback_thread_begin_t)(ompt_thread_t kind, ompt_data_t *thread);
typedef void (*ompt_callback_parallel_begin_t)(ompt_data_t *encountering, const ompt_frame_t *frame,
					       ompt_data_t *parallel, unsigned int requested,
					       int flags, const void *call);
typedef void (*ompt_callback_parallel_end_t)(ompt_data_t *parallel, ompt_data_t *encountering,
					     int flags, const void *call);
typedef void (*ompt_callback_work_t)(ompt_work_t kind, ompt_scope_endpoint_t endpoint,
				     ompt_data_t *parallel, ompt_data_t *task, uint64_t count,
				     const void *call);
typedef void (*ompt_callback_task_create_t)(ompt_data_t *encountering, const ompt_frame_t *frame,
					    ompt_data_t *created, int flags, int has_dependences,
					    const void *call);
typedef void (*ompt_callback_task_schedule_t)(ompt_data_t *prior, ompt_task_status_t status,
					      ompt_data_t *next);
typedef void (*ompt_callback_implicit_task_t)(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
					      ompt_data_t *task, unsigned int team,
					      unsigned int index, int flags);
typedef void (*ompt_callback_masked_t)(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
				       ompt_data_t *task, const void *call);
typedef void (*ompt_callback_sync_region_t)(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
					    ompt_data_t *parallel, ompt_data_t *task,
					    const void *call);
typedef void (*ompt_callback_mutex_acquire_t)(ompt_mutex_t kind, unsigned int hint,
					      unsigned int impl, ompt_wait_id_t wait_id,
					      const void *call);
typedef void (*ompt_callback_mutex_t)(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *call);
typedef void (*ompt_callback_nest_lock_t)(ompt_scope_endpoint_t endpoint, ompt_wait_id_t wait_id,
					  const void *call);
typedef void (*ompt_callback_dependences_t)(ompt_data_t *task, const ompt_dependence_t *all, int n);
typedef void (*ompt_callback_dispatch_t)(ompt_data_t *parallel, ompt_data_t *task,
					 ompt_dispatch_t kind, ompt_data_t instance);
typedef void (*ompt_callback_cancel_t)(ompt_data_t *task, int flags, const void *call);
typedef int (*ompt_callback_control_tool_t)(uint64_t command, uint64_t modifier, void *arg,
					    const void *call);

/* 19.5.2.17 to 19.5.2.28: what is offloaded.  The forms without emi have numbers in the place of
   data, and what they report of operations has no end. */
typedef uint64_t ompt_id_t;
typedef void (*ompt_callback_target_emi_t)(ompt_target_t kind, ompt_scope_endpoint_t endpoint,
					   int device, ompt_data_t *task, ompt_data_t *target_task,
					   ompt_data_t *target, const void *call);
typedef void (*ompt_callback_target_t)(ompt_target_t kind, ompt_scope_endpoint_t endpoint,
				       int device, ompt_data_t *task, ompt_id_t target,
				       const void *call);
typedef void (*ompt_callback_target_data_op_emi_t)(ompt_scope_endpoint_t endpoint,
						   ompt_data_t *target_task, ompt_data_t *target,
						   ompt_id_t *operation, ompt_target_data_op_t kind,
						   void *from, int from_device, void *to,
						   int to_device, size_t bytes, const void *call);
typedef void (*ompt_callback_target_data_op_t)(ompt_id_t target, ompt_id_t operation,
					       ompt_target_data_op_t kind, void *from,
					       int from_device, void *to, int to_device,
					       size_t bytes, const void *call);
typedef void (*ompt_callback_target_submit_emi_t)(ompt_scope_endpoint_t endpoint,
						  ompt_data_t *target, ompt_id_t *operation,
						  unsigned int teams);
typedef void (*ompt_callback_target_submit_t)(ompt_id_t target, ompt_id_t operation,
					      unsigned int teams);
typedef void (*ompt_callback_target_map_emi_t)(ompt_data_t *target, unsigned int n, void **host,
					       void **device, size_t *bytes, unsigned int *flags,
					       const void *call);
typedef void (*ompt_callback_target_map_t)(ompt_id_t target, unsigned int n, void **host,
					   void **device, size_t *bytes, unsigned int *flags,
					   const void *call);

/* ---- the tool calls the runtime ------------------------------------------- */

/* 19.4.4.2: whether the runtime makes the calls of an event. */
typedef enum ompt_set_result_t {
	ompt_set_error = 0,
	ompt_set_never = 1,
	ompt_set_impossible = 2,
	ompt_set_sometimes = 3,
	ompt_set_sometimes_paired = 4,
	ompt_set_always = 5,
} ompt_set_result_t;

/* 19.6.1.3 */
typedef ompt_set_result_t (*ompt_set_callback_t)(ompt_callbacks_t event, ompt_callback_t function);

/* 19.6.1.12 to 19.6.1.14: safe in signal handlers. */
typedef int (*ompt_get_state_t)(ompt_wait_id_t *wait_id);
typedef int (*ompt_get_task_info_t)(int ancestor, int *flags, ompt_data_t **task,
				    ompt_frame_t **frame, ompt_data_t **parallel, int *number);
typedef int (*ompt_get_parallel_info_t)(int ancestor, ompt_data_t **parallel, int *threads);

/* 19.6.3: finds the above by name. */
typedef void (*ompt_interface_fn_t)(void);
typedef ompt_interface_fn_t (*ompt_function_lookup_t)(const char *name);
typedef int (*ompt_enumerate_states_t)(int current_state, int *next_state, const char **next_name);

/* ---- a device ---------------------------------------------------------------- */

typedef void ompt_device_t;
typedef void ompt_buffer_t;
typedef uint64_t ompt_buffer_cursor_t, ompt_device_time_t, ompt_hwid_t;

/* 19.5.2.19, 19.5.2.20; lookup finds the functions below, or is NULL. */
typedef void (*ompt_callback_device_initialize_t)(int number, const char *type,
						  ompt_device_t *device,
						  ompt_function_lookup_t lookup,
						  const char *documentation);
typedef void (*ompt_callback_device_finalize_t)(int number);

/* 19.5.2.23, 19.5.2.24: on any thread. */
typedef void (*ompt_callback_buffer_request_t)(int number, ompt_buffer_t **buffer, size_t *bytes);
typedef void (*ompt_callback_buffer_complete_t)(int number, ompt_buffer_t *buffer, size_t bytes,
						ompt_buffer_cursor_t begin, int owned);

/* 19.4.3.1 to 19.4.3.3 */
typedef enum ompt_record_t {
	ompt_record_ompt = 1,
	ompt_record_native = 2,
	ompt_record_invalid = 3,
} ompt_record_t;

typedef struct ompt_record_target_data_op_t {
	ompt_id_t operation;
	ompt_target_data_op_t kind;
	void *from;
	int from_device;
	void *to;
	int to_device;
	size_t bytes;
	ompt_device_time_t end;
	const void *call;
} ompt_record_target_data_op_t;

typedef struct ompt_record_target_kernel_t {
	ompt_id_t operation;
	unsigned int requested, granted; /* teams */
	ompt_device_time_t end;
} ompt_record_target_kernel_t;

typedef struct ompt_record_ompt_t {
	ompt_callbacks_t type;
	ompt_device_time_t time;
	ompt_id_t thread, target;
	union {
		ompt_record_target_data_op_t data_op;
		ompt_record_target_kernel_t kernel;
	} record; /* and others, which we do not ask for */
} ompt_record_ompt_t;

typedef struct ompt_record_abstract_t {
	int kind;
	const char *type;
	ompt_device_time_t begin, end;
	ompt_hwid_t hardware;
} ompt_record_abstract_t;

/* 19.6.2 */
typedef ompt_set_result_t (*ompt_set_trace_ompt_t)(ompt_device_t *device, unsigned int enable,
						   unsigned int event);
typedef ompt_set_result_t (*ompt_set_trace_native_t)(ompt_device_t *device, int enable, int flags);
typedef int (*ompt_start_trace_t)(ompt_device_t *device, ompt_callback_buffer_request_t request,
				  ompt_callback_buffer_complete_t complete);
typedef int (*ompt_stop_trace_t)(ompt_device_t *device);
typedef double (*ompt_translate_time_t)(ompt_device_t *device, ompt_device_time_t time);
typedef int (*ompt_advance_buffer_cursor_t)(ompt_device_t *device, ompt_buffer_t *buffer,
					    size_t bytes, ompt_buffer_cursor_t current,
					    ompt_buffer_cursor_t *next);
typedef ompt_record_t (*ompt_get_record_type_t)(ompt_buffer_t *buffer,
						ompt_buffer_cursor_t current);
typedef ompt_record_ompt_t *(*ompt_get_record_ompt_t)(ompt_buffer_t *buffer,
						      ompt_buffer_cursor_t current);
typedef void *(*ompt_get_record_native_t)(ompt_buffer_t *buffer, ompt_buffer_cursor_t current,
					  ompt_id_t *operation);
typedef ompt_record_abstract_t *(*ompt_get_record_abstract_t)(void *native);

/* ---- life ----------------------------------------------------------------- */

/* 19.5.1.1, 19.5.1.2 */
typedef int (*ompt_initialize_t)(ompt_function_lookup_t lookup, int device, ompt_data_t *tool);
typedef void (*ompt_finalize_t)(ompt_data_t *tool);

/* 19.4.1: what ompt_start_tool (19.2.1) returns. */
typedef struct ompt_start_tool_result_t {
	ompt_initialize_t initialize;
	ompt_finalize_t finalize;
	ompt_data_t tool_data;
} ompt_start_tool_result_t;

#endif
