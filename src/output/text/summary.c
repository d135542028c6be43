/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/output/text/summary.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/answers/lookup.h"
#include "src/base/alloc.h"
#include "src/base/clean.h"
#include "src/base/map.h"
#include "src/model/profiles.h"
#include "src/model/run_of.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/text/text.h"
#include "src/tables/judged.h"
#include "src/tables/remedies.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

#define EFFICIENT 0.8
enum {
	SUMMARY_COLUMNS = 100,
	SUMMARY_PATHS = 3,
	PROMPT = 1, /* line */
};

static const char *summary_program(const struct summary_options *o)
{
	return o->program ? o->program : "ompcount";
}

/* Quotes s for a shell. */
static void summary_quote(FILE *out, const char *s)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_./-+=:,%@";
	char c[CLEAN_BYTES];
	size_t used;

	if (*s && !s[strspn(s, plain)]) {
		fputs(s, out);
		return;
	}
	putc('\'', out);
	for (; *s; s += used) {
		const size_t width = clean_char(s, c, &used);

		/* Characters that cannot be displayed cannot be copied from the terminal
		   either. */
		fputs(*s == '\'' ? "'\\''" : width > 1 ? "?" : c, out);
	}
	putc('\'', out);
}

static size_t summary_folder_bytes(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + (slash == path) : 0;
}

/* Whether a folder stands for the profiles: there are many, and all in one; or the only one is a
   rank's, beside which those of the others are. */
static bool summary_by_folder(const struct profiles *p)
{
	const char *first = p->files[0]->path;
	const size_t bytes = summary_folder_bytes(first);
	const struct run_of o = run_of(p->files[0]);

	for (size_t i = 1; i < p->nfiles; i++)
		if (summary_folder_bytes(p->files[i]->path) != bytes ||
		    strncmp(p->files[i]->path, first, bytes) != 0)
			return false;
	return bytes && (p->nfiles == 1 ? o.rank >= 0 && o.size != 1 : p->nfiles > SUMMARY_PATHS);
}

/* A command that shows more. */
static void summary_next(FILE *out, const char *title, const struct summary_options *o,
			 const char *command, const struct profiles *p, size_t shown)
{
	const char *first = p->files[0]->path;

	fprintf(out, "%-8s %s %s", title, summary_program(o), command);
	if (summary_by_folder(p)) {
		char *folder = alloc_text_part(first, summary_folder_bytes(first));

		putc(' ', out);
		summary_quote(out, folder);
		fputs(p->nfiles == 1 ? " (all ranks)\n" : "\n", out);
		free(folder);
		return;
	}
	for (size_t i = 0; i < shown; i++) {
		putc(' ', out);
		summary_quote(out, p->files[i]->path);
	}
	fputs(shown < p->nfiles ? " ...\n" : "\n", out);
}

/* What shows most of these profiles. */
static const char *summary_reader(const struct summary_options *o, const struct profiles *p)
{
	for (size_t e = 0; e < p->model.nevents; e++)
		if (!model_is_sampled(&p->model, e))
			return "report --by count";
	return o->brief ? "report" : "view";
}

static void summary_where(FILE *out, const struct summary_options *o, const struct profiles *p)
{
	const size_t shown = p->nfiles > SUMMARY_PATHS ? 1 : p->nfiles;
	uint64_t bytes = 0;

	for (size_t i = 0; i < p->nfiles; i++)
		bytes = prof_add(bytes, p->files[i]->file_bytes);
	fprintf(out, "%s%s: ", o->brief || o->rows ? "" : "\n",
		p->nfiles == 1 ? "profile" : "profiles");
	for (size_t i = 0; i < shown; i++) {
		fputs(i ? ", " : "", out);
		format_text(out, p->files[i]->path, 0);
	}
	if (shown < p->nfiles)
		fprintf(out, " and %zu more", p->nfiles - shown);
	fprintf(out, " (%s KiB)\n", format_count((bytes + 1023) / 1024).s);
	summary_next(out, "next:", o, summary_reader(o, p), p, shown);
	if (!o->brief)
		summary_next(out, "page:", o, "report --html", p, shown);
}

/* The part of their time on CPUs that threads work, where samples show no more than that: regions
   had several threads, which lost nothing of the program's own, or little. 0: that is not so. */
static double summary_efficient(const struct losses *l, const struct findings *f)
{
	double most = 0, working;

	if (l->unknown || !l->parallel || l->threads < 2)
		return 0;
	for (size_t i = 0; i < f->n; i++)
		if (!finding_is_condition(f->all[i].rule) && f->all[i].gain_ns > most &&
		    !(f->all[i].rule == FINDING_LEFT && f->all[i].waited > 0))
			most = f->all[i].gain_ns;
	working = l->run.work / (l->run.all - l->run.lost[LOSS_NOT_RUNNING]);
	/* Where no thread sleeps for the program's reasons, the machine is why one does not run. */
	return most > 0 && (working < EFFICIENT || most > (1 - EFFICIENT) * l->elapsed_ns) ?
		       0 :
		       working;
}

