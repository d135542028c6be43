/* SPDX-License-Identifier: BSD-3-Clause */
/* finding_helps.c - what helps against a finding, where that depends on its evidence. */
#include "config.h"

#include "src/output/finding_helps.h"

#include <stdio.h>
#include <string.h>

#include "src/model/model.h"
#include "src/tables/findings.h"
#include "src/tables/losses.h"
#include "src/tables/surroundings.h"
#include "src/tables/tables.h"
#include "src/toolchain/toolchain.h"
#include "src/view/view.h"

#define WHERE_FAULTS "; where: `ompcount -e page-faults -c 1'"
#define TOUCHED_BY_ALL "the first touch by all threads, "
#define SPIN_FIRST \
	"another value of that setting, so that threads spin before they sleep; longer regions"
#define ORDERED "schedule(static, 1), where chunks are larger; less work in the ordered region"
enum { MANY_ENTRIES = 100 }; /* of a region: its begin and end may be what it loses */

/* At a region's end there is no other barrier than that. */
bool words_is_region_end(const struct words *w)
{
	return w->v->constructs[w->f->construct].kind == CONSTRUCT_PARALLEL;
}

bool words_is_of_sections(const struct words *w)
{
	return w->v->constructs[w->f->construct].kind == CONSTRUCT_SECTIONS;
}

/* guided's first chunks are the largest: where the longest iterations are first, one thread gets
   most of the work. */
static const char *helps_chunks(const struct words *w)
{
	switch (w->v->constructs[w->f->construct].kind) {
	case CONSTRUCT_FOR_GUIDED:
		return "schedule(dynamic, n) with chunks of 10 us of work or more: guided's first "
		       "chunks are large; long iterations not in one of them";
	case CONSTRUCT_FOR_RUNTIME:
		return "OMP_SCHEDULE=dynamic,n with chunks of 10 us of work or more, if it is "
		       "another one; if it is that: smaller chunks, long iterations first";
	}
	return "smaller chunks, where they have several iterations; long iterations first, or "
	       "divided; more iterations than threads: collapse(n)";
}

static const char *helps_varying_loop(const struct words *w)
{
	return w->f->sleeps ? "if iterations differ: schedule(dynamic, n) with chunks of 10 us of "
			      "work or more; if threads sleep in them: `ompcount -e wall' shows "
			      "where" :
			      "schedule(dynamic, n) with chunks of 10 us of work or more";
}

/* Whether the region is the loop, whose end is the region's: nowait removes no barrier. */
static bool is_combined(const struct words *w)
{
	return w->f->at_end;
}

/* Whether a smaller team would take less time: one of half as many threads has twice the work a
   thread, and may save half of what the runtime takes; one thread saves all of that. */
static bool helps_fewer_threads(const struct finding *f)
{
	return f->cost_ns > (f->nthreads > 2 ? 2 : 1) * f->piece_ns;
}

static const char *helps_short_loop(const struct words *w)
{
	const bool fewer = helps_fewer_threads(w->f);

	if (is_combined(w))
		return fewer ? "one parallel region around what enters it; longer loops; fewer "
			       "threads for it" :
			       "one parallel region around what enters it; longer loops";
	return fewer ? "fewer barriers: nowait, or one loop for several; longer loops; fewer "
		       "threads for it" :
		       "fewer barriers: nowait, or one loop for several; longer loops";
}

static const char *helps_uncounted_loop(const struct words *w)
{
	return is_combined(w) ?
		       "`ompcount --entries' shows whether its passes are short (one parallel "
		       "region around what enters it) or long (smaller chunks)" :
		       "`ompcount --entries' shows whether its passes are short (fewer barriers: "
		       "nowait) or long (smaller chunks)";
}

/* What is at a directive's line is a loop without debug information, or what its clauses do. */
static const char *helps_divide(const struct words *w)
{
	const struct line *lines = w->v->names.lines, *region = &lines[w->f->line];
	const struct line *most = &lines[(uint32_t)w->f->work_line];

	if (!region->line)
		return "schedule(dynamic, n), if it is a loop; otherwise divide that work: a loop "
		       "over all threads, or tasks; what it is shows with -g";
	if (w->f->work_part > 0 && most->line == region->line && most->file == region->file)
		return "if its clauses make that work (copies of arrays, reductions of arrays): "
		       "less of it; otherwise divide it: a loop over all threads, or tasks";
	return "divide that work: a loop over all threads, or tasks";
}

