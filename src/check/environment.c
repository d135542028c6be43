/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * environment.c - environment variables that affect profiled programs, and the job that they
 * describe.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "src/check/checkup.h"
#include "src/profile/launch.h"

static void check_tool(struct checkup *c)
{
	const char *tool = getenv("OMP_TOOL"), *libraries = getenv("OMP_TOOL_LIBRARIES");

	if (tool && !strcasecmp(tool, "disabled"))
		checkup_line(c, NOTE, "OMP_TOOL", "unset OMP_TOOL",
			     "%s: runtimes ignore tools, this one too", tool);
	if (libraries && *libraries && !strstr(libraries, "libomphwc"))
		checkup_line(c, NOTE, "OMP_TOOL_LIBRARIES", "unset OMP_TOOL_LIBRARIES",
			     "%s: a runtime has room for one tool", libraries);
}

static void check_preload(struct checkup *c)
{
	const char *preload = getenv("LD_PRELOAD");

	if (preload && *preload)
		checkup_line(c, NOTE, "LD_PRELOAD", "if a profile looks strange, try without",
			     "%s: is loaded into programs too", preload);
}

/* Prints the other variables of OpenMP and omphwc, for support requests. */
static void check_settings(struct checkup *c)
{
	static const char *const prefixes[] = { "OMP_", "KMP_", "GOMP_", "LIBOMP_", "OMPHWC_" };
	char name[64];

	for (char **e = environ; *e; e++) {
		size_t length = strcspn(*e, "=");

		for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
			if (strncmp(*e, prefixes[i], strlen(prefixes[i])) || !(*e)[length])
				continue;
			snprintf(name, sizeof(name), "%.*s", (int)length, *e);
			if (strcmp(name, "OMP_TOOL_LIBRARIES") || strstr(*e, "libomphwc"))
				checkup_line(c, FINE, name, NULL, "%s", *e + length + 1);
		}
	}
}

/* Appends what and value, or nothing where there is no value. */
static void check_add(char *text, size_t bytes, const char *what, const char *value)
{
	const size_t used = strlen(text);

	if (*value)
		snprintf(text + used, bytes - used, "%s%s", what, value);
}

/* What profiles will say of rank and job. */
static void check_launch(struct checkup *c)
{
	char text[3 * LAUNCH_TEXT_BYTES] = "";
	struct prof_launch l;

	prof_launch_here(&l);
	if (l.launcher) {
		check_add(text, sizeof(text), "", l.rank);
		check_add(text, sizeof(text), " of ", l.size);
		check_add(text, sizeof(text), ", on this node ", l.local_rank);
		checkup_line(c, FINE, "MPI rank", NULL, "%s, by %s", text, l.launcher);
	}
	*text = '\0';
	check_add(text, sizeof(text), "", l.job);
	check_add(text, sizeof(text), ", array task ", l.array_task);
	check_add(text, sizeof(text), ", step ", l.step);
	if (*l.job)
		checkup_line(c, FINE, "batch job", NULL, "%s", text);
}

void checkup_environment(struct checkup *c)
{
	unsigned lines = c->lines;

	checkup_title("Environment");
	check_tool(c);
	check_preload(c);
	check_settings(c);
	if (c->lines == lines)
		checkup_line(c, FINE, "variables", NULL, "none for OpenMP or omphwc is set");
	check_launch(c);
}
