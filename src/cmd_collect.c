/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cmd_collect.c - the command collect: copies profiles that killed runs left on this node.
 */
#include "config.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>
#include <unistd.h>

#include "src/base/message.h"
#include "src/command_line.h"
#include "src/commands.h"
#include "src/run/spool.h"

static const char help_text[] =
	"Usage: ompcount collect [DIR]...\n"
	"Copies profiles to where they belong that were written on this node, for runs whose\n"
	"ompcount was killed, or could not copy them. Without a DIR (of --spool) it looks into\n"
	"SLURM_TMPDIR, TMPDIR and /dev/shm. A profile stays while its process runs.\n"
	"\n"
	"  -h, --help           show this help\n";

struct collected {
	size_t copied;
	bool failed;
};

static void collect_collect(struct spool *s, void *arg)
{
	struct collected *c = arg;
	struct spool_result r;

	spool_copy_last(s, false, &r);
	c->copied += r.copied;
	if (r.err != 0) {
		c->failed = true;
		message_parts(r.path, r.err == ETIMEDOUT ? "no answer" : strerror(r.err), s->root);
	} else if (r.running != 0) {
		message_parts(s->root, "a process still writes its profile",
			      "collect again when it has ended");
	}
}

int cmd_collect(int argc, char **argv)
{
	static const struct command_option none = { .name = NULL };
	struct collected c = { 0 };
	const int status = command_line_parse("collect", &none, false, argc, argv, NULL);

	if (status)
		return status < 0 ? command_line_help(help_text) : status;
	if (optind == argc)
		spool_left(NULL, collect_collect, &c);
	for (int i = optind; i < argc; i++) {
		if (access(argv[i], X_OK) != 0) {
			c.failed = true;
			message_parts(argv[i], strerror(errno), NULL);
		}
		spool_left(argv[i], collect_collect, &c);
	}
	message("%zu profile%s copied", c.copied, c.copied == 1 ? "" : "s");
	return c.failed ? COMMAND_FAILED : 0;
}
