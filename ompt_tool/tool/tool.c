/*
 * tool.c - see tool.h.
 */
#include "config.h"

#include "ompt_tool/tool/tool.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ompt_tool/collector/omp_collector_api.h"
#include "ompt_tool/count/counting.h"
#include "ompt_tool/machine/arch.h"
#include "ompt_tool/machine/ticks.h"
#include "ompt_tool/omp/blame.h"
#include "ompt_tool/omp/entries.h"
#include "ompt_tool/omp/region.h"
#include "ompt_tool/omp/runtime.h"
#include "ompt_tool/omp/trace.h"
#include "ompt_tool/program/program.h"
#include "ompt_tool/runtime/collector.h"
#include "ompt_tool/runtime/runtime_host.h"
#include "ompt_tool/sample/cpus.h"
#include "ompt_tool/sample/data.h"
#include "ompt_tool/sample/handler.h"
#include "ompt_tool/sample/sampling.h"
#include "ompt_tool/sample/thread.h"
#include "ompt_tool/tool/control.h"
#include "ompt_tool/tool/heap.h"
#include "ompt_tool/tool/profile.h"
#include "ompt_tool/tool/settings.h"
#include "ompt_tool/tool/threads.h"
#include "ompt_tool/tree/module.h"
#include "ompt_tool/tree/process.h"
#include "ompt_tool/tree/timeline.h"
#include "ompt_tool/unwind/bounds.h"
#include "ompt_tool/unwind/caller.h"
#include "ompt_tool/unwind/object.h"
#include "ompt_tool/unwind/pages.h"
#include "pmu/counter.h"
#include "pmu/counts.h"
#include "pmu/event.h"
#include "pmu/pfm.h"
#include "src/profile/starter.h"

