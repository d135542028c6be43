/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cmd_report.c - the command report: prints profiles in the requested view, grouping and
 * format.
 */
#include "config.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/answers/lookup.h"
#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/base/message.h"
#include "src/base/page.h"
#include "src/chosen.h"
#include "src/command_line.h"
#include "src/commands.h"
#include "src/filter/filter.h"
#include "src/filter/find.h"
#include "src/model/profiles.h"
#include "src/output/formats.h"
#include "src/output/outfile.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/profile/name.h"
#include "src/report_options.h"
#include "src/spooled.h"
#include "src/symbols/symbols.h"
#include "src/symbols/symbols_debuginfod.h"
#include "src/tables/flame.h"
#include "src/tables/judged.h"
#include "src/tables/parallelism.h"
#include "src/tables/time_event.h"
#include "src/view/view.h"

enum { REPORT_DEBUGINFOD_S = 300 };
enum { LISTED_MAX = 12 }; /* names that are listed where several are meant */

/* ---- reading --------------------------------------------------------- */

static int report_read(struct profiles *p, const char *command, char **words, int n)
{
	struct profiles_error e;
	struct chosen chosen;
	int status;

	spooled_say(words, (size_t)n);
	status = chosen_runs(&chosen, command, words, (size_t)n);

	chosen_say_many(&chosen);
	for (size_t i = 0; i < chosen.n && !status; i++)
		if (profiles_add(p, chosen.paths[i], &e))
			status = command_fails(e.path, e.why, e.todo);
	chosen_fini(&chosen);
	return status;
}

static int report_event(const struct model *m, const char *name, size_t *event)
{
	struct trouble t;
	char todo[sizeof(t.todo)] = "it has";
	int found;

	*event = model_first_sampled(m);
	if (!name)
		return 0;
	found = model_find_event(m, name);
	if (found >= 0 && !model_is_sampled(m, found)) {
		trouble(&t, "it was counted and not sampled",
			"leave --event out: text and json have its counts", "event %s", name);
	} else if (found >= 0) {
		*event = (size_t)found;
		return 0;
	} else {
		for (size_t i = 0; i < m->nevents; i++) {
			const size_t at = strlen(todo);

			snprintf(todo + at, sizeof(todo) - at, "%s %s", i ? "," : "",
				 m->events[i].label);
		}
		trouble(&t, "the profile has no such event", todo, "event %s", name);
	}
	message_trouble(&t);
	return COMMAND_MISUSED;
}

/* Paths and lines need samples; counts have none.  A format of times needs some. */
static int report_samples(const struct model *m, const struct report_options *o)
{
	const bool counts = o->format->counts && !o->calls && !o->annotate;

	if (!counts && m->nevents &&
	    m->events[model_first_sampled(m)].flags & PROF_EVENT_COUNT_ONLY)
		return command_fails("report", "nothing was sampled",
				     "text and json show what was counted");
	if (!o->format->times)
		return 0;
	for (size_t i = 0; i < m->nprocesses; i++)
		if (m->processes[i].file->ntimelines || m->processes[i].file->ntraces)
			return 0;
	return command_fails(o->format->name, "the profile does not have when samples were taken",
			     "run it again with ompcount --timeline");
}

static bool has_counts(const struct model *m)
{
	for (size_t e = 0; e < m->nevents; e++)
		if (!model_is_sampled(m, e))
			return true;
	return false;
}

static bool has_timeline(const struct model *m)
{
	for (size_t i = 0; i < m->nprocesses; i++)
		if (m->processes[i].file->ntimelines)
			return true;
	return false;
}

static bool has_causes(const struct model *m)
{
	return model_was_set(m, "OMPHWC_BLAME");
}

