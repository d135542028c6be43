#include "config.h"

#include "src/run/runtime_choice.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/message.h"
#include "src/run/elfsyms.h"
#include "src/run/env.h"
#include "src/run/fit.h"
#include "src/run/libomp.h"
#include "src/run/links.h"
#include "src/run/loader.h"
#include "src/run/options.h"
#include "src/run/rehearse.h"
#include "src/run/target.h"

#define LIBGOMP "libgomp.so.1"

static const char *const llvm_names[] = { "libomp.so.5", "libomp.so", "libiomp5.so" };

enum { LLVM_NAMES = sizeof(llvm_names) / sizeof(llvm_names[0]) };

/* Everything that the decision depends on. */
struct question {
	const struct target *target;
	const struct loader_list *now;
	const struct env *base;
};

static void say(struct runtime_plan *plan, bool worth_saying, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void say(struct runtime_plan *plan, bool worth_saying, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(plan->note, sizeof(plan->note), format, ap);
	va_end(ap);
	plan->worth_saying = worth_saying;
}

/* LLVM's runtime may already be loaded under libgomp's name. */
static bool runs_on_gomp(const struct loader_list *now)
{
	const struct loader_object *gomp = now ? loader_find(now, LIBGOMP) : NULL;

	return gomp && gomp->path && !libomp_is(gomp->path);
}

int runtime_apply(const struct runtime_plan *plan, struct env *env)
{
	int ret = 0;

	if (plan->folder[0])
		ret = env_prepend(env, "LD_LIBRARY_PATH", plan->folder, ':');
	if (ret == 0 && plan->preload[0])
		ret = env_prepend(env, "LD_PRELOAD", plan->preload, ':');
	return ret;
}

/* ---- trying it on the loader ----------------------------------------- */

static bool is_at(const struct loader_list *list, const char *name, const char *path)
{
	const struct loader_object *o = loader_find(list, name);

	return o && o->path && strcmp(o->path, path) == 0;
}

static size_t unfound(const struct loader_list *list)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++)
		n += !list->objects[i].path && strstr(list->objects[i].name, ".so") &&
		     !strstr(list->objects[i].name, "vdso");
	return n;
}

/* Whether the loader has no more complaints with the plan than without, and finds `path` for
   `name`. */
static bool loader_agrees(const struct question *q, const struct runtime_plan *plan,
			  const char *name, const char *path)
{
	struct loader_list then;
	struct env env;
	bool agrees = false;

	if (env_copy(&env, q->base->list) != 0)
		return false;
	if (runtime_apply(plan, &env) == 0 &&
	    loader_ask(q->target->interp, q->target->path, env.list, &then) == 0) {
		agrees = is_at(&then, name, path) && then.status == q->now->status &&
			 then.complaints <= q->now->complaints && unfound(&then) <= unfound(q->now);
		loader_list_free(&then);
	}
	env_free(&env);
	return agrees;
}

static bool try_folder(struct runtime_plan *plan, const struct question *q, const char *name,
		       const char *library)
{
	const struct links_entry entry = { name, library };
	char link[PATH_MAX + 64];

	if (links_make(plan->folder, &entry, 1) != 0)
		return false;
	snprintf(link, sizeof(link), "%s/%s", plan->folder, name);
	if (loader_agrees(q, plan, name, link))
		return true;
	plan->folder[0] = '\0';
	return false;
}

static bool try_preload(struct runtime_plan *plan, const struct question *q, const char *library)
{
	const char *name = strrchr(library, '/') + 1;

	/* A blank or colon would split the path in LD_PRELOAD. */
	if (library[strcspn(library, LINKS_LOADER_SPECIAL)])
		return false;
	strcpy(plan->preload, library);
	if (loader_agrees(q, plan, name, library))
		return true;
	plan->preload[0] = '\0';
	return false;
}

/* ---- libomp in a program that is looked at ------------------------------ */

static bool place(struct runtime_plan *plan, const struct question *q, const struct fit *fit,
		  const char *libomp, char why[256])
{
	enum fit_way way = fit_judge(fit, libomp, why, 256);

	if (way == FIT_NOT || rehearse_libomp(libomp, why, 256) != 0)
		return false;
	if (way == FIT_WHOLLY && try_folder(plan, q, LIBGOMP, libomp))
		return true;
	if (try_preload(plan, q, libomp))
		return true;
	snprintf(why, 256, "the loader rejects LLVM's libomp in its place");
	return false;
}

