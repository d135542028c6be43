/*
 * openmp.c - the library that is loaded into programs, and the OpenMP runtimes that it
 * would meet.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/base/message.h"
#include "src/check/checkup.h"
#include "src/run/env.h"
#include "src/run/library.h"
#include "src/run/loader.h"
#include "src/run/target.h"

/* Whether libomphwc-gomp.so lies where the loader looks for it when it loads library. */
static bool has_producer(const char *library)
{
	char path[PATH_MAX + 64];
	const char *slash = strrchr(library, '/');

	snprintf(path, sizeof(path), "%.*s/" PACKAGE "/libomphwc-gomp.so",
		 slash ? (int)(slash - library) : 0, library);
	return access(path, R_OK) == 0;
}

static void check_library(struct checkup *c)
{
	char path[PATH_MAX];
	struct trouble t;

	c->library = library_find(path, &t) == 0;
	if (!c->library) {
		checkup_line(c, BAD, "libomphwc.so", t.todo, "%s: %s", t.what, t.why);
		return;
	}
	checkup_line(c, FINE, "libomphwc.so", NULL, "%s", path);
	if (has_producer(path))
		checkup_line(c, FINE, "libomphwc-gomp.so", NULL, "beside it in " PACKAGE "/");
	else
		checkup_line(c, BAD, "libomphwc-gomp.so",
			     "install omphwc anew: it belongs in " PACKAGE "/ beside libomphwc.so",
			     "missing: programs built with GCC are profiled without regions and "
			     "tasks");
}

/* The runtime of that name that the loader would find for a program like ompcount. */
static void check_runtime(struct checkup *c, const struct target *self, const char *name,
			  const char *title, const char *way)
{
	const struct loader_object *found;
	struct loader_list list;
	struct env env;

	env_copy(&env, environ);
	env_set(&env, "LD_PRELOAD", name);
	if (!loader_ask(self->interp, self->path, env.list, &list)) {
		found = loader_find(&list, name);
		if (found && found->path)
			checkup_line(c, FINE, title, NULL, "%s: profiled by way of %s", found->path,
				     way);
		loader_list_free(&list);
	}
	env_free(&env);
}

void checkup_openmp(struct checkup *c)
{
	struct target self = { .path = "/proc/self/exe" };
	ssize_t n = readlink("/proc/self/exe", self.path, sizeof(self.path) - 1);

	checkup_title("OpenMP");
	check_library(c);
	if (n > 0)
		self.path[n] = 0;
	target_inspect(&self);
	if (self.kind != TARGET_DYNAMIC || !*self.interp)
		return;
	check_runtime(c, &self, "libomp.so.5", "LLVM's libomp", "OMPT");
	check_runtime(c, &self, "libgomp.so.1", "GCC's libgomp", "libomphwc-gomp.so");
}
