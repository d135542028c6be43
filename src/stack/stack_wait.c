/* SPDX-License-Identifier: BSD-3-Clause */
/* stack_wait.c - see stack_look.h. */
#include "config.h"

#include "src/stack/stack_look.h"

#include <inttypes.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "src/answers/ask.h"
#include "src/base/alloc.h"
#include "src/stack/stack_profile.h"
#include "src/symbols/symbols.h"
#include "src/toolchain/toolchain.h"
#include "src/view/view.h"

enum {
	FRAMES_ASKED = 8, /* of the C library, from the innermost one on */
	OWNER_WORD = 2,	  /* of glibc's pthread_mutex_t: __data.__owner */
};

/* ---- the C library's functions --------------------------------------------------------- */

static const struct call {
	const char *name; /* as toolchain_matches() */
	enum stack_wait wait;
	const char *what;
} calls[] = {
	{ "pthread_mutex_lock", STACK_LOCK, "mutex" },
	{ "pthread_mutex_timedlock", STACK_LOCK, "mutex" },
	{ "pthread_mutex_clocklock", STACK_LOCK, "mutex" },
	{ "mtx_lock", STACK_LOCK, "mutex" },
	{ "mtx_timedlock", STACK_LOCK, "mutex" },
	{ "pthread_spin_lock", STACK_LOCK, "spin lock" },
	{ "pthread_rwlock_*", STACK_LOCK, "read-write lock" },
	{ "pthread_join", STACK_THREAD, "thread" },
	{ "pthread_timedjoin_np", STACK_THREAD, "thread" },
	{ "pthread_clockjoin_np", STACK_THREAD, "thread" },
	{ "thrd_join", STACK_THREAD, "thread" },
	{ "pthread_cond_*", STACK_CONDITION, "condition variable" },
	{ "cnd_*", STACK_CONDITION, "condition variable" },
	{ "pthread_barrier_wait", STACK_CONDITION, "pthread barrier" },
};

static const struct call *call_named(const char *name)
{
	for (size_t c = 0; name && c < sizeof(calls) / sizeof(*calls); c++)
		if (toolchain_matches(calls[c].name, name))
			return &calls[c];
	return NULL;
}

/* What the innermost function waits for that is known, among the C library's; or the one that
   the program called.  NULL: not known. */
static const struct call *stack_wait_call_of(const struct stack_look *l, size_t i)
{
	const struct stack_thread *t = &l->process.threads[i];
	const struct view_record *r = &l->view->records[i];
	const struct call *call = NULL;

	for (size_t k = 0; k < t->nframes && k < FRAMES_ASKED && !call; k++) {
		const struct stack_frame *f = &t->frames[k];
		const struct sym_location *at;
		const struct sym_function *of;

		if (k && !stack_profile_is_system(l->file, f->pc))
			break;
		at = ask(&l->lookup.resolver, l->file, QUERY_RESOLVE,
			 stack_profile_location(l->file, f->pc), f->exact)
			     .location;
		of = at ? at->frames[at->nframes - 1].function : NULL;
		call = of ? call_named(of->linkage ? of->linkage : of->name) : NULL;
	}
	return call ? call : r->leaf == LEAF_BLOCKED ? call_named(r->object) : NULL;
}

/* ---- futexes ----------------------------------------------------------------------------- */

static int futex_operation(const struct stack_thread *t)
{
	return t->asleep && t->call == SYS_futex ? (int)(t->args[1] & FUTEX_CMD_MASK) : -1;
}

static bool futex_inherits(const struct stack_thread *t)
{
	const int operation = futex_operation(t);

	return operation == FUTEX_LOCK_PI || operation == 13; /* FUTEX_LOCK_PI2 */
}

/* Whether the thread sleeps until another one wakes it, and none has. */
static bool is_firm(const struct stack_thread *t)
{
	const int operation = futex_operation(t);

	if (t->args[3] || !t->futex_words)
		return false;
	if (operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET)
		return t->futex[0] == (uint32_t)t->args[2];
	return futex_inherits(t);
}

/* The thread of the process with that number in its own namespace; 0: none. */
static pid_t thread_of(const struct stack_look *l, uint32_t inner)
{
	for (size_t i = 0; inner && i < l->process.nthreads; i++)
		if ((uint32_t)l->process.threads[i].inner == inner)
			return l->process.threads[i].tid;
	return 0;
}

static pid_t owner_of(const struct stack_look *l, const struct stack_thread *t,
		      const struct call *call)
{
	if (futex_inherits(t))
		return thread_of(l, t->futex_words ? t->futex[0] & FUTEX_TID_MASK : 0);
	if (futex_operation(t) < 0 || !call || !is_firm(t))
		return 0;
	if (call->wait == STACK_THREAD)
		return thread_of(l, t->futex[0]);
	return !strcmp(call->what, "mutex") && t->futex_words > OWNER_WORD ?
		       thread_of(l, t->futex[OWNER_WORD]) :
		       0;
}

/* The name of what lies at the futex, or its address. */
static char *stack_wait_object_of(const struct stack_look *l, const struct stack_thread *t)
{
	const uint64_t at = t->args[0];
	const char *name;

	if (futex_operation(t) < 0)
		return NULL;
	name = ask(&l->lookup.resolver, l->file, QUERY_OBJECT, stack_profile_location(l->file, at),
		   true)
		       .text;
	return name ? alloc_text(name) : alloc_printf("0x%" PRIx64, at);
}

/* ---- in words ------------------------------------------------------------------------------ */

