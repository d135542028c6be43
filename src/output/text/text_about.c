/* text_about.c - the lines above every table: what was profiled, and how. */
#include "config.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "src/filter/filter.h"
#include "src/model/liveness.h"
#include "src/model/model.h"
#include "src/output/filter_text.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/text/text.h"
#include "src/tables/tables.h"
#include "src/tables/thread_spread.h"
#include "src/view/sites.h"
#include "src/view/view.h"

enum {
	NOTES_SHOWN = 8,
	WORTH_SAYING = 50, /* a deviation is mentioned from one part in so many */
};

/* The command line, with blanks between arguments. */
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
			format_text(out, t->text + at, 0);
		}
		return;
	}
	format_text(out, exe ? exe : "(command not known)", 0);
}

#define PRODUCER "libomphwc-gomp.so"

static bool text_has_producer(const struct prof_file *f)
{
	for (size_t i = 0; i < f->nmodules; i++)
		if (!strcmp(format_base(f->modules[i].path), PRODUCER))
			return true;
	return false;
}

static bool text_is_gomp(const char *runtime)
{
	return strstr(runtime, "gomp");
}

/* The OpenMP runtime of a process that none told anything, or NULL. Where our producer is
   loaded, a libgomp that told nothing was not used. */
static const char *text_untold(const struct prof_file *f)
{
	const bool producer = text_has_producer(f);

	if (prof_text(f, PROF_INFO_RUNTIME))
		return NULL;
	for (size_t i = 0; i < f->nmodules; i++) {
		const char *base = format_base(f->modules[i].path);

		if (sites_module_owner(&f->modules[i]) == SITE_RUNTIME &&
		    strcmp(base, PRODUCER) != 0 && !(producer && text_is_gomp(base)))
			return base;
	}
	return NULL;
}

static bool text_has_environment(const struct prof_file *f, const char *setting)
{
	for (size_t i = 0; i < f->ntexts; i++)
		if (f->texts[i].kind == PROF_INFO_ENV && !strcasecmp(f->texts[i].text, setting))
			return true;
	return false;
}

static const char *text_why_untold(const struct prof_file *f, const char *runtime)
{
	if (text_is_gomp(runtime))
		return "GCC's libgomp needs " PRODUCER ", in " PACKAGE
		       "/ beside libomphwc.so, to tell something";
	if (text_has_environment(f, "OMP_TOOL=disabled"))
		return "OMP_TOOL=disabled";
	return "it has no OMPT, or the program a tool of its own";
}

/* The object that has a runtime linked into it, or NULL. */
static const char *text_linked(const struct text *t)
{
	const struct prof_rmodule *m = t->report->view->linked;

	return m ? format_base(m->path) : NULL;
}

static void text_told_nothing(const struct text *t, const char *what, const char *name,
			      const char *why)
{
	fputs(what, t->out);
	format_text(t->out, name, 0);
	fprintf(t->out,
		" told nothing: %s\n"
		"  so regions and waits are those that code and stacks tell, without "
		"entries and creation contexts\n",
		why);
}

#define LINKED "the OpenMP runtime in "

/* Says what a report lacks where the runtime told nothing, and why. */
static void text_untold_note(const struct text *t)
{
	const struct model *m = t->report->model;

	for (size_t p = 0; p < m->nprocesses; p++) {
		const struct prof_file *f = m->processes[p].file;
		const char *name = text_untold(f);

		if (!name)
			continue;
		text_told_nothing(t, "", name, text_why_untold(f, name));
		return;
	}
	if (text_linked(t))
		text_told_nothing(
			t, LINKED, text_linked(t),
			"it is linked statically: GCC's then tells nothing, LLVM's needs OMPT");
}

/* The runtimes that told something, each once. */
static void text_runtimes(const struct text *t, const struct prof_file *f)
{
	const char *separator = "";

	for (size_t i = 0; i < f->ntexts; i++) {
		bool again = f->texts[i].kind != PROF_INFO_RUNTIME;

		for (size_t k = 0; k < i && !again; k++)
			again = f->texts[k].kind == PROF_INFO_RUNTIME &&
				!strcmp(f->texts[k].text, f->texts[i].text);
		if (again)
			continue;
		fputs(separator, t->out);
		format_text(t->out, f->texts[i].text, 0);
		separator = " and ";
	}
}

