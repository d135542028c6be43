#include "config.h"

#include "src/run/libomp.h"

#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/run/elfsyms.h"
#include "src/run/env.h"
#include "src/run/loader.h"

static const char *const names[] = { "libomp.so.5", "libomp.so", "libiomp5.so" };

enum { NAMES = sizeof(names) / sizeof(names[0]) };

static const char *const patterns[] = {
	"/usr/lib/llvm-*/lib/libomp.so.5",
	"/usr/lib/llvm-*/lib/libomp.so",
	"/usr/lib64/llvm*/lib64/libomp.so",
	"/usr/lib64/libomp.so",
	"/usr/lib/libomp.so",
	"/usr/local/lib/libomp.so",
};

/* Symbols that identify the runtime. */
static const struct elfsym marks[] = {
	{ .name = (char[]){ "__kmpc_fork_call" }, .version = NULL },
	{ .name = (char[]){ "GOMP_parallel" }, .version = NULL },
	{ .name = (char[]){ "ompt_start_tool" }, .version = NULL },
};

bool libomp_is(const char *path)
{
	struct elfsyms exports = { .list = NULL };
	bool all = elfsyms_exports(&exports, path) == 0;

	for (size_t i = 0; all && i < sizeof(marks) / sizeof(marks[0]); i++)
		all = elfsyms_met(&exports, &marks[i]);
	elfsyms_free(&exports);
	return all;
}

/* A release's own folder tells its number; the choice of the loader or the administrator is
   preferred to all of these. */
static int rank(const char *path)
{
	const char *at = strstr(path, "/llvm-");

	return at ? atoi(at + 6) : INT_MAX;
}

static void add(struct libomp_list *list, const char *path)
{
	char real[PATH_MAX];
	size_t at = 0;

	if (list->n == LIBOMP_MAX || !realpath(path, real))
		return;
	for (size_t i = 0; i < list->n; i++)
		if (strcmp(list->path[i], real) == 0)
			return;
	if (!libomp_is(real))
		return;
	while (at < list->n && rank(list->path[at]) >= rank(real))
		at++;
	memmove(list->path[at + 1], list->path[at], (list->n - at) * sizeof(list->path[0]));
	strcpy(list->path[at], real);
	list->n++;
}

/* Lets the loader search all names of libomp, as if they were to be preloaded. */
static void add_loaders(struct libomp_list *list, const char *loader, const char *program,
			char *const *envp)
{
	struct loader_list found;
	struct env env;
	char all[64] = "";

	for (size_t i = 0; i < NAMES; i++) {
		strcat(all, i ? " " : "");
		strcat(all, names[i]);
	}
	if (env_copy(&env, envp) != 0)
		return;
	if (env_set(&env, "LD_PRELOAD", all) == 0 &&
	    loader_ask(loader, program, env.list, &found) == 0) {
		for (size_t i = 0; i < NAMES; i++) {
			const struct loader_object *o = loader_find(&found, names[i]);

			if (o && o->path)
				add(list, o->path);
		}
		loader_list_free(&found);
	}
	env_free(&env);
}

static void add_patterns(struct libomp_list *list)
{
	glob_t found = { .gl_pathc = 0 };
	int flags = 0;

	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		glob(patterns[i], flags, NULL, &found);
		flags = GLOB_APPEND;
	}
	for (size_t i = 0; i < found.gl_pathc; i++)
		add(list, found.gl_pathv[i]);
	globfree(&found);
}

void libomp_find(struct libomp_list *list, const char *loader, const char *program,
		 char *const *envp)
{
	const char *given = getenv("OMPHWC_LIBOMP");

	list->n = 0;
	if (given && *given) {
		add(list, given);
		return;
	}
	add_loaders(list, loader, program, envp);
	add_patterns(list);
}
