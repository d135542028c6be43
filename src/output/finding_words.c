/* finding_words.c - what each rule's finding is about, why it was made, and what helps. */
#include "config.h"

#include "src/output/finding_words.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/model/model.h"
#include "src/output/printable.h"
#include "src/output/thread_name.h"
#include "src/tables/constructs.h"
#include "src/tables/findings.h"
#include "src/tables/region_label.h"
#include "src/tables/tables.h"
#include "src/view/label.h"
#include "src/view/view.h"

/* The part of a gain from which on the profiler's own calls are mentioned. */
#define OWN_LEAST 0.05

enum place { PLACE_CONSTRUCT, PLACE_REGION, PLACE_MOSTLY, PLACE_NONE };

struct words {
	FILE *out;
	const struct view *v;
	const struct finding *f;
};

/* ---- parts of sentences ---------------------------------------------- */

static const char *ns(char buf[FORMAT_BYTES], double value)
{
	return format_amount(buf, format_whole(value), PROF_UNIT_NS);
}

/* A short time with its fraction: "348 ns" would be "0". */
static void put_short(FILE *out, double value)
{
	char buf[FORMAT_BYTES];

	if (value < 1000)
		fprintf(out, "%.0f ns", value);
	else
		fputs(ns(buf, value), out);
}

static void put_line(const struct words *w)
{
	const uint64_t key = w->f->work_line;
	char *s = (uint32_t)key ?
			  label_line(&w->v->names, (uint32_t)key) :
			  label_function(&w->v->names.functions[key >> TABLE_LINE_FUNCTION]);

	fprintf(w->out, "%.0f %% at ", 100 * w->f->work_part);
	format_name(w->out, s ? s : "", 0);
	free(s);
}

/* "thread 3 works 1.51 times as long as the mean of 4 threads" */
static void put_thread(const struct words *w)
{
	const struct finding *f = w->f;
	char most[FORMAT_BYTES], mean[FORMAT_BYTES];

	thread_name(w->out, w->v->model, f->thread);
	fprintf(w->out, " works %s there, the mean of %u threads is %s", ns(most, f->most_ns),
		f->nthreads, ns(mean, f->mean_ns));
	if (f->work_part > 0) {
		fputs("; of that ", w->out);
		put_line(w);
	}
}

static void why_same_thread(const struct words *w)
{
	char count[FORMAT_BYTES];

	put_thread(w);
	if (w->f->pieces > 1)
		fprintf(w->out, "; over all %s entries of the region",
			format_count(count, w->f->pieces));
}

static void why_varying(const struct words *w)
{
	const struct finding *f = w->f;
	char most[FORMAT_BYTES], mean[FORMAT_BYTES];

	fprintf(w->out,
		"no thread has much more work than the others in the end (most %s, mean %s): now "
		"one is late, now another",
		ns(most, f->most_ns), ns(mean, f->mean_ns));
}

static void why_untold(const struct words *w)
{
	fputs("a call by a pointer begins several regions there; in which of them threads wait for "
	      "which is not known",
	      w->out);
}

static void why_shared_out(const struct words *w)
{
	if (w->f->thread == UINT32_MAX)
		why_varying(w);
	else
		why_same_thread(w);
}

static void why_single(const struct words *w)
{
	fputs("one thread executes it, the others of the team wait at its end", w->out);
	if (w->f->work_part > 0) {
		fputs("; of its work ", w->out);
		put_line(w);
	}
}

static void why_small_tasks(const struct words *w)
{
	char count[FORMAT_BYTES];

	fprintf(w->out, "%s tasks have bodies of ", format_count(count, w->f->pieces));
	put_short(w->out, w->f->piece_ns);
	fputs(" on average, and each costs the runtime ", w->out);
	put_short(w->out, w->f->cost_ns);
}

static void why_few_tasks(const struct words *w)
{
	char count[FORMAT_BYTES];

	fprintf(w->out, "threads wait and find no task to execute; %s tasks have bodies of ",
		format_count(count, w->f->pieces));
	put_short(w->out, w->f->piece_ns);
	fputs(" on average", w->out);
}

static void why_lock(const struct words *w)
{
	fputs("threads wait while another one holds it", w->out);
}

static void why_ordered(const struct words *w)
{
	fputs("threads wait until earlier iterations have done their ordered part", w->out);
}

static void why_short(const struct words *w)
{
	char count[FORMAT_BYTES];

	fprintf(w->out, "each of %s entries takes ", format_count(count, w->f->pieces));
	put_short(w->out, w->f->piece_ns);
	fputs(", and a thread loses ", w->out);
	put_short(w->out, w->f->cost_ns);
	fputs(" of that to its begin and end", w->out);
}

static void why_dispatch(const struct words *w)
{
	if (!w->f->pieces) {
		fputs("the runtime is called for each chunk of iterations", w->out);
		return;
	}
	fputs("an iteration takes ", w->out);
	put_short(w->out, w->f->piece_ns);
	fputs(" of work, and its part of the calls that get chunks ", w->out);
	put_short(w->out, w->f->cost_ns);
}

