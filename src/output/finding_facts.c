/* SPDX-License-Identifier: BSD-3-Clause */
/* finding_facts.c - see finding_facts.h. */
#include "config.h"

#include "src/output/finding_facts.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "src/model/model.h"
#include "src/output/printable.h"
#include "src/tables/constructs.h"
#include "src/tables/findings.h"
#include "src/tables/losses.h"
#include "src/tables/regions.h"
#include "src/tables/surroundings.h"
#include "src/tables/tables.h"
#include "src/toolchain/toolchain.h"
#include "src/view/label.h"
#include "src/view/view.h"

/* The part of a gain from which on the profiler's own calls are mentioned. */
#define OWN_LEAST 0.05
#define EVEN 0.25      /* of what the thread's time is over the mean: its instructions are even */
#define CALLS_MUCH 0.1 /* of the work: a library's function that may keep the kernel busy */
enum { MANY_ENTRIES = 100 }; /* of a region: its begin and end may be what it loses */

/* ---- facts ----------------------------------------------------------- */

static const struct prof_file *file_of(const struct words *w)
{
	return w->v->model->processes[w->f->process].file;
}

static const struct function *work_function(const struct words *w)
{
	return &w->v->names.functions[w->f->work_line >> TABLE_LINE_FUNCTION];
}

/* The called function of a library in which most of the work is; NULL: it is the program's own. */
static const char *hot_call(const struct words *w)
{
	const struct function *f = work_function(w);

	return w->f->work_part > 0 && f->library ? f->name : NULL;
}

static const char *runtime_function(const struct words *w)
{
	return toolchain_plain(work_function(w)->name);
}

static bool is_about(const struct words *w, const char *part)
{
	const char *name = runtime_function(w);

	return name && strstr(name, part);
}

static bool is_constant_query(const char *name)
{
	static const char *const names[] = {
		"omp_get_thread_num",	"omp_get_num_threads", "omp_get_max_threads",
		"omp_get_num_procs",	"omp_in_parallel",     "omp_get_level",
		"omp_get_active_level", "omp_get_team_size",   "omp_get_ancestor_thread_num",
		"omp_get_team_num",	"omp_get_num_teams",   "omp_get_thread_limit",
	};

	for (size_t i = 0; name && i < sizeof(names) / sizeof(*names); i++)
		if (!strncmp(name, names[i], strlen(names[i])) &&
		    (!name[strlen(names[i])] || name[strlen(names[i])] == '_'))
			return true;
	return false;
}

/* Most work is at the line of the region's directive: it is a loop's without debug information, or
   what its clauses do. */
static bool is_at_directive(const struct words *w)
{
	const struct line *lines = w->v->names.lines, *region = &lines[w->f->line];
	const struct line *most = &lines[(uint32_t)w->f->work_line];

	return w->f->work_part > 0 && most->line == region->line && most->file == region->file;
}

static bool is_doacross(const struct words *w)
{
	for (size_t i = 0; i < w->v->nrecords; i++)
		if (w->v->records[i].construct == w->f->construct &&
		    w->v->records[i].leaf == LEAF_DOACROSS)
			return true;
	return false;
}

/* Without an ordered region a static schedule needs no calls for chunks. */
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

static bool is_tuned(const struct words *w, const char *setting)
{
	const char *set = surroundings_setting(file_of(w), "GLIBC_TUNABLES");

	return set && strstr(set, setting);
}

/* By how much the late thread works longer than the mean. */
static double longer(const struct finding *f)
{
	return f->most_ns / f->mean_ns - 1;
}