static void text_runtime(const struct text *t, const struct prof_file *f)
{
	const char *untold = text_untold(f), *linked = text_linked(t);

	if (prof_text(f, PROF_INFO_RUNTIME)) {
		text_runtimes(t, f);
	} else if (untold || linked) {
		fputs(untold ? "" : LINKED, t->out);
		format_text(t->out, untold ? untold : linked, 0);
		fputs(", which told nothing", t->out);
	} else {
		fputs("no OpenMP runtime met", t->out);
	}
	putc('\n', t->out);
}

static void text_process(const struct text *t, const struct prof_file *f)
{
	const char *host = prof_text(f, PROF_INFO_HOST);
	const struct prof_header *h = &f->header;
	const char *ended = liveness_text(liveness_of(f));
	char buf[FORMAT_BYTES];

	if (host) {
		fputs("on ", t->out);
		format_text(t->out, host, 0);
		fputs(", ", t->out);
	}
	fprintf(t->out, "pid %u, %zu thread%s", h->pid, f->nthreads, f->nthreads == 1 ? "" : "s");
	if (h->end_monotonic_ns > h->start_monotonic_ns)
		fprintf(t->out, ", %s",
			format_amount(buf, h->end_monotonic_ns - h->start_monotonic_ns,
				      PROF_UNIT_NS));
	fputs(", ", t->out);
	text_runtime(t, f);
	if (ended)
		fprintf(t->out, "%s\n", ended);
}

static void text_processes(const struct text *t)
{
	const struct model *m = t->report->model;
	size_t of[LIVENESS_UNKNOWN + 1] = { 0 };

	for (size_t i = 0; i < m->nprocesses; i++)
		of[liveness_of(m->processes[i].file)]++;
	fprintf(t->out, "%zu processes, %zu threads together\n", m->nprocesses, m->nthreads);
	if (of[LIVENESS_RUNS])
		fprintf(t->out, "%zu of the processes still run\n", of[LIVENESS_RUNS]);
	if (of[LIVENESS_GONE])
		fprintf(t->out,
			"%zu of the processes ended without saying so (killed, or by _exit "
			"where libomphwc did not see it)\n",
			of[LIVENESS_GONE]);
	if (of[LIVENESS_UNKNOWN])
		fprintf(t->out,
			"%zu of the processes were killed or still run, which can't be told "
			"from here\n",
			of[LIVENESS_UNKNOWN]);
	if (of[LIVENESS_UNPROFILED])
		fprintf(t->out, "%zu of the processes were not profiled: they went on without\n",
			of[LIVENESS_UNPROFILED]);
}

/* Distinct notes: many processes have the same ones. */
struct notes {
	const char *shown[NOTES_SHOWN];
	size_t n;
	size_t more; /* number of further ones, not shown */
};

static void text_note(const struct text *t, struct notes *notes, const char *note)
{
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

	for (size_t p = 0; p < m->nprocesses; p++)
		for (size_t i = 0; i < m->processes[p].file->ntexts; i++) {
			const struct prof_text *x = &m->processes[p].file->texts[i];

			if (x->kind == PROF_INFO_NOTE)
				text_note(t, &notes, x->text);
		}
	if (notes.more)
		fprintf(t->out, "and %zu notes more\n", notes.more);
}

/* Says that other events used the hardware counter for part of the time. */
static void text_scaled(const struct text *t, size_t event, const struct prof_value *v)
{
	const double scaled = (double)v->value * (double)v->enabled_ns / (double)v->running_ns;
	char buf[FORMAT_BYTES], share[FORMAT_BYTES];

	fprintf(t->out, ", for %s %% of the time: %s scaled",
		format_percent(share, v->running_ns, v->enabled_ns),
		format_amount(buf, format_whole(scaled), t->report->model->events[event].unit));
}

/* Reports overflows that should have given samples and did not: while a signal is pending,
   further ones are merged with it. */
static void text_undelivered(const struct text *t, size_t event, const struct cost *samples)
{
	const struct model_event *e = &t->report->model->events[event];
	struct prof_value sum;
	char buf[FORMAT_BYTES];

	/* A clock's value includes time in the kernel. */
	if (!e->period || e->unit == PROF_UNIT_NS ||
	    model_counted(t->report->model, event, &sum) < t->report->model->nthreads ||
	    sum.value / WORTH_SAYING < e->period * t->report->model->nthreads ||
	    samples->weight >= sum.value - sum.value / WORTH_SAYING)
		return;
	fprintf(t->out,
		"  %s %% of it gave no sample: its signals were blocked, or came too "
		"fast\n",
		format_percent(buf, sum.value - samples->weight, sum.value));
}

