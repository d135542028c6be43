/* SPDX-License-Identifier: BSD-3-Clause */
/* report_options.c - the command line of report. */
#include "config.h"

#include "src/report_options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/message.h"
#include "src/base/page.h"
#include "src/command_line.h"
#include "src/commands.h"
#include "src/output/output.h"
#include "src/profile/name.h"

/* A filter's option is this and its enum filter_kind. */
enum { OPTION_FILTER = 256 };
enum { DEPTH_MAX = 1000000 };

static const char help[] =
	"Usage: ompcount report [OPTION...] [PROFILE|FOLDER]...\n"
	"Shows what was measured. Several profiles, as a job's ranks write them, are one report;\n"
	"a folder stands for its last run. Default: the last run in this folder.\n"
	"\n"
	"      --view VIEW      user     the program as it was written (default): workers' time\n"
	"                                lies where the region or task was created\n"
	"                       expert   the same, with outlined functions by themselves\n"
	"                       machine  each thread's own stack, the runtime's frames too\n"
	"      --by WHAT        region (default), construct, function, line, path, thread,\n"
	"                       state, module, file, cpu, rank, host, address (of data: page\n"
	"                       faults, precise memory events), blame (what makes threads wait:\n"
	"                       run --blame), time (phases: run --timeline), parallelism (how\n"
	"                       many threads worked, and on what: run --timeline), task, count\n"
	"                       (exact counts: run --count), finding (all that was found),\n"
	"                       phase (that the program named), device (what target constructs\n"
	"                       asked of devices)\n"
	"  -f, --format FORMAT  ";

static const char help_rest[] =
	"      --html           a page for a browser, as NAME.html in this folder\n"
	"      --columns LIST   these columns of csv, in this order; help lists them\n"
	"      --lines          paths with lines: of folded, speedscope, hatchet and csv\n"
	"      --elapsed        folded, html: paths are as wide as what they take of the elapsed\n"
	"                       time: a thread's work / the threads that worked (--timeline)\n"
	"      --unfold-libraries   --view user shows functions of the system's libraries, too\n"
	"  -e, --event EVENT    sort by it; folded counts are its own (default: the first)\n"
	"  -l, --limit PERCENT  merge rows below this share (default 0.5; 0 shows all)\n"
	"      --sort COLUMN    order of rows: total, work, wait, overhead, mpi, blocked, imbal,\n"
	"                       entries, gain; by function also incl\n"
	"      --depth N        of --by path: N calls deep\n"
	"      --why            of --by path: why functions without a frame are there\n"
	"      --calls FUNCTION its callers and callees\n"
	"      --annotate WHAT  a function's or file's source beside its costs\n"
	"      --asm            with --annotate: a function's machine code instead\n"
	"      --sources DIR        look for sources below DIR\n"
	"      --focus REGEX    keep samples whose path has such a function, as --view user\n"
	"      --ignore REGEX   drop them\n"
	"      --region NAME    only samples of these regions: solve, solve:26, jacobi.c:26\n"
	"      --module NAME    only samples in this module, as --by module shows them\n"
	"      --phase NAME     only samples in this phase, as --by phase shows them\n"
	"      --thread LIST    only samples of these threads: 0,2-4\n"
	"      --rank LIST      only samples of these MPI ranks\n"
	"      --from TIME, --to TIME   only of this time: 1.5 (s), 300ms, 10% (--timeline)\n"
	"      --hide-modules NAME[,...]  charge libraries' functions to their callers\n"
	"  -o, --output FILE    write there, whole or not at all\n"
	"      --sysroot DIR    look for the program's files below DIR\n"
	"      --color WHEN     auto (default), always, never\n"
	"      --no-pager       do not page what is longer than the terminal\n"
	"  -v, --verbose        list every module without names\n"
	"  -h, --help           show this help\n"
	"\n"
	"On a terminal, without --by, it fits the screen; what is longer goes through PAGER.\n"
	"\n"
	"Columns: % of the event's total, and of that share work, wait, overhead (ovhd) and,\n"
	"where there are some, calls of MPI (mpi) and, of wall time, sleep that is not OpenMP's\n"
	"(block), which add up to it. `imbal` is the most that one thread worked over the mean\n"
	"(of several ranks: within them): 1 is even; with ~ it rests on fewer than 100 samples\n"
	"of that thread. `gain` is what the run would be shorter by, in percent, if all threads\n"
	"only worked there. In a NAME, * and ... are any text.\n"
	"\n"
	"  ompcount report --by line app.host-1234.omphwc\n"
	"  ompcount report --by path --limit 2 app.*.omphwc\n"
	"  ompcount report --format folded app.host-1234.omphwc | flamegraph.pl > app.svg\n";

int report_help(void)
{
	fputs(help, stdout);
	for (const struct output *o = output_all(); o->name; o++)
		printf("%s%-8s %s\n", o == output_all() ? "" : "                       ", o->name,
		       o->summary);
	return command_line_help(help_rest);
}

/* ---- options --------------------------------------------------------- */