static bool holds(const struct words *w, enum finding_fact fact)
{
	const struct finding *f = w->f;
	const unsigned kind = w->v->constructs[f->construct].kind;
	const char *call = hot_call(w);

	switch (fact) {
	case HAS_ALONE: return f->alone && f->alone_ns > 0;
	case HAS_ASLEEP: return f->asleep_ns > 0;
	case HAS_CALL: return f->call;
	case HAS_CONSTRUCT: return kind >= CONSTRUCT_SPECIALS;
	case HAS_CPUS: return f->cpus;
	case IS_CALL_FOR_LOCK:
		return is_about(w, "critical") || is_about(w, "lock") || is_about(w, "atomic") ||
		       is_about(w, "ordered");
	case IS_CALL_FOR_SINGLE: return is_about(w, "single");
	case IS_CALL_FOR_DOACROSS: return is_about(w, "doacross");
	case IS_CALL_FOR_FLUSH: return is_about(w, "flush");
	case IS_CALL_OF_QUERY: return is_constant_query(runtime_function(w));
	case IS_CALL_OF_TEST:
		call = runtime_function(w);
		return call && (!strncmp(call, "omp_test_lock", 13) ||
				!strncmp(call, "omp_test_nest_lock", 18));
	case HAS_FEW_ENTRIES: return f->pieces && f->pieces < MANY_ENTRIES;
	case HAS_FIT: return f->fit > 1;
	case HAS_GAIN: return f->gain_ns > 0;
	case HAS_IN_CALLS: return f->in_calls > 0;
	case HAS_INITIALS: return f->initials > 1;
	case HAS_INSTRUCTIONS: return f->instructions > 0;
	case HAS_IPC: return f->ipc > 0;
	case HAS_ITERATIONS: return f->iterations;
	case HAS_ONE_ITERATION: return f->iterations == 1;
	case HAS_MISSES: return f->misses > 0;
	case HAS_EQUAL_WORK: return f->instructions - 1 < EVEN * longer(f);
	case HAS_MORE_WORK: return f->instructions - 1 > (1 - EVEN) * longer(f);
	case HAS_NCPUS: return f->ncpus;
	case HAS_NESTED: return f->nested;
	case HAS_NO_CPU: return f->spent == LOSS_NOT_RUNNING && f->waited > 0;
	case HAS_OTHERS: return f->others_ns > 0;
	case HAS_OUTSIDE: return f->outside_ns > OWN_LEAST * f->gain_ns;
	case HAS_OWN: return f->own_ns > OWN_LEAST * f->gain_ns;
	case HAS_PART: return f->part > 0;
	case HAS_PIECE: return f->piece_ns > 0;
	case HAS_PIECES: return f->pieces;
	case HAS_PLACES: return f->places;
	case HAS_QUOTA: return f->quota > 0;
	case HAS_REGION_LINE: return w->v->names.lines[f->line].line;
	case HAS_SAME: return f->same;
	case HAS_SETTING: return f->setting;
	case HAS_SEVERAL_PIECES: return f->pieces > 1;
	case HAS_STALLED: return f->stalled > 0;
	case HAS_THREAD: return f->thread != UINT32_MAX;
	case HAS_WAITED: return f->waited > 0;
	case HAS_WORK: return f->work_part > 0;
	case HAS_MUCH_WORK: return f->work_part >= CALLS_MUCH;
	case IS_AT_DIRECTIVE: return is_at_directive(w);
	case IS_BARRIER: return kind == CONSTRUCT_BARRIER;
	case IS_BY_GCC: return view_toolchain(file_of(w))->traits & RUNTIME_STATIC_LOOPS;
	case IS_BY_NEW_THREADS: return f->initials > f->pieces / 2;
	case IS_CAUSE:
		return f->spent == LOSS_FORK_JOIN || f->spent == LOSS_DISPATCH ||
		       f->spent == LOSS_TASKS || f->spent == LOSS_MPI;
	case IS_COMBINED: return f->at_end;
	case IS_COPY: return call && (!strcmp(call, "memcpy") || !strcmp(call, "memmove"));
	case IS_DOACROSS: return is_doacross(w);
	/* A team of half as many threads has twice the work a thread, and may save half of what the
	   runtime takes; one thread saves all of that. */
	case IS_FASTER_WITH_FEWER: return f->cost_ns > (f->nthreads > 2 ? 2 : 1) * f->piece_ns;
	case IS_FIT_FOR_FEWER: return f->alone || f->fit;
	case IS_GUIDED: return kind == CONSTRUCT_FOR_GUIDED;
	case IS_INPUT: return call && toolchain_lists(LIST_INPUT, call);
	case IS_OUTPUT: return call && toolchain_lists(LIST_OUTPUT, call);
	case IS_KEPT: return is_tuned(w, ".mmap_threshold=");
	case IS_HUGE: return f->is_static || is_tuned(w, ".hugetlb=");
	case IS_MAPPED_AGAIN: return finding_maps_again(f);
	case IS_NESTED_TEAM: return f->setting && !strcmp(f->setting, FINDING_NESTED);
	case IS_OF_TASKLOOP: return f->construct;
	case IS_ORDERED: return is_ordered(w);
	/* At a region's end there is no other barrier than that. */
	case IS_REGION_END: return kind == CONSTRUCT_PARALLEL;
	case IS_RESIZED: return finding_is_resized(f->resized, f->pieces);
	case IS_RUNTIME_SCHEDULE: return kind == CONSTRUCT_FOR_RUNTIME;
	case IS_SECTIONS: return kind == CONSTRUCT_SECTIONS;
	case IS_SERIAL: return f->special == REGION_SERIAL;
	case IS_SLEEPING: return f->sleeps;
	case IS_SPINNING: return f->spins;
	case IS_USER_ONLY: return f->user_only;
	case IS_VARYING: return f->varies;
	case IS_WOKEN: return f->spent == LOSS_LOCK && f->seen > 0;
	case IS_OF_RULE:
	case IS_OF_LOSS: break;
	}
	return (int)fact == OF_RULE(f->rule) || (int)fact == OF_LOSS(f->spent);
}

