/*
 * leaf.c - rules, in order: the first one that matches decides.
 *
 * The rules name the entry points of libomp and libgomp.  libomp also provides libgomp's,
 * possibly as __kmp_api_GOMP_…, and libomphwc-gomp.so wraps libgomp's in on_GOMP_…: these
 * prefixes are removed first.
 */
#include "config.h"

#include "src/model/leaf.h"

#include <string.h>

#define S(state) (UINT32_C(1) << PROF_STATE_##state)

/* States in which the runtime reports work or nothing: only the entry point tells more. */
#define BUSY (S(NO_OPENMP) | S(SERIAL) | S(PARALLEL) | S(REDUCTION) | S(OVERHEAD) | S(UNDEFINED))
#define BARRIERS \
	(S(BARRIER) | S(BARRIER_IMPLICIT) | S(BARRIER_WORKSHARE) | S(BARRIER_EXPLICIT) | \
	 S(BARRIER_IMPL) | S(BARRIER_TEAMS))
/* Barriers whose kind the state does not tell. */
#define VAGUE (S(BARRIER) | S(BARRIER_IMPL))
#define LOCKS (S(MUTEX) | S(LOCK) | S(CRITICAL) | S(ATOMIC) | S(ORDERED))
/* Without OMPT there is no state. */
#define NONE S(NO_OPENMP)
#define ANY UINT32_MAX

struct leaf_rule {
	const char *entry; /* a function name, or a prefix of names: prefix* */
	uint32_t states;
	struct leaf_verdict is;
};

