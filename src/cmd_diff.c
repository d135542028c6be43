/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cmd_diff.c - the command diff: compares the runs of two sides.
 */
#include "config.h"

#include <getopt.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/interner.h"
#include "src/base/message.h"
#include "src/base/page.h"
#include "src/chosen.h"
#include "src/command_line.h"
#include "src/commands.h"
#include "src/diff/diff.h"
#include "src/diff/diff_judge.h"
#include "src/diff/runs.h"
#include "src/output/diff_formats.h"
#include "src/output/outfile.h"
#include "src/output/runs_page.h"

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

static int diff_by(struct diff_options *o, const char *value)
{
	static const char *const words[] = {
		"region", "construct", "function", "line", "path", NULL
	};
	const int found = command_line_word("--by", words, value);

	if (found < 0)
		return COMMAND_MISUSED;
	o->by = DIFF_REGION + found;
	return 0;
}

static int diff_format(struct diff_options *o, const char *value)
{
	static const char *const words[] = { "text", "json", NULL };
	const int found = command_line_word("--format", words, value);

	if (found < 0)
		return COMMAND_MISUSED;
	o->json = found == 1;
	return 0;
}

static int diff_scaling(struct diff_options *o, const char *value)
{
	static const char *const words[] = { "strong", "weak", NULL };
	const int found = command_line_word("--scaling", words, value);

	if (found < 0)
		return COMMAND_MISUSED;
	o->scaling = found == 1 ? DIFF_WEAK : DIFF_STRONG;
	return 0;
}

static int diff_option(struct diff_options *o, int c, const char *value)
{
	switch (c) {
	case 'b': return diff_by(o, value);
	case 'f': return diff_format(o, value);
	case 'l': return command_line_limit(value, &o->limit_percent);
	case 'S': return diff_scaling(o, value);
	case 'F': return command_line_fail_above(value, &o->fail_above);
	case 'e': o->runs.event = value; return 0;
	case 's': o->runs.sysroot = value; return 0;
	case 'o': o->output = value; return 0;
	case 'H': o->html = value; return 0;
	}
	return COMMAND_MISUSED;
}

/* 0; an exit status; or -1 if help was requested. */
static int diff_parse(int argc, char **argv, struct diff_options *o)
{
	static const struct option longs[] = {
		{ "by", required_argument, NULL, 'b' },
		{ "format", required_argument, NULL, 'f' },
		{ "event", required_argument, NULL, 'e' },
		{ "limit", required_argument, NULL, 'l' },
		{ "scaling", required_argument, NULL, 'S' },
		{ "fail-above", required_argument, NULL, 'F' },
		{ "output", required_argument, NULL, 'o' },
		{ "html", required_argument, NULL, 'H' },
		{ "sysroot", required_argument, NULL, 's' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c, status = 0;

	optind = 0;
	while (!status && (c = getopt_long(argc, argv, ":f:e:l:o:h", longs, NULL)) != -1) {
		if (c == 'h')
			return -1;
		if (c == '?' || c == ':')
			return command_line_rejected("diff", argv, c);
		status = diff_option(o, c, optarg);
	}
	/* That of report takes no name: the first side was taken for it. */
	if (!status && o->html && argc - optind == SIDES - 1)
		return command_line_refused("--html", o->html, "it is the page's name",
					    "use --html FILE BEFORE AFTER");
	if (!status && argc > optind && argc - optind != SIDES) {
		message_parts("diff", "it compares two sides",
			      "name them: ompcount diff BEFORE AFTER");
		status = COMMAND_MISUSED;
	}
	return status;
}

/* ---- comparing ------------------------------------------------------- */

static int diff_page(const struct diff_options *o, const struct diff_report *r)
{
	struct diff_report page = *r;
	struct outfile out;
	int err = o->html ? outfile_open(&out, o->html) : 0;

	if (err)
		return command_line_unwritten(o->html, err);
	if (!o->html)
		return 0;
	page.page = true;
	runs_page_write(out.stream, diff_json_write, &page);
	err = outfile_commit(&out);
	return err ? command_line_failed(o->html, err) : 0;
}

static int diff_write(const struct diff_options *o, const struct diff_report *r)
{
	const char *name = o->output ? o->output : "standard output";
	struct outfile out;
	int err = outfile_open(&out, o->output);

	if (err)
		return command_line_unwritten(name, err);
	if (!o->json)
		outfile_page(&out);
	if (o->json)
		diff_json_write(out.stream, r);
	else
		diff_text_write(out.stream, r);
	err = outfile_commit(&out);
	return err ? command_line_failed(name, err) : 0;
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
	int status;

	diff_build(&diff, &sides[BEFORE], &sides[AFTER], o->scaling);
	status = diff_page(o, &r);
	if (!status)
		status = diff_write(o, &r);
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
	message_trouble(&t);
	return COMMAND_FAILED;
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
		message_trouble(&t);
		return COMMAND_FAILED;
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
