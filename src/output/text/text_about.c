/* SPDX-License-Identifier: BSD-3-Clause */
/* text_about.c - the lines above every table: what was profiled, and how. */
#include "config.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/base/path.h"
#include "src/model/liveness.h"
#include "src/model/model.h"
#include "src/output/filter_text.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/text/text.h"
#include "src/path/sites.h"
#include "src/tables/sourceless.h"
#include "src/tables/tables.h"
#include "src/toolchain/toolchain.h"
#include "src/view/view.h"

#include "src/base/alloc.h"

enum { NOTES_SHOWN = 8 };

/* The command line, with blanks between arguments; not where the program is. */
static void text_command(FILE *out, const struct prof_file *f)
{
	const char *exe = prof_text(f, PROF_INFO_EXE);

	for (size_t i = 0; i < f->ntexts; i++) {
		const struct prof_text *t = &f->texts[i];

		if (t->kind != PROF_INFO_ARGV)
			continue;
		for (size_t at = 0; at < t->bytes; at += strlen(t->text + at) + 1) {
			if (at)
				putc(' ', out);
			format_text(out, at ? t->text + at : path_base(t->text), 0);
		}
		return;
	}
	format_text(out, exe ? exe : "(command not known)", 0);
}

/* Whether a file reports for the runtime that has that file. */
static bool text_has_producer(const struct prof_file *f, const char *runtime)
{
	const char *producer = toolchain_of_file(runtime)->producer;

	for (size_t i = 0; producer && i < f->nmodules; i++)
		if (!(f->modules[i].flags & PROF_MODULE_UNUSED) &&
		    !strcmp(path_base(f->modules[i].path), producer))
			return true;
	return false;
}

/* The first runtime for which a file reports (or not); NULL: there is none. */
static const char *text_runtime_file(const struct prof_file *f, bool reported)
{
	for (size_t i = 0; i < f->nmodules; i++) {
		const char *base = path_base(f->modules[i].path);

		if (sites_module_owner(&f->modules[i]) == SITE_RUNTIME &&
		    !toolchain_is_producer(base) && text_has_producer(f, base) == reported)
			return base;
	}
	return NULL;
}

/* The OpenMP runtime of a process that none reported anything, or NULL. Where our producer is
   loaded, a runtime that it reports for, with its first region, was not used. */
static const char *text_silent(const struct prof_file *f)
{
	return prof_text(f, PROF_INFO_RUNTIME) ? NULL : text_runtime_file(f, false);
}

static bool text_has_environment(const struct prof_file *f, const char *setting)
{
	for (size_t i = 0; i < f->ntexts; i++)
		if (f->texts[i].kind == PROF_INFO_ENV && !strcasecmp(f->texts[i].text, setting))
			return true;
	return false;
}

static const char *text_why_silent(const struct model_process *p)
{
	if (text_has_environment(p->file, "OMP_TOOL=disabled"))
		return "OMP_TOOL=disabled";
	/* LLVM's runtime looks for a tool when it is first called. */
	if (p->threads.all == 1)
		return "the program called nothing of it, it has no OMPT, or another OMPT tool is "
		       "in use";
	return "it has no OMPT, or another OMPT tool is in use";
}

/* The object that has a runtime linked into it, or NULL. */
static const char *text_linked(const struct text *t)
{
	const struct prof_rmodule *m = t->report->view->linked;

	return m ? path_base(m->path) : NULL;
}

static void text_reported_nothing(const struct text *t, const char *what, const char *name,
				  const char *why)
{
	fputs(what, t->out);
	format_text(t->out, name, 0);
	fprintf(t->out,
		" reported nothing: %s\n  regions and waits are inferred from code and "
		"stacks; entries and creation contexts are missing\n",
		why);
}

#define LINKED "the OpenMP runtime in "

/* Says what a report lacks where the runtime reported nothing, and why. */
static void text_silent_note(const struct text *t)
{
	const struct model *m = t->report->model;
	const struct toolchain *of;
	char why[128];

	for (size_t p = 0; p < m->nprocesses; p++) {
		const struct prof_file *f = m->processes[p].file;
		const char *name = text_silent(f);

		if (!name)
			continue;
		of = toolchain_of_file(name);
		snprintf(why, sizeof(why),
			 "%s needs %s, in " PACKAGE "/ beside libomphwc.so, to report something",
			 of->name, of->producer ? of->producer : "");
		text_reported_nothing(t, "", name,
				      of->producer ? why : text_why_silent(&m->processes[p]));
		return;
	}
	if (text_linked(t))
		text_reported_nothing(
			t, LINKED, text_linked(t),
			"it is linked statically: GCC's then reports nothing, LLVM's needs OMPT");
}