static const struct leaf_rule rules[] = {
	{ "__kmpc_reduce*", BARRIERS | LOCKS | NONE, { LEAF_REDUCTION, OMP_WAIT } },
	{ "__kmpc_end_reduce*", BARRIERS | LOCKS | NONE, { LEAF_REDUCTION, OMP_WAIT } },
	{ "__kmpc_reduce*", ANY, { LEAF_REDUCTION, OMP_WORK } },
	{ "__kmpc_end_reduce*", ANY, { LEAF_REDUCTION, OMP_WORK } },

	/* gcc also ends loops and single so: the code of the call may tell. */
	{ "GOMP_barrier*", BARRIERS | NONE, { LEAF_BARRIER, OMP_WAIT } },
	{ "GOMP_loop_end_nowait", ANY, { LEAF_DISPATCH, OMP_OVERHEAD } },
	{ "GOMP_sections_end_nowait", ANY, { LEAF_DISPATCH, OMP_OVERHEAD } },
	{ "GOMP_loop_end*", BARRIERS | NONE, { LEAF_IMPLICIT_BARRIER, OMP_WAIT } },
	{ "GOMP_sections_end*", BARRIERS | NONE, { LEAF_IMPLICIT_BARRIER, OMP_WAIT } },
	{ "GOMP_single_copy*", BARRIERS | NONE, { LEAF_IMPLICIT_BARRIER, OMP_WAIT } },
	{ "GOMP_workshare_task_reduction*", BARRIERS | NONE, { LEAF_IMPLICIT_BARRIER, OMP_WAIT } },
	/* The frame that called GOMP_barrier is gone with a tail call. */
	{ "GOMP_*", S(BARRIER_EXPLICIT), { LEAF_BARRIER, OMP_WAIT } },
	{ "__kmpc_copyprivate", BARRIERS, { LEAF_IMPLICIT_BARRIER, OMP_WAIT } },

	/* libomp tells no state while it waits for a lock of another kind than queuing:
	   KMP_LOCK_KIND, omp_sync_hint_uncontended. */
	{ "__kmpc_critical*", LOCKS | BUSY, { LEAF_CRITICAL, OMP_WAIT } },
	{ "GOMP_critical_start", LOCKS | BUSY, { LEAF_CRITICAL, OMP_WAIT } },
	{ "GOMP_critical_name_start", LOCKS | BUSY, { LEAF_CRITICAL, OMP_WAIT } },
	{ "GOMP_atomic_start", LOCKS | BUSY, { LEAF_ATOMIC, OMP_WAIT } },
	{ "__kmpc_atomic_*", LOCKS | BUSY, { LEAF_ATOMIC, OMP_WAIT } },
	{ "__kmpc_ordered*", LOCKS | BUSY, { LEAF_ORDERED, OMP_WAIT } },
	{ "GOMP_ordered_start", LOCKS | BUSY, { LEAF_ORDERED, OMP_WAIT } },
	{ "omp_set_lock*", LOCKS | BUSY, { LEAF_LOCK, OMP_WAIT } },
	{ "omp_set_nest_lock*", LOCKS | BUSY, { LEAF_LOCK, OMP_WAIT } },
	{ "__kmpc_set_lock*", LOCKS | BUSY, { LEAF_LOCK, OMP_WAIT } },
	{ "__kmpc_set_nest_lock*", LOCKS | BUSY, { LEAF_LOCK, OMP_WAIT } },

	{ "__kmpc_omp_taskwait_deps*", BUSY, { LEAF_DEPEND, OMP_WAIT } },
	{ "__kmpc_omp_wait_deps", BUSY, { LEAF_DEPEND, OMP_WAIT } },
	{ "GOMP_taskwait_depend*", BUSY | S(TASKWAIT), { LEAF_DEPEND, OMP_WAIT } },
	{ "__kmpc_omp_taskwait*", BUSY, { LEAF_TASKWAIT, OMP_WAIT } },
	{ "GOMP_taskwait", BUSY, { LEAF_TASKWAIT, OMP_WAIT } },
	{ "__kmpc_end_taskgroup", BUSY, { LEAF_TASKGROUP, OMP_WAIT } },
	{ "GOMP_taskgroup_end", BUSY, { LEAF_TASKGROUP, OMP_WAIT } },
	{ "__kmpc_doacross_wait", BUSY, { LEAF_DOACROSS, OMP_WAIT } },
	{ "GOMP_doacross_wait", BUSY | S(ORDERED), { LEAF_DOACROSS, OMP_WAIT } },
	{ "GOMP_doacross_ull_wait", BUSY | S(ORDERED), { LEAF_DOACROSS, OMP_WAIT } },

	{ "__kmpc_omp_taskyield", BUSY, { LEAF_OVERHEAD, OMP_OVERHEAD } },
	{ "__kmpc_omp_task*", BUSY, { LEAF_TASK_CREATION, OMP_OVERHEAD } },
	{ "__kmpc_omp_target_task*", BUSY, { LEAF_TASK_CREATION, OMP_OVERHEAD } },
	{ "__kmpc_task*", BUSY, { LEAF_TASK_CREATION, OMP_OVERHEAD } },
	/* An undeferred task's dependences. */
	{ "GOMP_task", S(TASKWAIT), { LEAF_DEPEND, OMP_WAIT } },
	{ "GOMP_task", BUSY, { LEAF_TASK_CREATION, OMP_OVERHEAD } },
	{ "GOMP_taskloop*", BUSY, { LEAF_TASK_CREATION, OMP_OVERHEAD } },
	{ "GOMP_taskgroup_start", BUSY, { LEAF_TASK_CREATION, OMP_OVERHEAD } },
	{ "__kmpc_dispatch_*", BUSY, { LEAF_DISPATCH, OMP_OVERHEAD } },
	{ "__kmpc_next_section", BUSY, { LEAF_DISPATCH, OMP_OVERHEAD } },
	{ "GOMP_loop_*", BUSY, { LEAF_DISPATCH, OMP_OVERHEAD } },
	{ "GOMP_sections*", BUSY, { LEAF_DISPATCH, OMP_OVERHEAD } },

	/* Without OMPT: most of GOMP_parallel's own time is the wait at the region's end, and
	   nothing distinguishes it from the rest. */
	{ "GOMP_parallel*", NONE, { LEAF_IMPLICIT_BARRIER, OMP_WAIT } },
	{ "__kmpc_fork_call*", NONE, { LEAF_IMPLICIT_BARRIER, OMP_WAIT } },
	{ "__kmpc_barrier*", NONE, { LEAF_IMPLICIT_BARRIER, OMP_WAIT } },
	{ "__kmpc_copyprivate", NONE, { LEAF_IMPLICIT_BARRIER, OMP_WAIT } },
	{ "__tgt_*", BUSY, { LEAF_TARGET, OMP_WAIT } },
	{ "GOMP_target*", BUSY, { LEAF_TARGET, OMP_WAIT } },
};

static const char *const forks[] = {
	"__kmpc_fork_call*",
	"__kmpc_fork_teams",
	"__kmpc_serialized_parallel",
	"__kmpc_end_serialized_parallel",
	"__kmpc_push_num_*",
	"__kmpc_push_proc_bind",
	"GOMP_parallel*",
	"GOMP_teams*",
};

