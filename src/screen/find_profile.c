/* SPDX-License-Identifier: BSD-3-Clause */
/* find_profile.c - see find_profile.h. */
#include "config.h"

#include "src/screen/find_profile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/profile/magic.h"

enum { NAME_BYTES = 64, GENERATIONS_MAX = 8 };

static FILE *proc_open(pid_t pid, const char *what)
{
	char name[2 * NAME_BYTES];

	snprintf(name, sizeof(name), "/proc/%ld/%s", (long)pid, what);
	return fopen(name, "re");
}

/* The path of a shared, writable mapping: "LO-HI rw-s OFFSET DEVICE INODE   PATH". */
static const char *mapped_path(char *line)
{
	const char *path = strchr(line, '/');

	if (!strstr(line, " rw-s ") || !path)
		return NULL;
	line[strcspn(line, "\n")] = '\0';
	return path;
}

/* One profile is mapped in many parts. */
static int find_mapped(pid_t pid, char **path)
{
	FILE *maps = proc_open(pid, "maps");
	char *line = NULL, *last = NULL;
	size_t room = 0;

	if (!maps)
		return errno == ENOENT ? -ESRCH : -errno;
	while (!*path && getline(&line, &room, maps) > 0) {
		const char *at = mapped_path(line);

		if (!at || (last && !strcmp(last, at)))
			continue;
		free(last);
		last = alloc_text(at);
		if (prof_is_profile(last))
			*path = alloc_text(last);
	}
	free(last);
	free(line);
	fclose(maps);
	return *path ? 0 : -ENOENT;
}

static int find_profile_below(pid_t pid, unsigned generation, char **path)
{
	const int err = find_mapped(pid, path);
	char name[NAME_BYTES];
	FILE *children;
	long child;

	if (err != -ENOENT || generation == GENERATIONS_MAX)
		return err;
	snprintf(name, sizeof(name), "task/%ld/children", (long)pid);
	children = proc_open(pid, name);
	if (!children)
		return -ENOENT;
	while (!*path && fscanf(children, "%ld", &child) == 1)
		find_profile_below((pid_t)child, generation + 1, path);
	fclose(children);
	return *path ? 0 : -ENOENT;
}

int find_profile(pid_t pid, char **path)
{
	*path = NULL;
	return find_profile_below(pid, 0, path);
}
