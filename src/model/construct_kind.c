/* SPDX-License-Identifier: BSD-3-Clause */
/* construct_kind.c - names and properties of the kinds of constructs. */
#include "config.h"

#include "src/model/construct_kind.h"

const char *construct_name(enum construct_kind kind)
{
	static const char *const names[CONSTRUCT_KINDS] = {
		[CONSTRUCT_SERIAL] = "(serial)",
		[CONSTRUCT_IDLE] = "(idle)",
		[CONSTRUCT_UNKNOWN] = "(not known)",
		[CONSTRUCT_OUTSIDE] = "(outside OpenMP)",
		[CONSTRUCT_PARALLEL] = "parallel",
		[CONSTRUCT_TEAMS] = "teams",
		[CONSTRUCT_TASK] = "task",
		[CONSTRUCT_FOR] = "for",
		[CONSTRUCT_FOR_STATIC] = "for schedule(static)",
		[CONSTRUCT_FOR_DYNAMIC] = "for schedule(dynamic)",
		[CONSTRUCT_FOR_GUIDED] = "for schedule(guided)",
		[CONSTRUCT_FOR_RUNTIME] = "for schedule(runtime)",
		[CONSTRUCT_FOR_AUTO] = "for schedule(auto)",
		[CONSTRUCT_SECTIONS] = "sections",
		[CONSTRUCT_SINGLE] = "single",
		[CONSTRUCT_WORKSHARE] = "workshare",
		[CONSTRUCT_DISTRIBUTE] = "distribute",
		[CONSTRUCT_TASKLOOP] = "taskloop",
		[CONSTRUCT_SCOPE] = "scope",
		[CONSTRUCT_WORKDISTRIBUTE] = "workdistribute",
		[CONSTRUCT_WORK_OTHER] = "(worksharing of an unknown kind)",
		[CONSTRUCT_MASKED] = "masked",
		[CONSTRUCT_MASTER] = "master",
		[CONSTRUCT_TARGET] = "target",
		[CONSTRUCT_TARGET_ENTER_DATA] = "target enter data",
		[CONSTRUCT_TARGET_EXIT_DATA] = "target exit data",
		[CONSTRUCT_TARGET_UPDATE] = "target update",
		[CONSTRUCT_TARGET_CALL] = "device memory call",
		[CONSTRUCT_CRITICAL] = "critical",
		[CONSTRUCT_ORDERED] = "ordered",
		[CONSTRUCT_ATOMIC] = "atomic",
		[CONSTRUCT_BARRIER] = "barrier",
		[CONSTRUCT_TASKWAIT] = "taskwait",
		[CONSTRUCT_TASKGROUP] = "taskgroup",
		[CONSTRUCT_LOCK] = "lock",
	};

	return kind < CONSTRUCT_KINDS ? names[kind] : "unknown";
}

enum construct_kind construct_of_profile(unsigned kind)
{
	static const unsigned char kinds[] = {
		[PROF_CONSTRUCT_LOOP] = CONSTRUCT_FOR,
		[PROF_CONSTRUCT_SECTIONS] = CONSTRUCT_SECTIONS,
		[PROF_CONSTRUCT_SINGLE] = CONSTRUCT_SINGLE,
		[PROF_CONSTRUCT_SINGLE_OTHER] = CONSTRUCT_SINGLE,
		[PROF_CONSTRUCT_WORKSHARE] = CONSTRUCT_WORKSHARE,
		[PROF_CONSTRUCT_DISTRIBUTE] = CONSTRUCT_DISTRIBUTE,
		[PROF_CONSTRUCT_TASKLOOP] = CONSTRUCT_TASKLOOP,
		[PROF_CONSTRUCT_SCOPE] = CONSTRUCT_SCOPE,
		[PROF_CONSTRUCT_WORKDISTRIBUTE] = CONSTRUCT_WORKDISTRIBUTE,
		[PROF_CONSTRUCT_LOOP_STATIC] = CONSTRUCT_FOR_STATIC,
		[PROF_CONSTRUCT_LOOP_DYNAMIC] = CONSTRUCT_FOR_DYNAMIC,
		[PROF_CONSTRUCT_LOOP_GUIDED] = CONSTRUCT_FOR_GUIDED,
		[PROF_CONSTRUCT_LOOP_OTHER] = CONSTRUCT_FOR,
		[PROF_CONSTRUCT_MASKED] = CONSTRUCT_MASKED,
		[PROF_CONSTRUCT_CRITICAL] = CONSTRUCT_CRITICAL,
		[PROF_CONSTRUCT_ORDERED] = CONSTRUCT_ORDERED,
		[PROF_CONSTRUCT_ATOMIC] = CONSTRUCT_ATOMIC,
		[PROF_CONSTRUCT_LOCK] = CONSTRUCT_LOCK,
		[PROF_CONSTRUCT_BARRIER] = CONSTRUCT_BARRIER,
		[PROF_CONSTRUCT_BARRIER_ANY] = CONSTRUCT_BARRIER,
		[PROF_CONSTRUCT_TASKWAIT] = CONSTRUCT_TASKWAIT,
		[PROF_CONSTRUCT_TASKGROUP] = CONSTRUCT_TASKGROUP,
		[PROF_CONSTRUCT_TARGET] = CONSTRUCT_TARGET,
		[PROF_CONSTRUCT_TARGET_ENTER_DATA] = CONSTRUCT_TARGET_ENTER_DATA,
		[PROF_CONSTRUCT_TARGET_EXIT_DATA] = CONSTRUCT_TARGET_EXIT_DATA,
		[PROF_CONSTRUCT_TARGET_UPDATE] = CONSTRUCT_TARGET_UPDATE,
		[PROF_CONSTRUCT_TARGET_CALL] = CONSTRUCT_TARGET_CALL,
	};