bool finding_holds(const struct words *w, int fact)
{
	return fact < 0 ? !holds(w, (enum finding_fact) - fact) : holds(w, (enum finding_fact)fact);
}

/* ---- values ---------------------------------------------------------- */

/* "45 % in cos(), called at composite (heat.c:71)" */
static void put_line(const struct words *w)
{
	char *s = table_line_label(w->v, w->f->work_line);

	fprintf(w->out, "%.0f %% %s ", 100 * w->f->work_part, table_line_at(w->f->work_line));
	format_short(w->out, s);
	free(s);
}

/* "45 % of it in GOMP_critical_end(), called at solve (a.c:12)", from the name on */
static void put_function(const struct words *w)
{
	char *line = label_line(&w->v->names, (uint32_t)w->f->work_line);

	format_short(w->out, runtime_function(w));
	fputs("(), called at ", w->out);
	format_short(w->out, line);
	free(line);
}

static void put_call_line(const struct words *w)
{
	char *line = label_line(&w->v->names, w->f->call_line);

	fputs(line, w->out);
	free(line);
}

static void put_construct(const struct words *w)
{
	char *label = construct_label(w->v, &w->v->constructs[w->f->construct]);

	format_short(w->out, label);
	free(label);
}

static void put_region(const struct words *w)
{
	char *label = region_label(w->v, w->f->special, w->f->line);

	format_short(w->out, label);
	free(label);
}

static void put_thread(const struct words *w)
{
	thread_name(w->out, w->v->model, w->f->thread);
}

static void put_tasks(const struct words *w)
{
	finding_put(w, w->f->pieces == 1 ? "{pieces} task has " : "{pieces} tasks have ");
	finding_put(w, w->f->piece_ns <= 0 ? "too little work for a sample" :
					     "{piece} of work each on average");
}