static void why_target(const struct words *w)
{
	fputs("threads wait for a device", w->out);
}

static void why_serial(const struct words *w)
{
	fprintf(w->out, "outside of regions one of %u threads works", w->f->nthreads);
	if (w->f->work_part > 0) {
		fputs("; of its work ", w->out);
		put_line(w);
	}
}

static void why_small_teams(const struct words *w)
{
	fprintf(w->out,
		w->f->varies ? "its smallest team has %u of %llu threads" :
			       "its team has at most %u of %llu threads",
		w->f->nthreads, (unsigned long long)w->f->pieces);
}

static void why_crowded(const struct words *w)
{
	fprintf(w->out, "%u OpenMP threads have %u CPU%s", w->f->nthreads, w->f->ncpus,
		w->f->ncpus == 1 ? "" : "s");
	if (w->f->part > 0)
		fprintf(w->out, ", and waited for them for %.0f %% of their time; what that and ",
			100 * w->f->part);
	else
		fputs(": waiting threads that spin keep others from working; what ", w->out);
	fputs("other losses cost can't be told", w->out);
}

static void why_shared_cpu(const struct words *w)
{
	fprintf(w->out, "%u threads are bound to one CPU, and none to another one", w->f->nthreads);
}

static void why_busy(const struct words *w)
{
	fputs("threads could run, but others had the CPUs", w->out);
}

static void why_blocked(const struct words *w)
{
	fputs("threads neither ran nor waited for a CPU: they slept while they waited for other "
	      "threads, or were in system calls",
	      w->out);
}

static void why_memory(const struct words *w)
{
	const struct finding *f = w->f;
	char share[FORMAT_BYTES];
	const char *before = "";

	snprintf(share, sizeof(share), "%.1f", 100 * f->part);
	fprintf(w->out, "%s %% of the run is work there, with ", share);
	if (f->ipc > 0) {
		fprintf(w->out, "%.2f instructions a cycle", f->ipc);
		before = ", ";
	}
	if (f->stalled > 0) {
		fprintf(w->out, "%s%.0f %% of cycles stalled at the back end", before, f->stalled);
		before = ", ";
	}
	if (f->misses > 0)
		fprintf(w->out, "%s%.1f %s a 1,000 instructions", before, f->misses, f->missed);
	fputs("; no counter tells what faster accesses gain", w->out);
}

static void why_ranks(const struct words *w)
{
	const struct finding *f = w->f;
	char most[FORMAT_BYTES], mean[FORMAT_BYTES];

	thread_name(w->out, w->v->model, f->thread);
	fprintf(w->out, " is busy for %s there, the mean of %u ranks' busiest threads is %s",
		ns(most, f->most_ns), f->nranks, ns(mean, f->mean_ns));
	if (f->work_part > 0) {
		fputs("; of its work ", w->out);
		put_line(w);
	}
	if (f->call)
		fprintf(w->out, "; the others wait in %s", f->call);
}

/* ---- the rules ------------------------------------------------------- */

#define DIVIDE "divide that work: a loop over all threads, or tasks"