/* Its name only: "GNU libgomp" of "GNU libgomp, by libomphwc-gomp.so". */
static void text_runtime_name(const struct text *t, const char *runtime)
{
	const size_t to = strcspn(runtime, ",(");
	char name[80];

	snprintf(name, sizeof(name), "%.*s",
		 (int)(to && runtime[to] && runtime[to - 1] == ' ' ? to - 1 : to), runtime);
	format_text(t->out, name, 0);
}

/* Without those of an MPI library: how many these are is not known. */
static void text_thread_count(const struct text *t, const struct model_process *p)
{
	const bool mpi = t->report->view->mpi_threads;
	const uint64_t n = mpi ? p->openmp_threads : p->threads.all;

	fprintf(t->out, "%s %sthread%s", format_count(n).s, mpi ? "OpenMP " : "",
		n == 1 ? "" : "s");
}

/* Where threads were made anew, or were so many that not each has a row. */
static void text_many_threads(const struct text *t)
{
	const struct model *m = t->report->model;
	const struct model_process *p = &m->processes[0];
	const uint64_t *begun = p->threads.begun;
	uint64_t shared = 0;

	for (size_t i = 0; i < m->nprocesses; i++)
		shared = prof_add(shared, m->processes[i].threads.shared);
	if (m->nprocesses == 1 && p->threads.all > p->threads.most) {
		fprintf(t->out, "at most %s of the threads lived at one time",
			format_count(p->threads.most).s);
		if (begun[PROF_THREAD_INITIAL] + begun[PROF_THREAD_WORKER] > p->openmp_threads) {
			fprintf(t->out, "; OpenMP's (%s initial,",
				format_count(begun[PROF_THREAD_INITIAL]).s);
			fprintf(t->out, " %s worker%s) were",
				format_count(begun[PROF_THREAD_WORKER]).s,
				begun[PROF_THREAD_WORKER] == 1 ? "" : "s");
			fprintf(t->out, " %s at most in use", format_count(p->openmp_threads).s);
		}
		putc('\n', t->out);
	}
	if (shared)
		fprintf(t->out,
			"%s threads have no row of their own: each shares that of threads that had "
			"ended when it began\n",
			format_count(shared).s);
}

static void text_processes(const struct text *t)
{
	const struct model *m = t->report->model;
	const size_t nruns = model_runs(m);
	size_t of[LIVENESS_UNKNOWN + 1] = { 0 };
	bool ranks;

	for (size_t i = 0; i < m->nprocesses; i++)
		of[liveness_of(m->processes[i].file)]++;
	ranks = text_job(t);
	text_many_threads(t);
	if (nruns > 1)
		fprintf(t->out,
			"these are %zu runs, whose times are added up; to compare runs: "
			"ompcount diff\n",
			nruns);
	if (of[LIVENESS_RUNS])
		fprintf(t->out, "%zu of the processes still run\n", of[LIVENESS_RUNS]);
	if (of[LIVENESS_GONE] && !ranks)
		fprintf(t->out,
			"%zu of the processes ended without a record of it (killed, or by _exit "
			"where libomphwc did not see it)\n",
			of[LIVENESS_GONE]);
	if (of[LIVENESS_UNKNOWN] && !ranks)
		fprintf(t->out, "%zu of the processes were killed or still run (not known here)\n",
			of[LIVENESS_UNKNOWN]);
	if (of[LIVENESS_UNPROFILED])
		fprintf(t->out, "%zu of the processes were not profiled\n",
			of[LIVENESS_UNPROFILED]);
}

/* Seconds from the process's start; 0: it was sampled from there, or up to its end. */
static double text_since_start(const struct prof_header *h, uint64_t ns)
{
	return ns > h->start_monotonic_ns ? 1e-9 * (double)(ns - h->start_monotonic_ns) : 0;
}

/* "sampled from 2.0 s to 12.0 s of the run": of several processes, from the first begin to the last
   end. */