static void put_spent(const struct words *w)
{
	static const char *const in[LOSSES] = {
		[LOSS_SINGLE] = "waiting for a single region",
		[LOSS_LOCK] = "waiting for locks",
		[LOSS_ORDERED] = "waiting for earlier iterations",
		[LOSS_TASK_WAIT] = "waiting for tasks",
		[LOSS_TARGET] = "waiting for a device",
		[LOSS_FORK_JOIN] = "in the runtime, beginning and ending regions",
		[LOSS_DISPATCH] = "in the runtime, getting iterations",
		[LOSS_TASKS] = "in the runtime, creating tasks",
		[LOSS_RUNTIME] = "in the runtime",
		[LOSS_MPI] = "in MPI calls",
		[LOSS_BLOCKED] = "asleep in system calls",
	};

	fputs(in[w->f->spent] ? in[w->f->spent] : "otherwise", w->out);
}

static void put_meaning(const struct words *w)
{
	fputs(loss_meaning(w->f->spent), w->out);
}

static void put_runtimes(const struct words *w)
{
	const char *before = "", *name;

	for (size_t at = 0; (name = prof_text_next(file_of(w), PROF_INFO_RUNTIME, &at));) {
		fputs(before, w->out);
		format_text(w->out, name, 0);
		before = " and ";
	}
}

static void put_cpu_list(const struct words *w)
{
	fprintf(w->out, "CPU%s %s", w->f->ncpus == 1 ? "" : "s", w->f->cpus);
}

static void put_quota(const struct words *w)
{
	fprintf(w->out, "%.3g CPU%s", w->f->quota, w->f->quota > 1 ? "s" : "");
}

static void put_of_mean(const struct words *w)
{
	fprintf(w->out, "%.0f", 100 * w->f->most_ns / w->f->mean_ns);
}

static void put_part_tenths(const struct words *w)
{
	fprintf(w->out, "%.1f", 100 * w->f->part);
}

static void put_resident(const struct words *w)
{
	fprintf(w->out, "%.0f", ceil(w->f->resident / (1 << 20)));
}

static void put_pid(const struct words *w)
{
	fprintf(w->out, "%u", file_of(w)->header.pid);
}

/* How a member is printed. */
enum value_as {
	NS,	  /* double */
	SHORT_NS, /* likewise, with its fraction: "348 ns" would be "0" */
	REAL_0,	  /* with so many digits */
	REAL_1,
	REAL_2,
	PERCENT,  /* of 1 */
	COUNT,	  /* uint64_t: "1,234" */
	COUNT_32, /* uint32_t */
	NUMBER,	  /* "1234" */
	NUMBER_32,
	TEXT, /* const char * */
};

static const struct {
	const char *name;
	enum value_as as;
	size_t at;
} members[] = {
	{ "alone", SHORT_NS, offsetof(struct finding, alone_ns) },
	{ "asleep", NS, offsetof(struct finding, asleep_ns) },
	{ "call", TEXT, offsetof(struct finding, call) },
	{ "cost", SHORT_NS, offsetof(struct finding, cost_ns) },
	{ "cost_ns", NS, offsetof(struct finding, cost_ns) },
	{ "cpus", NUMBER_32, offsetof(struct finding, ncpus) },
	{ "each", SHORT_NS, offsetof(struct finding, elapsed_ns) },
	{ "elapsed", NS, offsetof(struct finding, elapsed_ns) },
	{ "fit", NUMBER_32, offsetof(struct finding, fit) },
	{ "in_calls", PERCENT, offsetof(struct finding, in_calls) },
	{ "initials", NUMBER_32, offsetof(struct finding, initials) },
	{ "initials_count", COUNT_32, offsetof(struct finding, initials) },
	{ "instructions", REAL_2, offsetof(struct finding, instructions) },
	{ "ipc", REAL_2, offsetof(struct finding, ipc) },
	{ "iterations", NUMBER_32, offsetof(struct finding, iterations) },
	{ "machine_cpus", NUMBER_32, offsetof(struct finding, machine_cpus) },
	{ "mean", NS, offsetof(struct finding, mean_ns) },
	{ "missed", TEXT, offsetof(struct finding, missed) },
	{ "misses", REAL_1, offsetof(struct finding, misses) },
	{ "most", NS, offsetof(struct finding, most_ns) },
	{ "others", NS, offsetof(struct finding, others_ns) },
	{ "outside", NS, offsetof(struct finding, outside_ns) },
	{ "own", NS, offsetof(struct finding, own_ns) },
	{ "part", PERCENT, offsetof(struct finding, part) },
	{ "piece", SHORT_NS, offsetof(struct finding, piece_ns) },
	{ "pieces", COUNT, offsetof(struct finding, pieces) },
	{ "pieces_number", NUMBER, offsetof(struct finding, pieces) },
	{ "places", NUMBER, offsetof(struct finding, places) },
	{ "processes", NUMBER_32, offsetof(struct finding, nprocesses) },
	{ "ranks", NUMBER_32, offsetof(struct finding, nranks) },
	{ "resized", COUNT, offsetof(struct finding, resized) },
	{ "same", NUMBER_32, offsetof(struct finding, same) },
	{ "seen", COUNT, offsetof(struct finding, seen) },
	{ "seen_of", COUNT, offsetof(struct finding, seen_of) },
	{ "setting", TEXT, offsetof(struct finding, setting) },
	{ "stalled", REAL_0, offsetof(struct finding, stalled) },
	{ "threads", NUMBER_32, offsetof(struct finding, nthreads) },
	{ "waited", PERCENT, offsetof(struct finding, waited) },
	{ "work", PERCENT, offsetof(struct finding, work_part) },
};