/* A table for people needs what its rows are of; for programs an empty one is a table, too. */
static int report_recorded(const struct model *m, const struct report_options *o)
{
	static const struct {
		bool (*has)(const struct model *m);
		const char *why, *todo;
	} needs[BYS] = {
		[BY_COUNT] = { has_counts, "nothing was counted",
			       "run it again with ompcount --count" },
		[BY_TIME] = { has_timeline, "when samples were taken was not kept",
			      "run it again with ompcount --timeline" },
		[BY_PARALLELISM] = { has_timeline, "when samples were taken was not kept",
				     "run it again with ompcount --timeline" },
		[BY_BLAME] = { has_causes, "the causes of waits were not recorded",
			       "run it again with ompcount --blame" },
	};
	char what[32];

	if (o->overview || o->calls || o->annotate || strcmp(o->format->name, "text") != 0 ||
	    !needs[o->by].has || needs[o->by].has(m))
		return 0;
	snprintf(what, sizeof(what), "--by %s", output_by_name((enum output_by)o->by));
	return command_fails(what, needs[o->by].why, needs[o->by].todo);
}

/* ---- showing --------------------------------------------------------- */

struct report_troubles {
	struct output_trouble *all;
	size_t n, room;
};

static void report_trouble(const char *path, const char *why, void *arg)
{
	struct report_troubles *t = arg;
	struct output_trouble *all = grow(t->all, t->n, &t->room, sizeof(*all));

	t->all = all;
	t->all[t->n++] = (struct output_trouble){ .path = path, .why = why };
}

/* By path: names that are stored are not met in the order of the files. */
static int report_trouble_order(const void *a, const void *b)
{
	const struct output_trouble *x = a, *y = b;
	const int paths = strcmp(x->path, y->path);

	return paths ? paths : strcmp(x->why, y->why);
}

/* Reports progress to a waiting user: a million contexts take a second. */
static void report_progress(void *arg, size_t done, size_t total)
{
	*(bool *)arg = true;
	fprintf(stderr, "\rompcount: %zu %% ", done * 100 / (total ? total : 1));
}

/* Machine code is in no profile. */
static void report_no_file(const char *path, const char *why, void *arg)
{
	(void)arg;
	message_parts(path, why, "--asm shows code of the program's own files");
}

/* An option's value may be none, or fit nothing in the profiles. */
static int report_failed_trouble(const struct trouble *t, int err)
{
	if (err != -EINVAL && err != -ENOENT)
		return command_line_failed("report", err);
	message_trouble(t);
	return err == -EINVAL ? COMMAND_MISUSED : COMMAND_FAILED;
}

/* The function or file that --calls or --annotate means. */
static int report_target(const struct report_options *o, const struct report *r,
			 struct found *found)
{
	const char *wanted = o->calls ? o->calls : o->annotate;
	const enum find_kind kind = o->calls ? FIND_CALLED : o->asm_code ? FIND_CODE : FIND_SOURCE;
	struct trouble t;
	int err;

	*found = (struct found){ 0 };
	err = wanted ? find_target(r->view, wanted, kind, found, &t) : 0;
	if (!err)
		return 0;
	err = report_failed_trouble(&t, err);
	for (size_t i = 0; i < found->n && i < LISTED_MAX; i++)
		message("  %s", found->several[i]);
	if (found->n > LISTED_MAX)
		message("  and %zu more", found->n - LISTED_MAX);
	return err;
}

/* Says why nothing could be written. */
static int report_unwritten(const struct report_options *o, const struct report *r,
			    const struct lookup *lookup, const char *target, int err)
{
	struct trouble t;

	if (err == -EINVAL)
		return report_failed_trouble(r->trouble, err);
	if (err == -ENOEXEC)
		return command_fails("objdump", "not found", "install binutils");
	if (err == -EIO)
		return command_fails("objdump", "it failed", NULL);
	if (err != -ENOENT)
		return command_line_failed("report", err);
	if (!o->asm_code)
		return command_fails(target, "it has no source lines", "compile it with -g");
	symbols_troubles(lookup->symbols, report_no_file, NULL);
	trouble(&t, "no code of that name (inlined ones are part of their callers)",
		"see report --by function", "--asm %s", target);
	return command_troubled(&t);
}