static void text_window(const struct text *t)
{
	const struct model *m = t->report->model;
	const char *run = m->nprocesses == 1 ? "the run" : "each process's run";
	double from = DBL_MAX, until = 0, delay = 0;
	bool limited = false;

	for (size_t i = 0; i < m->nprocesses; i++) {
		const struct prof_header *h = &m->processes[i].file->header;
		const double begin = text_since_start(h, h->sampled_from_ns);
		const double lasted = text_since_start(h, h->end_monotonic_ns);
		const double end = h->sampled_until_ns ? text_since_start(h, h->sampled_until_ns) :
							 lasted;

		limited = limited || h->sampled_from_ns || h->sampled_until_ns;
		delay = fmax(delay, begin);
		if (lasted > 0 && begin >= lasted)
			continue;
		from = fmin(from, begin);
		until = fmax(until, end > 0 ? end : DBL_MAX);
	}
	if (limited && from > until)
		fprintf(t->out, "nothing was sampled: %s ended before %.1f s of it\n", run, delay);
	else if (limited && until < DBL_MAX)
		fprintf(t->out, "sampled from %.1f s to %.1f s of %s\n", from, until, run);
	else if (limited)
		fprintf(t->out, "sampled from %.1f s of %s on\n", from, run);
}

/* Distinct notes: many processes have the same ones. */
struct notes {
	const char *shown[NOTES_SHOWN];
	size_t n;
	size_t more; /* number of further ones, not shown */
};

/* Whether the line of an event says it. */
static bool text_note_shown(const struct model *m, const char *note)
{
	for (size_t e = 0; e < m->nevents; e++)
		if (text_refused_why(&m->events[e], note))
			return true;
	return false;
}

static void text_note(const struct text *t, struct notes *notes, const char *note)
{
	if (text_note_shown(t->report->model, note))
		return;
	for (size_t i = 0; i < notes->n; i++)
		if (!strcmp(notes->shown[i], note))
			return;
	if (notes->n == NOTES_SHOWN) {
		notes->more++;
		return;
	}
	notes->shown[notes->n++] = note;
	format_text(t->out, note, 0);
	putc('\n', t->out);
}

/* Prints the profiles' own notes. */
static void text_notes(const struct text *t)
{
	const struct model *m = t->report->model;
	struct notes notes = { .n = 0 };
	const char *note;

	for (size_t p = 0; p < m->nprocesses; p++)
		for (size_t at = 0;
		     (note = prof_text_next(m->processes[p].file, PROF_INFO_NOTE, &at));)
			text_note(t, &notes, note);
	if (notes.more)
		fprintf(t->out, "and %zu more notes\n", notes.more);
}

bool text_lost(const struct text *t, const char *before)
{
	const struct model_tally *tally = &t->report->model->tally;
	size_t n = 0;

	for (unsigned c = 0; c < PROF_LOST_MAX; c++) {
		if (!tally->lost[c] || !model_lost_samples(c))
			continue;
		fprintf(t->out, "%s%s %s", n++ == 0 ? before : ", ", format_count(tally->lost[c]).s,
			model_lost_name(c));
	}
	if (tally->underway)
		fprintf(t->out, "%s%s under way at the end", n++ == 0 ? before : ", ",
			format_count(tally->underway).s);
	if (n != 0)
		fprintf(t->out, " (of %s taken)", format_count(tally->taken).s);
	return n != 0;
}