	return kind < sizeof(kinds) && kinds[kind] ? (enum construct_kind)kinds[kind] :
						     CONSTRUCT_WORK_OTHER;
}

enum construct_kind construct_of_leaf(enum omp_leaf leaf)
{
	static const unsigned char kinds[LEAFS] = {
		[LEAF_EXPLICIT_BARRIER] = CONSTRUCT_BARRIER,
		[LEAF_BARRIER] = CONSTRUCT_BARRIER,
		[LEAF_CRITICAL] = CONSTRUCT_CRITICAL,
		[LEAF_ORDERED] = CONSTRUCT_ORDERED,
		[LEAF_ATOMIC] = CONSTRUCT_ATOMIC,
		[LEAF_LOCK] = CONSTRUCT_LOCK,
		[LEAF_TASKWAIT] = CONSTRUCT_TASKWAIT,
		[LEAF_TASKGROUP] = CONSTRUCT_TASKGROUP,
		[LEAF_DEPEND] = CONSTRUCT_TASKWAIT,
		[LEAF_DOACROSS] = CONSTRUCT_ORDERED,
		[LEAF_TARGET] = CONSTRUCT_TARGET,
		[LEAF_TASK_CREATION] = CONSTRUCT_TASK,
	};

	return leaf < LEAFS && kinds[leaf] ? (enum construct_kind)kinds[leaf] : CONSTRUCT_SPECIALS;
}

bool construct_is_loop(enum construct_kind kind)
{
	return kind >= CONSTRUCT_FOR && kind <= CONSTRUCT_FOR_AUTO;
}

bool construct_is_point(enum construct_kind kind)
{
	return kind == CONSTRUCT_BARRIER || kind == CONSTRUCT_TASKWAIT || kind == CONSTRUCT_LOCK;
}

bool construct_synchronises(enum construct_kind kind)
{
	return kind >= CONSTRUCT_CRITICAL;
}

bool construct_is_target(enum construct_kind kind)
{
	return kind >= CONSTRUCT_TARGET && kind <= CONSTRUCT_TARGET_CALL;
}

const char *device_operation_name(unsigned operation)
{
	static const char *const names[] = {
		[PROF_DEVICE_ALLOC] = "alloc",
		[PROF_DEVICE_TO] = "to",
		[PROF_DEVICE_FROM] = "from",
		[PROF_DEVICE_DELETE] = "delete",
		[PROF_DEVICE_ASSOCIATE] = "associate",
		[PROF_DEVICE_DISASSOCIATE] = "disassociate",
		[PROF_DEVICE_TRANSFER] = "transfer",
		[PROF_DEVICE_MEMSET] = "memset",
		[PROF_DEVICE_TRANSFER_RECT] = "rectangle",
		[PROF_DEVICE_KERNEL] = "kernel",
		[PROF_DEVICE_MAP] = "map",
	};

	return operation < sizeof(names) / sizeof(*names) && names[operation] ? names[operation] :
										"unknown";
}

bool construct_ends_in_barrier(enum construct_kind kind)
{
	return kind >= CONSTRUCT_FOR && kind <= CONSTRUCT_SCOPE && kind != CONSTRUCT_TASKLOOP;
}