/* With n samples a share of one half has a standard error of 0.5 / sqrt(n). */
static void text_shares(const struct text *t, const struct cost *sum)
{
	unsigned off = 1;

	if (!sum->samples || sum->samples >= SPREAD_FEW)
		return;
	while (off * off * sum->samples < 50 * 50)
		off++;
	fprintf(t->out,
		"  so few samples: a share of 50 %% is %u %% off by chance (standard error)\n",
		off);
}

/* Clocks count the thread's time in the kernel, too, although only user code is sampled.  So
   the difference to the samples is time in the kernel, or lost samples. */
static void text_in_kernel(const struct text *t, size_t event, const struct cost *samples)
{
	const struct model *m = t->report->model;
	const struct model_event *e = &m->events[event];
	struct prof_value sum;
	char buf[FORMAT_BYTES], share[FORMAT_BYTES];

	if (e->unit != PROF_UNIT_NS || !(e->flags & PROF_EVENT_USER_ONLY) ||
	    model_counted(m, event, &sum) < m->nthreads || sum.value <= samples->weight ||
	    sum.value - samples->weight <= sum.value / WORTH_SAYING)
		return;
	fprintf(t->out,
		"  %s (%s %% of what was counted) passed in the kernel%s: in no row, as only "
		"user code is sampled; :uk behind the event samples both\n",
		format_amount(buf, sum.value - samples->weight, e->unit),
		format_percent(share, sum.value - samples->weight, sum.value),
		m->tally.kept < m->tally.taken ? " or is of lost samples" : "");
}

static void text_event_counted(const struct text *t, size_t event)
{
	const struct model *m = t->report->model;
	struct prof_value sum;
	size_t known = model_counted(m, event, &sum);
	char buf[FORMAT_BYTES];

	if (!known)
		return;
	fprintf(t->out, "; %s counted", format_amount(buf, sum.value, m->events[event].unit));
	if (known < m->nthreads)
		fprintf(t->out, " in %zu of %zu threads", known, m->nthreads);
	if (!sum.running_ns && sum.enabled_ns)
		fputs(": no counter was free for it at any time", t->out);
	else if (sum.running_ns < sum.enabled_ns - sum.enabled_ns / WORTH_SAYING)
		text_scaled(t, event, &sum);
}

/* The cost of an event before filters. */
static struct cost text_event_all(const struct text *t, size_t event)
{
	return t->report->filtered ? t->report->filtered->all[event] : cost_sum(t->total, event);
}

/* "1,234 samples for 1.2 s", or "1,234 of 5,678 samples for 1.2 of 5.6 s". */
static void text_event_samples(const struct text *t, size_t event, const struct cost *sum)
{
	const struct cost all = text_event_all(t, event);
	const uint32_t unit = t->report->model->events[event].unit;
	const bool part = t->report->filtered && filter_selects(t->report->filtered->options);
	char buf[FORMAT_BYTES];

	fprintf(t->out, ": %s", format_count(buf, sum->samples));
	if (part)
		fprintf(t->out, " of %s", format_count(buf, all.samples));
	fprintf(t->out, " samples for %s", format_amount(buf, sum->weight, unit));
	if (part)
		fprintf(t->out, " of %s", format_amount(buf, all.weight, unit));
}

static void text_event(const struct text *t, size_t event)
{
	const struct model_event *e = &t->report->model->events[event];
	struct cost sum = cost_sum(t->total, event);
	char buf[FORMAT_BYTES];

	/* Events that are only counted have a table of their own. */
	if (!(e->flags & PROF_EVENT_COUNT_ONLY)) {
		format_text(t->out, e->label, 0);
		if (e->freq_hz)
			fprintf(t->out, " at %u Hz", e->freq_hz);
		else if (e->period)
			fprintf(t->out, " each %s",
				e->unit == PROF_UNIT_NS ? format_amount(buf, e->period, e->unit) :
							  format_count(buf, e->period));
		text_event_samples(t, event, &sum);
		text_event_counted(t, event);
		putc('\n', t->out);
		text_shares(t, &sum);
		/* What was counted is to be compared with all samples. */
		sum = text_event_all(t, event);
		text_in_kernel(t, event, &sum);
		text_undelivered(t, event, &sum);
	}
	if (e->flags & PROF_EVENT_SUBSTITUTED) {
		fputs("  ", t->out);
		format_text(t->out, e->requested, 0);
		fputs(" was asked for and can't be counted here: all numbers are ", t->out);
		format_text(t->out, e->label, 0);
		fputs("'s\n", t->out);
	}
}

