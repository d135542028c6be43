/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The contents of the profile are collected into static buffers first. Creating the
 * profile then takes system calls alone: a fork's child does it in its signal
 * handler, at its first sample.
 */
#include "config.h"

#include "ompt_tool/tool/profile.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ompt_tool/machine/ticks.h"
#include "ompt_tool/sample/sampling.h"
#include "ompt_tool/tool/settings.h"
#include "ompt_tool/tool/tool_parts.h"
#include "ompt_tool/tool/window.h"
#include "ompt_tool/tree/latest.h"
#include "ompt_tool/tree/module.h"
#include "ompt_tool/tree/process.h"
#include "src/profile/clock.h"
#include "src/profile/digits.h"
#include "src/profile/folder.h"
#include "src/profile/launch.h"
#include "src/profile/local.h"
#include "src/profile/manifest.h"
#include "src/profile/name.h"
#include "src/profile/profile_owner.h"
#include "src/profile/syscalls.h"

enum { NOTES_MAX = 16, LIMIT_SHIFT = 32, START_READINGS = 5 };

/* Owned by this file; written by profile_prepare() and in a fork's child. */
static char path[PATH_MAX], first_path[PATH_MAX];
static char asked_line[PATH_MAX + 256];
static char moved[512]; /* why the profile is not where it was asked for */
static char stays[PATH_MAX + 128];
static struct prof_launch launch;
static uint64_t begun_s; /* of the run, or of this process */
static struct prof_owner owner;
static bool forked;
static bool failure_reported; /* to the ompcount that started the program */

/* The clocks at one instant. */
static struct start {
	uint64_t ticks, monotonic_ns, realtime_ns;
} child_start; /* when it was forked */
static char pattern[PATH_MAX];
static char host[256], exe[PATH_MAX], cwd[PATH_MAX], argv0[256];
static char arguments[16384];
static size_t arguments_bytes;
static char notes[NOTES_MAX][256];
static int nnotes;
static char runtime_text[128];
static uint64_t unreported;
/* Copies of environment variables, made at the start: a program may overwrite them
   (setproctitle), and a fork's child needs them in its signal handler. */
static char boot[64], manifest[PATH_MAX], spool[PATH_MAX], run_id[128];
static char environment[16384]; /* the variables of read_environment(), each ended by NUL */
static size_t environment_bytes;

extern char **environ;

static void copy(char *to, size_t bytes, const char *from)
{
	snprintf(to, bytes, "%s", from ? from : "");
}

/* Copies the settings of the OpenMP runtimes, of malloc() and of this tool, which explain many
   results. */
static void read_environment(void)
{
	static const char *const prefixes[] = { "OMP_", "KMP_", "GOMP_",
						"GLIBC_TUNABLES=", "OMPHWC_" };

	environment_bytes = 0;
	for (char **e = environ; e && *e; e++)
		for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
			size_t bytes = strlen(*e) + 1;

			if (strncmp(*e, prefixes[i], strlen(prefixes[i])) != 0 ||
			    bytes > sizeof(environment) - environment_bytes)
				continue;
			memcpy(environment + environment_bytes, *e, bytes);
			environment_bytes += bytes;
		}
}

/*
 * Below the spool, a folder of ompcount's on this node, the profile has the path to which
 * ompcount copies it. On other nodes, and when the run is over, there is no such folder.
 */
static int into_spool(size_t n)
{
	const size_t head = strlen(spool);
	struct stat st;

	if (head == 0 || call_lstat(spool, &st) != 0 || !S_ISDIR(st.st_mode) ||
	    st.st_uid != geteuid())
		return 0;
	if (head + n + 1 > sizeof(path))
		return -ENAMETOOLONG;
	memmove(path + head, path, n + 1);
	memcpy(path, spool, head);
	return 0;
}

