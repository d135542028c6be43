/*
 * profile.c - see profile.h.  What the profile tells is collected into static
 * buffers first, so that creating it is a matter of system calls alone: a
 * fork's child does that in its handler, when its first sample comes.
 */
#include "config.h"

#include "ompt_tool/profile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ompt_tool/core/module.h"
#include "ompt_tool/core/process.h"
#include "ompt_tool/core/ticks.h"
#include "ompt_tool/settings.h"
#include "src/profile/manifest.h"
#include "src/profile/name.h"

enum { NOTES_MAX = 4, LIMIT_SHIFT = 32 };

/* Owned by this file; written in profile_prepare() and by a fork's child. */
static char path[PATH_MAX];
static char pattern[PATH_MAX];
static char host[256], exe[PATH_MAX], cwd[PATH_MAX], argv0[256];
static char arguments[16384];
static size_t arguments_bytes;
static char notes[NOTES_MAX][256];
static int nnotes;
static char runtime_text[128];
static struct settings settings;

extern char **environ;

static void read_arguments(void)
{
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, arguments, sizeof(arguments) - 1) : 0;

	if (fd >= 0)
		close(fd);
	arguments_bytes = n > 0 ? (size_t)n : 0;
	snprintf(argv0, sizeof(argv0), "%.255s", arguments);
}

static int make_path(void)
{
	struct prof_name fields = {
		.command = argv0[0] != '\0' ? argv0 : exe, .host = host,
		.pid = (uint32_t)getpid(), .rank = settings_rank(),
	};
	int n = prof_name_expand(path, sizeof(path), pattern, &fields);

	if (n < 0)
		return n;
	/* Processes that share a pattern without %p settle it among themselves. */
	if (settings.manifest != NULL)
		prof_manifest_claim(settings.manifest, path, sizeof(path), fields.pid);
	return 0;
}

/* A pattern may hold %, a folder's name too: double them in that part. */
static int make_pattern(const char *output)
{
	size_t n = 0;

	if (output[0] != '/') {
		for (const char *p = cwd; *p != '\0' && n + 3 < sizeof(pattern); p++) {
			pattern[n++] = *p;
			if (*p == '%')
				pattern[n++] = '%';
		}
		pattern[n++] = '/';
	}
	if (n + strlen(output) >= sizeof(pattern))
		return -ENAMETOOLONG;
	memcpy(pattern + n, output, strlen(output) + 1);
	return 0;
}

int profile_prepare(const struct settings *s)
{
	settings = *s;
	if (gethostname(host, sizeof(host) - 1) != 0)
		host[0] = '\0';
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	exe[n > 0 ? n : 0] = '\0';
	if (getcwd(cwd, sizeof(cwd)) == NULL)
		cwd[0] = '\0';
	read_arguments();
	if (cwd[0] == '\0' && s->output[0] != '/')
		return -ENOENT;
	return make_pattern(s->output);
}

static void text(enum prof_info_kind kind, const char *s)
{
	if (s != NULL && *s != '\0')
		prof_info_append(&process.writer, kind, s, strlen(s), NULL, 0);
}

/* Settings of the OpenMP runtime and of this tool explain many a result. */
static void environment(void)
{
	static const char *const prefixes[] = { "OMP_", "KMP_", "GOMP_", "OMPHWC_" };

	for (char **e = environ; e != NULL && *e != NULL; e++)
		for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
			if (strncmp(*e, prefixes[i], strlen(prefixes[i])) == 0)
				text(PROF_INFO_ENV, *e);
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

static void describe(void)
{
	struct prof_header *h = prof_header(&process.writer);

	_Static_assert((int)PMU_NAME_BYTES == (int)sizeof(h->events[0].label), "label");
	h->ticks_start = ticks_now();
	for (int i = 0; i < process.nevents; i++)
		event_fill(&h->events[i], &process.events[i]);
	h->nevents = (uint32_t)process.nevents;

	prof_info_append(&process.writer, PROF_INFO_ARGV, arguments, arguments_bytes, NULL, 0);
	text(PROF_INFO_EXE, exe);
	text(PROF_INFO_HOST, host);
	text(PROF_INFO_CWD, cwd);
	text(PROF_INFO_RANK, settings_rank());
	text(PROF_INFO_JOB, settings_job());
	text(PROF_INFO_RUN_ID, settings.run_id);
	text(PROF_INFO_NOTE, settings.notes);
	text(PROF_INFO_RUNTIME, runtime_text);
	for (int i = 0; i < nnotes; i++)
		text(PROF_INFO_NOTE, notes[i]);
	environment();
	module_init(&process.writer, exe);
}

int profile_create(void)
{
	int err = make_path();

	if (err == 0)
		err = prof_create(&process.writer, path, (size_t)1 << LIMIT_SHIFT);
	if (err == 0)
		describe();
	return err;
}

/* The child's profile, when its first sample or region comes.  One thread: the
   child of a fork has no other until it has made one. */
static bool open_late(void)
{
	process.open_profile = NULL;
	return profile_create() == 0;
}

void profile_fork_child(void)
{
	prof_abandon(&process.writer);
	process.open_profile = open_late;
}

void profile_note(const char *line)
{
	if (process.writer.base != NULL) {
		text(PROF_INFO_NOTE, line);
		return;
	}
	if (nnotes < NOTES_MAX)
		snprintf(notes[nnotes++], sizeof(notes[0]), "%s", line);
}

void profile_runtime(const char *name)
{
	snprintf(runtime_text, sizeof(runtime_text), "%s", name);
	if (process.writer.base != NULL)
		text(PROF_INFO_RUNTIME, runtime_text);
}

const char *profile_path(void)
{
	return path;
}
