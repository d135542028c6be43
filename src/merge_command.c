#include "config.h"

#include "src/merge_command.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>

#include "src/base/exit_status.h"
#include "src/base/message.h"
#include "src/command_line.h"

static const char help_text[] =
	"Usage: ompcount merge -o FILE [OPTION...] FOLDER|PROFILE...\n"
	"Makes one file of the profiles of a job, with all that reports show of them. A folder\n"
	"stands for the profiles in it. Profiles that can't be read are named and left out.\n"
	"\n"
	"  -o, --output FILE    the merged file\n"
	"      --sysroot DIR    look for the program's files below DIR\n"
	"  -h, --help           this\n"
	"\n"
	"It uses all CPUs that it may use. On several machines: mpirun ompcount-mpi merge ...\n";

int merge_parse(int argc, char **argv, struct merge_options *o)
{
	static const struct option longs[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "sysroot", required_argument, NULL, 's' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	*o = (struct merge_options){ 0 };
	optind = 0;
	while ((c = getopt_long(argc, argv, ":ho:", longs, NULL)) != -1) {
		switch (c) {
		case 'h': return command_line_help(help_text) ? COMMAND_FAILED : -1;
		case 'o': o->output = optarg; break;
		case 's': o->sysroot = optarg; break;
		default: return command_line_rejected("merge", argv, c);
		}
	}
	o->paths = argv + optind;
	o->npaths = argc - optind;
	if (o->output && o->npaths)
		return 0;
	message_parts("merge", o->output ? "no profile given" : "no output given",
		      "say ompcount merge -o FILE FOLDER");
	return COMMAND_MISUSED;
}

int merge_inputs(const struct merge_options *o, struct merge_inputs *in)
{
	int err = 0;

	*in = (struct merge_inputs){ 0 };
	for (int i = 0; i < o->npaths && !err; i++)
		err = inputs_add(in, o->paths[i]);
	if (err)
		return command_line_failed("merge", err);
	inputs_sort(in);
	if (in->n)
		return 0;
	message_parts("merge", "no profile is left", NULL);
	return COMMAND_FAILED;
}

int merge_told(const struct merge_options *o, const struct merge *m, size_t refused, int err)
{
	if (m->left_out)
		message("%zu of the profiles have a timeline, which a merged file has not",
			m->left_out);
	if (err == -ENODATA) {
		message_parts("merge", "no profile is left", NULL);
		return COMMAND_FAILED;
	}
	if (err == -E2BIG) {
		message_parts("merge", "too many different objects or contexts for one file",
			      "merge fewer profiles");
		return COMMAND_FAILED;
	}
	if (err)
		return command_line_failed(o->output, err);
	return refused ? COMMAND_FAILED : 0;
}
