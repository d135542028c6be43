/* SPDX-License-Identifier: BSD-3-Clause */
/* command_line.c - see command_line.h. */
#include "config.h"

#include "src/command_line.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/message.h"
#include "src/base/near.h"
#include "src/base/page.h"
#include "src/commands.h"
#include "src/perf/perf_words.h"

int command_line_help(const char *text)
{
	fputs(text, stdout);
	return page_end();
}

int command_line_rejected(const char *command, char *const *argv, int result)
{
	struct trouble t;
	char see[64], letter[3] = { '-', (char)optopt, '\0' };
	const char *word = argv[optind - 1];
	const struct perf_word *perf;

	if (optopt && strncmp(word, "--", 2) != 0)
		word = letter;
	perf = result == '?' ? perf_report_option(word) : NULL;
	snprintf(see, sizeof(see), "see ompcount %s --help", command);
	trouble(&t,
		result == ':' ? "it needs a value" :
		perf	      ? perf->why :
				"no such option",
		perf ? perf->todo : see, "%s %s", command, word);
	message_trouble(&t);
	return COMMAND_MISUSED;
}

int command_line_refused(const char *option, const char *value, const char *why, const char *todo)
{
	struct trouble t;

	trouble(&t, why, todo, "%s %s", option, value);
	message_trouble(&t);
	return COMMAND_MISUSED;
}

/* "use text or json", or the words that are like value. */
static void put_choices(const char *const *words, const char *value, char *todo, size_t bytes)
{
	struct near near;
	size_t used = 4;

	snprintf(todo, bytes, "use ");
	for (size_t i = 0; words[i] && used < bytes; i++)
		used += (size_t)snprintf(todo + used, bytes - used, "%s%s",
					 !i	      ? "" :
					 words[i + 1] ? ", " :
							" or ",
					 words[i]);
	near_init(&near, value);
	for (size_t i = 0; words[i] && strlen(value) > 2; i++)
		near_add(&near, words[i]);
	if (near.n)
		near_text(&near, "", todo, bytes);
}

int command_line_word(const char *option, const char *const *words, const char *value)
{
	char todo[256];

	for (int i = 0; words[i]; i++)
		if (!strcmp(words[i], value))
			return i;
	put_choices(words, value, todo, sizeof(todo));
	command_line_refused(option, value, "no such choice", todo);
	return -1;
}

int command_line_limit(const char *value, double *percent)
{
	char *end;

	errno = 0;
	*percent = strtod(value, &end);
	if (end != value && !*end && !errno && isfinite(*percent) && *percent >= 0 &&
	    *percent <= 100)
		return 0;
	return command_line_refused("--limit", value, "not a share",
				    "give a percentage from 0 to 100");
}

int command_line_fail_above(const char *value, double *percent)
{
	char *end;

	*percent = strtod(value, &end);
	if (*value && (!*end || strcmp(end, "%") == 0) && *percent >= 0 && isfinite(*percent))
		return 0;
	message_parts("--fail-above", "it is no percentage", "use one as in --fail-above 5%");
	return COMMAND_MISUSED;
}

int command_line_unwritten(const char *name, int err)
{
	if (err != -EEXIST)
		return command_line_failed(name, err);
	message_parts(name, "is a profile, and is not replaced", "name another file");
	return COMMAND_MISUSED;
}

int command_line_failed(const char *what, int err)
{
	if (err != -EPIPE)
		message_parts(what, strerror(-err), NULL);
	return COMMAND_FAILED;
}