static const struct leaf_info {
	const char *function, *label;
} infos[LEAFS] = {
	[LEAF_SERIAL] = { NULL, "serial work" },
	[LEAF_PARALLEL] = { NULL, "parallel work" },
	[LEAF_OUTSIDE] = { NULL, "work without OpenMP" },
	[LEAF_UNDEFINED] = { NULL, "unknown state (counted as work)" },
	[LEAF_REDUCTION] = { "<OMP-reduction>", "reduction" },
	[LEAF_IDLE] = { "<OMP-idle>", "idle" },
	[LEAF_IMPLICIT_BARRIER] = { "<OMP-implicit_barrier>", "implicit barrier" },
	[LEAF_EXPLICIT_BARRIER] = { "<OMP-explicit_barrier>", "explicit barrier" },
	[LEAF_BARRIER] = { "<OMP-barrier>", "barrier (explicit or at a construct's end)" },
	[LEAF_LOCK] = { "<OMP-lock_wait>", "lock wait" },
	[LEAF_CRITICAL] = { "<OMP-critical_section_wait>", "critical section wait" },
	[LEAF_ORDERED] = { "<OMP-ordered_section_wait>", "ordered section wait" },
	[LEAF_ATOMIC] = { "<OMP-atomic_wait>", "atomic wait" },
	[LEAF_TASKWAIT] = { "<OMP-taskwait>", "taskwait" },
	[LEAF_TASKGROUP] = { "<OMP-taskgroup_wait>", "taskgroup wait" },
	[LEAF_DEPEND] = { "<OMP-depend_wait>", "depend wait" },
	[LEAF_DOACROSS] = { "<OMP-doacross_wait>", "doacross wait" },
	[LEAF_TARGET] = { "<OMP-target_wait>", "target wait" },
	[LEAF_FORK_JOIN] = { "<OMP-fork_join>", "fork and join" },
	[LEAF_DISPATCH] = { "<OMP-dispatch>", "dispatch of iterations" },
	[LEAF_TASK_CREATION] = { "<OMP-task_creation>", "task creation" },
	[LEAF_OVERHEAD] = { "<OMP-overhead>", "overhead" },
	[LEAF_MPI] = { NULL, "MPI" },
	[LEAF_MPI_THREAD] = { "<MPI-progress_thread>", "MPI's own threads" },
	[LEAF_BLOCKED] = { NULL, "blocked" },
	[LEAF_READY] = { NULL, "without a CPU" },
};

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

static bool leaf_matches(const char *pattern, const char *name)
{
	size_t n = strlen(pattern);

	if (pattern[n - 1] == '*')
		return !strncmp(pattern, name, n - 1);
	return !strcmp(pattern, name);
}

const char *leaf_plain(const char *name)
{
	static const char api[] = "__kmp_api_", on[] = "on_GOMP_", on_omp[] = "on_omp_";

	if (!name)
		return NULL;
	if (!strncmp(name, api, sizeof(api) - 1))
		return name + sizeof(api) - 1;
	if (!strncmp(name, on, sizeof(on) - 1) || !strncmp(name, on_omp, sizeof(on_omp) - 1))
		return name + 3;
	return name;
}

bool leaf_is_fork(const char *entry)
{
	entry = leaf_plain(entry);
	for (size_t i = 0; entry && i < sizeof(forks) / sizeof(*forks); i++)
		if (leaf_matches(forks[i], entry))
			return true;
	return false;
}

bool leaf_is_target(const char *entry)
{
	entry = leaf_plain(entry);
	return entry && (leaf_matches("GOMP_target*", entry) || leaf_matches("__tgt_*", entry));
}

bool leaf_is_runtime_name(const char *name)
{
	static const char *const own[] = {
		"__kmpc_*", "__kmp_*", "GOMP_*", "gomp_*", "__tgt_*",
	};

	for (size_t i = 0; name && i < sizeof(own) / sizeof(*own); i++)
		if (leaf_matches(own[i], name))
			return true;
	return false;
}

bool leaf_is_linked_runtime_name(const char *name)
{
	static const char *const own[] = {
		"omp_get_*",	 "omp_set_*",	  "omp_init_*",	   "omp_destroy_*", "omp_test_*",
		"omp_unset_*",	 "omp_in_*",	  "omp_is_*",	   "omp_pause_*",   "omp_display_*",
		"omp_capture_*", "omp_control_*", "omp_fulfill_*", "omp_target_*",  "omp_alloc",
		"omp_free",	 "omp_calloc",	  "omp_realloc",   "omp_aligned_*", "ompc_*",
		"ompt_*",	 "__ompt_*",	  "kmp_*",	   "kmpc_*",	    "___kmp_*",
	};

	if (leaf_is_runtime_name(name))
		return true;
	for (size_t i = 0; name && i < sizeof(own) / sizeof(*own); i++)
		if (leaf_matches(own[i], name))
			return true;
	/* libomp's C++ functions */
	return name && !strncmp(name, "_Z", 2) && (strstr(name, "kmp_") || strstr(name, "KMP"));
}

static bool leaf_rule(const char *entry, enum prof_state state, struct leaf_verdict *v)
{
	entry = leaf_plain(entry);
	for (size_t i = 0; entry && i < sizeof(rules) / sizeof(*rules); i++)
		if (rules[i].states & UINT32_C(1) << state && leaf_matches(rules[i].entry, entry)) {
			*v = rules[i].is;
			return true;
		}
	return false;
}

