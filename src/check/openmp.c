/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * openmp.c - the library that is loaded into programs, and the OpenMP runtimes that it
 * would meet.
 */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/message.h"
#include "src/check/checkup.h"
#include "src/profile/launch.h"
#include "src/run/env.h"
#include "src/run/library.h"
#include "src/run/loader.h"
#include "src/run/target.h"

static void check_library(struct checkup *c)
{
	char path[PATH_MAX], beside[PATH_MAX + 64];
	const char *slash;
	struct trouble t;

	c->library = library_find(path, &t) == 0;
	if (!c->library) {
		checkup_line(c, BAD, "libomphwc.so", t.todo, "%s: %s", t.what, t.why);
		return;
	}
	checkup_line(c, FINE, "libomphwc.so", NULL, "%s", path);
	/* Where the loader looks for it when it loads the library. */
	slash = strrchr(path, '/');
	snprintf(beside, sizeof(beside), "%.*s/" PACKAGE "/libomphwc-gomp.so",
		 slash ? (int)(slash - path) : 0, path);
	if (!access(beside, R_OK))
		checkup_line(c, FINE, "libomphwc-gomp.so", NULL, "beside it in " PACKAGE "/");
	else
		checkup_line(c, BAD, "libomphwc-gomp.so",
			     "install omphwc anew: it belongs in " PACKAGE "/ beside libomphwc.so",
			     "missing: programs built with GCC are profiled without regions and "
			     "tasks");
}

/* By the names of their files; makers' documents say little of what they report. */
static const struct {
	const char *file, *title;
} runtimes[] = {
	{ "libomp.so.5", "LLVM's libomp" },
	{ "libgomp.so.1", "GCC's libgomp" },
	{ "libiomp5.so", "Intel's libiomp5" },
	{ "libnvomp.so", "NVIDIA's libnvomp" },
	{ "libcraymp.so", "Cray's libcraymp" },
	{ "libcraymp.so.1", "Cray's libcraymp" },
	{ "libu.so.1", "Cray's libu" },
	{ "libfjomp.so", "Fujitsu's libfjomp" },
	{ "libfjomphk.so", "Fujitsu's libfjomphk" },
	{ "libfjompcrt.so", "Fujitsu's libfjompcrt" },
	{ "libmpcomp.so", "MPC's libmpcomp" },
	{ "libxlsmp.so.1", "IBM's libxlsmp" },
};

enum { RUNTIMES = sizeof(runtimes) / sizeof(runtimes[0]) };

/* A runtime looks for a tool by a name that is in its file, among its symbols or its texts. */
static bool file_has(const char *path, const char *text)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	void *all = MAP_FAILED;
	struct stat st;
	bool has;

	if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0)
		all = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (fd >= 0)
		close(fd);
	if (all == MAP_FAILED)
		return false;
	has = memmem(all, (size_t)st.st_size, text, strlen(text));
	munmap(all, (size_t)st.st_size);
	return has;
}

static void check_runtime(struct checkup *c, const char *title, const char *path)
{
	if (file_has(path, "ompt_start_tool"))
		checkup_line(c, FINE, title, NULL, "%s: profiled by way of OMPT", path);
	else if (file_has(path, "__omp_collector_api"))
		checkup_line(c, FINE, title, NULL, "%s: profiled by way of the Collector API",
			     path);
	else if (file_has(path, "GOMP_parallel"))
		checkup_line(c, FINE, title, NULL, "%s: profiled by way of libomphwc-gomp.so",
			     path);
	else
		checkup_line(c, NOTE, title, "ask its maker for one with OMPT",
			     "%s: reports nothing to tools: threads and functions without regions "
			     "and tasks",
			     path);
}

void checkup_openmp(struct checkup *c)
{
	struct target self = { .path = "/proc/self/exe" };
	ssize_t n = readlink("/proc/self/exe", self.path, sizeof(self.path) - 1);
	struct loader_list list;
	struct env env;

	checkup_title("OpenMP");
	check_library(c);
	if (n > 0)
		self.path[n] = 0;
	target_inspect(&self);
	if (self.kind != TARGET_DYNAMIC || !*self.interp)
		return;
	/* Those that the loader would find for a program like ompcount. */
	env_copy(&env, environ);
	/* One of several names of a file counts: the first in this list. */
	for (size_t i = RUNTIMES; i-- > 0;)
		env_prepend(&env, "LD_PRELOAD", runtimes[i].file, ':');
	if (!loader_ask(self.interp, self.path, env.list, &list)) {
		for (size_t i = 0; i < RUNTIMES; i++) {
			const struct loader_object *found = loader_find(&list, runtimes[i].file);

			if (found && found->path)
				check_runtime(c, runtimes[i].title, found->path);
		}
		loader_list_free(&list);
	}
	env_free(&env);
}

/* ---- variables, and the job -------------------------------------------- */

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
	char name[64];

	checkup_title("Environment");

	const char *tool = getenv("OMP_TOOL"), *libraries = getenv("OMP_TOOL_LIBRARIES");

	if (tool && !strcasecmp(tool, "disabled"))
		checkup_line(c, NOTE, "OMP_TOOL", "unset OMP_TOOL",
			     "%s: runtimes ignore tools, this one too", tool);
	if (libraries && *libraries && !strstr(libraries, "libomphwc"))
		checkup_line(c, NOTE, "OMP_TOOL_LIBRARIES", "unset OMP_TOOL_LIBRARIES",
			     "%s: a runtime has room for one tool", libraries);

	const char *preload = getenv("LD_PRELOAD");

	if (preload && *preload)
		checkup_line(c, NOTE, "LD_PRELOAD", "if a profile looks strange, try without",
			     "%s: is loaded into programs too", preload);
	/* The other variables of OpenMP and omphwc, for support requests. */
	static const char *const prefixes[] = { "OMP_", "KMP_", "GOMP_", "LIBOMP_", "OMPHWC_" };

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
	if (c->lines == lines)
		checkup_line(c, FINE, "variables", NULL, "none for OpenMP or omphwc is set");
	check_launch(c);
}