static const struct rule {
	const char *what;
	enum place place;
	void (*why)(const struct words *w);
	const char *helps;
} rules[FINDING_RULES] = {
	[FINDING_STATIC_LOOP] = { "imbalance of", PLACE_CONSTRUCT, why_same_thread,
				  "schedule(dynamic) or (guided); or static with small chunks, so "
				  "that each thread gets iterations of all kinds" },
	[FINDING_OTHER_LOOP] = { "imbalance of", PLACE_CONSTRUCT, why_shared_out,
				 "smaller chunks, long iterations first; more iterations than "
				 "threads: collapse(n)" },
	[FINDING_SECTIONS] = { "imbalance of", PLACE_CONSTRUCT, why_shared_out,
			       "sections of equal length, or tasks" },
	[FINDING_VARYING_LOOP] = { "imbalance of", PLACE_CONSTRUCT, why_varying,
				   "schedule(dynamic); a CPU of its own for each thread: "
				   "OMP_PROC_BIND=true" },
	[FINDING_LATE_THREAD] = { "one late thread in", PLACE_REGION, why_same_thread, DIVIDE },
	[FINDING_UNEVEN_TEAM] = { "imbalance in", PLACE_REGION, why_same_thread, DIVIDE },
	[FINDING_VARYING_TEAM] = { "imbalance in", PLACE_REGION, why_varying,
				   "fewer barriers: nowait; a CPU of its own for each thread: "
				   "OMP_PROC_BIND=true" },
	[FINDING_UNTOLD_TEAMS] = { "imbalance in", PLACE_REGION, why_untold,
				   "to know: build with -fno-optimize-sibling-calls" },
	[FINDING_SINGLE] = { "waiting for", PLACE_CONSTRUCT, why_single,
			     "a loop or tasks for its work; nowait, where the others can go on" },
	[FINDING_SMALL_TASKS] = { "tasks too small in", PLACE_REGION, why_small_tasks,
				  "more work for each task: taskloop grainsize(n), final or if "
				  "clauses, a limit to the depth of recursion" },
	[FINDING_FEW_TASKS] = { "too few tasks in", PLACE_REGION, why_few_tasks,
				"more and smaller tasks, the longest first, created by several "
				"threads" },
	[FINDING_CRITICAL] = { "waiting for", PLACE_CONSTRUCT, why_lock,
			       "a reduction, or atomic for a single update; less work in it" },
	[FINDING_LOCK] = { "waiting for", PLACE_CONSTRUCT, why_lock,
			   "a lock for each part of the data; a reduction; less work under it" },
	[FINDING_ATOMIC] = { "waiting for", PLACE_CONSTRUCT, why_lock,
			     "a reduction, or a sum of its own for each thread" },
	[FINDING_ORDERED] = { "waiting for", PLACE_CONSTRUCT, why_ordered,
			      "less work in the ordered region; schedule(static, 1)" },
	[FINDING_SHORT_REGIONS] = { "region too short:", PLACE_REGION, why_short,
				    "one parallel region around what enters it; an if clause "
				    "where there is little work" },
	[FINDING_DISPATCH] = { "dispatch of", PLACE_CONSTRUCT, why_dispatch,
			       "larger chunks: schedule(dynamic, n); guided, or static" },
	[FINDING_TARGET] = { "waiting for a device in", PLACE_REGION, why_target,
			     "nowait and depend, so that the host works meanwhile" },
	[FINDING_SERIAL] = { "serial code", PLACE_NONE, why_serial,
			     "a parallel region for it: a loop, sections or tasks" },
	[FINDING_SMALL_TEAMS] = { "small team in", PLACE_REGION, why_small_teams,
				  "no num_threads clause, OMP_DYNAMIC=false, or the work of "
				  "several such regions at once" },
	[FINDING_CROWDED] = { "more threads than CPUs, mostly in", PLACE_MOSTLY, why_crowded,
			      "OMP_NUM_THREADS as the CPUs; otherwise OMP_WAIT_POLICY=passive" },
	[FINDING_SHARED_CPU] = { "threads that share a CPU, mostly in", PLACE_MOSTLY,
				 why_shared_cpu,
				 "OMP_PLACES=cores OMP_PROC_BIND=spread; the launcher's binding" },
	[FINDING_BUSY_CPUS] = { "waiting for a CPU, mostly in", PLACE_MOSTLY, why_busy,
				"CPUs of its own for the program, or fewer threads" },
	[FINDING_BLOCKED] = { "threads that do not run, mostly in", PLACE_MOSTLY, why_blocked,
			      "to see why: `ompcount -e wall'" },
	[FINDING_MEMORY] = { "work that waits for memory in", PLACE_REGION, why_memory,
			     "blocking and a better layout of data; first touch by the threads "
			     "that use it; see --by address" },
	[FINDING_RANKS] = { "imbalance between ranks, mostly in", PLACE_MOSTLY, why_ranks,
			    "equal parts of that work for the ranks; more threads for a rank with "
			    "more of it" },
};

/* ---- the whole ------------------------------------------------------- */

static char *place_of(const struct words *w)
{
	const struct view_construct *c = &w->v->constructs[w->f->construct];

	if (rules[w->f->rule].place == PLACE_CONSTRUCT && c->kind >= CONSTRUCT_SPECIALS)
		return construct_label(w->v, c);
	return region_label(w->v, w->f->special, w->f->line);
}

static void put_what(const struct words *w)
{
	const struct rule *r = &rules[w->f->rule];
	char *place = r->place == PLACE_NONE ? NULL : place_of(w);

	fputs(r->what, w->out);
	if (place) {
		putc(' ', w->out);
		format_name(w->out, place, 0);
	}
	free(place);
}

static void put_why(const struct words *w)
{
	char buf[FORMAT_BYTES];

	rules[w->f->rule].why(w);
	if (w->f->asleep_ns > 0)
		fprintf(w->out, "; for %s of it the others slept", ns(buf, w->f->asleep_ns));
	if (w->f->own_ns > OWN_LEAST * w->f->gain_ns)
		fprintf(w->out,
			"; not in it: %s of the profiler's own calls, which slow the runtime, too",
			ns(buf, w->f->own_ns));
}

static char *said(const struct view *v, const struct finding *f, void (*put)(const struct words *))
{
	size_t size;
	char *s = NULL;
	struct words w = { .v = v, .f = f, .out = open_memstream(&s, &size) };

	if (!w.out)
		return NULL;
	put(&w);
	if (!fclose(w.out))
		return s;
	free(s);
	return NULL;
}

int finding_words(const struct view *v, const struct finding *f, struct finding_words *w)
{
	*w = (struct finding_words){
		.what = said(v, f, put_what),
		.why = said(v, f, put_why),
		.helps = rules[f->rule].helps,
	};
	if (w->what && w->why)
		return 0;
	finding_words_fini(w);
	return -ENOMEM;
}

void finding_words_fini(struct finding_words *w)
{
	free(w->what);
	free(w->why);
	*w = (struct finding_words){ 0 };
}