static int report_write_to(const struct report_options *o, const struct report *r,
			   struct lookup *lookup, const char *target)
{
	const char *name = o->output ? o->output : "standard output";
	const struct details *details = o->format->details;
	const struct detail_target detail = {
		.name = target,
		.lookup = lookup,
		.sysroot = o->sysroot,
		.sources = o->sources,
	};
	struct outfile out;
	int err = outfile_open(&out, o->output);

	if (err)
		return command_line_unwritten(name, err);
	if (o->format->not_on_terminal && isatty(fileno(out.stream))) {
		outfile_abandon(&out);
		return command_misused(name, "it is a terminal", "use -o FILE");
	}
	if (!o->no_pager && !strcmp(o->format->name, "text"))
		outfile_page(&out);
	if (o->calls)
		err = details->calls(out.stream, r, &detail);
	else if (o->annotate && o->asm_code)
		err = details->machine(out.stream, r, &detail);
	else if (o->annotate)
		err = details->annotate(out.stream, r, &detail);
	else
		err = o->format->write(out.stream, r);
	if (err) {
		outfile_abandon(&out);
		return report_unwritten(o, r, lookup, target, err);
	}
	err = outfile_commit(&out);
	return err ? command_line_failed(name, err) : 0;
}

static int report_write(const struct report_options *o, const struct report *r,
			struct lookup *lookup)
{
	struct found found;
	int status = report_target(o, r, &found);

	if (!status)
		status = report_write_to(o, r, lookup, found.name);
	found_fini(&found);
	return status;
}

static bool report_has_lines(const struct report_options *o)
{
	return o->annotate || o->lines || o->format->lines == LINES_ALWAYS;
}

/* Hiding needs the lines of calls. */
static struct view *report_build(const struct report_options *o, const struct profiles *p,
				 struct lookup *lookup, enum view_kind kind)
{
	bool progress = false;
	const struct view_options view_options = {
		.kind = kind,
		.resolver = &lookup->resolver,
		.lines = report_has_lines(o) || o->filters.value[FILTER_HIDE],
		.summed = profiles_are_many(p) && o->format->summed &&
			  !filter_selects(&o->filters) && !o->filters.value[FILTER_HIDE] &&
			  !o->annotate && !o->calls,
		.unfold = o->unfold_libraries,
		.progress = isatty(STDERR_FILENO) ? report_progress : NULL,
		.arg = &progress,
	};

	struct view *v = view_build(&p->model, &view_options);

	if (progress)
		fputs("\r\033[K", stderr);
	return v;
}

static int report_filter(const struct report_options *o, const struct profiles *p,
			 struct lookup *lookup, struct view *v, struct filtered *f)
{
	struct trouble t;

	/* Views have their records in the same order, so a user view can select another's. */
	struct view *user = filter_needs_user_view(&o->filters) && o->view != VIEW_USER ?
				    report_build(o, p, lookup, VIEW_USER) :
				    NULL;
	int err = filter_select(user ? user : v, &o->filters, f, &t);

	view_free(user);
	if (!err && filter_selects(&o->filters))
		filter_apply(v, f);
	if (!err && o->filters.value[FILTER_HIDE])
		err = hide_modules(v, f, report_has_lines(o), &t);
	/* Not of a page's other views, too. */
	if (!err && o->filters.value[FILTER_HIDE] && t.what[0] && v->kind == o->view)
		message_trouble(&t);
	return err ? report_failed_trouble(&t, err) : 0;
}

/* What of that the format shows, or what is shown rests on. Elapsed times are of all samples. */
static void report_judge(const struct report_options *o, const struct view *v, struct report *r,
			 struct judged *j)
{
	const struct output *f = o->format;
	const unsigned by = o->calls || o->annotate ? 0 : 1u << r->by;

