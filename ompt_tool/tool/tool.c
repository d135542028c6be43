/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/tool/tool.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ompt_tool/collector/omp_collector_api.h"
#include "ompt_tool/count/counting.h"
#include "ompt_tool/machine/arch.h"
#include "ompt_tool/machine/ticks.h"
#include "ompt_tool/omp/blame.h"
#include "ompt_tool/omp/depend.h"
#include "ompt_tool/omp/entries.h"
#include "ompt_tool/omp/region.h"
#include "ompt_tool/omp/runtime.h"
#include "ompt_tool/omp/trace.h"
#include "ompt_tool/program/program.h"
#include "ompt_tool/runtime/collector.h"
#include "ompt_tool/runtime/pomp.h"
#include "ompt_tool/runtime/runtime_host.h"
#include "ompt_tool/sample/data.h"
#include "ompt_tool/sample/handler.h"
#include "ompt_tool/sample/sampling.h"
#include "ompt_tool/sample/thread.h"
#include "ompt_tool/tool/profile.h"
#include "ompt_tool/tool/settings.h"
#include "ompt_tool/tool/threads.h"
#include "ompt_tool/tool/tool_parts.h"
#include "ompt_tool/tool/window.h"
#include "ompt_tool/tree/module.h"
#include "ompt_tool/tree/process.h"
#include "ompt_tool/tree/timeline.h"
#include "ompt_tool/unwind/bounds.h"
#include "ompt_tool/unwind/caller.h"
#include "ompt_tool/unwind/find_object.h"
#include "ompt_tool/unwind/object.h"
#include "ompt_tool/unwind/pages.h"
#include "pmu/counter.h"
#include "pmu/event.h"
#include "src/profile/starter.h"

/* Owned by this file. */
static pthread_once_t start_once = PTHREAD_ONCE_INIT;
static bool started;

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...)
{
	const char *const quiet = getenv("OMPHWC_QUIET");
	char line[512];
	va_list args;

	if (quiet && *quiet != '\0' && strcmp(quiet, "0") != 0)
		return;
	va_start(args, format);
	int n = snprintf(line, sizeof(line), "omphwc: ");
	vsnprintf(line + n, sizeof(line) - (size_t)n - 1, format, args);
	va_end(args);
	n = (int)strlen(line);
	line[n] = '\n';
	program_say(line, (size_t)n + 1);
}

static bool under_debugger(void)
{
	char status[4096];
	FILE *f = fopen("/proc/self/status", "re");

	if (!f)
		return false;
	status[fread(status, 1, sizeof(status) - 1, f)] = '\0';
	fclose(f);
	const char *tracer = strstr(status, "TracerPid:");
	return tracer && strtol(tracer + 10, NULL, 10) != 0;
}

/* SIGTRAP costs half as much as a queued signal, but does not queue: of two events that
   overflow at once one sample would be lost, and clocks overflow at each sample. A
   debugger needs SIGTRAP itself, and so may the application. */
static enum pmu_delivery choose_delivery(const struct settings *s)
{
	if (s->delivery == SETTINGS_DELIVERY_SIGNAL || !pmu_delivery_sigtrap_works())
		return PMU_DELIVERY_SIGNAL;
	if (s->delivery == SETTINGS_DELIVERY_SIGTRAP)
		return PMU_DELIVERY_SIGTRAP;
	if (sampling.nsampled > 1 || under_debugger() || program_signal_is_used(SIGTRAP))
		return PMU_DELIVERY_SIGNAL;
	return PMU_DELIVERY_SIGTRAP;
}

static bool samples_wall(void)
{
	for (int i = 0; i < sampling.nsampled; i++)
		if (sampling.events[i].kind == PMU_WALL)
			return true;
	return false;
}

