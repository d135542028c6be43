/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * survey.c - the library writes what it learns into memory that this process shares with it: see
 * ompt_survey.c in ompt_tool/runtime.
 */
#include "config.h"

#include "src/check/survey.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/exit_status.h"
#include "src/base/message.h"
#include "src/base/page.h"
#include "src/run/child.h"
#include "src/run/env.h"
#include "src/run/library.h"
#include "src/run/target.h"

extern char **environ;

/* ompt_set_result_t. */
static const char *answer_text(int answer)
{
	static const char *const texts[] = {
		"error", "never", "impossible", "sometimes", "sometimes, paired", "always"
	};
	static const int known = sizeof(texts) / sizeof(*texts);

	return answer >= 0 && answer < known ? texts[answer] : "unknown";
}

/* A paragraph of the names in lines of a kind; lacking: of those whose second field is 0, else that
   field itself. */
static void print_names(const char *title, FILE *from, const char *kind, bool lacking)
{
	char line[512], word[16], first[256], second[256];
	int column = 0, n = 0;

	rewind(from);
	while (fgets(line, sizeof(line), from)) {
		if (sscanf(line, "%15s %255s %255s", word, first, second) != 3 ||
		    strcmp(word, kind) != 0 || (lacking && strcmp(second, "0") != 0))
			continue;
		if (n++ == 0)
			page_fold(title, 2, &column);
		page_fold(lacking ? first : second, 2, &column);
	}
	if (n)
		putchar('\n');
}

static void print_survey(FILE *from, int status)
{
	char line[512], name[256];
	unsigned version = 0;
	bool ended = false;

	if (fgets(line, sizeof(line), from) &&
	    sscanf(line, "runtime %255[^\t\n] %u", name, &version) == 2)
		printf("%s, OpenMP %u\n\n", name, version);
	printf("  %-22s %-18s %12s\n", "event", "answer", "reported");
	while (fgets(line, sizeof(line), from)) {
		unsigned long long calls;
		int answer, value;

		if (sscanf(line, "event %255s %d %llu", name, &answer, &calls) == 3)
			printf("  %-22s %-18s %12llu%s\n", name, answer_text(answer), calls,
			       answer == 5 && calls == 0 ? "  (not in this run)" : "");
		else if (sscanf(line, "ended %d", &value) == 1)
			ended = value;
	}
	putchar('\n');
	print_names("Entry points that it lacks:", from, "entry", true);
	print_names("States:", from, "state", false);
	print_names("Implementations of locks:", from, "mutex", false);
	if (!ended)
		puts("The runtime did not shut down: it is not known what it reported.");
	if (WIFSIGNALED(status))
		printf("The program was killed by signal %d.\n", WTERMSIG(status));
	else if (WEXITSTATUS(status) != 0)
		printf("The program's exit status was %d.\n", WEXITSTATUS(status));
}

int survey_runtime(char *const *command)
{
	struct child child = { .pid = 0 };
	struct target target;
	struct trouble t;
	struct env env = { .n = 0 };
	char library[PATH_MAX], path[64];
	int status = target_find(&target, command[0], &t);

	if (status == 0 && library_find(library, &t) != 0)
		status = COMMAND_FAILED;
	const int fd = status ? -1 : memfd_create("survey", MFD_CLOEXEC);
	FILE *from = fd < 0 ? NULL : fdopen(fd, "r");

	if (!status && !from)
		status = trouble(&t, strerror(errno), NULL, "no memory for the answers");
	if (status) {
		message_trouble(&t);
		return status < 0 ? COMMAND_FAILED : status;
	}
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)getpid(), fd);
	env_copy(&env, environ);
	env_set(&env, "OMP_TOOL_LIBRARIES", library);
	env_set(&env, "OMPHWC_SURVEY", path);
	env_unset(&env, "OMP_TOOL");
	child_hold(&child);
	int err = child_start_target(&child, &target, command, env.list);
	int end = err ? 0 : child_wait(&child);
	child_release(&child);
	env_free(&env);
	status = COMMAND_FAILED;
	if (err) {
		message_parts(command[0], strerror(err), NULL);
	} else if (fgetc(from) == EOF) {
		message_parts(
			command[0], "no OpenMP runtime looked for a tool",
			"on GCC's libgomp, which has no OMPT, measure all the same: its calls "
			"are wrapped");
	} else {
		rewind(from);
		print_survey(from, end);
		status = page_end();
	}
	fclose(from);
	return status;
}
