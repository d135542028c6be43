/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cmd_stack.c - the command stack: where a running or hung program is.
 */
#include "config.h"

#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/message.h"
#include "src/base/page.h"
#include "src/command_line.h"
#include "src/commands.h"
#include "src/stack/stack_look.h"
#include "src/stack/stack_unwind.h"

static const char help[] =
	"Usage: ompcount stack [OPTION...] PID\n"
	"Shows where the threads of a running or hung program are, profiled or not: the functions\n"
	"on their way there, what each waits for, and who holds it. Threads that are at the same\n"
	"place are shown once; deadlocks, and who is missing at a barrier, come first.\n"
	"\n"
	"  -f, --format FORMAT  text     for reading (default)\n"
	"                       json     as doc/stack.schema.json says\n"
	"      --full           all functions of long paths\n"
	"  -h, --help           this\n"
	"\n"
	"The program stands still for some milliseconds, which are shown, and gets no signal. It\n"
	"must be of the same user, or the command run as root.\n";

struct stack_options {
	bool json, full;
	pid_t pid;
};

static int stack_parse(int argc, char **argv, struct stack_options *o)
{
#define AT(member) .at = offsetof(struct stack_options, member)
	static const struct command_option options[] = {
		{ "format", 'f', OPTION_EITHER, AT(json), .words = command_line_formats },
		{ "full", 0, OPTION_FLAG, AT(full) },
		{ .name = NULL },
	};
	const int status = command_line_parse("stack", options, false, argc, argv, o);

	if (status)
		return status;
	if (argc - optind == 1) {
		const char *word = argv[optind];
		char *end;
		long pid;

		errno = 0;
		pid = strtol(word, &end, 10);
		if (*word < '0' || *word > '9' || *end || errno || pid < 1 || pid > 1 << 30)
			return command_misused(word, "not the number of a process",
					       "ps or pgrep show it");
		o->pid = (pid_t)pid;
		return 0;
	}
	return command_misused("stack", argc == optind ? "no process" : "one process at a time",
			       "use ompcount stack PID");
}

int cmd_stack(int argc, char **argv)
{
	struct stack_options o = { .json = false };
	struct stack_look look;
	struct trouble t;
	int status = stack_parse(argc, argv, &o);

	if (status)
		return status < 0 ? command_line_help(help) : status;
	if (!stack_unwind_can())
		return command_fails(
			"stack", "this ompcount was built without libunwind-ptrace",
			"install libunwind's headers (libunwind-dev), and build it again");
	if (stack_look(&look, o.pid, &t)) {
		status = command_troubled(&t);
	} else if (o.json) {
		stack_json(&look, stdout);
		status = page_end();
	} else {
		stack_text(&look, o.full, stdout);
		status = page_end();
	}
	stack_look_free(&look);
	return status;
}
