/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/command_line.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/exit_status.h"
#include "src/base/message.h"
#include "src/base/near.h"
#include "src/base/page.h"
#include "src/output/outfile.h"
#include "src/perf/perf_words.h"

int command_fails(const char *what, const char *why, const char *todo)
{
	message_parts(what, why, todo);
	return COMMAND_FAILED;
}

int command_troubled(const struct trouble *t)
{
	message_trouble(t);
	return COMMAND_FAILED;
}

int command_misused(const char *what, const char *why, const char *todo)
{
	message_parts(what, why, todo);
	return COMMAND_MISUSED;
}

int command_line_help(const char *text)
{
	fputs(text, stdout);
	return page_end();
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

/* ---- the options ------------------------------------------------------ */

enum { OPTIONS_MOST = 40, LONG = 256 };

const char *const command_line_formats[] = { "text", "json", NULL };

/* The option that getopt_long() rejected: result is '?' or ':'. */
static int command_line_rejected(const char *command, char *const *argv, int result)
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

/* 0 or an exit status. */
static int option_take(const struct command_option *o, void *values, const char *value)
{
	void *const at = (char *)values + o->at;
	char option[64];
	int word = 0;

	snprintf(option, sizeof(option), "--%s", o->name);
	if (o->value == OPTION_NAME && !*value)
		return command_misused(option, "its value is empty",
				       "leave the option out, or name something");
	if (o->value == OPTION_WORD || o->value == OPTION_EITHER)
		word = command_line_word(option, o->words_of ? o->words_of() : o->words, value);
	if (word < 0)
		return COMMAND_MISUSED;
	switch (o->value) {
	case OPTION_FLAG: *(bool *)at = true; break;
	case OPTION_TEXT:
	case OPTION_NAME: *(const char **)at = value; break;
	case OPTION_WORD: *(int *)at = o->first + word; break;
	case OPTION_EITHER: *(bool *)at = word == 1; break;
	case OPTION_SET:
	case OPTION_CALL: return o->set(at, value);
	}
	return 0;
}

int command_line_parse(const char *command, const struct command_option *options, bool of_program,
		       int argc, char **argv, void *values)
{
	struct option longs[OPTIONS_MOST + 2] = { { "help", no_argument, NULL, 'h' } };
	char letters[2 * OPTIONS_MOST + 5], *letter = stpcpy(letters, of_program ? "+:h" : ":h");
	int c, status = 0;

	for (int i = 0; options[i].name && i < OPTIONS_MOST; i++) {
		const struct command_option *o = &options[i];
		const bool takes = o->value != OPTION_FLAG && o->value != OPTION_CALL;

		longs[i + 1] = (struct option){ o->name, takes, NULL, LONG + i };
		if (o->letter)
			*letter++ = o->letter;
		if (o->letter && takes)
			*letter++ = ':';
	}
	*letter = '\0';
	optind = 0;
	while (!status && (c = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		int i = 0;

		if (c == 'h')
			return -1;
		if (c == '?' || c == ':')
			return command_line_rejected(command, argv, c);
		while (c != LONG + i && c != options[i].letter)
			i++;
		status = option_take(&options[i], values, optarg);
	}
	return status;
}

/* ---- values and files ------------------------------------------------- */

int command_line_limit(void *at, const char *value)
{
	double *const percent = at;
	char *end;

	errno = 0;
	*percent = strtod(value, &end);
	if (end != value && !*end && !errno && isfinite(*percent) && *percent >= 0 &&
	    *percent <= 100)
		return 0;
	return command_line_refused("--limit", value, "not a share",
				    "give a percentage from 0 to 100");
}

int command_line_fail_above(void *at, const char *value)
{
	double *const percent = at;
	char *end;

	*percent = strtod(value, &end);
	if (*value && (!*end || strcmp(end, "%") == 0) && *percent >= 0 && isfinite(*percent))
		return 0;
	return command_misused("--fail-above", "it is no percentage",
			       "use one as in --fail-above 5%");
}

int command_line_unwritten(const char *name, int err)
{
	if (err != -EEXIST)
		return command_line_failed(name, err);
	return command_misused(name, "is a profile, and is not replaced", "name another file");
}

int command_line_failed(const char *what, int err)
{
	if (err != -EPIPE)
		message_parts(what, strerror(-err), NULL);
	return COMMAND_FAILED;
}

int command_line_write(const char *path, bool paged, void (*write)(FILE *out, const void *arg),
		       const void *arg)
{
	const char *name = path ? path : "standard output";
	struct outfile out;
	int err = outfile_open(&out, path);

	if (err)
		return command_line_unwritten(name, err);
	if (paged)
		outfile_page(&out);
	write(out.stream, arg);
	err = outfile_commit(&out);
	return err ? command_line_failed(name, err) : 0;
}