static const char *helps_short_steps(const struct words *w)
{
	const bool fewer = helps_fewer_threads(w->f);

	if (words_is_region_end(w))
		return fewer ? "one parallel region around what enters it; longer regions; fewer "
			       "threads" :
			       "one parallel region around what enters it; longer regions";
	return fewer ? "fewer barriers: nowait, longer steps; fewer threads" :
		       "fewer barriers: nowait, longer steps";
}

static const char *helps_varying_team(const struct words *w)
{
	if (words_is_region_end(w))
		return w->f->sleeps ?
			       "if threads sleep in it: `ompcount -e wall' shows where; otherwise "
			       "one parallel region around what enters it" :
			       "one parallel region around what enters it; where its clauses "
			       "combine or copy large data: less often";
	if (w->v->constructs[w->f->construct].kind == CONSTRUCT_BARRIER)
		return w->f->sleeps ?
			       "if threads sleep in it: `ompcount -e wall' shows where; otherwise "
			       "equal work for all threads in each step, or fewer barriers" :
			       "equal work for all threads in each step; fewer barriers, where the "
			       "next step allows it";
	return w->f->sleeps ? "if threads sleep in it: `ompcount -e wall' shows where; otherwise "
			      "fewer barriers: nowait where the next step allows it" :
			      "fewer barriers: nowait where the next step allows it";
}

static const char *helps_few_iterations(const struct words *w)
{
	return words_is_of_sections(w) ?
		       "more and shorter sections, or tasks; or one after another, "
		       "each with a loop over all threads" :
		       "more iterations to divide: collapse(n), or the loop inside it "
		       "or around it";
}

/* The called function of a library in which most of the work is; NULL: it is the program's own. */
static const char *hot_call(const struct words *w)
{
	const uint32_t id = (uint32_t)(w->f->work_line >> TABLE_LINE_FUNCTION);
	const struct function *f = &w->v->names.functions[id];

	return w->f->work_part > 0 && f->library ? f->name : NULL;
}

static const char *helps_one_creator(const struct words *w)
{
	const char *call = hot_call(w);

	return call && (!strcmp(call, "memcpy") || !strcmp(call, "memmove")) ?
		       "where these are the copies that tasks get (firstprivate): large data "
		       "shared, or by a pointer; otherwise that work in the tasks" :
		       "that work in the tasks, or in a loop over all threads that each create "
		       "tasks";
}

bool words_is_under_lock(const struct words *w)
{
	return view_toolchain(w->v->model->processes[w->f->process].file)->traits &
	       RUNTIME_STATIC_LOOPS;
}

static const char *helps_lock(const struct words *w)
{
	return w->f->in_calls > 0 ?
		       "where there are many: one for several operations, atomic for a single "
		       "update; where there are few: less work under it, or a lock for each part "
		       "of the data" :
		       "a lock for each part of the data, and smaller parts; a reduction; less "
		       "work under it";
}

static const char *helps_atomic(const struct words *w)
{
	return words_is_under_lock(w) ? "a reduction, or a sum of its own for each thread; of a "
					"reduction: fewer regions with it, smaller copies" :
					"a reduction, or a sum of its own for each thread";
}

/* Whether most work at its lines is in a library's function that writes. */
static bool is_output(const struct words *w)
{
	const char *call = hot_call(w);

	return call && toolchain_is_output(call);
}

static const char *helps_critical(const struct words *w)
{
	const struct finding *f = w->f;
	const char *call = hot_call(w);

	/* Streams and Fortran's internal units are in memory as often. */
	if (is_output(w))
		return "if it goes to a file: a buffer for each thread, which is written in one "
		       "piece when it is full; otherwise less work in it";
	if (call && toolchain_is_input(call))
		return "if it comes from a file: larger pieces, of which each thread takes one, "
		       "or tasks that one thread creates as it reads; otherwise less work in it";
	return f->same ? "names for them, where they need not exclude each other; less work in "
			 "it; a reduction, or results of each thread's own that are merged at the "
			 "end; atomic for a single update" :
			 "less work in it; a reduction, or results of each thread's own that are "
			 "merged at the end; atomic for a single update";
}

/* A query whose result is the same for all of a thread's part of a loop. */
static bool is_constant_query(const char *name)
{
	static const char *const names[] = {
		"omp_get_thread_num",	"omp_get_num_threads", "omp_get_max_threads",
		"omp_get_num_procs",	"omp_in_parallel",     "omp_get_level",
		"omp_get_active_level", "omp_get_team_size",   "omp_get_ancestor_thread_num",
		"omp_get_team_num",	"omp_get_num_teams",   "omp_get_thread_limit",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strncmp(name, names[i], strlen(names[i])) &&
		    (!name[strlen(names[i])] || name[strlen(names[i])] == '_'))
			return true;
	return false;
}

