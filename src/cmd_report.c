/*
 * cmd_report.c - the command report: prints profiles in the requested view, grouping and
 * format.
 */
#include "config.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "src/base/grow.h"
#include "src/base/message.h"
#include "src/commands.h"
#include "src/filter/filter.h"
#include "src/filter/find.h"
#include "src/filter/hide.h"
#include "src/model/profiles.h"
#include "src/output/outfile.h"
#include "src/output/output.h"
#include "src/output/text/detail.h"
#include "src/symbols/symbols.h"
#include "src/symbols/symbols_debuginfod.h"
#include "src/tables/losses.h"
#include "src/view/resolver.h"
#include "src/view/view.h"

enum { REPORT_DEBUGINFOD_S = 300 };

/* A filter's option is this and its enum filter_kind. */
enum { OPTION_FILTER = 256 };

enum { LISTED_MAX = 12 }; /* names that are listed where several are meant */

struct report_options {
	enum view_kind view;
	int by; /* enum output_by; -1: the format's default */
	const struct output *format;
	const char *event;  /* NULL: the first */
	const char *output; /* NULL: standard output */
	const char *sysroot;
	const char *sources;
	const char *calls;    /* a function; NULL: not requested */
	const char *annotate; /* a function or file; NULL: not requested */
	bool asm_code;
	struct filter_options filters;
	double limit_percent;
};

static const char help[] =
	"Usage: ompcount report [OPTION...] PROFILE...\n"
	"Shows what was measured. Several profiles, as a job's ranks write them, are one report.\n"
	"\n"
	"  -v, --view VIEW      user     the program as it was written (default): workers' time\n"
	"                                lies where the region or task was created\n"
	"                       expert   the same, with outlined functions by themselves\n"
	"                       machine  each thread's own stack, the runtime's frames too\n"
	"  -b, --by WHAT        region (default), construct, function, line, path, thread,\n"
	"                       state, module, file, address (of data: page faults, precise\n"
	"                       memory events)\n"
	"  -f, --format FORMAT  ";

static const char help_rest[] =
	"  -e, --event EVENT    sort by it; folded counts are its own (default: the first)\n"
	"  -l, --limit PERCENT  sum up what is below this share (default 0.5; 0 shows all)\n"
	"  -c, --calls FUNCTION     its callers and callees\n"
	"  -a, --annotate WHAT      a function's or file's source beside its costs\n"
	"      --asm                with -a: a function's machine code instead\n"
	"      --sources DIR        look for sources below DIR\n"
	"      --focus REGEX    only samples with such a function on their path, as --view user\n"
	"      --ignore REGEX   only samples without\n"
	"      --region NAME    only samples of these regions: solve, solve:26, jacobi.c:26\n"
	"      --module NAME    only samples in this module, as --by module shows them\n"
	"      --thread LIST    only samples of these threads: 0,2-4; --rank LIST: of MPI ranks\n"
	"      --hide-modules NAME[,...]  charge libraries' functions to their callers\n"
	"  -o, --output FILE    write there, whole or not at all\n"
	"      --sysroot DIR    look for the program's files below DIR\n"
	"  -h, --help           this\n"
	"\n"
	"Columns: % of the event's total, and of that share work, wait and overhead (ovhd), which\n"
	"add up to it. `imbal` is the most that one thread worked over the mean: 1 is even; "
	"with ~\n"
	"it rests on fewer than 100 samples of that thread. In a NAME, * and ... are any text.\n"
	"\n"
	"  ompcount report --by line app.host-1234.omphwc\n"
	"  ompcount report --by path --limit 2 app.*.omphwc\n"
	"  ompcount report --format folded app.host-1234.omphwc | flamegraph.pl > app.svg\n";

static int report_help(void)
{
	fputs(help, stdout);
	for (const struct output *o = output_all(); o->name; o++)
		printf("%s%-8s %s\n", o == output_all() ? "" : "                       ", o->name,
		       o->summary);
	fputs(help_rest, stdout);
	if (fflush(stdout) == 0)
		return 0;
	message_parts("standard output", strerror(errno), NULL);
	return COMMAND_FAILED;
}

/* ---- options --------------------------------------------------------- */

static int report_misused(const char *option, const char *value, const char *todo)
{
	struct trouble t;

	trouble(&t, "no such choice", todo, "%s %s", option, value);
	message_trouble(&t);
	return COMMAND_MISUSED;
}