/* Uses the libomp that the program loads already, if it uses both runtimes; otherwise the
   first fitting one of this machine. */
static bool place_any(struct runtime_plan *plan, const struct question *q, const struct fit *fit,
		      char used[PATH_MAX], char why[256])
{
	struct libomp_list *list = calloc(1, sizeof(*list));
	bool placed = false;

	snprintf(why, 256,
		 "this machine has no LLVM libomp (install libomp5, or name one in OMPHWC_LIBOMP)");
	for (size_t i = 0; list && i < LLVM_NAMES && list->n == 0; i++) {
		const struct loader_object *o = loader_find(q->now, llvm_names[i]);

		if (o && o->path && realpath(o->path, list->path[0]))
			list->n = 1;
	}
	if (list && list->n == 0)
		libomp_find(list, q->target->interp, q->target->path, q->base->list);
	for (size_t i = 0; list && i < list->n && !placed; i++) {
		placed = place(plan, q, fit, list->path[i], why);
		strcpy(used, list->path[i]);
	}
	free(list);
	return placed;
}

/* Puts LLVM's runtime in the place of the program's libgomp, checked. False with why where it
   does not fit. */
static bool swap(struct runtime_plan *plan, const struct question *q, char used[PATH_MAX],
		 char why[256])
{
	struct fit fit;
	bool placed = false;

	if (fit_collect(&fit, q->target->path, q->now, LIBGOMP) != 0)
		snprintf(why, 256, "which of libgomp's functions it calls can't be read");
	else
		placed = place_any(plan, q, &fit, used, why);
	fit_free(&fit);
	return placed;
}

/* ---- as told --------------------------------------------------------- */

/* An RPATH of the program precedes the folder of links; then only preloading works. */
static void insist(struct runtime_plan *plan, const struct question *q, const char *library)
{
	char folder[PATH_MAX], link[PATH_MAX + 64];

	strcpy(folder, plan->folder);
	for (size_t i = 0; q->now && i <= LLVM_NAMES; i++) {
		const char *name = i < LLVM_NAMES ? llvm_names[i] : LIBGOMP;

		snprintf(link, sizeof(link), "%s/%s", folder, name);
		if (loader_find(q->now, name) && access(link, F_OK) == 0 &&
		    !loader_agrees(q, plan, name, link)) {
			plan->folder[0] = '\0';
			if (try_preload(plan, q, library))
				return;
			strcpy(plan->folder, folder);
		}
	}
}

/* Uses a folder with these links, or preloads the library if there is no place for a folder. */
static int place_unseen(struct runtime_plan *plan, const struct question *q,
			const struct links_entry *entries, size_t n, const char *library)
{
	int ret = links_make(plan->folder, entries, n);

	if (ret == 0) {
		insist(plan, q, library);
		return 0;
	}
	if (library[strcspn(library, LINKS_LOADER_SPECIAL)])
		return ret;
	strcpy(plan->preload, library);
	return 0;
}

static bool is_replaced(const char *name, const struct links_entry *entries, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(entries[i].name, name) == 0)
			return true;
	return false;
}

/* The runtime that the program loads where none that it loads is replaced; NULL: one is, or it
   loads none, or its loader could not be asked. */
static const char *kept(const struct question *q, const struct links_entry *entries, size_t n)
{
	const char *found = NULL;

	for (size_t i = 0; q->now && i <= LLVM_NAMES; i++) {
		const char *name = i < LLVM_NAMES ? llvm_names[i] : LIBGOMP;

		if (!loader_find(q->now, name))
			continue;
		if (is_replaced(name, entries, n))
			return NULL;
		found = name;
	}
	return found;
}

/* Replaces whichever runtime the program's child processes were linked to. */
static int place_path(struct runtime_plan *plan, const struct question *q, const char *library,
		      const char **stays)
{
	struct elfsyms exports = { .list = NULL };
	const struct elfsym gnu = { .name = (char[]){ "GOMP_parallel" }, .version = NULL };
	const struct elfsym llvm = { .name = (char[]){ "__kmpc_fork_call" }, .version = NULL };
	struct links_entry entries[LLVM_NAMES + 1];
	int ret = elfsyms_exports(&exports, library);
	size_t n = 0;

	if (ret == 0 && elfsyms_met(&exports, &gnu))
		entries[n++] = (struct links_entry){ LIBGOMP, library };
	for (size_t i = 0; ret == 0 && i < LLVM_NAMES && elfsyms_met(&exports, &llvm); i++)
		entries[n++] = (struct links_entry){ llvm_names[i], library };
	elfsyms_free(&exports);
	if (ret)
		return ret;
	*stays = kept(q, entries, n);
	return n ? place_unseen(plan, q, entries, n, library) : -ENOEXEC;
}