static bool is_test_of_lock(const char *name)
{
	return !strncmp(name, "omp_test_lock", 13) || !strncmp(name, "omp_test_nest_lock", 18);
}

static const char *helps_runtime_calls(const struct words *w)
{
	const uint32_t function = (uint32_t)(w->f->work_line >> TABLE_LINE_FUNCTION);
	const char *name = toolchain_plain(w->v->names.functions[function].name);

	if (name && is_constant_query(name))
		return "call it once, before the loop, and keep its result";
	if (name && is_test_of_lock(name))
		return "less time under the lock, or a lock for each part of the data; "
		       "something else to do while it is held";
	return "fewer calls of it: one for many iterations";
}

bool words_is_nested_team(const struct finding *f)
{
	return f->setting && !strcmp(f->setting, FINDING_NESTED);
}

static const char *helps_asked(const struct words *w)
{
	const struct finding *f = w->f;

	if (words_is_nested_team(f))
		return "OMP_MAX_ACTIVE_LEVELS=2, where CPUs are idle meanwhile; or the loop inside "
		       "in parallel, and not what is around it";
	return f->setting ? "another value of that setting" :
			    "omp_set_dynamic(), omp_set_num_threads(), limits of threads";
}

static const char *helps_one_thread(const struct words *w)
{
	return w->f->setting ? "another value of that setting, or none" :
			       "no num_threads(1), thread_limit(1), omp_set_num_threads(1), or if "
			       "clause that is false";
}

bool words_is_doacross(const struct words *w)
{
	for (size_t i = 0; i < w->v->nrecords; i++)
		if (w->v->records[i].construct == w->f->construct &&
		    w->v->records[i].leaf == LEAF_DOACROSS)
			return true;
	return false;
}

bool words_is_resized(const struct finding *f)
{
	return finding_is_resized(f->resized, f->pieces);
}

bool words_is_by_new_threads(const struct finding *f)
{
	return f->initials > f->pieces / 2;
}

static const char *helps_short(const struct words *w)
{
	const struct finding *f = w->f;

	if (words_is_by_new_threads(f))
		return "one thread of the program's own for all of them, which is kept: each new "
		       "one gets a new team from the runtime";

	if (f->setting)
		return "another value of that setting, so that threads spin before they sleep; one "
		       "parallel region around what enters it";
	return words_is_resized(f) ?
		       "one number of threads for all regions: each change costs, with GCC's "
		       "runtime new threads; one parallel region around what enters it" :
	       f->alone || f->fit ?
		       "one parallel region around what enters it; an if clause, or fewer "
		       "threads, where there is little work" :
		       "where its iterations do not depend on each other: the loop that enters it, "
		       "divided among threads in its place; else one parallel region around it";
}

/* Whether the loop has an ordered region, which larger chunks delay: without one a static schedule
   needs no calls for chunks. */
static bool is_ordered(const struct words *w)
{
	const struct view_construct *loop = &w->v->constructs[w->f->construct];
	const struct line *lines = w->v->names.lines;

	for (size_t i = CONSTRUCT_SPECIALS; i < w->v->nconstructs; i++) {
		const struct view_construct *c = &w->v->constructs[i];

		if (c->kind == CONSTRUCT_ORDERED &&
		    lines[c->line].function == lines[loop->line].function &&
		    lines[c->line].line >= loop->first_line &&
		    lines[c->line].line <= loop->last_line)
			return true;
	}
	return loop->kind == CONSTRUCT_FOR_STATIC;
}

/* Not guided: its first chunks are large, and the others wait for them where iterations differ. */
#define LARGER_CHUNKS \
	"larger chunks: schedule(dynamic, n); schedule(static), where iterations take equal time"

static const char *helps_dispatch(const struct words *w)
{
	if (is_ordered(w))
		return "no ordered clause, if the order of iterations does not matter; longer "
		       "iterations";
	return w->v->constructs[w->f->construct].kind == CONSTRUCT_FOR_RUNTIME ?
		       "larger chunks: OMP_SCHEDULE=dynamic,n; static, where "
		       "iterations take equal time" :
		       LARGER_CHUNKS;
}

static const char *helps_small_teams(const struct words *w)
{
	return w->f->setting ?
		       "OMP_DYNAMIC=false; or the work of several such regions at once" :
		       "no num_threads or if clause, or omp_set_num_threads(), that makes it "
		       "small; or the work of several such regions at once";
}

bool words_is_woken_for_lock(const struct finding *f)
{
	return f->spent == LOSS_LOCK && f->seen > 0;
}