static int make_path(void)
{
	const struct prof_name fields = { .pid = (uint32_t)getpid() };
	int n = prof_name_expand(path, sizeof(path), pattern, &fields);

	if (n < 0)
		return n;
	n = into_spool((size_t)n);
	if (n == 0 && !forked)
		memcpy(first_path, path, strlen(path) + 1);
	return n;
}

/* The pattern for output: all but the process id is filled in, since a fork's child must not
   read the environment. A folder's name may contain %, which is doubled. */
static int make_pattern(const char *output)
{
	const struct prof_name fields = {
		.command = argv0[0] != '\0' ? argv0 : exe,
		.host = host,
		.later = true,
		.time_s = begun_s,
		.launch = &launch,
		.variable = prof_variable_here,
	};
	size_t n = 0;
	int ret;

	if (!prof_name_is_absolute(output, prof_variable_here)) {
		if (cwd[0] == '\0')
			return -ENOENT;
		for (const char *p = cwd; *p != '\0' && n + 3 < sizeof(pattern); p++) {
			pattern[n++] = *p;
			if (*p == '%')
				pattern[n++] = '%';
		}
		pattern[n++] = '/';
	}
	ret = prof_name_expand(pattern + n, sizeof(pattern) - n, output, &fields);
	return ret < 0 ? ret : 0;
}

/* Whether another folder could do better. A full disk is no such failure: who chose a disk did
   not mean another one. */
static bool is_of_folder(int err)
{
	switch (-err) {
	case EACCES:
	case EINVAL:
	case EISDIR:
	case ELOOP:
	case ENAMETOOLONG:
	case ENOENT:
	case ENOTDIR:
	case EPERM:
	case EROFS: return true;
	}
	return false;
}

/* The program must not go unprofiled because of a folder: the working folder is the second
   choice. */
static bool fall_back(const char *asked, int err)
{
	if (moved[0] != '\0' || !is_of_folder(err) || make_pattern(PROF_NAME_DEFAULT) != 0)
		return false;
	snprintf(moved, sizeof(moved), "%.300s was asked for: %s", asked, strerror(-err));
	return true;
}

/* A child does not make its parent's folder again: somebody has removed it. */
static bool is_own_folder(void)
{
	const char *slash = strrchr(path, '/');

	return !forked || (slash && memcmp(path, first_path, (size_t)(slash + 1 - path)) != 0);
}

/* A fork's child does not take over its parent's name, even where the parent's profile
   seems abandoned. */
static int make_one(void)
{
	struct prof_claim claim = { .limit_bytes = (size_t)1 << LIMIT_SHIFT, .owner = &owner };
	int err = make_path();

	claim.next_name = forked && strcmp(path, first_path) == 0;
	if (err == 0)
		err = prof_create_for(&process.writer, path, &claim);
	if (err == -ENOENT && is_own_folder() && prof_folder_make(path) >= 0)
		err = prof_create_for(&process.writer, path, &claim);
	return err;
}

/* Where the spool has no room, the profile is written where it belongs. */
static int make_file(void)
{
	int err = make_one();

	if (err != 0 && spool[0] != '\0') {
		spool[0] = '\0';
		err = make_one();
	}
	return err;
}

/* A spool of this process's own, in one of the places for them. */
static int spool_in_place(unsigned number)
{
	char folder[PATH_MAX];
	int err = local_folder_make(number, folder);

	if (err == 0)
		err = local_spool(folder, spool);
	if (err != 0) {
		spool[0] = '\0';
		return err;
	}
	err = make_one();
	if (err != 0) {
		rmdir(spool);
		rmdir(folder);
		spool[0] = '\0';
	}
	return err;
}

static int make_in_own_spool(void)
{
	unsigned i = 0;
	int err;

	do
		err = spool_in_place(i++);
	while (err != 0 && err != -ENOENT);
	return err;
}