bool leaf_is_reduction(const char *object)
{
	static const char *const reductions[] = {
		".gomp_critical_user_.reduction*",
		".gomp_critical_user_.atomic_reduction*",
	};

	return leaf_matches(reductions[0], object) || leaf_matches(reductions[1], object);
}

/* The name of a critical section's or reduction's lock shows what it is. */
static bool leaf_object(const struct leaf_evidence *e, struct leaf_verdict *v)
{
	static const char critical[] = ".gomp_critical_user_";

	if (!e->object || !(LOCKS & UINT32_C(1) << e->state))
		return false;
	if (leaf_is_reduction(e->object))
		*v = (struct leaf_verdict){ LEAF_REDUCTION, OMP_WAIT };
	else if (!strncmp(e->object, critical, sizeof(critical) - 1))
		*v = (struct leaf_verdict){ LEAF_CRITICAL, OMP_WAIT };
	else
		return false;
	return true;
}

/* For code in the runtime, if state and entry point tell nothing. */
static struct leaf_verdict leaf_of_runtime(const struct leaf_evidence *e)
{
	const struct leaf_verdict idle = { LEAF_IDLE, OMP_WAIT };
	const struct leaf_verdict fork = { LEAF_FORK_JOIN, OMP_OVERHEAD };
	const struct leaf_verdict overhead = { LEAF_OVERHEAD, OMP_OVERHEAD };

	/* In a runtime without OMPT: a pool thread between regions. */
	if (e->state == PROF_STATE_NO_OPENMP && e->no_user_frames)
		return idle;
	return leaf_is_fork(e->entry) || e->bodiless ? fork : overhead;
}

/* For user code that was called by the runtime, in a state of the runtime. */
static struct leaf_verdict leaf_of_callback(const struct leaf_evidence *e)
{
	const struct leaf_verdict work = { LEAF_PARALLEL, OMP_WORK };
	const struct leaf_verdict reduction = { LEAF_REDUCTION, OMP_WORK };
	struct leaf_verdict v;

	if (e->helper && leaf_rule(e->entry, PROF_STATE_REDUCTION, &v) && v.leaf == LEAF_REDUCTION)
		return reduction;
	if (BUSY & UINT32_C(1) << e->state && e->state != PROF_STATE_OVERHEAD &&
	    e->state != PROF_STATE_NO_OPENMP)
		return by_state[e->state];
	return work;
}

bool leaf_is_gnu_barrier(const char *entry)
{
	entry = leaf_plain(entry);
	return entry && leaf_matches("GOMP_barrier*", entry);
}

bool leaf_is_unplaced(const char *entry)
{
	static const char *const begins[] = {
		"GOMP_single_*",       "GOMP_sections*",	"GOMP_loop_*",
		"GOMP_ordered_start*", "GOMP_taskgroup_start*",
	};

	entry = leaf_plain(entry);
	for (size_t i = 0; entry && i < sizeof(begins) / sizeof(*begins); i++)
		if (leaf_matches(begins[i], entry))
			return true;
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
	if (!e->in_runtime)
		return by_state[e->state];
	if ((leaf_is_gnu_barrier(e->entry) ? BARRIERS | NONE : VAGUE | NONE) & state &&
	    e->barrier != BARRIER_UNKNOWN)
		return by_state[e->barrier == BARRIER_EXPLICIT ? PROF_STATE_BARRIER_EXPLICIT :
								 PROF_STATE_BARRIER_IMPLICIT];
	if (leaf_object(e, &v))
		return v;
	/* An entry point that consists of others: GOMP_taskloop ends in a taskgroup. */
	if (leaf_rule(e->inner, e->state, &v) && v.class == OMP_WAIT)
		return v;
	if (leaf_rule(e->entry, e->state, &v))
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

const char *leaf_function(enum omp_leaf leaf)
{
	return leaf < LEAFS ? infos[leaf].function : NULL;
}

const char *leaf_label(enum omp_leaf leaf)
{
	return leaf < LEAFS ? infos[leaf].label : "unknown";
}

const char *omp_class_name(enum omp_class class)
{
	static const char *const names[OMP_CLASSES] = { "work", "wait", "overhead", "mpi",
							"blocked" };

	return class < OMP_CLASSES ? names[class] : "unknown";
}

unsigned omp_classes_count(unsigned classes)
{
	unsigned n = 0;

	for (unsigned c = 0; c < OMP_CLASSES; c++)
		n += omp_has_class(classes, c);
	return n;
}

unsigned omp_class_index(unsigned classes, unsigned class)
{
	return omp_classes_count(classes & (OMP_CLASS(class) - 1));
}