static const char *helps_kernel(const struct words *w)
{
	if (w->f->setting)
		return SPIN_FIRST;
	if (words_is_woken_for_lock(w->f))
		return "less time under that lock, or one for each part of what it guards: a "
		       "thread that finds it taken sleeps and is woken in the kernel";
	return w->f->work_part >= WORDS_CALLS_MUCH ?
		       "if that call is why: fewer calls of it by several threads at a time, or a "
		       "state or buffer of each thread's own; to see where it is: `ompcount -e "
		       "cpu-clock:uk'" :
		       "to see where it is: `ompcount -e cpu-clock:uk'";
}

static const char *helps_faults(const struct words *w)
{
	const struct finding *f = w->f;
	const char *set =
		surroundings_setting(w->v->model->processes[f->process].file, "GLIBC_TUNABLES");
	const bool kept = set && strstr(set, ".mmap_threshold="),
		   huge = f->is_static || (set && strstr(set, ".hugetlb="));

	if (finding_maps_again(f))
		return kept ? "memory that is kept between its uses" WHERE_FAULTS :
			      "keep large blocks, where malloc and free map and unmap them each "
			      "time (" FINDING_KEEP_BLOCKS ")" WHERE_FAULTS;
	if (f->thread == UINT32_MAX)
		return huge ? TOUCHED_BY_ALL "where one thread does it" WHERE_FAULTS :
			      "huge pages (of malloc's memory: " FINDING_HUGE_PAGES
			      "); " TOUCHED_BY_ALL "where one thread does it" WHERE_FAULTS;
	return huge ? TOUCHED_BY_ALL "in a parallel region" WHERE_FAULTS :
		      TOUCHED_BY_ALL
		       "in a parallel region; huge pages (of malloc's memory: " FINDING_HUGE_PAGES
		       ")" WHERE_FAULTS;
}

static const char *helps_runtimes(const struct words *w)
{
	return w->f->spins ? "one runtime for all parts of the program; otherwise "
			     "OMP_WAIT_POLICY=passive, so that waiting threads leave the CPUs" :
			     "one runtime for all parts of the program";
}

/* Whether the runtime's function is about that. */
static bool is_about(const struct words *w, const char *part)
{
	const uint32_t function = (uint32_t)(w->f->work_line >> TABLE_LINE_FUNCTION);
	const char *name = toolchain_plain(w->v->names.functions[function].name);

	return name && strstr(name, part);
}

/* Whether it is at the begin or end of what one thread is in at a time, or of what is in order. */
static bool is_mutual(const struct words *w)
{
	return is_about(w, "critical") || is_about(w, "lock") || is_about(w, "atomic") ||
	       is_about(w, "ordered");
}

static const char *helps_left(const struct words *w)
{
	switch (w->f->spent) {
	case LOSS_NOT_RUNNING:
		return w->f->waited > 0 ? "CPUs that the program has to itself" :
					  "to see why: `ompcount -e wall'";
	case LOSS_FORK_JOIN:
		if (w->f->pieces && w->f->pieces < MANY_ENTRIES)
			return "to see where: `ompcount report --by thread'";
		return "fewer and longer regions: one around several loops, or around what enters "
		       "it";
	case LOSS_DISPATCH: return LARGER_CHUNKS;
	case LOSS_RUNTIME:
		if (w->f->work_part <= 0)
			return "to see where: `ompcount report --by construct'";
		if (is_about(w, "single"))
			return "one single region around all of it, in which one thread creates "
			       "tasks of several pieces each; or an index, and a loop over it";
		if (is_mutual(w))
			return "fewer passes of it: results of each thread's own that are merged "
			       "at the end, or more work for each pass";
		if (is_about(w, "doacross"))
			return "larger blocks: fewer iterations with a depend clause, of more work "
			       "each";
		return is_about(w, "flush") ?
			       "a lock, a barrier or a depend clause, where a loop waits for "
			       "another thread by it" :
			       "fewer calls of it: longer loops, tasks or regions";
	case LOSS_TASKS: return WORDS_LARGER_TASKS;
	default: return "to see where: `ompcount report --by construct'";
	}
}

static const char *helps_blocked_call(const struct words *w)
{
	return w->f->special == REGION_SERIAL ?
		       "an earlier start, or a task of its own; meanwhile, what does not need its "
		       "result" :
		       "an earlier start, or a task of its own; where several threads call it at a "
		       "time: fewer calls, a buffer of each thread's own";
}

