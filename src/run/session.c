/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * session.c - prepares everything that the program needs.
 */
#include "config.h"

#include "src/run/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "src/base/alloc.h"
#include "src/base/exit_status.h"
#include "src/base/message.h"
#include "src/profile/clock.h"
#include "src/profile/cpulist.h"
#include "src/profile/local.h"
#include "src/profile/name.h"
#include "src/run/container.h"
#include "src/run/elfsyms.h"
#include "src/run/events.h"
#include "src/run/libc_fit.h"
#include "src/run/library.h"
#include "src/run/links.h"
#include "src/run/loader.h"
#include "src/run/paths.h"
#include "src/run/ranks_program.h"
#include "src/run/sample_cost.h"

enum { CPUS_BYTES = 2048 }; /* a longer list is not passed on */

static void unprofiled(struct session *s, const char *why)
{
	snprintf(s->unprofiled, sizeof(s->unprofiled), "%s", why);
}

/* Nothing that is wrong with a folder keeps the program from running. */
static int choose_destination(struct session *s, struct trouble *t)
{
	const struct run_options *o = &s->options;
	const struct destination_wish wish = {
		.pattern = o->output_given ? o->output : NULL,
		.command = o->command[0],
		.time_s = s->begun_ns / 1000000000,
		.launch = &s->launch,
	};
	const struct destination *d = &s->destination;

	if (destination_choose(&s->destination, &wish, t) != 0)
		return COMMAND_FAILED;
	if (d->unusable)
		unprofiled(s, "no folder for its profile can be written");
	if (d->moved || d->unusable) {
		if (prof_launch_speaks(&s->launch))
			message_trouble(&d->why);
	} else if (d->made[0] && o->output_given && !o->quiet) {
		message("made the folder %s", d->made);
	}

	/* The profiles themselves say why they have other names, each for itself. */
	const bool ranks = s->starts_ranks ||
			   (s->launch.launcher && strcmp(s->launch.size, "1") != 0);

	if (o->output_given && ranks && !s->silent && prof_name_is_shared(o->output))
		message_parts(o->output,
			      "all ranks get this name: those that come late get their process "
			      "id put into it",
			      "write %r for the rank");
	return 0;
}

int session_check(struct session *s)
{
	struct trouble t;
	struct events_found found;
	int status;

	prof_launch_here(&s->launch);
	s->begun_ns = clock_ns(CLOCK_REALTIME);
	/* Of several ranks only the first prints notes, as all would print the same. */
	s->silent = s->options.quiet || (!s->options.verbose && !prof_launch_speaks(&s->launch));
	status = target_find(&s->target, s->options.command[0], &t);
	if (status == 0) {
		s->starts_ranks = starts_ranks(s->target.path);
		status = choose_destination(s, &t);
	}
	if (status == 0 && library_find(s->library, &t) != 0)
		status = COMMAND_FAILED;
	if (status == 0)
		library_gomp(s->library, s->gomp_library);
	if (status == 0)
		status = events_check(&s->options, true, &found, &t);
	if (status) {
		message_trouble(&t);
		return status;
	}
	s->uncounted = found.nothing && !s->unprofiled[0];
	if (found.nothing)
		unprofiled(s, "none of its events can be counted here, see ompcount check");
	if (found.addresses && s->options.heap_min != UINT64_MAX)
		library_heap(s->library, s->heap_library);
	return 0;
}

/* ---- the environment ------------------------------------------------- */

static void set_number(struct env *e, const char *name, uint64_t n)
{
	char text[24];

	if (n == 0) {
		env_unset(e, name);
		return;
	}
	snprintf(text, sizeof(text), "%llu", (unsigned long long)n);
	env_set(e, name, text);
}

static void set_seconds(struct env *e, const char *name, uint64_t ns)
{
	char text[48];

	if (ns == 0)
		return;
	snprintf(text, sizeof(text), "%llu.%09llu", (unsigned long long)ns / 1000000000,
		 (unsigned long long)ns % 1000000000);
	env_set(e, name, text);
}

static void set_or_unset(struct env *e, const char *name, const char *value)
{
	if (value && *value) {
		env_set(e, name, value);
		return;
	}
	env_unset(e, name);
}

/*
 * The CPUs that the program may use, and its path: the library can't find them where a runtime
 * has bound the initial thread before, and the path shows it that nothing came between.
 */