	if ((f->losses | f->findings) & by) {
		if (r->filtered)
			j->losses.unknown = "the samples are filtered";
		else
			losses_build(v, &j->losses);
		r->losses = &j->losses;
	}
	if ((f->placement | f->findings) & by) {
		placement_build(r->model, r->event, &j->placement);
		r->placement = &j->placement;
	}
	if (f->findings & by) {
		findings_build(v, &j->losses, &j->placement, &j->findings);
		r->findings = &j->findings;
	}
}

/* Makes the view's paths those of elapsed time. */
static int report_elapsed(struct view *v)
{
	struct parallelism p;
	int status = 0;

	parallelism_build(v, &p);
	if (p.unknown) {
		status = command_fails("--elapsed", "how many threads worked is not known",
				       p.unknown);
	} else {
		parallelism_apply(v, &p);
	}
	parallelism_fini(&p);
	return status;
}

/* Whether a page has the paths of elapsed time, too. */
static bool report_has_elapsed(const struct report_options *o, const struct profiles *p,
			       const struct view *v)
{
	struct parallelism known;
	bool has;

	if (filter_selects(&o->filters) || o->filters.value[FILTER_HIDE])
		return false;
	if (o->elapsed)
		return true;
	if (!p->timed || profiles_are_many(p))
		return false;
	parallelism_build(v, &known);
	has = !known.unknown;
	parallelism_fini(&known);
	return has;
}

/* The paths of the view that is shown, and of the others, of the same samples; elapsed: those of
   elapsed time, or NULL. */
static int report_flames(const struct report_options *o, const struct profiles *p,
			 struct lookup *lookup, const struct view *shown,
			 struct flame flames[VIEW_KINDS], struct flame *elapsed)
{
	int status = 0;

	/* Views are large and built one after the other: what one frees, the next takes, without
	   page faults. */
	if (mallopt(M_MMAP_THRESHOLD, INT_MAX))
		mallopt(M_TRIM_THRESHOLD, INT_MAX);
	for (unsigned kind = 0; kind < VIEW_KINDS && !status; kind++) {
		struct filtered filtered = { 0 };
		struct view *v;

		if (kind == shown->kind && !elapsed) {
			flame_build(shown, &flames[kind]);
			continue;
		}
		v = report_build(o, p, lookup, (enum view_kind)kind);
		status = report_filter(o, p, lookup, v, &filtered);
		if (!status)
			flame_build(v, &flames[kind]);
		if (!status && elapsed)
			status = report_elapsed(v);
		if (!status && elapsed)
			flame_build(v, &elapsed[kind]);
		view_free(v);
		filtered_fini(&filtered);
	}
	return status;
}

/* The report but for what is made of the view. */
static struct report report_of(const struct report_options *o, const struct profiles *p,
			       size_t event, struct lookup *lookup)
{
	struct report r = {
		.model = &p->model,
		.by = (enum output_by)o->by,
		.event = event,
		.limit_percent = o->limit_percent,
		.columns = o->output ? 0 : page_width(),
		.sources = o->sources,
		.lookup = lookup,
		.verbose = o->verbose,
		.colour = o->colour == COLOUR_ALWAYS,
		.asked = !o->overview,
		.depth = o->depth,
		.why = o->why,
		.sort = o->sort,
		.lines = report_has_lines(o),
		.elapsed = o->elapsed,
		.wanted = o->columns,
	};

	if (o->colour == COLOUR_AUTO)
		r.colour = !o->output && page_colours(STDOUT_FILENO);
	/* The lines that an overview has.  Counts have no overview. */
	if (o->overview && !o->output && !o->verbose && page_width() && !has_counts(&p->model))
		r.rows = page_rows();
	return r;
}

static int report_show(const struct report_options *o, const struct profiles *p, size_t event,
		       struct lookup *lookup)
{
	const bool filter = filter_selects(&o->filters) || o->filters.value[FILTER_HIDE];
	struct report_troubles troubles = { 0 };
	struct filtered filtered = { 0 };
	struct trouble trouble = { 0 };
	struct report r = report_of(o, p, event, lookup);
	struct judged judged = { 0 };
	struct flame flames[VIEW_KINDS] = { 0 }, elapsed[VIEW_KINDS] = { 0 };
	struct view *v = report_build(o, p, lookup, o->view);
	bool has_elapsed = false;
	int status;

