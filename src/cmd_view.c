/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_view.c - the command view: looks around in profiles on a terminal. */
#include "config.h"

#include <errno.h>
#include <getopt.h>
#include <stddef.h>

#include "src/chosen.h"
#include "src/command_line.h"
#include "src/commands.h"
#include "src/screen/browser.h"
#include "src/screen/screen.h"
#include "src/screen/shown.h"
#include "src/view/view.h"

static const char help[] =
	"Usage: ompcount view [OPTION...] [PROFILE|FOLDER]...\n"
	"Looks around in profiles on a terminal: the summary and findings, the call tree,\n"
	"regions, constructs, functions, lines, threads, and the source of what is selected.\n"
	"h shows the keys. Of a folder it is the last run, and without a name that of this\n"
	"folder.\n"
	"\n"
	"      --view VIEW      user (default), expert or machine, as of report\n"
	"      --sources DIR    look for sources below DIR\n"
	"  -h, --help           show this help\n";

struct view_command {
	enum view_kind kind;
	const char *sources;
};

#define AT(member) .at = offsetof(struct view_command, member)
static const struct command_option view_options[] = {
	{ "view", 0, OPTION_WORD, AT(kind), .words_of = view_names },
	{ "sources", 0, OPTION_TEXT, AT(sources) },
	{ .name = NULL },
};

static int view_run(struct shown *l, const char *sources)
{
	int err = screen_open();

	if (err)
		return command_fails("view", screen_refusal(err),
				     err == -ENOSYS ?
					     "use ompcount report, or build it with ncurses" :
				     err == -ENODEV ? "set TERM, or use ompcount report" :
						      "use ompcount report");
	browser_run(l, sources);
	screen_close();
	return 0;
}

int cmd_view(int argc, char **argv)
{
	struct view_command o = { .kind = VIEW_USER };
	struct profiles_error e;
	struct chosen chosen;
	static struct shown l;
	int status = command_line_parse("view", view_options, false, argc, argv, &o), err;

	if (status)
		return status < 0 ? command_line_help(help) : status;
	status = chosen_runs(&chosen, "view", argv + optind, (size_t)(argc - optind));
	if (status) {
		chosen_fini(&chosen);
		return status;
	}
	err = shown_open(&l, chosen.paths, chosen.n, o.kind, &e);
	if (err == -EINVAL) {
		status = command_fails(e.path, e.why, e.todo);
	} else if (err) {
		status = command_line_failed("view", err);
	} else {
		status = view_run(&l, o.sources);
	}
	shown_close(&l);
	chosen_fini(&chosen);
	return status;
}
