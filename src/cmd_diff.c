/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cmd_diff.c - the command diff: compares the runs of two sides.
 */
#include "config.h"

#include <getopt.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "src/base/interner.h"
#include "src/base/message.h"
#include "src/base/page.h"
#include "src/chosen.h"
#include "src/command_line.h"
#include "src/commands.h"
#include "src/diff/diff.h"
#include "src/diff/runs.h"
#include "src/output/runs_formats.h"

struct diff_options {
	int by; /* enum diff_by, or DIFF_BY_ALL */
	bool json;
	enum diff_scaling scaling;
	struct runs_options runs;
	const char *output; /* NULL: standard output */
	const char *html;   /* NULL: no page */
	double limit_percent;
	double fail_above; /* percent; NaN: not asked for */
};

static const char help[] =
	"Usage: ompcount diff [OPTION...] [BEFORE AFTER]\n"
	"Shows what changed. Each side is a profile, or a folder of several runs' profiles;\n"
	"without them it compares the last two runs of this folder.\n"
	"\n"
	"      --by WHAT        region, construct, function, line or path\n"
	"                       (default: the first of each, without paths)\n"
	"  -f, --format FORMAT  text     for reading (default)\n"
	"                       json     everything, see doc/diff.schema.json\n"
	"      --html FILE      also write a page for a browser there\n"
	"  -e, --event EVENT    compare that one (default: the first)\n"
	"  -l, --limit PERCENT  merge rows below this share on both sides (default 0.5)\n"
	"      --scaling HOW    what more threads should cost: strong (default), the same for all\n"
	"                       together; weak, the same for each\n"
	"      --fail-above P   exit with status 3 if it takes more than P percent longer,\n"
	"                       beyond noise where several runs show it\n"
	"  -o, --output FILE    write there, whole or not at all\n"
	"      --sysroot DIR    look for the program's files below DIR\n"
	"  -h, --help           show this help\n"
	"\n"
	"Rows are matched by their names and by their order in a function's source, also if lines\n"
	"moved. What chance explains is `within noise`: the spread of several runs a side, and\n"
	"the sampling error. The largest change comes first, what is within noise last.\n"
	"\n"
	"  ompcount diff before.omphwc after.omphwc\n"
	"  ompcount diff --by line before/ after/\n";

/* ---- options --------------------------------------------------------- */

/* 0; an exit status; or -1 if help was requested. */
static int diff_parse(int argc, char **argv, struct diff_options *o)
{
	static const char *const bys[] = {
		"region", "construct", "function", "line", "path", NULL
	};
	static const char *const scalings[] = {
		[DIFF_STRONG] = "strong", [DIFF_WEAK] = "weak", NULL
	};
#define AT(member) .at = offsetof(struct diff_options, member)
	static const struct command_option options[] = {
		{ "by", 0, OPTION_WORD, AT(by), .words = bys, .first = DIFF_REGION },
		{ "format", 'f', OPTION_EITHER, AT(json), .words = command_line_formats },
		{ "event", 'e', OPTION_TEXT, AT(runs.event) },
		{ "limit", 'l', OPTION_SET, AT(limit_percent), .set = command_line_limit },
		{ "scaling", 0, OPTION_WORD, AT(scaling), .words = scalings },
		{ "fail-above", 0, OPTION_SET, AT(fail_above), .set = command_line_fail_above },
		{ "output", 'o', OPTION_TEXT, AT(output) },
		{ "html", 0, OPTION_TEXT, AT(html) },
		{ "sysroot", 0, OPTION_TEXT, AT(runs.sysroot) },
		{ .name = NULL },
	};
	int status = command_line_parse("diff", options, false, argc, argv, o);

	/* That of report takes no name: the first side was taken for it. */
	if (!status && o->html && argc - optind == SIDES - 1)
		return command_line_refused("--html", o->html, "it is the page's name",
					    "use --html FILE BEFORE AFTER");
	if (!status && argc > optind && argc - optind != SIDES)
		status = command_misused("diff", "it compares two sides",
					 "name them: ompcount diff BEFORE AFTER");
	return status;
}

/* ---- comparing ------------------------------------------------------- */

static void diff_page_write(FILE *out, const void *report)
{
	struct diff_report page = *(const struct diff_report *)report;

	page.page = true;
	runs_page_write(out, diff_json_write, &page);
}

static void diff_shown_write(FILE *out, const void *report)
{
	diff_text_write(out, report);
}

static int diff_show(const struct diff_options *o, const char *const paths[SIDES],
		     const struct side sides[SIDES], const struct runs_event *e)
{
	struct diff diff;
	struct diff_report r = {
		.diff = &diff,
		.path = { paths[BEFORE], paths[AFTER] },
		.event = e->label,
		.unit = e->unit,
		.by = o->by,
		.limit_percent = o->limit_percent,
		.columns = o->output ? 0 : page_width(),
	};
	int status = 0;

	diff_build(&diff, &sides[BEFORE], &sides[AFTER], o->scaling);
	if (o->html)
		status = command_line_write(o->html, false, diff_page_write, &r);
	if (!status)
		status = command_line_write(o->output, !o->json,
					    o->json ? diff_json_write : diff_shown_write, &r);
	if (!status && diff_is_above(&diff, o->fail_above))
		status = COMMAND_ABOVE;
	diff_fini(&diff);
	return status;
}

static int diff_read(const struct diff_options *o, const struct runs *runs, struct runs_event *e,
		     struct interner *strings, struct side *side)
{
	struct trouble t;

	side_init(side, strings, runs->listing.nruns);
	if (!runs_read(runs, &o->runs, e, side, &t))
		return 0;
	return command_troubled(&t);
}

static int diff_sides(const struct diff_options *o, const struct runs runs[SIDES])
{
	const char *const paths[SIDES] = { runs[BEFORE].path, runs[AFTER].path };
	struct interner strings = { 0 };
	struct side sides[SIDES] = { 0 };
	struct runs_event event = { 0 };
	int status = 0;

	for (int i = 0; i < SIDES && !status; i++)
		status = diff_read(o, &runs[i], &event, &strings, &sides[i]);
	if (!status)
		status = diff_show(o, paths, sides, &event);
	for (int i = 0; i < SIDES; i++)
		side_fini(&sides[i]);
	interner_free(&strings);
	return status;
}

/* What was named, or else what was chosen. */
static int diff_find(struct runs runs[SIDES], char *const *names, const struct chosen chosen[SIDES])
{
	struct trouble t;

	for (int i = 0; i < SIDES; i++) {
		const int err = *names ? runs_find(&runs[i], names[i], &t) :
					 runs_of(&runs[i], chosen[i].paths, chosen[i].n, &t);

		if (!err)
			continue;
		return command_troubled(&t);
	}
	return 0;
}

int cmd_diff(int argc, char **argv)
{
	struct diff_options o = { .by = DIFF_BY_ALL, .limit_percent = 0.5, .fail_above = NAN };
	struct chosen chosen[SIDES] = { 0 };
	struct runs runs[SIDES] = { 0 };
	int status = diff_parse(argc, argv, &o);

	if (status)
		return status < 0 ? command_line_help(help) : status;
	if (optind == argc)
		status = chosen_two(&chosen[BEFORE], &chosen[AFTER], "diff");
	if (!status)
		status = diff_find(runs, argv + optind, chosen);
	if (!status)
		status = diff_sides(&o, runs);
	for (int i = 0; i < SIDES; i++) {
		runs_fini(&runs[i]);
		chosen_fini(&chosen[i]);
	}
	return status;
}