/* The signals that sampling needs. */
static unsigned signals_for(enum pmu_delivery delivery)
{
	unsigned which = window_wanted() ? PROGRAM_QUEUED | PROGRAM_IN_WAITS : 0;

	for (int i = 0; i < sampling.nsampled; i++) {
		const struct pmu_event *ev = &sampling.events[i];

		if (ev->kind == PMU_WALL)
			which |= PROGRAM_QUEUED | PROGRAM_IN_WAITS;
		else if (delivery == PMU_DELIVERY_SIGTRAP)
			which |= PROGRAM_TRAP;
		else
			which |= PROGRAM_QUEUED | PROGRAM_STAND_IN;
		if (ev->kind == PMU_PERF && !ev->attr.exclude_kernel)
			which |= PROGRAM_IN_WAITS;
	}
	return which;
}

/* Where no signal can be had, nothing is sampled, but events are still counted. */
static int take_signals(const struct settings *s, enum pmu_delivery *delivery)
{
	int signo = program_signals_take(signals_for(*delivery));

	if (signo == -EBUSY && *delivery == PMU_DELIVERY_SIGNAL &&
	    s->delivery == SETTINGS_DELIVERY_AUTO && pmu_delivery_sigtrap_works()) {
		*delivery = PMU_DELIVERY_SIGTRAP;
		signo = program_signals_take(signals_for(*delivery));
	}
	if (signo < 0 && sampling.nsampled < sampling.nevents) {
		profile_note("no signal was free for the counters: nothing was sampled");
		sampling.nsampled = 0;
		return 0;
	}
	return signo;
}

/* The real path of an object that was loaded through a symbolic link, which may be gone
   when the profile is read. The kernel's object has a name and no path: nothing is looked up in the
   working folder, whose server may not answer. */
static const char *real_path(const char *path)
{
	char *real = strchr(path, '/') ? realpath(path, NULL) : NULL;

	if (real && strcmp(real, path) == 0) {
		free(real);
		return NULL;
	}
	return real;
}

static void forked(void)
{
	if (!started)
		return;
	token_epoch++;
	find_object_fork_child();
	profile_fork_child();
	heap_fork_child();
	threads_fork_child();
	window_resume();
	marks_fork_child();
	pomp_fork_child();
}

/*
 * ThreadSanitizer interposes libc's functions as we do. Its interceptors must not
 * run before it knows the thread, and it delays signals. Valgrind's own code gets a
 * counter's SIGTRAP and ends the process; by other signals most samples would be of
 * Valgrind. Such programs are left alone.
 */
extern void __tsan_init(void) __attribute__((weak));

/* NULL: nothing speaks against it. */
static const char *why_left_alone(void)
{
	if (__tsan_init)
		return "it contains ThreadSanitizer: build it without -fsanitize=thread";
	if (arch_is_valgrind())
		return "Valgrind runs it: profile it without valgrind";
	return NULL;
}

/* Where the process has runtimes with the Collector API. libomphwc-gomp.so stands before a
   runtime's own. */
static void start_collector(void)
{
	void *ours = program_function("omphwc_gomp_collector_api");
	void *other = program_function(OMP_COLLECTOR_API);

	if (other == ours)
		other = program_next_function(OMP_COLLECTOR_API);
	collector_start(&(struct collector_entries){
		.api = (int (*)(void *))(other != ours ? other : NULL),
		.gomp_api = (int (*)(void *))ours,
		.gomp_interface = (int (*)(void))program_function("omphwc_gomp_interface"),
		.gomp = (struct gomp_thread * (*)(void)) program_function("omphwc_gomp_thread"),
		.gomp_state = (int (*)(uint64_t *))program_function("omphwc_gomp_state"),
		.gomp_copy = (const void *(*)(unsigned))program_function("omphwc_gomp_copy"),
		.gomp_serve = (bool (*)(const void *))program_function("omphwc_gomp_serve"),
	});
}

/* mpirun and its helpers only hand the library on to the ranks. */
static bool starts_ranks(void)
{
	char exe[PATH_MAX];
	const ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

	exe[n > 0 ? n : 0] = '\0';
	return prof_is_starter(exe);
}