/* The first of the process, in ordinary code. */
static int make_first(void)
{
	const bool asked = strcmp(spool, "auto") == 0;
	int err;

	if (asked && make_in_own_spool() == 0)
		return 0;
	err = make_file();
	/* What can't be mapped there can be on this node. */
	if (err != -ENODEV)
		return err;
	memcpy(asked_line, path, strlen(path) + 1);
	if (make_in_own_spool() != 0)
		return err;
	snprintf(stays, sizeof(stays), "%.4000s: %s: the profile is below %s", asked_line,
		 strerror(-err), spool);
	return 0;
}

/* A process that gave up its rights is another user's: what it can't write is not its user's
   concern. */
static bool is_reported(int err)
{
	return err == 0 || err == -EACCES || err == -EPERM;
}

/* Reports the profile, or the failure, to whoever started the program. */
static void list_file(int err)
{
	/* An ompcount that can be known copies it. */
	if (manifest[0] != '\0' && err == 0 &&
	    prof_manifest_add(manifest, process.writer.path) == 0)
		stays[0] = '\0';
	if (manifest[0] != '\0' && err != 0)
		failure_reported = is_reported(prof_manifest_fail(manifest, path, -err));
}

/* When the run began: the last number of its id, HOST-PID-TIME. */
static uint64_t begin_of(const char *run)
{
	const char *time = strrchr(run, '-');
	uint64_t s;

	return time && digits_get(time + 1, &s, 10) ? s : clock_ns(CLOCK_REALTIME) / 1000000000;
}

static int choose_pattern(const char *output)
{
	char usual[PROF_NAME_DEFAULT_BYTES];
	int err;

	prof_name_default(usual, &launch);
	err = make_pattern(output ? output : usual);
	return err != 0 && output && fall_back(output, err) ? 0 : err;
}

int profile_prepare(const struct settings *s)
{
	copy(manifest, sizeof(manifest), s->manifest);
	copy(spool, sizeof(spool), s->spool);
	copy(run_id, sizeof(run_id), s->run_id);
	prof_launch_here(&launch);
	begun_s = begin_of(run_id);
	read_environment();
	if (gethostname(host, sizeof(host) - 1) != 0)
		host[0] = '\0';
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	exe[n > 0 ? n : 0] = '\0';
	if (!getcwd(cwd, sizeof(cwd)))
		cwd[0] = '\0';
	arguments_bytes = call_text("/proc/self/cmdline", arguments, sizeof(arguments));
	snprintf(argv0, sizeof(argv0), "%.255s", arguments);
	topology_read(exe, s->cpus);
	quota_find();
	call_text("/proc/sys/kernel/random/boot_id", boot, sizeof(boot));
	boot[strcspn(boot, "\n")] = '\0';
	prof_owner_learn(&owner, &(struct prof_owner_names){ .host = host,
							     .boot = boot,
							     .job = launch.job,
							     .run = run_id,
							     .rank = launch.rank });
	return choose_pattern(s->output);
}

static void text(enum prof_info_kind kind, const char *s)
{
	if (s && *s != '\0')
		prof_info_append(&process.writer, kind, s, strlen(s), NULL, 0);
}

/* Whether the name has the process's id: what a process goes on as by exec then finds its own
   earlier name taken, for which nobody asked. */
static bool is_named_by_process(void)
{
	for (const char *p = strchr(pattern, '%'); p; p = strchr(p + 2, '%'))
		if (p[1] == 'p' || p[1] == '\0')
			return p[1] == 'p';
	return false;
}

/* Notes that the name that was asked for could not be used. */
static void put_asked(void)
{
	static const char why[] = " was asked for: ";
	const char *taken = prof_taken_text(process.writer.taken);
	const size_t head = strlen(spool);
	const char *asked = strlen(path) > head && memcmp(path, spool, head) == 0 ? path + head :
										    path;
	size_t n = strlen(asked);

	if (!taken || (process.writer.taken == PROF_TAKEN_SIBLING && is_named_by_process()))
		return;
	memcpy(asked_line, asked, n);
	memcpy(asked_line + n, why, sizeof(why) - 1);
	n += sizeof(why) - 1;
	memcpy(asked_line + n, taken, strlen(taken) + 1);
	text(PROF_INFO_NOTE, asked_line);
}

