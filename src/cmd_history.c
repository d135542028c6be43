/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cmd_history.c - the command history: how a program's times changed over many runs.
 */
#include "config.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/message.h"
#include "src/base/page.h"
#include "src/command_line.h"
#include "src/commands.h"
#include "src/diff/history.h"
#include "src/diff/points.h"
#include "src/output/history_formats.h"
#include "src/output/outfile.h"
#include "src/output/runs_page.h"

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

static int history_by(struct history_options *o, const char *value)
{
	static const char *const words[] = {
		[POINTS_RUN] = "run", [POINTS_FOLDER] = "folder", [POINTS_DAY] = "day", NULL
	};
	const int found = command_line_word("--by", words, value);

	if (found < 0)
		return COMMAND_MISUSED;
	o->points.by = (enum points_by)found;
	return 0;
}

static int history_sort(struct history_options *o, const char *value)
{
	static const char *const words[] = { "time", "name", NULL };
	const int found = command_line_word("--sort", words, value);

	o->points.by_name = found == 1;
	return found < 0 ? COMMAND_MISUSED : 0;
}

static int history_format(struct history_options *o, const char *value)
{
	static const char *const words[] = { "text", "json", NULL };
	const int found = command_line_word("--format", words, value);

	o->json = found == 1;
	return found < 0 ? COMMAND_MISUSED : 0;
}

static int history_last(struct history_options *o, const char *value)
{
	char *end;
	const unsigned long n = strtoul(value, &end, 10);

	if (*value < '0' || *value > '9' || *end || !n || n > LAST_MOST)
		return command_line_refused("--last", value, "not a number of points",
					    "give a number from 1 to 1000");
	o->points.last = n;
	return 0;
}

static int history_option(struct history_options *o, int c, const char *value)
{
	switch (c) {
	case 'b': return history_by(o, value);
	case 'S': return history_sort(o, value);
	case 'L': return history_last(o, value);
	case 'f': return history_format(o, value);
	case 'F': return command_line_fail_above(value, &o->fail_above);
	case 'H': o->html = value; return 0;
	case 'B': o->badge = value; return 0;
	case 'e': o->points.runs.event = value; return 0;
	case 's': o->points.runs.sysroot = value; return 0;
	case 'o': o->output = value; return 0;
	}
	return COMMAND_MISUSED;
}

/* 0; an exit status; or -1 if help was requested. */
static int history_parse(int argc, char **argv, struct history_options *o)
{
	static const struct option longs[] = {
		{ "by", required_argument, NULL, 'b' },
		{ "sort", required_argument, NULL, 'S' },
		{ "last", required_argument, NULL, 'L' },
		{ "format", required_argument, NULL, 'f' },
		{ "html", required_argument, NULL, 'H' },
		{ "badge", required_argument, NULL, 'B' },
		{ "event", required_argument, NULL, 'e' },
		{ "fail-above", required_argument, NULL, 'F' },
		{ "output", required_argument, NULL, 'o' },
		{ "sysroot", required_argument, NULL, 's' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c, status = 0;

	optind = 0;
	while (!status && (c = getopt_long(argc, argv, ":f:e:o:h", longs, NULL)) != -1) {
		if (c == 'h')
			return -1;
		if (c == '?' || c == ':')
			return command_line_rejected("history", argv, c);
		status = history_option(o, c, optarg);
	}
	/* That of report takes no name: the first folder was taken for it. */
	if (!status && o->html && optind == argc)
		return command_line_refused("--html", o->html, "it is the page's name",
					    "use --html FILE DIR");
	if (!status && optind == argc) {
		message_parts("history", "it needs profiles",
			      "name folders of them: ompcount history DIR");
		status = COMMAND_MISUSED;
	}
	return status;
}

/* ---- writing --------------------------------------------------------- */

static void write_page(FILE *out, const struct history_report *r)
{
	struct history_report page = *r;

	page.page = true;
	runs_page_write(out, history_json_write, &page);
}

static void write_json(FILE *out, const struct history_report *r)
{
	history_json_write(out, r);
}

static int history_write_to(const char *path, bool paged, const struct history_report *r,
			    void (*write)(FILE *out, const struct history_report *r))
{
	const char *name = path ? path : "standard output";
	struct outfile out;
	int err = outfile_open(&out, path);

	if (err)
		return command_line_unwritten(name, err);
	if (paged)
		outfile_page(&out);
	write(out.stream, r);
	err = outfile_commit(&out);
	return err ? command_line_failed(name, err) : 0;
}

static int history_write(const struct history_options *o, const struct history_report *r)
{
	int status = 0;

	if (o->html)
		status = history_write_to(o->html, false, r, write_page);
	if (!status && o->badge)
		status = history_write_to(o->badge, false, r, history_badge_write);
	if (!status)
		status = history_write_to(o->output, !o->json, r,
					  o->json ? write_json : history_text_write);
	return status;
}

static int history_show(const struct history_options *o, const struct points *points)
{
	struct history history;
	const struct history_report r = {
		.history = &history,
		.points = points,
		.columns = o->output ? 0 : page_width(),
	};
	int status;

	history_build(&history, points->all, points->n);
	status = history_write(o, &r);
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
		message_trouble(&t);
		status = COMMAND_FAILED;
	} else {
		status = history_show(&o, &points);
	}
	points_fini(&points);
	return status;
}
