/* SPDX-License-Identifier: BSD-3-Clause */
/* finding_words.c - what each rule's finding is about, why it was made, and what helps. */
#include "config.h"

#include "src/output/finding_words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/model/model.h"
#include "src/output/finding_blocked_words.h"
#include "src/output/finding_helps.h"
#include "src/output/printable.h"
#include "src/output/thread_name.h"
#include "src/tables/constructs.h"
#include "src/tables/findings.h"
#include "src/tables/losses.h"
#include "src/tables/region_label.h"
#include "src/tables/tables.h"
#include "src/toolchain/toolchain.h"
#include "src/view/label.h"
#include "src/view/view.h"

/* The part of a gain from which on the profiler's own calls are mentioned. */
#define OWN_LEAST 0.05
#define EVEN 0.25 /* of what the thread's time is over the mean: its instructions are even */

enum place { PLACE_CONSTRUCT, PLACE_REGION, PLACE_MOSTLY, PLACE_CALL, PLACE_NONE };

/* ---- parts of sentences ---------------------------------------------- */

static const char *ns(char buf[FORMAT_BYTES], double value)
{
	return format_amount(buf, format_whole(value), PROF_UNIT_NS);
}

static const char *plural(uint32_t n)
{
	return n == 1 ? "" : "s";
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

/* "45 % in cos(), called at composite (heat.c:71)" */
static void put_line(const struct words *w)
{
	char *s = table_line_label(w->v, w->f->work_line);

	fprintf(w->out, "%.0f %% %s ", 100 * w->f->work_part, table_line_at(w->f->work_line));
	format_short(w->out, s ? s : "");
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
		fprintf(w->out, "; over all %s %s", format_count(count, w->f->pieces),
			words_is_region_end(w) ? "entries of the region" : "passes");
}

/* "; each of 200 passes has 4.5 ms of work a thread, and 1.2 ms of waiting" */
static void put_passes(const struct words *w)
{
	const struct finding *f = w->f;
	char count[FORMAT_BYTES];

	if (!f->pieces || f->piece_ns <= 0)
		return;
	fprintf(w->out, "; each of %s passes has ", format_count(count, f->pieces));
	put_short(w->out, f->piece_ns);
	fputs(" of work a thread, and ", w->out);
	put_short(w->out, f->cost_ns);
	fputs(" of waiting", w->out);
}

static void why_varying(const struct words *w)
{
	const struct finding *f = w->f;
	char most[FORMAT_BYTES], mean[FORMAT_BYTES];

	if (f->varies)
		fputs("its teams have several sizes, or other threads each time: whether the same "
		      "thread is late is not known",
		      w->out);
	else
		fprintf(w->out,
			"the threads' work in sum differs by less than they wait (most %s, mean "
			"%s): now one is late, now another%s%s",
			ns(most, f->most_ns), ns(mean, f->mean_ns),
			f->pieces ? "" : ", or barriers are many",
			f->sleeps ? ", or one that sleeps, in a system call or at the barrier" :
				    "");
	put_passes(w);
}

static void why_uncounted(const struct words *w)
{
	const struct finding *f = w->f;
	char most[FORMAT_BYTES], mean[FORMAT_BYTES];

	if (f->varies)
		fputs("its teams have several sizes; how often threads wait there is not known",
		      w->out);
	else
		fprintf(w->out,
			"the threads' work there differs little in sum (most %s, mean %s); how "
			"often they wait is not known",
			ns(most, f->most_ns), ns(mean, f->mean_ns));
}

static void why_short_pass(const struct words *w)
{
	const struct finding *f = w->f;
	char count[FORMAT_BYTES];

	fprintf(w->out, "each of %s passes has ", format_count(count, f->pieces));
	if (f->piece_ns > 0)
		put_short(w->out, f->piece_ns);
	else
		fputs("too little for a sample", w->out);
	fputs(" of work a thread, and costs ", w->out);
	put_short(w->out, f->cost_ns);
	fputs(" at the barrier after it", w->out);
}

static void why_few_iterations(const struct words *w)
{
	const struct finding *f = w->f;

	fprintf(w->out, "it has %u %s%s for %u threads", f->iterations,
		words_is_of_sections(w) ? "section" : "iteration", plural(f->iterations),
		f->nthreads);
	put_passes(w);
}

static void why_like_few(const struct words *w)
{
	const struct finding *f = w->f;
	char most[FORMAT_BYTES], mean[FORMAT_BYTES];

	fprintf(w->out, "the work of %u threads (most %s, mean %s) ", f->nthreads,
		ns(most, f->most_ns), ns(mean, f->mean_ns));
	if (f->iterations)
		fprintf(w->out, "is divided as that of %u %s", f->iterations,
			f->iterations == 1 ? "iteration" : "iterations of equal length");
	else
		fputs("may be that of a few equal iterations, or uneven", w->out);
	fputs("; how many it has is not known, nor whether a thread has it by its number, as in "
	      "master: the source shows it",
	      w->out);
}

/* What a thread spends time in, by loss: "spends 1.9 s waiting for locks". */
static const char *const spent_in[LOSSES] = {
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

static void why_late_for(const struct words *w)
{
	const struct finding *f = w->f;
	char most[FORMAT_BYTES], mean[FORMAT_BYTES];

	thread_name(w->out, w->v->model, f->thread);
	fprintf(w->out, " spends %s there %s, the mean of %u threads is %s; the others wait for it",
		ns(most, f->most_ns), spent_in[f->spent] ? spent_in[f->spent] : "otherwise",
		f->nthreads, ns(mean, f->mean_ns));
}

static void why_unknown_teams(const struct words *w)
{
	fputs("a call by a pointer begins several regions there; in which of them threads wait for "
	      "which is not known",
	      w->out);
}

static void why_single(const struct words *w)
{
	fputs("one thread executes it, the others of the team wait at its end", w->out);
	if (w->f->work_part > 0) {
		fputs("; of its work ", w->out);
		put_line(w);
	}
}

static void put_tasks(const struct words *w)
{
	char count[FORMAT_BYTES];

	fprintf(w->out, "%s ", format_count(count, w->f->pieces));
	fputs(w->f->pieces == 1 ? "task has " : "tasks have ", w->out);
	if (w->f->piece_ns <= 0) {
		fputs("too little work for a sample", w->out);
		return;
	}
	put_short(w->out, w->f->piece_ns);
	fputs(" of work each on average", w->out);
}

static void why_small_tasks(const struct words *w)
{
	put_tasks(w);
	fputs(", and cost the runtime ", w->out);
	put_short(w->out, w->f->cost_ns);
	fputs(w->f->user_only ? " of user code each; its calls of the kernel are not in that" :
				" each",
	      w->out);
}

static void why_few_tasks(const struct words *w)
{
	fputs("threads wait and find no task to execute; ", w->out);
	put_tasks(w);
}

static void why_task_chain(const struct words *w)
{
	char work[FORMAT_BYTES], elapsed[FORMAT_BYTES];

	put_tasks(w);
	fprintf(w->out,
		"; all work in the region is %s, and its entries took %s: tasks ran one after "
		"another, as a chain of dependences, a wait after each of them, an if clause that "
		"is false, or one that is much longer than the others makes them",
		ns(work, w->f->most_ns), ns(elapsed, w->f->elapsed_ns));
}

static void why_idle_tasks(const struct words *w)
{
	char waits[FORMAT_BYTES];

	fprintf(w->out,
		"threads wait for tasks for %s, more than these work: detached tasks, or tasks "
		"that sleep or wait themselves; ",
		ns(waits, w->f->most_ns));
	put_tasks(w);
}

static void why_one_creator(const struct words *w)
{
	char beside[FORMAT_BYTES];

	put_tasks(w);
	fprintf(w->out, "; beside them one thread works %s, and the others wait",
		ns(beside, w->f->most_ns));
	if (w->f->work_part > 0) {
		fputs("; of that ", w->out);
		put_line(w);
	}
}

static void why_task_waits(const struct words *w)
{
	fputs("threads wait for tasks, though there are many: ", w->out);
	put_tasks(w);
}

static void why_lock(const struct words *w)
{
	const struct finding *f = w->f;
	char count[FORMAT_BYTES], cost[FORMAT_BYTES];

	if (f->in_calls <= 0) {
		fputs("threads wait while another one holds it", w->out);
		return;
	}
	fprintf(w->out,
		"threads are in the calls for it, and for %.0f %% of that time the runtime reports "
		"no wait for another holder: the calls themselves take it, or waits for a kind "
		"of lock that it does not report; ",
		100 * f->in_calls);
	if (f->pieces)
		fprintf(w->out, "%s entries, %s each", format_count(count, f->pieces),
			ns(cost, f->cost_ns));
	else
		fputs("`ompcount --entries' counts them", w->out);
}

static void why_atomic(const struct words *w)
{
	why_lock(w);
	if (words_is_under_lock(w))
		fputs("; where no atomic directive is at that line, the compiler combines the "
		      "threads' copies of a reduction there",
		      w->out);
}

static void why_critical(const struct words *w)
{
	why_lock(w);
	if (w->f->same)
		fprintf(w->out,
			"; it has no name, and is one lock with %u other critical section%s "
			"without a name",
			w->f->same, plural(w->f->same));
	if (w->f->work_part > 0) {
		fputs("; of the work at its lines ", w->out);
		put_line(w);
	}
}

static void why_array_reduction(const struct words *w)
{
	(void)w;
	fputs("no atomic directive is at that line: the compiler combines the threads' copies of a "
	      "reduction's array one after another, under a lock",
	      w->out);
}

static void why_runtime_calls(const struct words *w)
{
	const struct finding *f = w->f;
	const uint32_t function = (uint32_t)(f->work_line >> TABLE_LINE_FUNCTION);
	char *line = label_line(&w->v->names, (uint32_t)f->work_line);
	char all[FORMAT_BYTES];

	fprintf(w->out,
		"%s of thread time in functions of the runtime that the program calls; %.0f %% in ",
		ns(all, f->most_ns), 100 * f->work_part);
	format_short(w->out, toolchain_plain(w->v->names.functions[function].name));
	fputs("(), called at ", w->out);
	format_short(w->out, line);
	free(line);
}

static void why_allocator(const struct words *w)
{
	char all[FORMAT_BYTES];

	fprintf(w->out, "%s of thread time, %.0f %% of the run, in the memory allocator; ",
		ns(all, w->f->most_ns), 100 * w->f->part);
	put_line(w);
	fputs("; what another way would gain is not known", w->out);
}

/* Of gcc's static loops the code alone shows that there are any. */
static void why_all_do(const struct words *w)
{
	const struct finding *f = w->f;
	char most[FORMAT_BYTES];

	fprintf(w->out,
		"%u threads have equal work (most %s): each thread executes all of it, or its code "
		"divides it by thread numbers",
		f->nthreads, ns(most, f->most_ns));
	if (view_toolchain(w->v->model->processes[f->process].file)->traits & RUNTIME_STATIC_LOOPS)
		fputs(", as gcc's static loops do, which are not always recognized", w->out);
}

static void why_all_create(const struct words *w)
{
	char *line = label_line(&w->v->names, w->f->call_line);
	char count[FORMAT_BYTES];

	fprintf(w->out,
		"each of %u threads %s %s %s%s at %s, and no construct there divides them "
		"among threads: either all threads do all of them, or the code divides them (by "
		"thread numbers, or from a list of its own",
		w->f->nthreads, w->f->construct ? "entered" : "created",
		format_count(count, w->f->pieces), w->f->construct ? "taskloop" : "task",
		plural(w->f->pieces), line);
	if (view_toolchain(w->v->model->processes[w->f->process].file)->traits &
	    RUNTIME_STATIC_LOOPS)
		fputs("; as gcc's static loops do, which are not always recognized", w->out);
	putc(')', w->out);
	free(line);
}

static void why_directive(const struct words *w)
{
	const struct finding *f = w->f;
	char there[FORMAT_BYTES], count[FORMAT_BYTES];

	fprintf(w->out,
		"%s of thread time, %.0f %% of the region's work, are at the directive's own line, "
		"in %s entr%s: what its clauses make threads do (copies for firstprivate, "
		"lastprivate or copyin; the copies of a reduction's array, and combining them), "
		"unless the program's own code is at that line, too",
		ns(there, f->most_ns), 100 * f->most_ns / f->mean_ns,
		format_count(count, f->pieces), f->pieces == 1 ? "y" : "ies");
	if (f->gain_ns > 0)
		fputs("; the gain is that of waits at its end alone", w->out);
}

static void why_cancel(const struct words *w)
{
	fprintf(w->out, "the program has cancel directives, and %s: none of them cancels anything",
		w->f->setting ? w->f->setting : "OMP_CANCELLATION is not set");
}

static void why_asked(const struct words *w)
{
	const struct finding *f = w->f;
	char count[FORMAT_BYTES];

	fprintf(w->out, "%s entr%s ", format_count(count, f->pieces), f->pieces == 1 ? "y" : "ies");
	if (f->ncpus)
		fprintf(w->out, "asked for %u threads, and got %u", f->ncpus, f->nthreads);
	else
		fprintf(w->out, "got %u thread%s", f->nthreads, plural(f->nthreads));
	if (words_is_nested_team(f))
		fprintf(w->out,
			": it is nested in another region, and the runtime makes one level of "
			"teams by default%s",
			f->ncpus ? "" : "; or its own if or num_threads clause asks for one");
	else if (f->setting)
		fprintf(w->out, ": %s", f->setting);
	else
		fputs(": why is not known", w->out);
}

static void why_one_thread(const struct words *w)
{
	fprintf(w->out, "all regions have one thread, and the process has %u CPUs", w->f->ncpus);
	if (w->f->setting)
		fprintf(w->out, ": %s", w->f->setting);
	else
		fputs("; no setting of the environment asks for that", w->out);
}

static void why_ordered(const struct words *w)
{
	fputs(words_is_doacross(w) ?
		      "threads wait until the iterations that theirs depend on are done" :
		      "threads wait until earlier iterations have done their ordered part",
	      w->out);
}

static void why_short(const struct words *w)
{
	const struct finding *f = w->f;
	char count[FORMAT_BYTES];

	fprintf(w->out, "%s entries: a thread spends ", format_count(count, f->pieces));
	put_short(w->out, f->elapsed_ns);
	if (f->piece_ns <= 0) {
		fputs(" in each, with too little work for a sample", w->out);
	} else {
		fputs(" in each, and works ", w->out);
		put_short(w->out, f->piece_ns);
	}
	if (f->alone && f->alone_ns > 0) {
		fputs("; all work of an entry is ", w->out);
		put_short(w->out, f->alone_ns);
		fputs(": one thread alone would be faster", w->out);
	}
	if (f->fit > 1)
		fprintf(w->out,
			"; %u threads would take the least time, if that cost grows evenly with "
			"the threads: `ompcount scale' shows whether",
			f->fit);
	if (f->setting)
		fprintf(w->out, "; by %s threads sleep between the entries, and have to be woken",
			f->setting);
	if (words_is_by_new_threads(f))
		fprintf(w->out, "; %s threads of the program's own begin them",
			format_count(count, f->initials));
	if (words_is_resized(f))
		fprintf(w->out, "; in %s of them the team has another size than the one before",
			format_count(count, f->resized));
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

static void put_waited(const struct words *w)
{
	fprintf(w->out, "; threads that could run waited for a CPU for %.0f %% of their time",
		100 * w->f->waited);
}

static void why_quota(const struct words *w)
{
	const struct finding *f = w->f;

	fprintf(w->out,
		"its control group (cgroup) has a quota of %.3g CPU%s, and was throttled in %.0f "
		"%% of %llu periods; %u threads",
		f->quota, f->quota > 1 ? "s" : "", 100 * f->part, (unsigned long long)f->pieces,
		f->nthreads);
	put_waited(w);
}

static void why_mask(const struct words *w)
{
	const struct finding *f = w->f;

	fprintf(w->out,
		"after the start, something in the process bound it to CPU%s %s: by its affinity "
		"mask %u threads have %u CPU%s",
		plural(f->ncpus), f->cpus, f->nthreads, f->ncpus, plural(f->ncpus));
	put_waited(w);
}

static void why_faults(const struct words *w)
{
	const struct finding *f = w->f;
	char all[FORMAT_BYTES], count[FORMAT_BYTES];

	fprintf(w->out, "%s of CPU time (%.0f %%) in the kernel, with %s page faults",
		ns(all, f->most_ns), 100 * f->most_ns / f->mean_ns, format_count(count, f->pieces));
	if (finding_maps_again(f))
		fprintf(w->out,
			": memory is mapped again and again, or read that was never "
			"written, since no more than %.0f MiB were resident at a time",
			ceil(f->resident / (1 << 20)));
	else
		fputs(": the first touch of memory", w->out);
	if (finding_maps_again(f) || f->thread == UINT32_MAX)
		return;
	fputs(", by ", w->out);
	thread_name(w->out, w->v->model, f->thread);
}

/* "; of 15 samples of waits there, awake, 7 are for ordered in solve (a.c:12)" */
static void put_seen_waiting(const struct words *w)
{
	const struct finding *f = w->f;
	const struct view_construct *c = &w->v->constructs[f->construct];
	char most[FORMAT_BYTES], all[FORMAT_BYTES], *label;

	if (c->kind < CONSTRUCT_SPECIALS)
		return;
	label = construct_label(w->v, c);
	fprintf(w->out, "; of %s samples of waits there, awake, %s are %s ",
		format_count(all, f->seen_of), format_count(most, f->seen),
		f->spent == LOSS_IMBALANCE ? "at the end of" : "for");
	format_short(w->out, label ? label : "");
	free(label);
}

static void why_kernel(const struct words *w)
{
	const struct finding *f = w->f;
	char all[FORMAT_BYTES], count[FORMAT_BYTES];

	fprintf(w->out,
		"%s of CPU time (%.0f %%) in the kernel, and not for page faults; for what is not "
		"known: threads that the runtime wakes at barriers and locks, input and output, "
		"locks of the C library's (malloc, rand, stdio); threads gave up a CPU %s time%s",
		ns(all, f->most_ns), 100 * f->most_ns / f->mean_ns, format_count(count, f->pieces),
		f->pieces == 1 ? "" : "s");
	if (f->setting)
		fprintf(w->out, "; by %s they do so at each wait", f->setting);
	if (words_is_woken_for_lock(f)) {
		put_seen_waiting(w);
	} else if (f->work_part >= WORDS_CALLS_MUCH) {
		fputs("; of the work that samples see, ", w->out);
		put_line(w);
	}
}

static void why_crowded(const struct words *w)
{
	const struct finding *f = w->f;

	fprintf(w->out, "%u OpenMP threads have %u CPU%s", f->nthreads, f->ncpus, plural(f->ncpus));
	if (f->nested)
		fputs(": nested regions have teams of their own", w->out);
	else if (f->initials > 1)
		fprintf(w->out,
			": %u threads of the program's own begin regions, each with a team "
			"of its own",
			f->initials);
	if (f->cpus)
		fprintf(w->out,
			": by the affinity mask with which the process began, it has CPU%s %s of "
			"%u",
			plural(f->ncpus), f->cpus, f->machine_cpus);
	put_waited(w);
	if (f->gain_ns > 0)
		fputs("; waiting threads spin, and keep others from working", w->out);
}

static void why_processes(const struct words *w)
{
	const struct finding *f = w->f;

	fprintf(w->out, "%u processes of this run had %u OpenMP threads at a time, for %u CPU%s",
		f->nprocesses, f->nthreads, f->ncpus, plural(f->ncpus));
	put_waited(w);
}

static void why_forked(const struct words *w)
{
	fprintf(w->out,
		"process %u is a fork's child, and began a team there with no thread but its own: "
		"the team's others are in its parent (process %llu) alone, and it waited for them "
		"until it was ended",
		w->v->model->processes[w->f->process].file->header.pid,
		(unsigned long long)w->f->pieces);
}

static void why_pools(const struct words *w)
{
	char buf[FORMAT_BYTES];

	fprintf(w->out, "threads of the process that are not OpenMP's ran for %s",
		ns(buf, w->f->others_ns));
	put_waited(w);
	if (w->f->part > 0)
		fprintf(w->out,
			"; with OpenMP's work that is %.0f %% of the CPUs' time: what there is to "
			"gain is not known",
			100 * w->f->part);
	else if (w->f->spins)
		fputs("; OpenMP's threads spin while they wait", w->out);
}

static void put_runtimes(const struct words *w)
{
	const struct prof_file *f = w->v->model->processes[w->f->process].file;
	const char *before = "", *name;

	for (size_t at = 0; (name = prof_text_next(f, PROF_INFO_RUNTIME, &at));) {
		fputs(before, w->out);
		format_text(w->out, name, 0);
		before = " and ";
	}
}

static void why_runtimes(const struct words *w)
{
	const struct finding *f = w->f;

	put_runtimes(w);
	fprintf(w->out,
		" are in the process, each with threads of its own: together %u for %u CPU%s",
		f->nthreads, f->ncpus, plural(f->ncpus));
	put_waited(w);
	if (f->spins)
		fputs("; threads of one spin while those of the other work", w->out);
}

static void why_shared_cpu(const struct words *w)
{
	fprintf(w->out, "%u threads are bound to one CPU, and none to another one", w->f->nthreads);
	if (w->f->setting)
		fprintf(w->out, ": %s", w->f->setting);
}

static void why_no_cpu(const struct words *w)
{
	char buf[FORMAT_BYTES];

	fprintf(w->out,
		"threads could run, but had no CPU for %.0f %% of their time; who had it is not "
		"known",
		100 * w->f->waited);
	if (w->f->others_ns > 0)
		fprintf(w->out, "; threads of the process that are not OpenMP's ran for %s",
			ns(buf, w->f->others_ns));
	if (w->f->quota > 0)
		fprintf(w->out,
			"; its control group's quota of %.3g CPU%s was why in %.0f %% of %llu "
			"periods",
			w->f->quota, w->f->quota > 1 ? "s" : "", 100 * w->f->part,
			(unsigned long long)w->f->pieces);
}

static void why_blocked(const struct words *w)
{
	char count[FORMAT_BYTES];

	fputs("threads neither ran nor waited for a CPU: they slept while they waited for other "
	      "threads, or were in system calls",
	      w->out);
	if (w->f->pieces)
		fprintf(w->out, "; they gave up a CPU %s time%s", format_count(count, w->f->pieces),
			w->f->pieces == 1 ? "" : "s");
	if (w->f->setting)
		fprintf(w->out, ", for a short time each: by %s they do so at each wait",
			w->f->setting);
	put_seen_waiting(w);
	if (w->f->work_part <= 0)
		return;
	fputs("; of what the program calls that can wait (a mutex or another lock that is not "
	      "OpenMP's, input), ",
	      w->out);
	put_line(w);
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
	fputs("; no counter shows what faster accesses gain", w->out);
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

/* Of what is left the kind is known, and that of some kinds is a cause. */
static bool is_cause(enum loss loss)
{
	return loss == LOSS_FORK_JOIN || loss == LOSS_DISPATCH || loss == LOSS_TASKS ||
	       loss == LOSS_MPI;
}

/* "; 80 % in GOMP_critical_end(), called at solve (a.c:12)" */
static void put_runtime_call(const struct words *w)
{
	const uint32_t function = (uint32_t)(w->f->work_line >> TABLE_LINE_FUNCTION);
	char *line = label_line(&w->v->names, (uint32_t)w->f->work_line);

	fprintf(w->out, "; %.0f %% of it in ", 100 * w->f->work_part);
	format_short(w->out, toolchain_plain(w->v->names.functions[function].name));
	fputs("(), called at ", w->out);
	format_short(w->out, line);
	free(line);
}

static void why_left(const struct words *w)
{
	const struct finding *f = w->f;

	if (f->spent == LOSS_NOT_RUNNING && f->waited > 0) {
		fprintf(w->out, "threads could run, but had no CPU for %.0f %% of their time",
			100 * f->waited);
		return;
	}
	fputs(loss_meaning(f->spent), w->out);
	if (f->work_part > 0)
		put_runtime_call(w);
	else if (!is_cause(f->spent))
		fputs("; what causes it is not known", w->out);
	if (f->waited > 0)
		fputs("; threads waited for CPUs meanwhile, which makes it longer", w->out);
}

/* What an if or final clause does not defer still is a task. */

static void why_asleep(const struct words *w)
{
	finding_blocked_why(w->out, w->v, w->f);
}

/* ---- the rules ------------------------------------------------------- */

static const struct rule {
	const char *what;
	enum place place;
	void (*why)(const struct words *w);
	const char *helps; /* NULL: see finding_helps() */
} rules[FINDING_RULES] = {
	[FINDING_STATIC_LOOP] = { "imbalance of", PLACE_CONSTRUCT, why_same_thread,
				  "schedule(dynamic, n) with chunks of 10 us of work or more; "
				  "where a few iterations have most of the work, divide these" },
	[FINDING_OTHER_LOOP] = { "imbalance of", PLACE_CONSTRUCT, why_same_thread, NULL },
	[FINDING_SECTIONS] = { "imbalance of", PLACE_CONSTRUCT, why_same_thread,
			       "sections of equal length, or tasks" },
	[FINDING_VARYING_LOOP] = { "imbalance of", PLACE_CONSTRUCT, why_varying, NULL },
	[FINDING_VARYING_CHUNKS] = { "imbalance of", PLACE_CONSTRUCT, why_varying, NULL },
	[FINDING_VARYING_SECTIONS] = { "imbalance of", PLACE_CONSTRUCT, why_varying,
				       "sections of equal length, or tasks" },
	[FINDING_UNCOUNTED_LOOP] = { "waiting at the end of", PLACE_CONSTRUCT, why_uncounted,
				     NULL },
	[FINDING_FEW_ITERATIONS] = { "too few iterations in", PLACE_CONSTRUCT, why_few_iterations,
				     NULL },
	[FINDING_LIKE_FEW] = { "imbalance of", PLACE_CONSTRUCT, why_like_few,
			       "few iterations: collapse(n), or the loop inside it; many: "
			       "schedule(static, n) with chunks of 10 us of work or more; work of "
			       "one thread's number: a loop over all threads, or tasks" },
	[FINDING_SHORT_LOOP] = { "loop too short:", PLACE_CONSTRUCT, why_short_pass, NULL },
	[FINDING_LATE_THREAD] = { "one late thread in", PLACE_REGION, why_same_thread, NULL },
	[FINDING_UNEVEN_TEAM] = { "imbalance in", PLACE_REGION, why_same_thread, NULL },
	[FINDING_VARYING_TEAM] = { "imbalance in", PLACE_REGION, why_varying, NULL },
	[FINDING_SHORT_STEPS] = { "too little work between barriers in", PLACE_REGION,
				  why_short_pass, NULL },
	[FINDING_LATE_FOR] = { "one late thread in", PLACE_REGION, why_late_for, NULL },
	[FINDING_UNKNOWN_TEAMS] = { "imbalance in", PLACE_REGION, why_unknown_teams,
				    "to know: build with -fno-optimize-sibling-calls" },
	[FINDING_SINGLE] = { "waiting for", PLACE_CONSTRUCT, why_single,
			     "a loop or tasks for its work; nowait, if the other threads need not "
			     "wait" },
	[FINDING_SMALL_TASKS] = { "tasks too small in", PLACE_REGION, why_small_tasks,
				  WORDS_LARGER_TASKS },
	[FINDING_FEW_TASKS] = { "too few tasks in", PLACE_REGION, why_few_tasks,
				"more and smaller tasks, the longest first" },
	[FINDING_TASK_CHAIN] = { "tasks one after another in", PLACE_REGION, why_task_chain,
				 "taskwait after all tasks that can run at a time, not after "
				 "each; depend clauses on the parts of the data that each task "
				 "uses; a long one first, or split; a chain that has to be gains "
				 "nothing from threads" },
	[FINDING_IDLE_TASKS] = { "waiting for tasks that do not run in", PLACE_REGION,
				 why_idle_tasks,
				 "other work meanwhile: depend clauses instead of a taskwait, more "
				 "such tasks at a time; to see what sleeps: `ompcount -e wall'" },
	[FINDING_ONE_CREATOR] = { "one thread creates all tasks in", PLACE_REGION, why_one_creator,
				  NULL },
	[FINDING_TASK_WAITS] = { "waiting for tasks in", PLACE_REGION, why_task_waits,
				 "more tasks created before each wait; tasks created by several "
				 "threads; the longest first, or split; depend clauses that let "
				 "more of them run at a time" },
	[FINDING_CRITICAL] = { "waiting for", PLACE_CONSTRUCT, why_critical, NULL },
	[FINDING_ARRAY_REDUCTION] = { "combining the copies of an array in", PLACE_REGION,
				      why_array_reduction,
				      "each thread combines a part of the array, from all copies; "
				      "fewer regions with that reduction" },
	[FINDING_ASKED] = { "fewer threads than asked for in", PLACE_REGION, why_asked, NULL },
	[FINDING_ONE_THREAD] = { "one thread in all regions, mostly in", PLACE_MOSTLY,
				 why_one_thread, NULL },
	[FINDING_RUNTIME_CALLS] = { "calls into the runtime in", PLACE_REGION, why_runtime_calls,
				    NULL },
	[FINDING_ALLOCATOR] = { "memory allocation in", PLACE_REGION, why_allocator,
				"memory that is allocated before the loop, once for each thread; "
				"an allocator made for many threads" },
	[FINDING_ALL_DO] = { "equal work, and no worksharing seen, in", PLACE_REGION, why_all_do,
			     "where each thread is to do a part: a worksharing loop (for, do) or "
			     "tasks" },
	[FINDING_LOCK] = { "waiting for", PLACE_CONSTRUCT, why_lock, NULL },
	[FINDING_ALL_CREATE] = { "tasks that each thread creates, in", PLACE_REGION, why_all_create,
				 "where each is to be done once: single (or masked) around the "
				 "code that creates them" },
	[FINDING_CANCEL] = { "cancel directives that do nothing", PLACE_NONE, why_cancel,
			     "OMP_CANCELLATION=true" },
	[FINDING_ATOMIC] = { "waiting for", PLACE_CONSTRUCT, why_atomic, NULL },
	[FINDING_ORDERED] = { "waiting for", PLACE_CONSTRUCT, why_ordered, NULL },
	[FINDING_SHORT_REGIONS] = { "region too short:", PLACE_REGION, why_short, NULL },
	[FINDING_DISPATCH] = { "dispatch of", PLACE_CONSTRUCT, why_dispatch, NULL },
	[FINDING_TARGET] = { "waiting for a device in", PLACE_REGION, why_target,
			     "nowait and depend, so that the host works meanwhile" },
	[FINDING_SERIAL] = { "serial code", PLACE_NONE, why_serial,
			     "a parallel region for it: a loop, sections or tasks" },
	[FINDING_SMALL_TEAMS] = { "small team in", PLACE_REGION, why_small_teams, NULL },
	[FINDING_FORKED] = { "a fork's child that has not its team's threads, in", PLACE_REGION,
			     why_forked,
			     "no region in the parent before the fork, or none in the child; a "
			     "child that is started by exec (posix_spawn; Python: "
			     "multiprocessing's spawn); LLVM's runtime, which makes new threads in "
			     "a child" },
	[FINDING_QUOTA] = { "a CPU quota, mostly in", PLACE_MOSTLY, why_quota,
			    "a larger quota (container or batch system), or no more threads than "
			    "it has CPUs" },
	[FINDING_MASK] = { "threads bound to fewer CPUs than they are, mostly in", PLACE_MOSTLY,
			   why_mask,
			   "no binding by that library or launcher (`strace -f -e "
			   "sched_setaffinity' shows who sets it)" },
	[FINDING_FAULTS] = { "page faults", PLACE_NONE, why_faults, NULL },
	[FINDING_KERNEL] = { "time in the kernel", PLACE_NONE, why_kernel, NULL },
	[FINDING_CROWDED] = { "more threads than CPUs, mostly in", PLACE_MOSTLY, why_crowded,
			      NULL },
	[FINDING_PROCESSES] = { "more processes than CPUs have room for, mostly in", PLACE_MOSTLY,
				why_processes,
				"fewer processes at a time, or fewer threads for each" },
	[FINDING_POOLS] = { "threads that are not OpenMP's have the CPUs, mostly in", PLACE_MOSTLY,
			    why_pools, NULL },
	[FINDING_RUNTIMES] = { "several OpenMP runtimes, mostly in", PLACE_MOSTLY, why_runtimes,
			       NULL },
	[FINDING_SHARED_CPU] = { "threads that share a CPU, mostly in", PLACE_MOSTLY,
				 why_shared_cpu,
				 "another value of that setting; in its place OMP_PLACES=cores "
				 "OMP_PROC_BIND=spread; no proc_bind(master) or proc_bind(primary) "
				 "clause, which decides before these; the launcher's binding" },
	[FINDING_NO_CPU] = { "waiting for a CPU, mostly in", PLACE_MOSTLY, why_no_cpu,
			     "CPUs that the program has to itself; fewer threads" },
	[FINDING_BLOCKED] = { "threads that do not run, mostly in", PLACE_MOSTLY, why_blocked,
			      NULL },
	[FINDING_MEMORY] = { "work that waits for memory in", PLACE_REGION, why_memory,
			     "blocking and a better layout of data; first touch by the threads "
			     "that use it; see --by address" },
	[FINDING_RANKS] = { "imbalance between ranks, mostly in", PLACE_MOSTLY, why_ranks,
			    "balance that work across the ranks; more threads for a rank with more "
			    "of it" },
	[FINDING_BLOCKED_CALL] = { "blocked in", PLACE_CALL, why_asleep, NULL },
	[FINDING_BLOCKED_THREAD] = { "waiting for another thread in", PLACE_CALL, why_asleep,
				     "less work for that thread before it goes on, or other work "
				     "meanwhile" },
	[FINDING_BLOCKED_MUTEX] = { "waiting for a mutex that is not OpenMP's:", PLACE_CALL,
				    why_asleep,
				    "less time under it; a mutex for each part of what it guards" },
	[FINDING_BLOCKED_LIBRARY] = { "waiting for a lock of the C library's in", PLACE_CALL,
				      why_asleep,
				      "fewer calls of it by several threads at a time; a function "
				      "with a state of the caller's own" },
	[FINDING_BLOCKED_SLEEP] = { "blocked in", PLACE_CALL, why_asleep,
				    "a wait for the event itself (a condition, poll), not for a "
				    "time" },
	[FINDING_DIRECTIVE] = { "work that clauses make, in", PLACE_REGION, why_directive,
				"shared, where large data is only read; less of it, where not all "
				"is needed behind the region; one region around what "
				"enters it, so that copies are made once; each thread combines a "
				"part of an array, from all copies" },
	[FINDING_LEFT] = { NULL, PLACE_MOSTLY, why_left, NULL }, /* its loss is what it is */
};

/* ---- the whole ------------------------------------------------------- */

/* One of a region's barriers, of which it may have several. */
static bool is_at_barrier(const struct words *w)
{
	const struct view_construct *c = &w->v->constructs[w->f->construct];

	switch (w->f->rule) {
	case FINDING_LATE_THREAD:
	case FINDING_UNEVEN_TEAM:
	case FINDING_VARYING_TEAM:
	case FINDING_SHORT_STEPS:
	case FINDING_LATE_FOR: break;
	default: return false;
	}
	return w->f->construct && c->kind == CONSTRUCT_BARRIER && w->v->names.lines[c->line].line;
}

/* "imbalance in" a region, "imbalance at" a barrier. */
static void put_at_barrier(const struct words *w)
{
	const char *what = rules[w->f->rule].what;
	const size_t in = strlen(what) - strlen("in");

	if (w->f->rule == FINDING_SHORT_STEPS)
		fputs("too little work before", w->out);
	else
		fprintf(w->out, "%.*sat", (int)in, what);
}

static char *place_of(const struct words *w)
{
	const struct view_construct *c = &w->v->constructs[w->f->construct];

	if (rules[w->f->rule].place == PLACE_CALL)
		return finding_blocked_place(w->v, w->f);
	if (rules[w->f->rule].place == PLACE_CONSTRUCT && c->kind >= CONSTRUCT_SPECIALS)
		return construct_label(w->v, c);
	if (is_at_barrier(w))
		return construct_label(w->v, c);
	return region_label(w->v, w->f->special, w->f->line);
}

static void put_what(const struct words *w)
{
	const struct rule *r = &rules[w->f->rule];
	char *place = r->place == PLACE_NONE ? NULL : place_of(w);

	if (w->f->rule == FINDING_SHORT_REGIONS && words_is_resized(w->f))
		fputs("size of teams changes from region to region:", w->out);
	else if (w->f->rule == FINDING_FEW_ITERATIONS && words_is_of_sections(w))
		fputs("too few for the threads:", w->out);
	else if (is_at_barrier(w))
		put_at_barrier(w);
	else if (w->f->in_calls > 0)
		fputs("calls for", w->out);
	else if (r->what)
		fputs(r->what, w->out);
	else
		fprintf(w->out, "%s, mostly in", loss_name(w->f->spent));
	if (place) {
		putc(' ', w->out);
		format_short(w->out, place);
	}
	free(place);
}

/* Whether a thread that takes longer has more to do. */
static void put_instructions(const struct words *w)
{
	const struct finding *f = w->f;
	const double longer = f->most_ns / f->mean_ns - 1, more = f->instructions - 1;

	fprintf(w->out, "; its instructions are %.2f times the mean: ", f->instructions);
	if (more < EVEN * longer)
		fputs("not more work, but slower, by memory, its CPU's clock or a neighbour",
		      w->out);
	else if (more > (1 - EVEN) * longer)
		fputs("it has more to do", w->out);
	else
		fputs("more to do is a part of it", w->out);
}

static void put_why(const struct words *w)
{
	char buf[FORMAT_BYTES];

	if (w->f->places)
		fprintf(w->out, "the largest of %llu places, whose losses are added up; ",
			(unsigned long long)w->f->places);
	rules[w->f->rule].why(w);
	if (w->f->instructions > 0)
		put_instructions(w);
	if (w->f->outside_ns > OWN_LEAST * w->f->gain_ns)
		fprintf(w->out,
			"; %s of it outside of regions, where the others have no work while the "
			"initial thread does not go on",
			ns(buf, w->f->outside_ns));
	if (w->f->asleep_ns > 0)
		fprintf(w->out, "; for %s of it the others slept", ns(buf, w->f->asleep_ns));
	if (w->f->own_ns > OWN_LEAST * w->f->gain_ns)
		fprintf(w->out, "; the profiler's own calls, %s, are not in it",
			ns(buf, w->f->own_ns));
}

static char *said(const struct view *v, const struct finding *f, void (*put)(const struct words *))
{
	size_t size;
	char *s = NULL;
	struct words w = { .v = v, .f = f, .out = alloc_stream(&s, &size) };

	if (!w.out)
		return NULL;
	put(&w);
	alloc_stream_end(w.out);
	return s;
}

void finding_words(const struct view *v, const struct finding *f, struct finding_words *w)
{
	const struct words of = { .v = v, .f = f };

	*w = (struct finding_words){
		.what = said(v, f, put_what),
		.why = said(v, f, put_why),
		.helps = finding_helps(&of),
	};
	if (!w->helps)
		w->helps = rules[f->rule].helps;
	if (w->what && w->why)
		return;
	finding_words_fini(w);
}

void finding_words_fini(struct finding_words *w)
{
	free(w->what);
	free(w->why);
	*w = (struct finding_words){ 0 };
}