static int report_limit(struct report_options *o, const char *value)
{
	char *end;

	errno = 0;
	o->limit_percent = strtod(value, &end);
	if (end != value && !*end && !errno && isfinite(o->limit_percent) &&
	    o->limit_percent >= 0 && o->limit_percent <= 100)
		return 0;
	return report_misused("--limit", value, "give a percentage from 0 to 100");
}

static int report_view(struct report_options *o, const char *value)
{
	int kind = view_by_name(value);

	if (kind < 0)
		return report_misused("--view", value, "say user, expert or machine");
	o->view = (enum view_kind)kind;
	return 0;
}

static int report_by(struct report_options *o, const char *value)
{
	o->by = output_by_find(value);
	return o->by >= 0 ?
		       0 :
		       report_misused("--by", value,
				      "say region, construct, function, line, path, thread, state, "
				      "module, file or address");
}

static int report_format(struct report_options *o, const char *value)
{
	o->format = output_find(value);
	return o->format ? 0 : report_misused("--format", value, "say text, json or folded");
}

static int report_option(struct report_options *o, int c, const char *value)
{
	if (c >= OPTION_FILTER) {
		o->filters.value[c - OPTION_FILTER] = value;
		return 0;
	}
	switch (c) {
	case 'v': return report_view(o, value);
	case 'b': return report_by(o, value);
	case 'f': return report_format(o, value);
	case 'l': return report_limit(o, value);
	case 'e': o->event = value; return 0;
	case 'o': o->output = value; return 0;
	case 's': o->sysroot = value; return 0;
	case 'c': o->calls = value; return 0;
	case 'a': o->annotate = value; return 0;
	case 'A': o->asm_code = true; return 0;
	case 'S': o->sources = value; return 0;
	}
	return COMMAND_MISUSED;
}

/* Reports the option that getopt rejected. */
static int report_unknown(int argc, char **argv, int c)
{
	struct trouble t;
	const char *word = optind > 0 && optind <= argc ? argv[optind - 1] : "";
	char letter[3] = { '-', (char)optopt, '\0' };

	if (optopt && strncmp(word, "--", 2) != 0)
		word = letter;
	trouble(&t, c == ':' ? "it needs a value" : "no such option", "see ompcount report --help",
		"report %s", word);
	message_trouble(&t);
	return COMMAND_MISUSED;
}

/* Details of a function or file have one view and format only. */
static int report_detail_options(const struct report_options *o)
{
	const bool detail = o->calls || o->annotate;
	const char *option = o->calls ? "--calls" : "--annotate";

	if (o->asm_code && !o->annotate)
		message_parts("--asm", "no function given", "say --annotate FUNCTION --asm");
	else if (o->asm_code && o->filters.value[FILTER_HIDE])
		message_parts("--hide-modules", "machine code has no lines of calls",
			      "leave --asm or --hide-modules out");
	else if (o->calls && o->annotate)
		message_parts("--calls and --annotate", "not both at once", "say one of them");
	else if (detail && o->by >= 0)
		message_parts(option, "it has an order of its own", "leave --by out");
	else if (detail && strcmp(o->format->name, "text") != 0)
		message_parts(option, "it is text only", "leave --format out");
	else
		return 0;
	return COMMAND_MISUSED;
}