static void event_fill(struct prof_event *out, const struct pmu_event *ev)
{
	memcpy(out->label, ev->label, sizeof(out->label));
	memcpy(out->requested, ev->requested, sizeof(out->requested));
	out->type = ev->attr.type;
	out->config = ev->attr.config;
	out->period = ev->period;
	out->freq_hz = ev->freq_hz;
	out->unit = ev->unit_ns ? PROF_UNIT_NS : PROF_UNIT_EVENTS;
	out->flags = (ev->substituted ? PROF_EVENT_SUBSTITUTED : 0u) |
		     (ev->kind == PMU_WALL ? PROF_EVENT_WALL : 0u) |
		     (ev->kind == PMU_PERF && ev->attr.exclude_kernel ? PROF_EVENT_USER_ONLY : 0u);
}

/*
 * Reads the start's clocks together. The thread may lose its CPU between two readings, which
 * would move all times of the profile; so the closest of several are taken.
 */
static void read_start(struct start *s)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < START_READINGS; i++) {
		const uint64_t before = ticks_now();
		const uint64_t monotonic_ns = clock_ns(CLOCK_MONOTONIC);
		const uint64_t realtime_ns = clock_ns(CLOCK_REALTIME);
		const uint64_t ticks = ticks_now() - before;

		if (ticks >= least)
			continue;
		least = ticks;
		*s = (struct start){ before, monotonic_ns, realtime_ns };
	}
}

static void describe(void)
{
	struct start now;
	struct prof_header *h = prof_header(&process.writer);

	_Static_assert((int)PMU_NAME_BYTES == (int)sizeof(h->events[0].label), "label");
	/* A fork's child began when it was forked: its first sample, which makes the profile,
	   stands for the time since then. */
	if (!forked)
		read_start(&now);
	const struct start *s = forked ? &child_start : &now;

	h->ticks_start = s->ticks;
	h->start_monotonic_ns = s->monotonic_ns;
	h->start_realtime_ns = s->realtime_ns;
	latest_begin();
	window_describe(h);
	h->unreported = unreported;
	for (int i = 0; i < sampling.nevents; i++)
		event_fill(&h->events[i], &sampling.events[i]);
	for (int i = sampling.nsampled; i < sampling.nevents; i++) {
		h->events[i].flags |= PROF_EVENT_COUNT_ONLY;
		h->events[i].period = h->events[i].freq_hz = 0;
	}
	h->nevents = process.writer.nevents = (uint32_t)sampling.nevents;

	prof_info_append(&process.writer, PROF_INFO_ARGV, arguments, arguments_bytes, NULL, 0);
	text(PROF_INFO_EXE, exe);
	text(PROF_INFO_HOST, host);
	text(PROF_INFO_CWD, cwd);
	text(PROF_INFO_LAUNCHER, launch.launcher);
	text(PROF_INFO_RANK, launch.rank);
	text(PROF_INFO_SIZE, launch.size);
	text(PROF_INFO_LOCAL_RANK, launch.local_rank);
	text(PROF_INFO_NODE, launch.node);
	text(PROF_INFO_JOB, launch.job);
	text(PROF_INFO_ARRAY_TASK, launch.array_task);
	text(PROF_INFO_STEP, launch.step);
	text(PROF_INFO_RUN_ID, run_id);
	text(PROF_INFO_BOOT, boot);
	text(PROF_INFO_CPUS, topology_cpus());
	for (const char *part = topology_next(NULL); part; part = topology_next(part))
		text(PROF_INFO_TOPOLOGY, part);
	text(PROF_INFO_QUOTA, quota_text());
	text(PROF_INFO_NOTE, moved);
	put_asked();
	text(PROF_INFO_RUNTIME, runtime_text);
	for (int i = 0; i < nnotes; i++)
		text(PROF_INFO_NOTE, notes[i]);
	for (const char *e = environment; e < environment + environment_bytes; e += strlen(e) + 1)
		text(PROF_INFO_ENV, e);
	module_init(&process.writer, exe);
}