static void set_cpus(struct env *e, const char *program)
{
	struct cpulist mask = { 0 };
	char path[PATH_MAX], list[CPUS_BYTES], *text;

	env_unset(e, "OMPHWC_CPUS");
	if (syscall(SYS_sched_getaffinity, 0, sizeof(mask.bits), mask.bits) <= 0 ||
	    !cpulist_write(&mask, list, sizeof(list)) || !realpath(program, path))
		return;
	text = alloc_printf("%s %s", list, path);
	env_set(e, "OMPHWC_CPUS", text);
	free(text);
}

/* The variables that the library reads: see omphwc(7). */
static void set_variables(struct session *s)
{
	const struct run_options *o = &s->options;
	struct env *e = &s->env;
	char id[256];

	const unsigned long long now = s->begun_ns;
	char host[128] = "";

	gethostname(host, sizeof(host) - 1);
	snprintf(id, sizeof(id), "%s-%d-%llu.%09llu", host, (int)getpid(), now / 1000000000,
		 now % 1000000000);
	set_or_unset(e, "OMPHWC_EVENTS", o->events);
	set_or_unset(e, "OMPHWC_COUNT", o->counted);
	set_number(e, "OMPHWC_COUNT_MIN", o->count_min_us);
	set_number(e, "OMPHWC_FREQ", o->rate.freq_hz);
	set_number(e, "OMPHWC_PERIOD", o->rate.period);
	if (o->heap_min == UINT64_MAX)
		env_set(e, "OMPHWC_HEAP_MIN", "none");
	else
		set_number(e, "OMPHWC_HEAP_MIN", o->heap_min);
	env_set(e, "OMPHWC_OUTPUT", s->destination.pattern);
	env_set(e, "OMPHWC_DELIVERY", o->delivery);
	env_set(e, "OMPHWC_RUN_ID", id);
	set_or_unset(e, "OMPHWC_SPOOL", s->spool.root);
	set_or_unset(e, "OMPHWC_MANIFEST", s->announced.manifest);
	set_cpus(e, s->target.path);
	if (o->entries)
		env_set(e, "OMPHWC_ENTRIES", "1");
	if (o->dependences)
		env_set(e, "OMPHWC_DEPENDENCES", "1");
	if (o->blame)
		env_set(e, "OMPHWC_BLAME", "1");
	if (o->trace_bytes)
		set_number(e, "OMPHWC_TRACE", o->trace_bytes);
	if (o->timeline)
		env_set(e, "OMPHWC_TIMELINE", "1");
	if (o->paused)
		env_set(e, "OMPHWC_PAUSED", "1");
	set_seconds(e, "OMPHWC_DELAY", o->delay_ns);
	set_seconds(e, "OMPHWC_DURATION", o->duration_ns);
	if (o->verbose)
		env_set(e, "OMPHWC_VERBOSE", "1");
	set_or_unset(e, "OMPHWC_QUIET", o->quiet ? "1" : NULL);
}

/* A path with a blank or colon cannot be preloaded, but a link to it can.  0 or -errno. */
static int preloadable(const char *library, char path[PATH_MAX])
{
	strcpy(path, library);
	return library[strcspn(library, LINKS_LOADER_SPECIAL)] ? links_make(path, library) : 0;
}

/* Puts path first in a loader's variable, and records it in OMPHWC_ADDED, so that it can be
   removed for a program that cannot run with it. */
static void put_first(struct env *e, const char *name, const char *path)
{
	env_prepend(e, name, path, ':');
	env_prepend(e, "OMPHWC_ADDED", path, ':');
}

static int preload_library(struct env *e, const char *library)
{
	char path[PATH_MAX];
	int ret = preloadable(library, path);

	if (!ret)
		put_first(e, "LD_PRELOAD", path);
	return ret;
}

/* The address sanitizer ends a program in which it is not the first library. */
static const char *sanitizer(const struct loader_list *now)
{
	for (size_t i = 0; now && i < now->n; i++)
		if (now->objects[i].path && (strstr(now->objects[i].name, "libasan.so") ||
					     strstr(now->objects[i].name, "libclang_rt.asan")))
			return now->objects[i].path;
	return NULL;
}