static const struct {
	const char *name;
	void (*put)(const struct words *w);
} others[] = {
	{ "call_line", put_call_line },
	{ "construct", put_construct },
	{ "cpu_list", put_cpu_list },
	{ "function", put_function },
	{ "line", put_line },
	{ "meaning", put_meaning },
	{ "of_mean", put_of_mean },
	{ "part_tenths", put_part_tenths },
	{ "pid", put_pid },
	{ "quota", put_quota },
	{ "region", put_region },
	{ "resident", put_resident },
	{ "runtimes", put_runtimes },
	{ "spent", put_spent },
	{ "tasks", put_tasks },
	{ "thread", put_thread },
};

/* Returns the number, if it is a whole one. */
static uint64_t put_member(FILE *out, enum value_as as, const void *member)
{
	const bool narrow = as == COUNT_32 || as == NUMBER_32;
	uint64_t number = 0;

	if (as == TEXT) {
		fputs(*(const char *const *)member, out);
	} else if (as < COUNT) {
		const double value = *(const double *)member;

		if (as == PERCENT)
			fprintf(out, "%.0f", 100 * value);
		else if (as >= REAL_0)
			fprintf(out, "%.*f", (int)(as - REAL_0), value);
		else if (as == SHORT_NS && value < 1000)
			fprintf(out, "%.0f ns", value);
		else
			fputs(format_ns(value).s, out);
	} else {
		number = narrow ? *(const uint32_t *)member : *(const uint64_t *)member;
		if (as <= COUNT_32)
			fputs(format_count(number).s, out);
		else
			fprintf(out, "%" PRIu64, number);
	}
	return number;
}

/* name: up to the brace that ends it. */
static bool is_name(const char *name, const char *of)
{
	return !strncmp(name, of, strlen(of)) && name[strlen(of)] == '}';
}

void finding_put(const struct words *w, const char *text)
{
	uint64_t number = 0;

	for (; *text; text += strcspn(text, "}") + 1) {
		const size_t plain = strcspn(text, "{");

		fwrite(text, 1, plain, w->out);
		text += plain;
		if (!*text++)
			return;
		if (is_name(text, "s"))
			fputs(number == 1 ? "" : "s", w->out);
		else if (is_name(text, "y"))
			fputs(number == 1 ? "y" : "ies", w->out);
		for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
			if (is_name(text, members[i].name))
				number = put_member(w->out, members[i].as,
						    (const char *)w->f + members[i].at);
		for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
			if (is_name(text, others[i].name))
				others[i].put(w);
	}
}