/* What samples of one number of threads can't show: work that more threads make more of. */
static void summary_scale(FILE *out, const struct summary_options *o, const struct profiles *p,
			  uint32_t threads, double working)
{
	fprintf(out, "or:      %s scale --threads 1,", summary_program(o));
	for (uint32_t n = 2; n < threads; n *= 2)
		fprintf(out, "%" PRIu32 ",", n);
	fprintf(out, "%" PRIu32, threads);

	/* The command line of the only process, unless a launcher started it. */
	const struct prof_file *f = p->files[0];
	const struct prof_text *argv = NULL;

	for (size_t i = 0; i < f->ntexts && p->nfiles == 1 && run_of(f).rank < 0; i++)
		if (f->texts[i].kind == PROF_INFO_ARGV && f->texts[i].bytes)
			argv = &f->texts[i];
	if (!argv)
		fputs(" COMMAND", out);
	for (size_t at = 0; argv && at < argv->bytes; at += strlen(argv->text + at) + 1) {
		putc(' ', out);
		summary_quote(out, argv->text + at);
	}
	fprintf(out,
		" (its threads work %.0f %% of the time that they run; they may slow each other: "
		"memory, false sharing, atomics, loops that wait)\n",
		100 * working);
}

static void summary_tables(FILE *out, const struct summary_options *o, const struct profiles *p,
			   const struct view *v, const struct judged *judged, size_t rows)
{
	const struct report report = {
		.model = &p->model,
		.view = v,
		.losses = &judged->losses,
		.placement = &judged->placement,
		.findings = &judged->findings,
		.event = model_first_sampled(&p->model),
		.columns = o->columns ? o->columns : SUMMARY_COLUMNS,
		.colour = o->colour,
	};
	bool few = false;
	struct map shown = { 0 };
	struct text t = {
		.out = out,
		.report = &report,
		.few = &few,
		.shown = &shown,
		.whole_lines = !o->columns,
		.rows = rows,
	};
	struct table total;

	table_build(v, TABLE_STATE, &total);
	t.total = total.total;
	putc('\n', out);
	text_screen(&t);
	table_fini(&total);
	map_free(&shown);
}

/* What is beneath the tables: where the profiles are, and the next commands. */
static char *summary_end(const struct summary_options *o, const struct profiles *p,
			 const struct view *v, const struct judged *judged)
{
	const double working = summary_efficient(&judged->losses, &judged->findings);
	char *text = NULL;
	size_t size;
	FILE *out = alloc_stream(&text, &size);
	struct remedies r;

	summary_where(out, o, p);

	/* What can be had without an edit is measured by another command. */
	remedies_find(v, &judged->placement, &judged->findings, prof_variable_here, &r);
	if (r.n)
		fprintf(out, "try:     %s try COMMAND (may help: %s%s)\n", summary_program(o),
			r.all[0].settings, r.n > 1 ? ", ..." : "");
	if (working > 0)
		summary_scale(out, o, p, judged->losses.threads, working);
	alloc_stream_end(out);
	return text;
}

int summary_print(FILE *out, const struct summary_options *options, char *const *paths,
		  size_t npaths)
{
	struct profiles p;
	struct profiles_error e;
	int err = 0;

	profiles_init(&p);
	for (size_t i = 0; i < npaths; i++) {
		if (!profiles_add(&p, paths[i], &e))
			continue;
		fprintf(out, "%s: ", summary_program(options));
		format_text(out, e.path, 0);
		fprintf(out, ": %s%s%s\n", e.why, e.todo ? ": " : "", e.todo ? e.todo : "");
	}
	if (!p.nfiles)
		err = -ENOENT;
	else if (options->brief)
		summary_where(out, options, &p);
	else {
		struct judged judged = { 0 };
		struct lookup lookup;
		struct view *v = NULL;
		size_t lines;
		char *end;

		lookup_open(&lookup, options->sysroot);
		v = view_build(&p.model, &(struct view_options){ .kind = VIEW_USER,
								 .resolver = &lookup.resolver });
		judged_build(v, &judged);
		end = summary_end(options, &p, v, &judged);
		lines = PROMPT + fold_lines(end, options->columns);
		summary_tables(out, options, &p, v, &judged,
			       !options->rows	     ? 0 :
			       options->rows > lines ? options->rows - lines :
						       1);
		fputs(end, out);
		free(end);
		judged_fini(&judged);
		view_free(v);
		lookup_close(&lookup);
	}
	profiles_fini(&p);
	return err;
}