static int preload(struct session *s, struct env *e, const struct loader_list *now)
{
	const char *first = sanitizer(now);
	char path[PATH_MAX];
	int ret = 0;

	if (preloadable(s->library, path) != 0) {
		unprofiled(s,
			   "the loader does not accept the blank or colon in the path of "
			   "libomphwc.so, and no folder for a link to it is private (see FILES in "
			   "ompcount(1)): move it, or set XDG_CACHE_HOME");
		return 0;
	}
	if (s->heap_library[0])
		ret = preload_library(e, s->heap_library);
	if (ret == 0)
		ret = preload_library(e, s->library);
	if (ret == 0 && s->gomp_library[0])
		ret = preload_library(e, s->gomp_library);
	if (ret == 0 && first)
		put_first(e, "LD_PRELOAD", first);
	return ret;
}

/* ---- what can't be profiled ------------------------------------------ */

/* NULL: nothing speaks against it. */
static const char *why_unprofiled(const struct target *t)
{
	if (t->secure)
		return "it gains rights when started (setuid, setgid or capabilities), and "
		       "its loader then takes no other library: run it as the user that it becomes";
	if (t->kind == TARGET_STATIC)
		return "it is statically linked, and nothing can be loaded into it: link "
		       "libomphwc_static.a into it (see omphwc(7)), or link it dynamically";
	if (t->kind == TARGET_FOREIGN)
		return "it was built for another kind of machine than libomphwc.so";
	if (elfsyms_mentions(t->path, "__tsan_init"))
		return "ThreadSanitizer is in it and cannot run beside a profiler: build it "
		       "without -fsanitize=thread";
	return NULL;
}

static size_t unfound(const struct loader_list *list)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++)
		n += !list->objects[i].path;
	return n;
}

/* Asks the loader with the final environment, because the program must not fail by what is
   loaded into it. */
static void judge_loading(struct session *s, const struct loader_list *now)
{
	const struct loader_object *libc = now ? loader_find(now, "libc.so.6") : NULL;
	struct loader_list then;
	char why[160];

	if (!now || loader_ask(s->target.interp, s->target.path, s->env.list, &then) != 0)
		return;
	if (libc && libc->path && !libc_fits(s->library, libc->path, why, sizeof(why)))
		snprintf(s->unprofiled, sizeof(s->unprofiled), "its C library %s", why);
	else if (then.complaints > now->complaints)
		snprintf(s->unprofiled, sizeof(s->unprofiled),
			 "its loader rejects libomphwc.so: %s", then.complaint);
	else if (unfound(&then) > unfound(now) || then.status != now->status)
		unprofiled(s, "its loader does not find what libomphwc.so needs");
	loader_list_free(&then);
}

/* ---- together -------------------------------------------------------- */

static bool has_loader(const struct target *t)
{
	return t->kind == TARGET_DYNAMIC && t->interp[0] && !t->secure;
}

/* Which events have stand-ins: at last, since that is untrue of a program that is refused, or not
   profiled for another reason. */
static void say_events(struct session *s)
{
	struct events_found found;
	struct trouble t;

	if (s->silent || (s->unprofiled[0] && !s->uncounted))
		return;
	if (events_check(&s->options, false, &found, &t) == 0 && !s->unprofiled[0])
		sample_cost_say(found.samples_hz);
}

/* Whether that is GCC's libgomp; LLVM's runtime may be loaded by that name. */
static bool is_gomp(const struct loader_list *now)
{
	const struct loader_object *gomp = now ? loader_find(now, "libgomp.so.1") : NULL;

	return gomp && gomp->path && !elfsyms_mentions(gomp->path, "__kmpc_fork_call");
}

/* Where OMP_TOOL disables OMPT, which libgomp does not speak. The runtime is that of the ranks'
   program, if it is known. */
static void say_disabled(const struct session *s, const struct loader_list *now)
{
	const char *tool = env_get(&s->env, "OMP_TOOL");
	const struct target *ranks = &s->ranks_program;
	struct loader_list theirs = { .n = 0 };

	if (!tool || strcasecmp(tool, "disabled") != 0)
		return;
	if (has_loader(ranks) && loader_ask(ranks->interp, ranks->path, environ, &theirs) == 0)
		now = &theirs;
	if (!is_gomp(now))
		message_parts("no OpenMP contexts", "OMP_TOOL=disabled is in the environment",
			      "unset it");
	loader_list_free(&theirs);
}