static int report_view(struct report_options *o, const char *value)
{
	const int kind = command_line_word("--view", view_names(), value);

	o->view = kind < 0 ? VIEW_USER : (enum view_kind)kind;
	return kind < 0 ? COMMAND_MISUSED : 0;
}

static int report_by(struct report_options *o, const char *value)
{
	o->by = command_line_word("--by", output_bys(), value);
	return o->by < 0 ? COMMAND_MISUSED : 0;
}

static int report_format(struct report_options *o, const char *value)
{
	const int found = command_line_word("--format", output_names(), value);

	o->page = false;
	if (found < 0)
		return COMMAND_MISUSED;
	o->format = &output_all()[found];
	if (!o->format->missing)
		return 0;
	message_parts(value, o->format->missing, "install them and build it again");
	return COMMAND_FAILED;
}

static int report_page(struct report_options *o)
{
	const int status = report_format(o, "html");

	o->page = true;
	return status;
}

static int report_sort(struct report_options *o, const char *value)
{
	const int column = command_line_word("--sort", output_sort_names(), value);

	o->sort = column < 0 ? SORT_DEFAULT : (enum output_sort)(SORT_TOTAL + column);
	return column < 0 ? COMMAND_MISUSED : 0;
}

static int report_depth(struct report_options *o, const char *value)
{
	char *end;
	const unsigned long n = strtoul(value, &end, 10);

	if (*value < '1' || *value > '9' || *end || n > DEPTH_MAX)
		return command_line_refused("--depth", value, "not a number of calls",
					    "give a number from 1 to 1000000");
	o->depth = n;
	return 0;
}

static int report_colour(struct report_options *o, const char *value)
{
	static const char *const words[] = {
		[COLOUR_AUTO] = "auto", [COLOUR_ALWAYS] = "always", [COLOUR_NEVER] = "never", NULL
	};
	const int found = command_line_word("--color", words, value);

	o->colour = found < 0 ? COLOUR_AUTO : (enum report_colour)found;
	return found < 0 ? COMMAND_MISUSED : 0;
}

static int report_option(struct report_options *o, int c, const char *value)
{
	if (c >= OPTION_FILTER && !*value) {
		message_parts(filter_option_name((enum filter_kind)(c - OPTION_FILTER)),
			      "its value is empty", "leave the option out, or name something");
		return COMMAND_MISUSED;
	}
	if (c >= OPTION_FILTER) {
		o->filters.value[c - OPTION_FILTER] = value;
		return 0;
	}
	switch (c) {
	case 'V': return report_view(o, value);
	case 'b': return report_by(o, value);
	case 'f': return report_format(o, value);
	case 'l': return command_line_limit(value, &o->limit_percent);
	case 'e': o->event = value; return 0;
	case 'o': o->output = value; return 0;
	case 's': o->sysroot = value; return 0;
	case 'c': o->calls = value; return 0;
	case 'a': o->annotate = value; return 0;
	case 'A': o->asm_code = true; return 0;
	case 'S': o->sources = value; return 0;
	case 'n': o->lines = true; return 0;
	case 'E': o->elapsed = true; return 0;
	case 'F': o->unfold_libraries = true; return 0;
	case 'L': o->columns = value; return 0;
	case 'H': return report_page(o);
	case 'v': o->verbose = true; return 0;
	case 'O': return report_sort(o, value);
	case 'D': return report_depth(o, value);
	case 'W': o->why = true; return 0;
	case 'C': return report_colour(o, value);
	case 'P': o->no_pager = true; return 0;
	}
	return COMMAND_MISUSED;
}

/* Details of a function or file have one view and format only. */
static int report_detail_options(const struct report_options *o)
{
	const bool detail = o->calls || o->annotate;
	const char *option = o->calls ? "--calls" : "--annotate";

	if (o->asm_code && !o->annotate)
		message_parts("--asm", "no function given", "use --annotate FUNCTION --asm");
	else if (o->asm_code && o->filters.value[FILTER_HIDE])
		message_parts("--hide-modules", "machine code has no lines of calls",
			      "leave --asm or --hide-modules out");
	else if (o->calls && o->annotate)
		message_parts("--calls and --annotate", "not both at once", "use one of them");
	else if (detail && o->by >= 0)
		message_parts(option, "it can't be combined with --by", "leave --by out");
	else if (detail && !o->format->details)
		message_parts(option, "it is text or csv only", "use --format text or csv");
	else
		return 0;
	return COMMAND_MISUSED;
}