static void start(void)
{
	struct pmu_refusal refusal;
	struct settings s;
	char complaint[160];

	const char *why = why_left_alone();
	if (why) {
		say("the program is not profiled: %s", why);
		return;
	}

	int err = program_take();
	if (err != 0) {
		say("no memory: %s: the program runs unprofiled", strerror(-err));
		return;
	}
	if (starts_ranks())
		return;
	process.alive = program_alive;
	settings_read(&s, complaint, sizeof(complaint));
	if (complaint[0] != '\0')
		profile_note(complaint);
	err = profile_prepare(&s);
	if (err != 0) {
		say("no profile: the name from OMPHWC_OUTPUT: %s: the program runs without",
		    strerror(-err));
		return;
	}
	if (!settle_events(&s, &refusal)) {
		say("nothing can be counted: %s: %s", refusal.what, refusal.why);
		return;
	}
	counting_prepare(&sampling.events[sampling.nsampled], sampling.nevents - sampling.nsampled,
			 sampling.nsampled, s.count_min_us, profile_note);
	entries_prepare(s.entries);
	depend_prepare(s.dependences);
	find_object_by(s.object_table ? NULL : program_function("_dl_find_object"));
	blame_prepare(s.blame);
	if (samples_wall())
		blame_watch();
	timeline_on = s.timeline;
	trace_prepare(s.trace);
	window_prepare(s.delay_ns, s.duration_ns);
	err = profile_create();
	if (err != 0 && profile_failure_is_reported())
		return;
	if (err != 0) {
		say("no profile: %s: %s: set OMPHWC_OUTPUT to a file in a folder that can be "
		    "written",
		    profile_path(), strerror(-err));
		return;
	}
	if (profile_moved())
		say("%s: the profile is %s", profile_moved(), profile_path());
	if (profile_stays())
		say("%s: ompcount collect", profile_stays());
	enum pmu_delivery delivery = choose_delivery(&s);
	int signo = take_signals(&s, &delivery);
	if (signo < 0) {
		profile_fail("no signal was free for the counters: nothing was sampled");
		return;
	}
	bounds_learn();
	cpus_prepare();
	data_learn((uintptr_t)sbrk(0));
	module_scan(real_path);
	if (program_is_apart)
		module_mark((const void *)(uintptr_t)tool_start, PROF_MODULE_TOOL);
	pomp_start();
	threads_prepare(delivery, signo, s.paused || window_waits());
	started = true;
	threads_start(PROF_THREAD_UNKNOWN);
	start_collector();
	if (s.paused)
		collector_pause(true);
	heap_start(s.heap_min);
	if (!window_start(signo))
		profile_note("no signal or timer was free: --delay and --duration had no effect");
	if (s.verbose)
		say("profiling process %d into %s", (int)getpid(), profile_path());
}

bool tool_start(void)
{
	pthread_once(&start_once, start);
	return tool_started();
}

bool tool_started(void)
{
	return started && *process.alive != 0;
}

static void runtime_has_code(const void *code)
{
	module_scan(real_path); /* the object may have been loaded after the start */
	module_mark_runtime(code);
}

static void runtime_begins(const struct runtime *runtime, const char *text, const void *code)
{
	runtime_has_code(code);
	if (runtime_add(runtime))
		profile_runtime(text);
}

static void finish(enum prof_run how)
{
	const bool last = how != PROF_RUN_EXECED;

	window_stop();
	/* A fork's child that has counted events needs a profile for them. */
	if (last && counting_on() && thread_self)
		thread_ready(thread_self);
	threads_stop_all(last);
	if (last) {
		phases_end_process();
		profile_usage();
	}
	if (last && process_has_profile() && !counting_on() && threads_took_none() &&
	    profile_is_dispensable()) {
		prof_remove(&process.writer);
		return;
	}
	if (process_has_profile() && !prof_end(&process.writer, how, ticks_now()) && last &&
	    profile_lost())
		say("the profile is lost: %s: it was overwritten while the program ran",
		    profile_path());
}