static int session_build(struct session *s, const struct loader_list *now)
{
	int ret = 0;

	env_unset(&s->env, "OMPHWC_ADDED");
	set_variables(s);
	if (s->target.kind != TARGET_FOREIGN)
		ret = preload(s, &s->env, now);
	if (ret) {
		message_parts("the program's environment", strerror(-ret), NULL);
		return COMMAND_FAILED;
	}
	if (!s->unprofiled[0])
		judge_loading(s, now);
	if (!s->unprofiled[0] && !s->silent)
		say_disabled(s, now);
	return 0;
}

static void say_details(const struct session *s)
{
	struct target last;

	if (!s->destination.unusable) {
		message("profiles go to %s", s->destination.pattern);
		message("loads %s into every program that is started", s->library);
	}
	if (s->target.kind != TARGET_SCRIPT)
		return;
	target_follow(&s->target, &last);
	message("%s is a script, run by %s", s->options.command[0], last.path);
}

/* Whether the folder of the profiles, as far as it is known and there, is not on this node. */
static bool goes_elsewhere(const struct session *s)
{
	char folder[PATH_MAX], *slash;
	struct stat st;

	strcpy(folder, s->destination.pattern);
	folder[strcspn(folder, "%")] = '\0';
	while ((slash = strrchr(folder, '/')) && slash > folder) {
		*slash = '\0';
		if (stat(folder, &st) == 0)
			return local_is_not(folder);
	}
	return local_is_not("/");
}

/* Without one the profiles are written where they belong. */
static void choose_spool(struct session *s)
{
	const char *asked = s->options.spool;
	int err;

	if (s->destination.unusable)
		return;
	s->elsewhere = goes_elsewhere(s);
	if ((asked && strcmp(asked, "no") == 0) || (!asked && !s->elsewhere))
		return;
	if (s->starts_ranks) {
		if (asked && !s->silent)
			message_parts("--spool", "ranks may be on other nodes",
				      "put ompcount behind the launcher");
		return;
	}
	err = spool_open(&s->spool, asked);
	s->elsewhere = s->elsewhere || !err;
	if (err && !s->silent)
		message_parts(asked ? asked : "no folder on this node", strerror(-err),
			      "the profile is written where it belongs");
	else if (!err && s->options.verbose)
		message("profiles are written below %s first", s->spool.root);
}

int session_prepare(struct session *s)
{
	struct loader_list now = { .n = 0 };
	bool asked;
	int ret = announced_open(&s->announced);

	if (ret && !s->silent && !s->destination.unusable)
		message_parts("no summary", strerror(-ret), "see ompcount report");
	env_copy(&s->env, environ);
	choose_spool(s);
	node_open(&s->node, &s->launch);
	loader_share(&s->node);
	if (s->options.verbose)
		say_details(s);

	const char *why = why_unprofiled(&s->target);

	if (why)
		unprofiled(s, why);
	else
		s->contained = container_refuses(s->options.command, s->starts_ranks, s->library,
						 s->unprofiled, sizeof(s->unprofiled));
	if (s->starts_ranks && ranks_program_find(s->options.command, &s->ranks_program))
		s->ranks_unprofiled = why_unprofiled(&s->ranks_program);
	asked = has_loader(&s->target) &&
		loader_ask(s->target.interp, s->target.path, environ, &now) == 0;
	ret = session_build(s, asked ? &now : NULL);
	/* Programs beneath could be profiled, but there is no place for their profiles either. */
	if (ret == 0 && s->unprofiled[0] && (asked || s->contained || s->destination.unusable)) {
		/* The unchanged environment, for a program that cannot be profiled. */
		env_free(&s->env);
		env_copy(&s->env, environ);
	}
	if (ret == 0)
		say_events(s);
	loader_list_free(&now);
	return ret;
}

void session_leave(struct session *s, bool written)
{
	size_t n;
	char **paths = node_leave(&s->node, &n);

	paths_free(paths, n);
	announced_close(&s->announced);
	spool_close(&s->spool);
	destination_tidy(&s->destination, written);
}

void session_forget(struct session *s)
{
	s->node.path[0] = '\0';
	s->spool.root[0] = '\0';
	s->destination.made[0] = '\0';
}

void session_end(struct session *s)
{
	session_leave(s, false);
	env_free(&s->env);
	run_options_free(&s->options);
}