static void text_losses(const struct text *t)
{
	const struct model_tally *tally = &t->report->model->tally;

	if (!text_one_sampled(t) && text_lost(t, "lost: "))
		putc('\n', t->out);
	/* The number of samples lost by throttling is unknown. */
	if (tally->lost[PROF_LOST_THROTTLED])
		fprintf(t->out,
			"the kernel stopped events %s times because their samples came "
			"too fast: take a longer period, or raise "
			"kernel.perf_event_max_sample_rate\n",
			format_count(tally->lost[PROF_LOST_THROTTLED]).s);
	if (tally->guessed)
		fprintf(t->out,
			"guessed: callers of code without unwind rules, in %.1f %% of the "
			"samples\n",
			100 * (double)tally->guessed / (double)tally->kept);
	/* What is not known for want of room: entries, what was nested so deep that there was no
	   memory for it, and the kernel's records. */
	static const struct {
		enum prof_lost cause;
		const char *before, *what;
	} all[] = {
		{ PROF_LOST_ENTRIES, "lost: ", "entries of constructs: no room in the file" },
		{ PROF_LOST_REGIONS,
		  "nested too deep: ", "parallel regions: their entries and times are not known" },
		{ PROF_LOST_CONSTRUCTS, "nested too deep: ",
		  "worksharing constructs and tasks: their entries are not known" },
		{ PROF_LOST_PLACES, "nested too deep: ",
		  "regions and tasks: their counts are those of what is around them, and these are "
		  "not known" },
		{ PROF_LOST_RECORDS, "without the kernel's record: ",
		  "samples: the exact places, addresses of data and kernel's functions that it "
		  "would hold are not known" },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (tally->lost[all[i].cause])
			fprintf(t->out, "%s%s %s\n", all[i].before,
				format_count(tally->lost[all[i].cause]).s, all[i].what);
	if (tally->unaccounted)
		fprintf(t->out,
			"of %s samples taken %s are in the profile; the rest is not "
			"accounted for\n",
			format_count(tally->taken).s, format_count(tally->kept).s);
}

/* Each reason once, as usually all processes have the same. */
static void text_refused(const struct text *t)
{
	const struct model *m = t->report->model;
	size_t n[PROF_REFUSALS] = { 0 };
	uint32_t number = 0;

	for (size_t i = 0; i < m->nprocesses; i++) {
		const struct prof_header *h = &m->processes[i].file->header;

		n[h->refused]++;
		if (h->refused == PROF_REFUSED_OTHER)
			number = h->refused_errno;
	}
	for (unsigned r = PROF_REFUSED_NOT + 1; r < PROF_REFUSALS; r++) {
		if (!n[r])
			continue;
		if (r == PROF_REFUSED_DAMAGED) {
			if (t->report->model->nprocesses == 1)
				fputs("the profile was", t->out);
			else
				fprintf(t->out, "%zu of the profiles were", n[r]);
			fputs(" removed, made shorter or overwritten while the process ran: what "
			      "is left of the numbers is not what was measured\n",
			      t->out);
			continue;
		}
		if (m->nprocesses == 1)
			fputs("the profile could not grow: ", t->out);
		else
			fprintf(t->out, "%zu of the profiles could not grow: ", n[r]);

		const enum prof_refused why = (enum prof_refused)r;
		static const char *const words[PROF_REFUSALS] = {
			[PROF_REFUSED_DISK] = "the disk was full",
			[PROF_REFUSED_QUOTA] = "the disk quota was used up",
			[PROF_REFUSED_FSIZE] =
				"the limit on the size of files (ulimit -f) was reached",
			[PROF_REFUSED_LIMIT] =
				"it was as large as profiles get here (see ulimit -v)",
			[PROF_REFUSED_MEMORY] = "the kernel gave no memory for it",
		};
		fputs(words[why] ? words[why] : "the file system refused it", t->out);
		if (r == PROF_REFUSED_OTHER)
			fprintf(t->out, " (error %u)", number);
		fputs("; what had no room is lost\n", t->out);
	}
}

static void text_damage(const struct text *t)
{
	const struct model *m = t->report->model;

	for (size_t i = 0; i < m->nprocesses; i++) {
		const struct prof_file *f = m->processes[i].file;

		if (!f->damaged && !f->missing_bytes)
			continue;
		format_text(t->out, f->path, 0);
		if (f->missing_bytes)
			fprintf(t->out, ": cut short by %" PRIu64 " bytes", f->missing_bytes);
		if (f->damaged)
			fprintf(t->out, "%s %zu inconsistent records left out",
				f->missing_bytes ? "," : ":", f->damaged);
		putc('\n', t->out);
	}
}

/* ": 1.8 s, 2 threads, GNU libgomp, on node1" */
static void text_title_end(const struct text *t, const struct prof_file *f)
{
	const char *host = prof_text(f, PROF_INFO_HOST);
	const struct prof_header *h = &f->header;

	fputs(": ", t->out);
	text_rank(t);
	if (!t->detail)
		fprintf(t->out, "pid %u, ", h->pid);
	if (h->end_monotonic_ns > h->start_monotonic_ns)
		fprintf(t->out, "%s, ",
			format_amount(h->end_monotonic_ns - h->start_monotonic_ns, PROF_UNIT_NS).s);
	text_thread_count(t, &t->report->model->processes[0]);
	fputs(", ", t->out);

	const char *silent = text_silent(f), *linked = text_linked(t);

	if (prof_text(f, PROF_INFO_RUNTIME)) {
		/* The runtimes that reported something, each once. */
		const char *separator = "", *name;

		for (size_t at = 0; (name = prof_text_next(f, PROF_INFO_RUNTIME, &at));) {
			fputs(separator, t->out);
			text_runtime_name(t, name);
			separator = " and ";
		}
	} else if (silent || linked) {
		fputs(silent ? "" : LINKED, t->out);
		format_text(t->out, silent ? silent : linked, 0);
		fputs(", which reported nothing", t->out);
	} else {
		const char *unused = text_runtime_file(f, true);

		if (unused)
			format_text(t->out, unused, 0);
		fputs(unused ? ", which entered no parallel region" : "no OpenMP runtime seen",
		      t->out);
	}
	if (host) {
		fputs(", on ", t->out);
		format_text(t->out, host, 0);
	}
	putc('\n', t->out);
}

static void text_title(const struct text *t)
{
	enum { LEAST = 20 };
	const struct model *m = t->report->model;
	const struct prof_file *f = m->nprocesses ? m->processes[0].file : NULL;
	char *command = NULL, *end = NULL;
	struct text some = *t;
	size_t size, used = 0;
	FILE *out = f ? alloc_stream(&command, &size) : NULL;

	if (!out)
		return;
	text_command(out, f);
	fclose(out);
	some.out = m->nprocesses == 1 ? alloc_stream(&end, &size) : NULL;
	if (some.out) {
		text_title_end(&some, f);
		fclose(some.out);
		used = format_width(end) - 1;
	}
	if (t->report->columns)
		used = t->report->columns > used + LEAST ? t->report->columns - used : LEAST;
	format_text(t->out, command, t->report->columns ? used : 0);
	fputs(end ? end : "\n", t->out);
	if (m->nprocesses != 1)
		text_processes(t);
	free(command);
	free(end);
}

void text_about(const struct text *t)
{
	text_title(t);
	text_events(t);

	const struct model *m = t->report->model;
	const char *ended = m->nprocesses == 1 ? liveness_text(liveness_of(m->processes[0].file)) :
						 NULL;

	if (m->nprocesses == 1)
		text_many_threads(t);
	if (ended)
		fprintf(t->out, "%s\n", ended);
	filter_text(t->out, t->report->filtered, "");
	text_window(t);
	text_notes(t);
	text_silent_note(t);
	text_losses(t);
	text_refused(t);
	text_damage(t);
	text_troubles(t);
	/* "no source lines for 97.3 % of the work: app has no debug information: ..." */
	const struct sourceless s = sourceless_of(t->report->view, t->report->event);

	if (s.module) {
		fprintf(t->out, "no source lines for %.1f %% of the work: ", 100 * s.share);
		format_text(t->out, path_base(s.module), 0);
		if (s.more)
			fprintf(t->out, " and %zu more module%s", s.more, s.more == 1 ? "" : "s");
		fprintf(t->out, " %s no debug information: compile %s with -g\n",
			s.more ? "have" : "has", s.more ? "them" : "it");
	}
	if (s.python) {
		fputs("paths end in Python's interpreter, ", t->out);
		format_text(t->out, path_base(s.python), 0);
		fputs(": to see its functions use -X perf (Python 3.12 and later)\n", t->out);
	}
}

void text_no_regions(const struct text *t)
{
	const struct model *m = t->report->model;
	const struct prof_file *f = m->processes[0].file;
	const bool silent = text_silent(f) || text_linked(t);

	if (m->nprocesses != 1 || t->report->view->nregions != REGION_SPECIALS ||
	    t->report->view->filtered || m->processes[0].threads.all != 1)
		return;
	if (silent || prof_text(f, PROF_INFO_RUNTIME) || text_runtime_file(f, true))
		fprintf(t->out,
			"no parallel region was %s: one thread works, also in loops (for, do, "
			"simd), sections and tasks that are in none\n",
			silent ? "seen" : "entered");
	else
		fputs("no OpenMP runtime was seen: without -fopenmp (-qopenmp, -mp) compilers "
		      "ignore directives that make threads\n",
		      t->out);
}

void text_sums(const struct text *t)
{
	const struct model *m = t->report->model;

	if (m->nevents) {
		format_text(t->out, m->events[t->report->event].label, 0);
		fputs(": ", t->out);
	}
	text_classes(t);
}

void text_classes(const struct text *t)
{
	const size_t event = t->report->event;
	const struct cost all = cost_sum(t->total, event);
	const uint32_t unit = t->report->model->nevents ? t->report->model->events[event].unit : 0;

	for (unsigned c = 0; c < OMP_CLASSES; c++) {
		const struct cost *cost = cost_at(t->total, event, (enum omp_class)c);

		if (!omp_has_class(t->report->view->classes, c))
			continue;
		fprintf(t->out, "%s%s %s (%s %%)", c ? " + " : "",
			omp_class_name((enum omp_class)c), format_amount(cost->weight, unit).s,
			format_percent(cost->weight, all.weight).s);
	}
	fprintf(t->out, " = %s\n", format_amount(all.weight, unit).s);
}
