/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * main.c - ompcount: finds the command in a table and runs it.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/base/message.h"
#include "src/base/near.h"
#include "src/base/roomy_stack.h"
#include "src/command_line.h"
#include "src/commands.h"
#include "src/perf/perf_words.h"
#include "src/run/library.h"
#include "src/run/target.h"

struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary;
	bool reads; /* profiles, and the program's files */
};

static const struct command commands[] = {
	{ "run", cmd_run, "start a program and profile it (may be left out)", false },
	{ "record", cmd_record, "the same, and print only where the profile is", false },
	{ "stat", cmd_stat, "start a program and count events, without samples", false },
	{ "report", cmd_report, "show what one or more profiles hold", true },
	{ "view", cmd_view, "look around in profiles on a terminal", true },
	{ "top", cmd_top, "watch a run in progress", true },
	{ "stack", cmd_stack, "where the threads of a running or hung program are", true },
	{ "resolve", cmd_resolve, "store the program's names in profiles", true },
	{ "collect", cmd_collect, "copy profiles that killed runs left on this node", false },
	{ "merge", cmd_merge, "make one file of the profiles of a job", true },
	{ "diff", cmd_diff, "show what changed between two profiles, or two folders of them",
	  true },
	{ "history", cmd_history, "show how a program changed over the runs of commits or days",
	  true },
	{ "scale", cmd_scale, "run with several numbers of threads: which regions stop scaling",
	  false },
	{ "try", cmd_try, "run with settings of the environment that may help: what each gains",
	  false },
	{ "list", cmd_list, "the events that can be counted here, and those that cannot", false },
	{ "check", cmd_check, "what this machine allows, and what to do about the rest", false },
};

enum { COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static int main_help(int argc, char **argv);
static int version(int argc, char **argv);
static int library_path(int argc, char **argv);

static const struct command words[] = {
	{ "--help", main_help, NULL, false }, { "-h", main_help, NULL, false },
	{ "help", main_help, NULL, false },   { "--version", version, NULL, false },
	{ "-V", version, NULL, false },	      { "--library-path", library_path, NULL, false },
};

static const struct command *main_find(const struct command *table, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(table[i].name, name) == 0)
			return &table[i];
	return NULL;
}

/* A failed write, such as to a full disk, is a failure. */
static int printed(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return 0;
	return command_fails("standard output", strerror(errno), NULL);
}

static int version(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	puts("ompcount (" PACKAGE_NAME ") " PACKAGE_VERSION);
	return printed();
}

/* For LD_PRELOAD and OMP_TOOL_LIBRARIES in scripts. */
static int library_path(int argc, char **argv)
{
	char path[PATH_MAX], gomp[PATH_MAX];
	struct trouble t;

	(void)argc;
	(void)argv;
	if (library_find(path, &t))
		return command_troubled(&t);
	library_gomp(path, gomp);
	printf("%s%s%s\n", gomp, gomp[0] ? ":" : "", path);
	return printed();
}

static int main_help(int argc, char **argv)
{
	if (argc > 1) {
		const char *name = argv[1];
		const struct command *c = main_find(commands, COMMANDS, name);
		char option[] = "--help";
		char *args[] = { (char *)(uintptr_t)name, option, NULL };

		if (c)
			return c->run(2, args);
		return command_misused(name, "no such command", "see ompcount --help");
	}
	puts("ompcount shows where an OpenMP program's time, cycles and cache misses go.\n"
	     "\n"
	     "  ompcount ./app                     run it, and print what it cost\n"
	     "  ompcount -e cycles,cache-misses ./app\n"
	     "  ompcount report app.host-1234.omphwc\n"
	     "\n"
	     "Commands:");
	for (size_t i = 0; i < COMMANDS; i++)
		printf("  %-8s %s\n", commands[i].name, commands[i].summary);
	puts("\n"
	     "`ompcount --library-path` prints where libomphwc.so is, for LD_PRELOAD.\n"
	     "`ompcount COMMAND --help` lists a command's options, ompcount(1) everything.\n"
	     "A program that is called like a command is run by `ompcount run NAME`.");
	return printed();
}

struct invocation {
	const struct command *command;
	int argc;
	char **argv;
};

static int invoke(void *arg)
{
	const struct invocation *i = arg;

	return i->command->run(i->argc, i->argv);
}

/* What users of perf expect is refused here, rather than to run the system's script(1), which
   would write to the profile that is its argument. */
static int refuse_perf(const char *name)
{
	const struct perf_word *perf = perf_command(name);
	struct trouble t;
	char todo[sizeof(t.todo)];

	if (!perf)
		return 0;
	snprintf(todo, sizeof(todo), "%s (a program of that name: ompcount run %s)", perf->todo,
		 name);
	return command_misused(name, perf->why, todo);
}

/* A word that is neither a command nor a program, and is like a command. */
static int refuse_near(const char *name)
{
	struct target target;
	struct trouble t;
	struct near near;

	if (*name == '-' || target_find(&target, name, &t) != TARGET_NOT_FOUND)
		return 0;
	near_init(&near, name);
	for (size_t i = 0; i < COMMANDS; i++)
		near_add(&near, commands[i].name);
	if (near.n == 0 || strchr(name, '/') || access(name, F_OK) == 0)
		return 0;
	near_text(&near, "", t.todo, sizeof(t.todo));
	message_parts(name, "no such command, and no such program in PATH", t.todo);
	return TARGET_NOT_FOUND;
}

int main(int argc, char **argv)
{
	int status;
	const struct command *c = NULL;

	/* Opens /dev/null on closed descriptors among 0 to 2, so that no file opened later
	   becomes standard input or output. Output fails there, as on a closed descriptor. They
	   are closed again in started programs. */
	int fd;

	do
		fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd > STDERR_FILENO)
		close(fd);
	if (argc > 1) {
		c = main_find(commands, COMMANDS, argv[1]);
		if (!c)
			c = main_find(words, sizeof(words) / sizeof(words[0]), argv[1]);
	}
	struct invocation i = { .command = c, .argc = argc - 1, .argv = argv + 1 };

	if (c)
		return c->reads ? roomy_stack_call(invoke, &i) : invoke(&i);
	if (argc > 1 && refuse_perf(argv[1]))
		return COMMAND_MISUSED;
	status = argc > 1 ? refuse_near(argv[1]) : 0;
	return status ? status : cmd_run(argc, argv);
}