/* Of a fork's child. */
static int make_profile(void)
{
	int err = make_file();

	list_file(err);
	if (err == 0)
		describe();
	return err;
}

int profile_create(void)
{
	int err = make_first();

	if (err != 0 && fall_back(path, err))
		err = make_first();
	list_file(err);
	if (err != 0)
		return err;
	describe();
	process_open();
	return 0;
}

void profile_fork_child(void)
{
	forked = true;
	read_start(&child_start);
	topology_fork_child();
	prof_abandon(&process.writer);
	module_init(NULL, exe);
	process.make_profile = make_profile;
	process.unplaced = 0;
	/* Where the parent could make no profile, neither can the child. */
	if (process.profile != PROFILE_NONE)
		process.profile = PROFILE_DUE;
}

void profile_note(const char *line)
{
	if (process_has_profile()) {
		text(PROF_INFO_NOTE, line);
		return;
	}
	if (nnotes < NOTES_MAX)
		snprintf(notes[nnotes++], sizeof(notes[0]), "%s", line);
}

void profile_worker(void)
{
	static atomic_flag done = ATOMIC_FLAG_INIT;

	if (!atomic_flag_test_and_set(&done) && process_has_profile())
		text(PROF_INFO_WORKER_CPUS, topology_changed());
}

void profile_usage(void)
{
	char line[192];
	struct rusage u;

	if (!process_has_profile())
		return;
	quota_throttled(line, sizeof(line));
	text(PROF_INFO_THROTTLED, line);
	if (getrusage(RUSAGE_SELF, &u) != 0)
		return;
	snprintf(line, sizeof(line), "%lld %lld %ld %ld %ld %ld %ld",
		 u.ru_utime.tv_sec * 1000000000LL + u.ru_utime.tv_usec * 1000LL,
		 u.ru_stime.tv_sec * 1000000000LL + u.ru_stime.tv_usec * 1000LL, u.ru_minflt,
		 u.ru_majflt, u.ru_maxrss, u.ru_nvcsw, u.ru_nivcsw);
	text(PROF_INFO_USAGE, line);
}

void profile_runtime(const char *name)
{
	snprintf(runtime_text, sizeof(runtime_text), "%s", name);
	if (process_has_profile())
		text(PROF_INFO_RUNTIME, runtime_text);
}

void profile_unreported(uint64_t callbacks)
{
	unreported |= callbacks;
	if (process_has_profile())
		prof_header(&process.writer)->unreported = unreported;
}

void profile_fail(const char *reason)
{
	profile_note(reason);
	if (process_has_profile())
		prof_end(&process.writer, PROF_RUN_UNPROFILED, ticks_now());
}

const char *profile_moved(void)
{
	return moved[0] != '\0' && prof_launch_speaks(&launch) ? moved : NULL;
}

const char *profile_stays(void)
{
	return stays[0] != '\0' ? stays : NULL;
}

bool profile_failure_is_reported(void)
{
	return failure_reported;
}

bool profile_lost(void)
{
	return manifest[0] == '\0' ||
	       prof_manifest_fail(manifest, process.writer.path, ESTALE) != 0;
}

bool profile_is_dispensable(void)
{
	const struct prof_header *h = prof_header(&process.writer);

	if (manifest[0] != '\0' || run_id[0] != '\0' || spool[0] != '\0' || stays[0] != '\0')
		return false;
	for (unsigned c = 0; c < PROF_LOST_MAX; c++)
		if (h->lost[c])
			return false;
	return !launch.launcher && runtime_text[0] == '\0' && h->run == PROF_RUN_RUNNING;
}

const char *profile_path(void)
{
	return process_has_profile() ? process.writer.path : path;
}