/* 0; an exit status; or -1 if help was requested. */
static int report_parse(int argc, char **argv, struct report_options *o)
{
	static const struct option longs[] = {
		{ "view", required_argument, NULL, 'v' },
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
		{ "hide-modules", required_argument, NULL, OPTION_FILTER + FILTER_HIDE },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c, status = 0;

	optind = 0;
	while (!status && (c = getopt_long(argc, argv, ":v:b:f:e:l:o:c:a:h", longs, NULL)) != -1) {
		if (c == 'h')
			return -1;
		if (c == '?' || c == ':')
			return report_unknown(argc, argv, c);
		status = report_option(o, c, optarg);
	}
	if (status)
		return status;
	status = report_detail_options(o);
	if (status)
		return status;
	if (o->by < 0)
		o->by = o->format->by;
	if (!(o->format->bys & 1u << o->by)) {
		message_parts(o->format->name, "it shows paths only",
			      "say --by path or --by thread");
		return COMMAND_MISUSED;
	}
	return 0;
}

/* ---- reading --------------------------------------------------------- */

static int report_read(struct profiles *p, char **paths, int n)
{
	struct profiles_error e;

	if (!n) {
		message_parts("report", "no profile given", "name one: ompcount report PROFILE...");
		return COMMAND_MISUSED;
	}
	for (int i = 0; i < n; i++)
		if (profiles_add(p, paths[i], &e)) {
			message_parts(e.path, e.why, e.todo);
			return COMMAND_FAILED;
		}
	return 0;
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
	if (found >= 0 && m->events[found].flags & PROF_EVENT_COUNT_ONLY) {
		trouble(&t, "it was counted and not sampled",
			"leave --event out: text and json have its counts", "event %s", name);
		message_trouble(&t);
		return COMMAND_MISUSED;
	}
	if (found >= 0) {
		*event = (size_t)found;
		return 0;
	}
	for (size_t i = 0; i < m->nevents; i++) {
		size_t at = strlen(todo);

		snprintf(todo + at, sizeof(todo) - at, "%s %s", i ? "," : "", m->events[i].label);
	}
	trouble(&t, "the profile has no such event", todo, "event %s", name);
	message_trouble(&t);
	return COMMAND_MISUSED;
}

/* Paths and lines need samples; counts have none. */
static int report_samples(const struct model *m, const struct report_options *o)
{
	const bool counts = o->format->counts && !o->calls && !o->annotate;

	if (counts || !m->nevents ||
	    !(m->events[model_first_sampled(m)].flags & PROF_EVENT_COUNT_ONLY))
		return 0;
	message_parts("report", "nothing was sampled", "text and json show what was counted");
	return COMMAND_FAILED;
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

	if (!all)
		return;
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

/* 0: lines of any length. */
static size_t report_columns(const struct report_options *o)
{
	struct winsize size;

	if (o->output || !isatty(STDOUT_FILENO))
		return 0;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40)
		return size.ws_col;
	return 0;
}

static int report_failed(const char *what, int err)
{
	/* The reader of our output closed the pipe. */
	if (err != -EPIPE)
		message_parts(what, strerror(-err), NULL);
	return COMMAND_FAILED;
}

/* Machine code is in no profile. */
static void report_no_file(const char *path, const char *why, void *arg)
{
	(void)arg;
	message_parts(path, why, "--asm shows code of the program's own files");
}

static int report_failed_detail(const char *name, int err)
{
	struct trouble t;

	if (err == -ENOENT) {
		trouble(&t, "no code of that name (inlined ones are part of their callers)",
			"see report --by function", "--asm %s", name);
		message_trouble(&t);
	} else if (err == -ENOEXEC) {
		message_parts("objdump", "not found", "install binutils");
	} else if (err == -EIO) {
		message_parts("objdump", "it failed", NULL);
	} else {
		return report_failed("report", err);
	}
	return COMMAND_FAILED;
}

/* An option's value may be none, or fit nothing in the profiles. */
static int report_failed_trouble(const struct trouble *t, int err)
{
	if (err != -EINVAL && err != -ENOENT)
		return report_failed("report", err);
	message_trouble(t);
	return err == -EINVAL ? COMMAND_MISUSED : COMMAND_FAILED;
}

/* The function or file that --calls or --annotate means. */
static int report_target(const struct report_options *o, const struct view *v, struct found *found)
{
	const char *wanted = o->calls ? o->calls : o->annotate;
	const enum find_kind kind = o->calls ? FIND_CALLED : o->asm_code ? FIND_CODE : FIND_SOURCE;
	struct trouble t;
	int err;

	*found = (struct found){ 0 };
	err = wanted ? find_target(v, wanted, kind, found, &t) : 0;
	if (!err)
		return 0;
	err = report_failed_trouble(&t, err);
	for (size_t i = 0; i < found->n && i < LISTED_MAX; i++)
		message("  %s", found->several[i]);
	if (found->n > LISTED_MAX)
		message("  and %zu more", found->n - LISTED_MAX);
	return err;
}

static int report_format_write(const struct report_options *o, FILE *out, const struct report *r,
			       struct lookup *lookup, const char *name)
{
	const struct detail_target target = {
		.name = name,
		.lookup = lookup,
		.sysroot = o->sysroot,
		.sources = o->sources,
	};

	if (o->calls)
		return detail_calls(out, r, &target);
	if (o->annotate)
		return o->asm_code ? detail_asm(out, r, &target) : detail_annotate(out, r, &target);
	return o->format->write(out, r);
}

static int report_write_to(const struct report_options *o, const struct report *r,
			   struct lookup *lookup, const char *target)
{
	const char *name = o->output ? o->output : "standard output";
	struct outfile out;
	int err = outfile_open(&out, o->output);

	if (err)
		return report_failed(name, err);
	err = report_format_write(o, out.stream, r, lookup, target);
	if (err) {
		outfile_abandon(&out);
		if (o->asm_code && err == -ENOENT)
			symbols_troubles(lookup->symbols, report_no_file, NULL);
		return report_failed_detail(target, err);
	}
	err = outfile_commit(&out);
	return err ? report_failed(name, err) : 0;
}

static int report_write(const struct report_options *o, const struct report *r,
			struct lookup *lookup)
{
	struct found found;
	int status = report_target(o, r->view, &found);

	if (!status)
		status = report_write_to(o, r, lookup, found.name);
	found_fini(&found);
	return status;
}

/* Hiding needs the lines of calls. */
static int report_build(const struct report_options *o, const struct profiles *p,
			struct lookup *lookup, enum view_kind kind, struct view **v)
{
	bool progress = false;
	const struct view_options view_options = {
		.kind = kind,
		.resolver = &lookup->resolver,
		.lines = o->annotate || o->filters.value[FILTER_HIDE],
		.progress = isatty(STDERR_FILENO) ? report_progress : NULL,
		.arg = &progress,
	};
	int err = view_build(&p->model, &view_options, v);

	if (progress)
		fputs("\r\033[K", stderr);
	return err;
}

/* Views have their records in the same order, so a user view can select another's. */
static int report_select(const struct report_options *o, const struct profiles *p,
			 struct lookup *lookup, struct view *v, struct filtered *f,
			 struct trouble *t)
{
	struct view *user = NULL;
	int err = 0;

	if (filter_needs_user_view(&o->filters) && o->view != VIEW_USER)
		err = report_build(o, p, lookup, VIEW_USER, &user);
	if (!err)
		err = filter_select(user ? user : v, &o->filters, f, t);
	view_free(user);
	return err;
}

static int report_filter(const struct report_options *o, const struct profiles *p,
			 struct lookup *lookup, struct view *v, struct filtered *f)
{
	struct trouble t;
	int err = report_select(o, p, lookup, v, f, &t);

	if (!err && filter_selects(&o->filters))
		err = filter_apply(v, f);
	if (!err && o->filters.value[FILTER_HIDE])
		err = hide_modules(v, f, o->annotate, &t);
	return err ? report_failed_trouble(&t, err) : 0;
}

/* Elapsed times are of all samples. */
static int report_losses(const struct view *v, bool filter, struct losses *l)
{
	if (!filter)
		return losses_build(v, l);
	*l = (struct losses){ .unknown = "the samples are filtered" };
	return 0;
}

static int report_show(const struct report_options *o, const struct profiles *p, size_t event,
		       struct lookup *lookup)
{
	const bool filter = filter_selects(&o->filters) || o->filters.value[FILTER_HIDE];
	struct report_troubles troubles = { 0 };
	struct filtered filtered = { 0 };
	struct report r = {
		.model = &p->model,
		.filtered = filter ? &filtered : NULL,
		.by = (enum output_by)o->by,
		.event = event,
		.limit_percent = o->limit_percent,
		.columns = report_columns(o),
	};
	struct losses losses = { 0 };
	struct view *v = NULL;
	int status, err = report_build(o, p, lookup, o->view, &v);

	if (!err)
		err = report_losses(v, filter, &losses);
	if (err) {
		view_free(v);
		return report_failed("report", err);
	}
	status = filter ? report_filter(o, p, lookup, v, &filtered) : 0;
	if (!status) {
		lookup_troubles(lookup, report_trouble, &troubles);
		if (troubles.n)
			qsort(troubles.all, troubles.n, sizeof(*troubles.all), report_trouble_order);
		r.view = v;
		r.losses = &losses;
		r.troubles = troubles.all;
		r.ntroubles = troubles.n;
		status = report_write(o, &r, lookup);
	}
	free(troubles.all);
	losses_fini(&losses);
	view_free(v);
	filtered_fini(&filtered);
	return status;
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
	size_t event = 0;
	int status = report_parse(argc, argv, &o);

	if (status)
		return status < 0 ? report_help() : status;
	symbols_debuginfod_allow(REPORT_DEBUGINFOD_S);
	profiles_init(&p);
	status = report_read(&p, argv + optind, argc - optind);
	if (!status)
		status = report_event(&p.model, o.event, &event);
	if (!status)
		status = report_samples(&p.model, &o);
	if (!status && lookup_open(&lookup, o.sysroot)) {
		status = report_failed("report", -ENOMEM);
	} else if (!status) {
		status = report_show(&o, &p, event, &lookup);
		lookup_close(&lookup);
	}
	profiles_fini(&p);
	return status;
}