static void text_losses(const struct text *t)
{
	const struct model_tally *tally = &t->report->model->tally;
	const char *before = "lost: ";
	char buf[FORMAT_BYTES];

	for (unsigned c = 0; c < PROF_LOST_MAX; c++) {
		if (!tally->lost[c] || c == PROF_LOST_THROTTLED || c == PROF_LOST_ENTRIES)
			continue;
		fprintf(t->out, "%s%s %s", before, format_count(buf, tally->lost[c]),
			model_lost_name(c));
		before = ", ";
	}
	if (tally->underway) {
		fprintf(t->out, "%s%s under way at the end", before[0] == 'l' ? "" : ", ",
			format_count(buf, tally->underway));
		before = ", ";
	}
	if (before[0] == ',')
		fprintf(t->out, " (of %s samples taken)\n", format_count(buf, tally->taken));
	/* The number of samples lost by throttling is unknown. */
	if (tally->lost[PROF_LOST_THROTTLED])
		fprintf(t->out,
			"the kernel stopped events %s times because their samples came "
			"too fast: take a longer period, or raise "
			"kernel.perf_event_max_sample_rate\n",
			format_count(buf, tally->lost[PROF_LOST_THROTTLED]));
	if (tally->lost[PROF_LOST_ENTRIES])
		fprintf(t->out, "lost: %s entries of constructs: no room in the file\n",
			format_count(buf, tally->lost[PROF_LOST_ENTRIES]));
	if (tally->unaccounted)
		fprintf(t->out,
			"of %s samples taken %s are in the profile; the rest is not "
			"accounted for\n",
			format_count(buf, tally->taken),
			format_count((char[FORMAT_BYTES]){ 0 }, tally->kept));
}

static const char *text_refusal(enum prof_refused why)
{
	static const char *const words[PROF_REFUSALS] = {
		[PROF_REFUSED_DISK] = "the disk was full",
		[PROF_REFUSED_QUOTA] = "the disk quota was used up",
		[PROF_REFUSED_FSIZE] = "the limit on the size of files (ulimit -f) was reached",
		[PROF_REFUSED_LIMIT] = "it was as large as profiles get here (see ulimit -v)",
		[PROF_REFUSED_MEMORY] = "the kernel gave no memory for it",
		[PROF_REFUSED_DAMAGED] = "it was removed, or made shorter, while the process ran",
	};

	return words[why] ? words[why] : "the file system refused it";
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
		if (m->nprocesses == 1)
			fputs("the profile could not grow: ", t->out);
		else
			fprintf(t->out, "%zu of the profiles could not grow: ", n[r]);
		fputs(text_refusal((enum prof_refused)r), t->out);
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

void text_about(const struct text *t)
{
	const struct model *m = t->report->model;

	if (m->nprocesses)
		text_command(t->out, m->processes[0].file);
	putc('\n', t->out);
	if (m->nprocesses == 1)
		text_process(t, m->processes[0].file);
	else
		text_processes(t);
	filter_text(t->out, t->report->filtered, "");
	text_notes(t);
	text_untold_note(t);
	for (size_t e = 0; e < m->nevents; e++)
		text_event(t, e);
	text_losses(t);
	text_refused(t);
	text_damage(t);
}

void text_classes(const struct text *t)
{
	const size_t event = t->report->event;
	const struct cost all = cost_sum(t->total, event);
	const uint32_t unit = t->report->model->nevents ? t->report->model->events[event].unit : 0;
	char buf[FORMAT_BYTES], share[FORMAT_BYTES];

	for (unsigned c = 0; c < OMP_CLASSES; c++) {
		const struct cost *cost = cost_at(t->total, event, (enum omp_class)c);

		fprintf(t->out, "%s%s %s (%s %%)", c ? " + " : "",
			omp_class_name((enum omp_class)c), format_amount(buf, cost->weight, unit),
			format_percent(share, cost->weight, all.weight));
	}
	fprintf(t->out, " = %s\n", format_amount(buf, all.weight, unit));
}
