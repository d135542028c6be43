/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verdict.c - what a thread was doing: the order in which evidence decides.
 *
 * What entry points mean is in src/toolchain.
 */
#include "config.h"

#include "src/view/build/verdict.h"

#include <stddef.h>
#include <string.h>

#include "src/toolchain/states.h"
#include "src/toolchain/toolchain.h"

/* The meaning of a state if no rule applies. */
static const struct leaf_verdict by_state[PROF_STATES] = {
	[PROF_STATE_NO_OPENMP] = { LEAF_OUTSIDE, OMP_WORK },
	[PROF_STATE_SERIAL] = { LEAF_SERIAL, OMP_WORK },
	[PROF_STATE_PARALLEL] = { LEAF_PARALLEL, OMP_WORK },
	[PROF_STATE_UNDEFINED] = { LEAF_UNDEFINED, OMP_WORK },
	[PROF_STATE_REDUCTION] = { LEAF_REDUCTION, OMP_WORK },
	[PROF_STATE_IDLE] = { LEAF_IDLE, OMP_WAIT },
	[PROF_STATE_OVERHEAD] = { LEAF_OVERHEAD, OMP_OVERHEAD },
	[PROF_STATE_BARRIER] = { LEAF_IMPLICIT_BARRIER, OMP_WAIT },
	[PROF_STATE_BARRIER_IMPLICIT] = { LEAF_IMPLICIT_BARRIER, OMP_WAIT },
	[PROF_STATE_BARRIER_WORKSHARE] = { LEAF_IMPLICIT_BARRIER, OMP_WAIT },
	[PROF_STATE_BARRIER_EXPLICIT] = { LEAF_EXPLICIT_BARRIER, OMP_WAIT },
	[PROF_STATE_BARRIER_IMPL] = { LEAF_IMPLICIT_BARRIER, OMP_WAIT },
	[PROF_STATE_BARRIER_TEAMS] = { LEAF_IMPLICIT_BARRIER, OMP_WAIT },
	[PROF_STATE_TASKWAIT] = { LEAF_TASKWAIT, OMP_WAIT },
	[PROF_STATE_TASKGROUP] = { LEAF_TASKGROUP, OMP_WAIT },
	[PROF_STATE_MUTEX] = { LEAF_LOCK, OMP_WAIT },
	[PROF_STATE_LOCK] = { LEAF_LOCK, OMP_WAIT },
	[PROF_STATE_CRITICAL] = { LEAF_CRITICAL, OMP_WAIT },
	[PROF_STATE_ATOMIC] = { LEAF_ATOMIC, OMP_WAIT },
	[PROF_STATE_ORDERED] = { LEAF_ORDERED, OMP_WAIT },
	[PROF_STATE_TARGET] = { LEAF_TARGET, OMP_WAIT },
};

/* The name of a critical section's or reduction's lock shows what it is. */
static bool leaf_object(const struct leaf_evidence *e, struct leaf_verdict *v)
{
	if (!e->object || !(LOCKS & UINT32_C(1) << e->state))
		return false;
	if (toolchain_is_reduction(e->object))
		*v = (struct leaf_verdict){ LEAF_REDUCTION, OMP_WAIT };
	else if (toolchain_is_critical(e->object))
		*v = (struct leaf_verdict){ LEAF_CRITICAL, OMP_WAIT };
	else
		return false;
	return true;
}

/* For code in the runtime, if state and entry point decide nothing. */
static struct leaf_verdict leaf_of_runtime(const struct leaf_evidence *e)
{
	const struct leaf_verdict idle = { LEAF_IDLE, OMP_WAIT };
	const struct leaf_verdict fork = { LEAF_FORK_JOIN, OMP_OVERHEAD };
	const struct leaf_verdict overhead = { LEAF_OVERHEAD, OMP_OVERHEAD };

	/* In a runtime without OMPT: a pool thread between regions. */
	if (e->state == PROF_STATE_NO_OPENMP && e->no_user_frames)
		return idle;
	return toolchain_entry(e->entry)->flags & ENTRY_FORK || e->bodiless ? fork : overhead;
}

/* For user code that was called by the runtime, in a state of the runtime. */
static struct leaf_verdict leaf_of_callback(const struct leaf_evidence *e)
{
	const struct leaf_verdict work = { LEAF_PARALLEL, OMP_WORK };
	const struct leaf_verdict reduction = { LEAF_REDUCTION, OMP_WORK };
	struct leaf_verdict v;