static const char *helps_crowded(const struct words *w)
{
	const struct finding *f = w->f;

	if (f->nested)
		return "one level of teams: OMP_MAX_ACTIVE_LEVELS=1, or fewer threads for the "
		       "nested ones";
	if (f->cpus)
		return "a mask with more CPUs (taskset, the launcher, the batch system); "
		       "otherwise no more threads than CPUs";
	if (f->initials > 1)
		return "fewer of these threads at a time, or fewer threads in the team of each "
		       "(OMP_NUM_THREADS, omp_set_num_threads())";
	if (!f->setting)
		return "no more threads than CPUs: the program's num_threads decides, or "
		       "omp_set_num_threads()";
	return f->spins ? "OMP_NUM_THREADS as the CPUs; otherwise OMP_WAIT_POLICY=passive" :
			  "OMP_NUM_THREADS as the CPUs";
}

/* Where it is known what they wait for when they are awake. */
static const char *helps_blocked(const struct words *w)
{
	if (w->f->setting)
		return SPIN_FIRST;
	if (w->v->constructs[w->f->construct].kind < CONSTRUCT_SPECIALS)
		return "to see why: `ompcount -e wall'";
	switch (w->f->spent) {
	case LOSS_LOCK:
		return "if that is why: less time under it, or a lock for each part of the data; "
		       "to see it: `ompcount -e wall'";
	case LOSS_ORDERED:
		return "if that is why: schedule(static, 1), where chunks are larger; less work in "
		       "the ordered region; to see it: `ompcount -e wall'";
	default: return "to see why: `ompcount -e wall'";
	}
}

static const char *helps_pools(const struct words *w)
{
	const struct finding *f = w->f;

	if (f->part > 0)
		return f->spins ?
			       "OMP_WAIT_POLICY=passive, so that waiting threads leave them the "
			       "CPUs; where these threads spin, too: that they sleep; where they "
			       "work: less of it, or more CPUs" :
			       "where these threads spin while they wait: that they sleep; where "
			       "they work: less of it, or more CPUs";
	return f->spins ? "where they run beside regions: fewer of them, or of OpenMP's threads; "
			  "OMP_WAIT_POLICY=passive, so that waiting threads leave them the CPUs" :
			  "where they run beside regions: fewer of them, or of OpenMP's threads";
}

static const char *helps_ordered(const struct words *w)
{
	return words_is_doacross(w) ?
		       "larger blocks between the depend clauses; schedule(static, 1), "
		       "where chunks are larger" :
		       ORDERED;
}

static const char *helps_late_for(const struct words *w)
{
	return w->f->spent == LOSS_ORDERED ? ORDERED : "less of that on this thread";
}

static const char *(*const helps_by[FINDING_RULES])(const struct words *w) = {
	[FINDING_OTHER_LOOP] = helps_chunks,
	[FINDING_VARYING_CHUNKS] = helps_chunks,
	[FINDING_LOCK] = helps_lock,
	[FINDING_CRITICAL] = helps_critical,
	[FINDING_ATOMIC] = helps_atomic,
	[FINDING_LATE_THREAD] = helps_divide,
	[FINDING_UNEVEN_TEAM] = helps_divide,
	[FINDING_SHORT_STEPS] = helps_short_steps,
	[FINDING_ONE_CREATOR] = helps_one_creator,
	[FINDING_ASKED] = helps_asked,
	[FINDING_ONE_THREAD] = helps_one_thread,
	[FINDING_FAULTS] = helps_faults,
	[FINDING_CROWDED] = helps_crowded,
	[FINDING_POOLS] = helps_pools,
	[FINDING_SHORT_REGIONS] = helps_short,
	[FINDING_RUNTIME_CALLS] = helps_runtime_calls,
	[FINDING_SMALL_TEAMS] = helps_small_teams,
	[FINDING_LEFT] = helps_left,
	[FINDING_BLOCKED] = helps_blocked,
	[FINDING_RUNTIMES] = helps_runtimes,
	[FINDING_SHORT_LOOP] = helps_short_loop,
	[FINDING_LATE_FOR] = helps_late_for,
	[FINDING_ORDERED] = helps_ordered,
	[FINDING_UNCOUNTED_LOOP] = helps_uncounted_loop,
	[FINDING_VARYING_LOOP] = helps_varying_loop,
	[FINDING_BLOCKED_CALL] = helps_blocked_call,
	[FINDING_DISPATCH] = helps_dispatch,
	[FINDING_VARYING_TEAM] = helps_varying_team,
	[FINDING_KERNEL] = helps_kernel,
	[FINDING_FEW_ITERATIONS] = helps_few_iterations,
};

const char *finding_helps(const struct words *w)
{
	return helps_by[w->f->rule] ? helps_by[w->f->rule](w) : NULL;
}