	r.filtered = filter ? &filtered : NULL;
	r.trouble = &trouble;
	report_judge(o, v, &r, &judged);
	status = filter ? report_filter(o, p, lookup, v, &filtered) : 0;
	if (!status && o->elapsed && !o->format->flames) {
		status = report_elapsed(v);
		r.event = (size_t)time_event(&p->model);
	}
	if (!status && o->format->flames) {
		has_elapsed = report_has_elapsed(o, p, v);
		status = report_flames(o, p, lookup, v, flames, has_elapsed ? elapsed : NULL);
	}
	if (!status) {
		lookup_troubles(lookup, report_trouble, &troubles);
		if (troubles.n)
			qsort(troubles.all, troubles.n, sizeof(*troubles.all),
			      report_trouble_order);
		r.view = v;
		r.flames = o->format->flames ? flames : NULL;
		r.elapsed_flames = has_elapsed ? elapsed : NULL;
		r.troubles = troubles.all;
		r.ntroubles = troubles.n;
		status = report_write(o, &r, lookup);
	}
	for (unsigned kind = 0; kind < VIEW_KINDS; kind++) {
		flame_fini(&flames[kind]);
		flame_fini(&elapsed[kind]);
	}
	free(troubles.all);
	judged_fini(&judged);
	view_free(v);
	filtered_fini(&filtered);
	return status;
}

/* The last name of a path, without slashes behind it. */
static const char *report_last_name(const char *path, size_t *bytes)
{
	size_t end = strlen(path), begin;

	while (end > 0 && path[end - 1] == '/')
		end--;
	for (begin = end; begin > 0 && path[begin - 1] != '/'; begin--)
		;
	*bytes = end - begin;
	return path + begin;
}

/* Of --html, to be freed: in this folder, named after the first profile, or the folder that was
   given, unless that has no name of its own (".", "..", "/"). */
static char *report_page_name(const struct profiles *p, const char *word)
{
	const char *name = "";
	size_t bytes = 0;

	if (word)
		name = report_last_name(word, &bytes);
	if (strspn(name, ".") >= bytes)
		name = report_last_name(p->files[0]->path, &bytes);
	if (bytes > strlen(PROF_NAME_SUFFIX) && prof_name_has_suffix(name))
		bytes -= strlen(PROF_NAME_SUFFIX);
	return alloc_printf("%.*s.html", (int)bytes, name);
}

int cmd_report(int argc, char **argv)
{
	struct report_options o = {
		.view = VIEW_USER,
		.by = -1,
		.format = output_all(),
		.limit_percent = 0.5,
	};
	struct lookup lookup;
	struct profiles p;
	char *page = NULL;
	size_t event = 0;
	int status = report_parse(argc, argv, &o);

	if (status)
		return status < 0 ? report_help() : status;
	symbols_debuginfod_allow(REPORT_DEBUGINFOD_S);
	profiles_init(&p);
	p.timed = o.format->times || o.format->timeline || o.by == BY_TIME ||
		  o.by == BY_PARALLELISM || o.elapsed || o.filters.value[FILTER_FROM] ||
		  o.filters.value[FILTER_TO];
	status = report_read(&p, argv[0], argv + optind, argc - optind);
	if (!status && o.page && !o.output)
		o.output = page = report_page_name(&p, argv[optind]);
	if (!status)
		status = report_event(&p.model, o.event, &event);
	if (!status)
		status = report_samples(&p.model, &o);
	if (!status)
		status = report_recorded(&p.model, &o);
	if (!status) {
		lookup_open(&lookup, o.sysroot);
		status = report_show(&o, &p, event, &lookup);
		lookup_close(&lookup);
	}
	if (!status && page) {
		format_text(stdout, page, 0);
		puts(": a page for your browser");
	}
	free(page);
	profiles_fini(&p);
	return status;
}