	if (e->helper && toolchain_rule(e->entry, PROF_STATE_REDUCTION, &v) &&
	    v.leaf == LEAF_REDUCTION)
		return reduction;
	if (BUSY & UINT32_C(1) << e->state && e->state != PROF_STATE_OVERHEAD &&
	    e->state != PROF_STATE_NO_OPENMP)
		return by_state[e->state];
	return work;
}

/* Whether the thread is, awake, in a function of the C library that does nothing but get a lock:
   what it takes there is a wait for others, if there are any. */
static bool leaf_gets_lock(const struct leaf_evidence *e)
{
	static const char *const names[] = {
		"pthread_spin_lock",
		"pthread_mutex_lock",
		"pthread_mutex_timedlock",
		"pthread_mutex_clocklock",
		"pthread_rwlock_rdlock",
		"pthread_rwlock_wrlock",
		"mtx_lock",
	};

	for (size_t i = 0; e->library && i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(e->library, names[i]))
			return !e->alone && !e->asleep && !e->ready;
	return false;
}

static struct leaf_verdict leaf_awake(const struct leaf_evidence *e)
{
	uint32_t state = UINT32_C(1) << e->state;
	struct leaf_verdict v;

	/* The OpenMP runtime does not know of MPI: its state is that of the caller's code. */
	if (e->in_mpi)
		return e->mpi_thread ? (struct leaf_verdict){ LEAF_MPI_THREAD, OMP_WAIT } :
				       (struct leaf_verdict){ LEAF_MPI, OMP_MPI };
	if (e->state == PROF_STATE_IDLE)
		return by_state[PROF_STATE_IDLE];
	if (e->callback)
		return leaf_of_callback(e);
	/* A plugin that offloads to the host runs user code in the runtime's overhead state. */
	if (!e->in_runtime && e->users && e->state == PROF_STATE_OVERHEAD)
		return by_state[PROF_STATE_PARALLEL];
	if (!e->in_runtime && by_state[e->state].class == OMP_WORK && leaf_gets_lock(e))
		return by_state[PROF_STATE_LOCK];
	if (!e->in_runtime)
		return by_state[e->state];
	if ((toolchain_entry(e->entry)->gnu == GNU_BARRIER ? BARRIERS | NONE : VAGUE | NONE) &
		    state &&
	    e->barrier != BARRIER_UNKNOWN)
		return by_state[e->barrier == BARRIER_EXPLICIT ? PROF_STATE_BARRIER_EXPLICIT :
								 PROF_STATE_BARRIER_IMPLICIT];
	if (leaf_object(e, &v))
		return v;
	/* An entry point that consists of others: GOMP_taskloop ends in a taskgroup. */
	if (toolchain_rule(e->inner, e->state, &v) && v.class == OMP_WAIT)
		return v;
	if (toolchain_rule(e->entry, e->state, &v))
		return v;
	if (BUSY & state && e->state != PROF_STATE_REDUCTION)
		return leaf_of_runtime(e);
	return by_state[e->state];
}

/* A thread waits for others there: without any it gets what it asks for. */
static bool leaf_is_mutual(enum omp_leaf leaf)
{
	return leaf == LEAF_LOCK || leaf == LEAF_CRITICAL || leaf == LEAF_ATOMIC ||
	       leaf == LEAF_ORDERED;
}

struct leaf_verdict leaf_decide(const struct leaf_evidence *e)
{
	const struct leaf_verdict v = leaf_awake(e);

	/* On the host it makes teams and threads for the region. */
	if (e->no_device && v.leaf == LEAF_TARGET && e->state != PROF_STATE_TARGET)
		return (struct leaf_verdict){ LEAF_OVERHEAD, OMP_OVERHEAD };
	if (e->alone && !e->asleep && leaf_is_mutual(v.leaf))
		return (struct leaf_verdict){ LEAF_OVERHEAD, OMP_OVERHEAD };
	if (e->ready && (v.class == OMP_WORK || v.class == OMP_OVERHEAD))
		return (struct leaf_verdict){ LEAF_READY, OMP_BLOCKED };
	/* What the runtime and MPI sleep for is theirs; but nobody works asleep. */
	if (!e->asleep || v.class != OMP_WORK)
		return v;
	return e->in_runtime ? (struct leaf_verdict){ v.leaf, OMP_WAIT } :
			       (struct leaf_verdict){ LEAF_BLOCKED, OMP_BLOCKED };
}
