/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cmd_history.c - the command history: how a program's times changed over many runs.
 */
#include "config.h"

#include <getopt.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/message.h"
#include "src/base/page.h"
#include "src/command_line.h"
#include "src/commands.h"
#include "src/diff/history.h"
#include "src/diff/points.h"
#include "src/output/runs_formats.h"

enum { LAST_MOST = 1000 };

struct history_options {
	struct points_options points;
	bool json;
	const char *output; /* NULL: standard output */
	const char *html, *badge;
	double fail_above; /* percent; NaN: not asked for */
};

static const char help[] =
	"Usage: ompcount history [OPTION...] DIR...\n"
	"Shows how a program's time, its losses and its regions changed over many runs: of\n"
	"commits or days, as continuous integration keeps them. A DIR has profiles, or folders\n"
	"of them; files may be named, too.\n"
	"\n"
	"      --by WHAT        which runs are one point: folder, those of a folder; run, each;\n"
	"                       day, those of one day (default: folder where several have\n"
	"                       runs, otherwise run)\n"
	"      --sort HOW       time, by the begin of the first run (default); name, by the\n"
	"                       folder's or file's\n"
	"      --last N         the last N points (default, and most: 1000)\n"
	"  -f, --format FORMAT  text     for reading (default)\n"
	"                       json     everything, see doc/history.schema.json\n"
	"      --html FILE      also write a page for a browser there\n"
	"      --badge FILE     also write an SVG image of the newest point's verdict there\n"
	"  -e, --event EVENT    costs of that one (default: the newest run's first)\n"
	"      --fail-above P   exit with status 3 if the newest point takes more than P percent\n"
	"                       longer than the level before it, beyond noise\n"
	"  -o, --output FILE    write there, whole or not at all\n"
	"      --sysroot DIR    look for the program's files below DIR\n"
	"  -h, --help           show this help\n"
	"\n"
	"A lasting change is one that the order of the points would show by chance in at most one\n"
	"of fifty histories without a change. The newest point alone is compared with the level\n"
	"before it, as diff does.\n"
	"\n"
	"  ompcount history --html history.html --fail-above 5% profiles/\n";

/* ---- options --------------------------------------------------------- */

static int history_last(void *last, const char *value)
{
	char *end;
	const unsigned long n = strtoul(value, &end, 10);

	if (*value < '0' || *value > '9' || *end || !n || n > LAST_MOST)
		return command_line_refused("--last", value, "not a number of points",
					    "give a number from 1 to 1000");
	*(size_t *)last = n;
	return 0;
}

/* 0; an exit status; or -1 if help was requested. */
static int history_parse(int argc, char **argv, struct history_options *o)
{
	static const char *const bys[] = {
		[POINTS_RUN] = "run", [POINTS_FOLDER] = "folder", [POINTS_DAY] = "day", NULL
	};
	static const char *const sorts[] = { "time", "name", NULL };
#define AT(member) .at = offsetof(struct history_options, member)
	static const struct command_option options[] = {
		{ "by", 0, OPTION_WORD, AT(points.by), .words = bys },
		{ "sort", 0, OPTION_EITHER, AT(points.by_name), .words = sorts },
		{ "last", 0, OPTION_SET, AT(points.last), .set = history_last },
		{ "format", 'f', OPTION_EITHER, AT(json), .words = command_line_formats },
		{ "html", 0, OPTION_TEXT, AT(html) },
		{ "badge", 0, OPTION_TEXT, AT(badge) },
		{ "event", 'e', OPTION_TEXT, AT(points.runs.event) },
		{ "fail-above", 0, OPTION_SET, AT(fail_above), .set = command_line_fail_above },
		{ "output", 'o', OPTION_TEXT, AT(output) },
		{ "sysroot", 0, OPTION_TEXT, AT(points.runs.sysroot) },
		{ .name = NULL },
	};
	int status = command_line_parse("history", options, false, argc, argv, o);

	/* That of report takes no name: the first folder was taken for it. */
	if (!status && o->html && optind == argc)
		return command_line_refused("--html", o->html, "it is the page's name",
					    "use --html FILE DIR");
	if (!status && optind == argc)
		status = command_misused("history", "it needs profiles",
					 "name folders of them: ompcount history DIR");
	return status;
}

/* ---- writing --------------------------------------------------------- */

static void history_page_write(FILE *out, const void *report)
{
	struct history_report page = *(const struct history_report *)report;

	page.page = true;
	runs_page_write(out, history_json_write, &page);
}

static void history_image_write(FILE *out, const void *report)
{
	history_badge_write(out, report);
}

static void history_shown_write(FILE *out, const void *report)
{
	history_text_write(out, report);
}

static int history_show(const struct history_options *o, const struct points *points)
{
	struct history history;
	const struct history_report r = {
		.history = &history,
		.points = points,
		.columns = o->output ? 0 : page_width(),
	};
	int status = 0;

	history_build(&history, points->all, points->n);
	if (o->html)
		status = command_line_write(o->html, false, history_page_write, &r);
	if (!status && o->badge)
		status = command_line_write(o->badge, false, history_image_write, &r);
	if (!status)
		status = command_line_write(o->output, !o->json,
					    o->json ? history_json_write : history_shown_write, &r);
	if (!status && history_is_above(&history, o->fail_above))
		status = COMMAND_ABOVE;
	history_fini(&history);
	return status;
}

int cmd_history(int argc, char **argv)
{
	struct history_options o = {
		.points = { .by = POINTS_AUTO, .last = LAST_MOST },
		.fail_above = NAN,
	};
	struct points points;
	struct trouble t;
	int status = history_parse(argc, argv, &o);

	if (status)
		return status < 0 ? command_line_help(help) : status;
	if (points_read(&points, argv + optind, (size_t)(argc - optind), &o.points, &t)) {
		status = command_troubled(&t);
	} else {
		status = history_show(&o, &points);
	}
	points_fini(&points);
	return status;
}