/* Owned by this file. */
static pthread_once_t start_once = PTHREAD_ONCE_INIT;
static bool started;

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...)
{
	char line[512];
	va_list args;

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

/* The signals that sampling needs. */
static unsigned signals_for(enum pmu_delivery delivery)
{
	unsigned which = 0;

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

/* Notes why an event can't be counted. The report itself names the stand-in. */
static void note_refusal(const struct pmu_event *ev, const struct pmu_refusal *why)
{
	char line[320];

	snprintf(line, sizeof(line), "no %s: %s", ev->requested, why->why);
	profile_note(line);
}

/* Replaces an event that can't be counted here by the nearest one that can. */
static bool settle_event(struct pmu_event *ev, const struct pmu_rate *rate, struct pmu_refusal *why)
{
	if (pmu_event_probe(ev, why) == 0)
		return true;
	note_refusal(ev, why);
	return pmu_event_substitute(ev, rate, why) == 0;
}

/* The same for an event that is counted without samples. */
static bool settle_counted(struct pmu_event *ev, const struct pmu_rate *rate,
			   struct pmu_refusal *why)
{
	if (pmu_counts_probe(ev, why) == 0)
		return true;
	note_refusal(ev, why);
	return pmu_event_substitute(ev, rate, why) == 0 && pmu_counts_probe(ev, why) == 0;
}

/* Whether the event is in the list already: one clock may stand in for several events,
   and may have been asked for as well. */
static bool settled(const char *label, int from)
{
	for (int i = from; i < sampling.nevents; i++)
		if (strcmp(sampling.events[i].label, label) == 0)
			return true;
	return false;
}

/* A list of events from an environment variable. */
struct event_list {
	const char *variable, *text; /* NULL: no events */
	const char *otherwise;	     /* a list that makes sense */
	struct pmu_rate rate;
	bool (*settle)(struct pmu_event *, const struct pmu_rate *, struct pmu_refusal *);
};

/* Reads the list, or the other one, which is noted. */
static int parse_list(const struct event_list *list, struct pmu_event *wanted, int max,
		      struct pmu_refusal *why)
{
	char line[256];
	int n = !list->text ? 0 : pmu_event_parse_list(list->text, &list->rate, wanted, max, why);

	if (n >= 0)
		return n;
	snprintf(line, sizeof(line), "%s=%.40s makes no sense: %.40s: %.80s: using %s",
		 list->variable, list->text, why->what, why->why, list->otherwise);
	profile_note(line);
	return pmu_event_parse_list(list->otherwise, &list->rate, wanted, max, why);
}

/* Adds the events of a list that can be counted. */
static void settle_list(const struct event_list *list, struct pmu_refusal *why)
{
	struct pmu_event wanted[PMU_EVENTS_MAX];
	const int from = sampling.nevents;
	const int n = parse_list(list, wanted, PMU_EVENTS_MAX - from, why);

	for (int i = 0; i < n; i++)
		if (list->settle(&wanted[i], &list->rate, why) && !settled(wanted[i].label, from))
			sampling.events[sampling.nevents++] = wanted[i];
}

/* Notes which kinds of cores an event is counted on, and which it is missing from. */
static void note_kinds(const struct pmu_event *ev, bool counted, bool *told)
{
	char line[2 * PMU_KINDS_BYTES + 128];
	struct pmu_kinds kinds;

	if (!pmu_event_kinds(ev, counted ? pmu_counts_probe : pmu_event_probe, &kinds))
		return;
	if (!*told)
		profile_note("cores are of several kinds: what each counts is added up");
	*told = true;
	if (kinds.without[0] == '\0')
		return;
	snprintf(line, sizeof(line), "%s: counted by %s, but not by %s", ev->label, kinds.with,
		 kinds.without);
	profile_note(line);
}

static bool settle_events(const struct settings *s)
{
	const struct event_list sampled = {
		.variable = "OMPHWC_EVENTS",
		.text = s->events,
		.otherwise = PMU_DEFAULT_SAMPLED,
		.rate = s->rate,
		.settle = settle_event,
	};
	const struct event_list counted = {
		.variable = s->origin,
		.text = s->counted,
		.otherwise = PMU_DEFAULT_COUNTED,
		.rate = { .freq_hz = PMU_DEFAULT_FREQ_HZ },
		.settle = settle_counted,
	};
	struct pmu_refusal why;
	bool told = false;

	settle_list(&sampled, &why);
	sampling.nsampled = sampling.nevents;
	settle_list(&counted, &why);
	/* Unloads libpfm: its tables are not needed once the names are resolved. */
	pmu_pfm_unload();
	for (int i = 0; i < sampling.nevents; i++)
		note_kinds(&sampling.events[i], i >= sampling.nsampled, &told);
	if (sampling.nevents == 0)
		say("nothing can be counted: %s: %s", why.what, why.why);
	return sampling.nevents != 0;
}

/* The real path of an object that was loaded through a symbolic link, which may be gone
   when the profile is read. */
static const char *real_path(const char *path)
{
	char *real = realpath(path, NULL);

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
	profile_fork_child();
	heap_fork_child();
	threads_fork_child();
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
		.gomp = (struct gomp_thread * (*)(void)) program_function("omphwc_gomp_thread"),
		.gomp_state = (int (*)(uint64_t *))program_function("omphwc_gomp_state"),
		.gomp_copy = (const void *(*)(unsigned))program_function("omphwc_gomp_copy"),
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
	struct settings s;
	char complaint[160];

	const char *why = why_left_alone();
	if (why) {
		say("the program is not profiled: %s", why);
		return;
	}

	int err = program_take();
	if (err != 0) {
		say("no memory: %s: the program runs without", strerror(-err));
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
	if (!settle_events(&s))
		return;
	counting_prepare(&sampling.events[sampling.nsampled], sampling.nevents - sampling.nsampled,
			 sampling.nsampled, s.count_min_us, profile_note);
	entries_prepare(s.entries);
	blame_prepare(s.blame);
	timeline_on = s.timeline;
	trace_prepare(s.trace);
	err = profile_create();
	if (err != 0 && profile_failure_is_told())
		return;
	if (err != 0) {
		say("no profile: %s: %s: set OMPHWC_OUTPUT to a file in a folder that can be "
		    "written",
		    profile_path(), strerror(-err));
		return;
	}
	if (profile_moved())
		say("%s: the profile is %s", profile_moved(), profile_path());
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
	threads_prepare(delivery, signo, s.paused);
	started = true;
	threads_start(PROF_THREAD_UNKNOWN);
	start_collector();
	if (s.paused)
		collector_pause(true);
	heap_start(s.heap_min);
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
	module_mark(code, PROF_MODULE_RUNTIME);
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

	/* A fork's child that has counted events needs a profile for them. */
	if (last && counting_on() && thread_self)
		thread_ready(thread_self);
	threads_stop_all(last);
	if (process_has_profile())
		prof_end(&process.writer, how, ticks_now());
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

static void exec_failed(void)
{
	if (!started)
		return;
	if (process_has_profile())
		prof_end(&process.writer, PROF_RUN_RUNNING, 0);
	threads_start_all();
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

static int control(int command)
{
	return (int)control_tool(command);
}

const struct runtime_host runtime_host = {
	.start = tool_start,
	.begins = runtime_begins,
	.has_code = runtime_has_code,
	.thread_begins = threads_start,
	.control = control,
	.note = profile_note,
	.untold = profile_untold,
};

static void unloaded(void)
{
	object_epoch_advance();
	caller_resume();
}

const struct program_hooks program_hooks = {
	.sample = handler_take,
	.fault = fault,
	.renumber = threads_renumber,
	.settles = threads_settle,
	.thread_begins = thread_begins,
	.ends = ends,
	.exec_failed = exec_failed,
	.forked = forked,
	.unloading = caller_pause,
	.unloaded = unloaded,
	.preloaded = preloaded,
	.protects = protects,
	.control = control,
};

/* Runs at exit(). Other threads may still run, so the file's mapping stays. */
__attribute__((destructor)) static void end(void)
{
	if (program_is_ours())
		ends(PROGRAM_EXITS);
}
