/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cmd_resolve.c - the command resolve: stores names in profiles.
 */
#include "config.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/chosen.h"
#include "src/command_line.h"
#include "src/commands.h"
#include "src/names_kept.h"
#include "src/symbols/symbols_debuginfod.h"

enum { RESOLVE_DEBUGINFOD_S = 300 };

static const char help_text[] =
	"Usage: ompcount resolve [OPTION...] [PROFILE|FOLDER]...\n"
	"Stores the names and lines of what was sampled in the profiles. Their reports are then\n"
	"the same when the program is rebuilt or deleted, and on other machines. ompcount run\n"
	"does it at the run's end; do it where that could not, or after debug information was\n"
	"installed. Names of files that are not there stay as they are. A folder stands for all\n"
	"its profiles; without a name it is the last run of this folder.\n"
	"\n"
	"      --sysroot DIR    look for the program's files below DIR\n"
	"  -h, --help           show this help\n";

int cmd_resolve(int argc, char **argv)
{
	static const struct command_option options[] = {
		{ "sysroot", 0, OPTION_TEXT, .at = 0 },
		{ .name = NULL },
	};
	const char *sysroot = NULL;
	struct chosen chosen;
	int status = command_line_parse("resolve", options, false, argc, argv, &sysroot);

	if (status)
		return status < 0 ? command_line_help(help_text) : status;
	status = chosen_all(&chosen, "resolve", argv + optind, (size_t)(argc - optind));
	symbols_debuginfod_allow(RESOLVE_DEBUGINFOD_S);
	if (!status && names_kept(chosen.paths, chosen.n, sysroot, false, UINT64_MAX))
		status = COMMAND_FAILED;
	chosen_fini(&chosen);
	return status;
}