static enum stack_wait wait_of_leaf(const struct view *v, const struct view_record *r)
{
	const struct toolchain_entry *entry = v->names.functions[r->entry].entry;

	switch ((enum omp_leaf)r->leaf) {
	case LEAF_IDLE: return STACK_IDLE;
	case LEAF_LOCK:
	case LEAF_CRITICAL:
	case LEAF_ORDERED:
	case LEAF_ATOMIC: return STACK_LOCK;
	case LEAF_TASKWAIT:
	case LEAF_TASKGROUP:
	case LEAF_DEPEND:
	case LEAF_DOACROSS: return STACK_TASKS;
	case LEAF_REDUCTION:
	case LEAF_IMPLICIT_BARRIER:
	case LEAF_EXPLICIT_BARRIER:
	case LEAF_BARRIER: return entry && entry->flags & ENTRY_FORK ? STACK_END : STACK_BARRIER;
	case LEAF_MPI:
	case LEAF_MPI_THREAD:
	case LEAF_TARGET: return STACK_CALL;
	default: return STACK_RUNS;
	}
}

/* What is behind "waits". */
static const char *words_of_leaf(enum omp_leaf leaf, const char *object)
{
	switch (leaf) {
	case LEAF_LOCK: return object ? "for the lock" : "for a lock";
	case LEAF_CRITICAL: return object ? "for the critical section" : "for a critical section";
	case LEAF_ORDERED: return "for its turn in an ordered region";
	case LEAF_ATOMIC: return "for the lock of an atomic update";
	case LEAF_TASKWAIT: return "for its child tasks (taskwait)";
	case LEAF_TASKGROUP: return "for the tasks of its taskgroup";
	case LEAF_DEPEND: return "for the tasks that it depends on";
	case LEAF_DOACROSS: return "for other iterations of an ordered loop";
	case LEAF_REDUCTION: return "for others at a reduction";
	case LEAF_IMPLICIT_BARRIER: return "at the implicit barrier of a construct";
	case LEAF_EXPLICIT_BARRIER:
	case LEAF_BARRIER: return "at a barrier";
	case LEAF_TARGET: return "for a device";
	default: return "in the OpenMP runtime";
	}
}

static char *words_of_holder(const struct stack_row *row)
{
	if (row->wait != STACK_LOCK)
		return NULL;
	if (!row->owner)
		return alloc_text("its holder is not recorded");
	return row->owner == row->tid ? alloc_text("held by itself") :
					alloc_printf("held by thread %d", (int)row->owner);
}

static char *words_of(const char *what, const char *object)
{
	return alloc_printf("waits %s%s%s", what, object ? " " : "", object ? object : "");
}

/* In the OpenMP runtime, or in MPI. */
static char *words_of_openmp(const struct stack_row *row, const struct view_record *r,
			     const char *object)
{
	if (row->wait == STACK_IDLE)
		return alloc_text("idle, or at the end of a region");
	if (row->wait == STACK_END)
		return alloc_text("waits at the end of the region that it began");
	if (r->leaf == LEAF_MPI || r->leaf == LEAF_MPI_THREAD)
		return alloc_printf("in MPI (%s)", r->object ? r->object : "a thread of its own");
	return words_of(words_of_leaf((enum omp_leaf)r->leaf, object), object);
}

static char *words_of_call(const struct stack_row *row, const struct call *call, const char *object)
{
	char what[64];

	if (call->wait == STACK_THREAD && !row->owner)
		return alloc_text("waits for the end of a thread");
	if (call->wait == STACK_THREAD)
		return alloc_printf("waits for the end of thread %d", (int)row->owner);
	snprintf(what, sizeof(what), "for the %s", call->what);
	return words_of(what, object);
}

void stack_wait(struct stack_look *l, size_t i)
{
	const struct stack_thread *t = &l->process.threads[i];
	const struct view_record *r = &l->view->records[i];
	struct stack_shown *s = &l->shown[i];
	struct stack_row *row = &l->rows[i];

	row->firm = is_firm(t);
	row->wait = (uint8_t)wait_of_leaf(l->view, r);
	if (!t->stopped && !t->delicate) {
		row->wait = STACK_CALL;
		s->waits = alloc_text("in the kernel, and did not stop");
	} else if (row->wait == STACK_RUNS) {
		/* A thread that is neither in OpenMP nor in MPI. */
		const struct call *call = t->asleep ? stack_wait_call_of(l, i) : NULL;

		if (call) {
			row->wait = call->wait;
			row->owner = owner_of(l, t, call);
			s->object = call->wait == STACK_THREAD ? NULL : stack_wait_object_of(l, t);
			s->waits = words_of_call(row, call, s->object);
		} else if (t->asleep && (r->class == OMP_WAIT || r->class == OMP_OVERHEAD)) {
			row->wait = STACK_CONDITION;
			s->waits = words_of_openmp(row, r, NULL);
		} else if (t->asleep) {
			row->wait = STACK_CALL;
			s->waits = r->leaf == LEAF_BLOCKED && r->object ?
					   alloc_printf("sleeps in %s", r->object) :
					   alloc_printf("sleeps in system call %ld", t->call);
		} else {
			s->waits = alloc_text(
				r->class == OMP_OVERHEAD ? "runs in the OpenMP runtime" : "runs");
		}
	} else {
		if (r->object)
			s->object = alloc_text(r->object);
		else if (row->wait == STACK_LOCK)
			s->object = stack_wait_object_of(l, t);
		s->waits = words_of_openmp(row, r, s->object);
	}
	s->holder = words_of_holder(row);
}
