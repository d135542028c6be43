/* SPDX-License-Identifier: BSD-3-Clause */
/* report_options.c - the command line of report. */
#include "config.h"

#include "src/report_options.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/command_line.h"
#include "src/commands.h"
#include "src/output/output.h"

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
	"                       asked of devices), dependence (of tasks: run --dependences),\n"
	"                       descriptor (constructs by POMP)\n"
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

static int report_format(void *options, const char *value)
{
	struct report_options *const o = options;
	const int found = command_line_word("--format", output_names(), value);

	o->page = false;
	if (found < 0)
		return COMMAND_MISUSED;
	o->format = &output_all()[found];
	if (!o->format->missing)
		return 0;
	return command_fails(value, o->format->missing, "install them and build it again");
}

static int report_page(void *options, const char *none)
{
	struct report_options *const o = options;
	const int status = report_format(o, "html");

	(void)none;
	o->page = true;
	return status;
}

static int report_depth(void *depth, const char *value)
{
	char *end;
	const unsigned long n = strtoul(value, &end, 10);

	if (*value < '1' || *value > '9' || *end || n > DEPTH_MAX)
		return command_line_refused("--depth", value, "not a number of calls",
					    "give a number from 1 to 1000000");
	*(size_t *)depth = n;
	return 0;
}

/* Details of a function or file have one view and format only. */
static int report_detail_options(const struct report_options *o)
{
	const bool detail = o->calls || o->annotate;
	const char *option = o->calls ? "--calls" : "--annotate";

	if (o->asm_code && !o->annotate)
		return command_misused("--asm", "no function given",
				       "use --annotate FUNCTION --asm");
	if (o->asm_code && o->filters.value[FILTER_HIDE])
		return command_misused("--hide-modules", "machine code has no lines of calls",
				       "leave --asm or --hide-modules out");
	if (o->calls && o->annotate)
		return command_misused("--calls and --annotate", "not both at once",
				       "use one of them");
	if (detail && o->by >= 0)
		return command_misused(option, "it can't be combined with --by", "leave --by out");
	if (detail && !o->format->details)
		return command_misused(option, "it is text or csv only",
				       "use --format text or csv");
	return 0;
}

static int report_format_options(const struct report_options *o)
{
	const struct output *f = o->format;

	if (!(f->bys & 1u << o->by) && !(f->bys & 1u << BY_PATH))
		return command_misused(f->name, "it has one grouping only", "leave --by out");
	if (!(f->bys & 1u << o->by))
		return command_misused(f->name, "it shows paths only",
				       f->bys & 1u << BY_THREAD ? "use --by path or --by thread" :
								  "use --by path");
	if (o->elapsed && (!f->elapsed || o->by == BY_THREAD))
		return command_misused("--elapsed", "only paths of folded and html have it",
				       "use --format folded, or html");
	if (o->elapsed && (filter_selects(&o->filters) || o->filters.value[FILTER_HIDE]))
		return command_misused("--elapsed", "how many threads worked is of all samples",
				       "leave filters out");
	if (o->columns && !f->table)
		return command_misused("--columns", "only csv's can be selected",
				       "use --format csv");
	if (o->lines && (f->lines == LINES_NEVER || (f->table && o->by != BY_PATH)))
		return command_misused(
			"--lines", "only paths of csv, folded, speedscope and hatchet have them",
			"leave it out");
	if (f->not_on_terminal && !o->output && !o->page && isatty(STDOUT_FILENO))
		return command_misused(f->name, "binary output is not written to a terminal",
				       "use -o FILE");
	return 0;
}