/* ---- what the program does ------------------------------------------------- */

static void ends(enum program_end how)
{
	static const enum prof_run run[] = {
		[PROGRAM_EXECS] = PROF_RUN_EXECED,
		[PROGRAM_EXITS] = PROF_RUN_EXITED,
		[PROGRAM_EXITS_AT_ONCE] = PROF_RUN_EXITED_AT_ONCE,
	};

	if (started)
		finish(run[how]);
}

/* The profile's file was truncated. */
static bool fault(const void *address)
{
	return process_has_profile() && prof_holds(&process.writer, address) &&
	       prof_mark_dead(&process.writer, address) == 0;
}

static void protects(const void *at, size_t bytes)
{
	struct thread *t = thread_self;
	const uintptr_t lo = (uintptr_t)at;

	if (bytes <= UINTPTR_MAX - lo)
		pages_changed(lo, lo + bytes, t ? &t->own.pages : NULL,
			      t ? &t->omp.contexts.own.pages : NULL);
}

/* A limit below what is mapped would leave the program nothing. */
static void limits(unsigned long long bytes)
{
	if (process_has_profile())
		prof_yield(&process.writer, bytes);
}

static void goes_on(const char *why)
{
	static const char what[] = "the program that it went on as is not profiled: it ";
	char line[256];

	if (!started || !process_has_profile() || sizeof(what) + strlen(why) > sizeof(line))
		return;
	strcpy(stpcpy(line, what), why);
	profile_note(line);
}

static void exec_failed(void)
{
	if (!started)
		return;
	if (process_has_profile())
		prof_end(&process.writer, PROF_RUN_RUNNING, 0);
	threads_start_all();
	window_resume();
}

static void renumber(int signo)
{
	threads_renumber(signo);
	window_start(signo);
}

static bool traced(bool is)
{
	const bool changed = started && threads_traced(is);

	if (changed && is) {
		control_note_pause();
		profile_note("a thread let its parent trace it (PTRACE_TRACEME): it is not sampled "
			     "from then on");
	}
	return changed;
}

static void thread_begins(void)
{
	if (started)
		threads_start(PROF_THREAD_UNKNOWN);
}

static void preloaded(void)
{
	tool_start();
}

static int control(int command, const void *arg)
{
	return (int)control_tool(command, arg);
}

const struct runtime_host runtime_host = {
	.start = tool_start,
	.begins = runtime_begins,
	.has_code = runtime_has_code,
	.thread_begins = threads_start,
	.control = control,
	.note = profile_note,
	.unreported = profile_unreported,
};

static void unloading(void)
{
	find_object_unloading();
	caller_wait();
}

static void unloaded(void)
{
	find_object_refresh();
	object_epoch_advance();
	find_object_unloaded();
}

/* A vfork's child has its parent's data. */
static void awake(void)
{
	struct thread *t = thread_self;

	if (t && t->asleep && t->sampling && !t->in_handler && program_is_ours())
		handler_wake(t);
}

const struct program_hooks program_hooks = {
	.sample = handler_take,
	.sample_held = handler_take_held,
	.awake = awake,
	.fault = fault,
	.renumber = renumber,
	.settles = threads_settle,
	.thread_begins = thread_begins,
	.goes_on = goes_on,
	.ends = ends,
	.exec_failed = exec_failed,
	.traced = traced,
	.forked = forked,
	.unloading = unloading,
	.unloaded = unloaded,
	.preloaded = preloaded,
	.protects = protects,
	.limits = limits,
	.control = control,
};

/* Runs at exit(). Other threads may still run, so the file's mapping stays. */
__attribute__((destructor)) static void end(void)
{
	if (program_is_ours())
		ends(PROGRAM_EXITS);
}