static int report_format_options(const struct report_options *o)
{
	if (!(o->format->bys & 1u << o->by)) {
		if (o->format->flames || o->format->times)
			message_parts(o->format->name, "it shows all at once", "leave --by out");
		else if (o->format->bys & 1u << BY_THREAD)
			message_parts(o->format->name, "it shows paths only",
				      "use --by path or --by thread");
		else
			message_parts(o->format->name, "it shows paths only", "use --by path");
	} else if (o->elapsed && (!o->format->elapsed || o->by == BY_THREAD)) {
		message_parts("--elapsed", "only paths of folded and html have it",
			      "use --format folded, or html");
	} else if (o->elapsed && (filter_selects(&o->filters) || o->filters.value[FILTER_HIDE])) {
		message_parts("--elapsed", "how many threads worked is of all samples",
			      "leave filters out");
	} else if (o->columns && !o->format->table) {
		message_parts("--columns", "only csv's can be selected", "use --format csv");
	} else if (o->lines &&
		   (o->format->lines == LINES_NEVER || (o->format->table && o->by != BY_PATH))) {
		message_parts("--lines",
			      "only paths of csv, folded, speedscope and hatchet have them",
			      "leave it out");
	} else if (o->format->not_on_terminal && !o->output && !o->page && isatty(STDOUT_FILENO)) {
		message_parts(o->format->name, "binary output is not written to a terminal",
			      "use -o FILE");
	} else {
		return 0;
	}
	return COMMAND_MISUSED;
}

/* Orders and depths are of text, and of tables that have them. */
static int report_table_options(const struct report_options *o)
{
	const bool detail = o->calls || o->annotate;
	const bool text = !strcmp(o->format->name, "text") && !detail;

	if (o->sort != SORT_DEFAULT && !text)
		message_parts("--sort", "only tables of text are sorted", "leave it out");
	else if (!(output_sorts((enum output_by)o->by) & 1u << o->sort)) {
		char why[80];

		const bool sorted = output_sorts((enum output_by)o->by) & 1u << SORT_TOTAL;

		snprintf(why, sizeof(why), "the table by %s %s",
			 output_by_name((enum output_by)o->by),
			 sorted ? "has no such column" : "is not sorted");
		command_line_refused("--sort", output_sort_name(o->sort), why,
				     sorted ? "use another column, or another --by" :
					      "leave it out");
	} else if (o->depth && (!text || o->by != BY_PATH))
		message_parts("--depth", "only the tree of paths has a depth", "use --by path");
	else if (o->why && (!text || o->by != BY_PATH))
		message_parts("--why", "only the tree of paths has reasons", "use --by path");
	else
		return 0;
	return COMMAND_MISUSED;
}

int report_parse(int argc, char **argv, struct report_options *o)
{
	static const struct option longs[] = {
		{ "view", required_argument, NULL, 'V' },
		{ "by", required_argument, NULL, 'b' },
		{ "format", required_argument, NULL, 'f' },
		{ "event", required_argument, NULL, 'e' },
		{ "limit", required_argument, NULL, 'l' },
		{ "output", required_argument, NULL, 'o' },
		{ "sysroot", required_argument, NULL, 's' },
		{ "calls", required_argument, NULL, 'c' },
		{ "annotate", required_argument, NULL, 'a' },
		{ "asm", no_argument, NULL, 'A' },
		{ "sources", required_argument, NULL, 'S' },
		{ "focus", required_argument, NULL, OPTION_FILTER + FILTER_FOCUS },
		{ "ignore", required_argument, NULL, OPTION_FILTER + FILTER_IGNORE },
		{ "region", required_argument, NULL, OPTION_FILTER + FILTER_REGION },
		{ "thread", required_argument, NULL, OPTION_FILTER + FILTER_THREAD },
		{ "rank", required_argument, NULL, OPTION_FILTER + FILTER_RANK },
		{ "module", required_argument, NULL, OPTION_FILTER + FILTER_MODULE },
		{ "phase", required_argument, NULL, OPTION_FILTER + FILTER_PHASE },
		{ "lines", no_argument, NULL, 'n' },
		{ "elapsed", no_argument, NULL, 'E' },
		{ "unfold-libraries", no_argument, NULL, 'F' },
		{ "columns", required_argument, NULL, 'L' },
		{ "html", no_argument, NULL, 'H' },
		{ "from", required_argument, NULL, OPTION_FILTER + FILTER_FROM },
		{ "to", required_argument, NULL, OPTION_FILTER + FILTER_TO },
		{ "hide-modules", required_argument, NULL, OPTION_FILTER + FILTER_HIDE },
		{ "sort", required_argument, NULL, 'O' },
		{ "depth", required_argument, NULL, 'D' },
		{ "why", no_argument, NULL, 'W' },
		{ "color", required_argument, NULL, 'C' },
		{ "no-pager", no_argument, NULL, 'P' },
		{ "verbose", no_argument, NULL, 'v' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c, status = 0;

	optind = 0;
	while (!status && (c = getopt_long(argc, argv, ":f:e:l:o:vh", longs, NULL)) != -1) {
		if (c == 'h')
			return -1;
		if (c == '?' || c == ':')
			return command_line_rejected(argv[0], argv, c);
		status = report_option(o, c, optarg);
	}
	if (status)
		return status;
	status = report_detail_options(o);
	if (status)
		return status;
	o->overview = o->by < 0 && !o->depth && !o->why && !o->calls && !o->annotate;
	if (o->by < 0)
		o->by = o->depth || o->why ? BY_PATH : o->format->by;
	status = report_format_options(o);
	return status ? status : report_table_options(o);
}