/* Orders and depths are of text, and of tables that have them. */
static int report_table_options(const struct report_options *o)
{
	const bool text = !strcmp(o->format->name, "text") && !o->calls && !o->annotate;
	const bool tree = text && o->by == BY_PATH;
	const unsigned sorts = output_sorts((enum output_by)o->by);
	char why[80];

	if (o->sort != SORT_DEFAULT && !text)
		return command_misused("--sort", "only tables of text are sorted", "leave it out");
	if (!(sorts & 1u << o->sort)) {
		const bool sorted = sorts & 1u << SORT_TOTAL;

		snprintf(why, sizeof(why), "the table by %s %s",
			 output_by_name((enum output_by)o->by),
			 sorted ? "has no such column" : "is not sorted");
		return command_line_refused("--sort", output_sort_name(o->sort), why,
					    sorted ? "use another column, or another --by" :
						     "leave it out");
	}
	if (o->depth && !tree)
		return command_misused("--depth", "only the tree of paths has a depth",
				       "use --by path");
	if (o->why && !tree)
		return command_misused("--why", "only the tree of paths has reasons",
				       "use --by path");
	return 0;
}

static const char *const colours[] = {
	[COLOUR_AUTO] = "auto", [COLOUR_ALWAYS] = "always", [COLOUR_NEVER] = "never", NULL
};
#define AT(member) .at = offsetof(struct report_options, member)
static const struct command_option known[] = {
	{ "view", 0, OPTION_WORD, AT(view), .words_of = view_names },
	{ "by", 0, OPTION_WORD, AT(by), .words_of = output_bys },
	{ "format", 'f', OPTION_SET, .set = report_format },
	{ "event", 'e', OPTION_TEXT, AT(event) },
	{ "limit", 'l', OPTION_SET, AT(limit_percent), .set = command_line_limit },
	{ "output", 'o', OPTION_TEXT, AT(output) },
	{ "sysroot", 0, OPTION_TEXT, AT(sysroot) },
	{ "calls", 0, OPTION_TEXT, AT(calls) },
	{ "annotate", 0, OPTION_TEXT, AT(annotate) },
	{ "asm", 0, OPTION_FLAG, AT(asm_code) },
	{ "sources", 0, OPTION_TEXT, AT(sources) },
	{ "focus", 0, OPTION_NAME, AT(filters.value[FILTER_FOCUS]) },
	{ "ignore", 0, OPTION_NAME, AT(filters.value[FILTER_IGNORE]) },
	{ "region", 0, OPTION_NAME, AT(filters.value[FILTER_REGION]) },
	{ "thread", 0, OPTION_NAME, AT(filters.value[FILTER_THREAD]) },
	{ "rank", 0, OPTION_NAME, AT(filters.value[FILTER_RANK]) },
	{ "module", 0, OPTION_NAME, AT(filters.value[FILTER_MODULE]) },
	{ "phase", 0, OPTION_NAME, AT(filters.value[FILTER_PHASE]) },
	{ "lines", 0, OPTION_FLAG, AT(lines) },
	{ "elapsed", 0, OPTION_FLAG, AT(elapsed) },
	{ "unfold-libraries", 0, OPTION_FLAG, AT(unfold_libraries) },
	{ "columns", 0, OPTION_TEXT, AT(columns) },
	{ "html", 0, OPTION_CALL, .set = report_page },
	{ "from", 0, OPTION_NAME, AT(filters.value[FILTER_FROM]) },
	{ "to", 0, OPTION_NAME, AT(filters.value[FILTER_TO]) },
	{ "hide-modules", 0, OPTION_NAME, AT(filters.value[FILTER_HIDE]) },
	{ "sort", 0, OPTION_WORD, AT(sort), .words_of = output_sort_names, .first = SORT_TOTAL },
	{ "depth", 0, OPTION_SET, AT(depth), .set = report_depth },
	{ "why", 0, OPTION_FLAG, AT(why) },
	{ "color", 0, OPTION_WORD, AT(colour), .words = colours },
	{ "no-pager", 0, OPTION_FLAG, AT(no_pager) },
	{ "verbose", 'v', OPTION_FLAG, AT(verbose) },
	{ .name = NULL },
};

int report_parse(int argc, char **argv, struct report_options *o)
{
	int status = command_line_parse(argv[0], known, false, argc, argv, o);

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