static int decide_path(struct runtime_plan *plan, const struct question *q, const char *path,
		       struct trouble *t)
{
	const char *stays = NULL;
	char real[PATH_MAX];
	int ret = realpath(path, real) ? 0 : -errno;

	if (ret == 0)
		ret = place_path(plan, q, real, &stays);
	if (ret == -ENOEXEC)
		return trouble(t, "is no OpenMP runtime", "name the file of a libomp or libgomp",
			       "--runtime %s", path);
	if (ret)
		return trouble(t, strerror(-ret), "name the file of a libomp or libgomp",
			       "--runtime %s", path);
	if (stays)
		say(plan, true,
		    "--runtime %.300s: the program keeps its OpenMP runtime %s, which it can't "
		    "replace: name one that has the same functions",
		    path, stays);
	else
		say(plan, false, "OpenMP runtime %.300s by --runtime", real);
	return 0;
}

static int unavailable(struct trouble *t, int err, const char *why)
{
	if (err == -ECANCELED)
		return trouble(t, why, "run it on its own runtime", "--runtime libomp");
	return trouble(t, err ? strerror(-err) : "this machine has no LLVM libomp",
		       "install libomp5, or name one in OMPHWC_LIBOMP", "--runtime libomp");
}

/* For programs that can't be looked at, or into which libomp does not fit (why): as the user
   wants it, but not where libomp would end the program before it begins. */
static int swap_unseen(struct runtime_plan *plan, const struct question *q, const char *why,
		       struct trouble *t)
{
	struct libomp_list *list = calloc(1, sizeof(*list));
	int ret = list ? 0 : -ENOMEM;
	char dies[256];

	if (list)
		libomp_find(list, q->target->interp, q->target->path, q->base->list);
	if (list && list->n > 0 && rehearse_libomp(list->path[0], dies, sizeof(dies)) != 0)
		ret = -ECANCELED;
	else if (list && list->n > 0)
		ret = place_unseen(plan, q, &(struct links_entry){ LIBGOMP, list->path[0] }, 1,
				   list->path[0]);
	if (ret || list->n == 0)
		ret = unavailable(t, ret, dies);
	else if (q->now && !loader_find(q->now, LIBGOMP))
		say(plan, true,
		    "LLVM's OpenMP runtime (%.200s) serves in place of GCC's libgomp, "
		    "unchecked, only in what the program opens or starts: it loads no libgomp "
		    "itself",
		    list->path[0]);
	else
		say(plan, true,
		    "LLVM's OpenMP runtime (%.200s) serves in place of GCC's libgomp, "
		    "unchecked%s%s: what the runtime costs is LLVM's",
		    list->path[0], *why ? ", though " : "", why);
	free(list);
	return ret;
}

static int decide_libomp(struct runtime_plan *plan, const struct question *q, struct trouble *t)
{
	char used[PATH_MAX] = "", why[256] = "";

	if (!runs_on_gomp(q->now) || !swap(plan, q, used, why))
		return swap_unseen(plan, q, why, t);
	say(plan, true,
	    "LLVM's OpenMP runtime (%.300s) serves in place of GCC's libgomp: what the runtime "
	    "costs is LLVM's",
	    used);
	return 0;
}

int runtime_decide(struct runtime_plan *plan, const struct run_options *options,
		   const struct target *target, const struct loader_list *now,
		   const struct env *base, struct trouble *t)
{
	struct question q = { .target = target, .now = now, .base = base };
	int ret = 0;

	*plan = (struct runtime_plan){ .folder = "", .on_gomp = runs_on_gomp(now) };
	switch (options->runtime) {
	case RUN_RUNTIME_OWN: break;
	case RUN_RUNTIME_LIBOMP: ret = decide_libomp(plan, &q, t); break;
	case RUN_RUNTIME_PATH: ret = decide_path(plan, &q, options->runtime_path, t); break;
	}
	return ret;
}
