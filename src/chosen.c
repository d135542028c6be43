/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/chosen.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "src/base/alloc.h"
#include "src/base/exit_status.h"
#include "src/base/grow.h"
#include "src/base/message.h"
#include "src/base/path.h"
#include "src/command_line.h"
#include "src/model/listing.h"

/* A user may have hundreds of jobs of thousands of ranks. */
enum { JOBS_MOST = 16 };
enum { OTHERS_NAMED = 2, TIME_BYTES = 32 };

#define HERE "."

static void chosen_add(struct chosen *c, const char *path)
{
	char **paths = grow(c->paths, c->n, &c->room, sizeof(*paths));

	c->paths = paths;
	paths[c->n] = alloc_text(path);
	c->n++;
}

/* Without "./", as the user would write it. */
static const char *chosen_plain(const char *path)
{
	return strncmp(path, "./", 2) == 0 ? path + 2 : path;
}

static void chosen_add_run(struct chosen *c, const struct listing *f, size_t run)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->all[i].run == run)
			chosen_add(c, chosen_plain(f->all[i].path));
}

/* ---- what is said ------------------------------------------------------ */

static size_t folder_bytes(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) : 0;
}

/* Whether a run's profiles have a folder for themselves, below the one that was listed. */
static bool has_folder(const struct listing *f, size_t run)
{
	const char *first = f->all[f->runs[run].first].path;
	const size_t bytes = folder_bytes(first);

	for (size_t i = 0; i < f->n; i++) {
		const char *path = f->all[i].path;
		const bool there = folder_bytes(path) == bytes && strncmp(path, first, bytes) == 0;

		if (there != (f->all[i].run == run))
			return false;
	}
	return strchr(chosen_plain(first), '/');
}

static void print_others(FILE *out, const struct listing *f, size_t last)
{
	size_t named = 0;

	for (size_t run = f->nruns; run-- > 0 && named < OTHERS_NAMED;) {
		if (run == last)
			continue;
		fputs(named++ ? ", " : " ", out);

		/* The run's folder, or its first profile and how many there are besides. */
		const struct listing_run *r = &f->runs[run];
		const char *path = chosen_plain(f->all[r->first].path);

		if (has_folder(f, run)) {
			fprintf(out, "%.*s", (int)folder_bytes(path), path);
			continue;
		}
		fputs(path, out);
		if (r->nprofiles > 1)
			fprintf(out, " with %zu more", r->nprofiles - 1);
	}
	if (f->nruns - 1 > named)
		fprintf(out, ", and %zu more", f->nruns - 1 - named);
	if (f->nolder > 0)
		fprintf(out, ", and those in %zu older folders", f->nolder);
}

/* "the last of 3 runs in this folder: app, 2026-11-23 16:05:12, 4 profiles; the others: a.omphwc,
   omphwc.17.0". */
static void say_last(const struct listing *f, const char *name, size_t last)
{
	const struct listing_run *r = &f->runs[last];
	const char *exe = prof_text(f->all[r->first].head, PROF_INFO_EXE);
	const time_t s = (time_t)(r->start_ns / 1000000000);
	char *line = NULL, when[TIME_BYTES];
	struct tm tm;
	size_t bytes;
	FILE *out = f->nruns > 1 ? alloc_stream(&line, &bytes) : NULL;

	if (!out)
		return;
	if (!localtime_r(&s, &tm) || strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S", &tm) == 0)
		*when = '\0';
	fprintf(out, "the last of %zu runs in %s: %s, %s, %zu profile%s; the others:", f->nruns,
		strcmp(name, HERE) == 0 ? "this folder" : name, exe ? path_base(exe) : "unknown",
		when, r->nprofiles, r->nprofiles == 1 ? "" : "s");
	print_others(out, f, last);
	if (fclose(out) == 0)
		message("%s", line);
	free(line);
}

static void say_left_out(const struct listing *f)
{
	const size_t others = f->nleft_out ? f->nleft_out - 1 : 0;
	char todo[96] = "left out";

	if (f->nleft_out == 0)
		return;
	if (others > 0)
		snprintf(todo, sizeof(todo), "left out, with %zu other file%s", others,
			 others == 1 ? "" : "s");
	message_parts(f->because.path, f->because.why, todo);
}

static int nothing_in(const char *command, const struct listing *f, const char *name)
{
	struct trouble t;

	if (f->nleft_out > 0)
		trouble(&t, f->because.why, f->because.todo, "%s", f->because.path);
	else if (strcmp(name, HERE) == 0)
		trouble(&t, "no profile given, and none in this folder",
			"name a profile or a folder", "%s", command);
	else
		trouble(&t, "there is no profile in it",
			"name a folder with files *.omphwc, or a file", "%s", name);
	message_trouble(&t);
	return strcmp(name, HERE) == 0 && f->nleft_out == 0 ? COMMAND_MISUSED : COMMAND_FAILED;
}

/* ---- folders ----------------------------------------------------------- */

/* Finds the runs of a folder.  0, or an exit status. */
static int chosen_find(struct listing *f, const char *command, const char *name, bool all)
{
	int err = 0;

	listing_init(f);
	err = listing_folder(f, name);
	if (!err)
		err = listing_job_folders(f, name, all ? 0 : JOBS_MOST);
	if (!err)
		listing_group(f);
	if (err)
		return command_line_failed(name, err);
	return f->n == 0 && !f->merged ? nothing_in(command, f, name) : 0;
}

static int choose(struct chosen *c, const char *command, const char *name, bool all)
{
	struct listing f;
	int status = chosen_find(&f, command, name, all);

	if (!status && f.n == 0) {
		/* Of a folder with nothing but merged files it is the last one. */
		if (f.nmerged > 1)
			message("%s: the last of %zu merged files; name others to read them",
				chosen_plain(f.merged), f.nmerged);
		chosen_add(c, chosen_plain(f.merged));
	} else if (!status && !all) {
		const size_t last = listing_last_run(&f);

		say_last(&f, name, last);
		if (f.merged)
			message_parts(chosen_plain(f.merged), "a merged file beside profiles",
				      "name it to read it");
		chosen_add_run(c, &f, last);
	}
	for (size_t run = 0; !status && all && run < f.nruns; run++)
		chosen_add_run(c, &f, run);
	if (!status)
		say_left_out(&f);
	listing_fini(&f);
	return status;
}

static int choose_each(struct chosen *c, const char *command, char *const *words, size_t n,
		       bool all)
{
	int status = 0;

	*c = (struct chosen){ .n = 0 };
	if (n == 0)
		return choose(c, command, HERE, false);
	for (size_t i = 0; i < n && !status; i++) {
		struct stat st;

		if (stat(words[i], &st) == 0 && S_ISDIR(st.st_mode))
			status = choose(c, command, words[i], all);
		else
			chosen_add(c, words[i]);
	}
	return status;
}

int chosen_runs(struct chosen *c, const char *command, char *const *words, size_t n)
{
	return choose_each(c, command, words, n, false);
}

int chosen_all(struct chosen *c, const char *command, char *const *words, size_t n)
{
	return choose_each(c, command, words, n, true);
}

/* ---- two runs ---------------------------------------------------------- */

int chosen_two(struct chosen *before, struct chosen *after, const char *command)
{
	struct listing f;
	int status = chosen_find(&f, command, HERE, false);

	*before = *after = (struct chosen){ .n = 0 };
	if (!status && f.nruns < 2) {
		status = command_misused(command, "there is but one run in this folder",
					 "name two profiles or folders");
	} else if (!status) {
		const size_t last = listing_last_run(&f);
		size_t first = last == 0;

		for (size_t run = 0; run < f.nruns; run++)
			if (run != last && f.runs[run].start_ns >= f.runs[first].start_ns)
				first = run;
		chosen_add_run(before, &f, first);
		chosen_add_run(after, &f, last);
		say_left_out(&f);
	}
	listing_fini(&f);
	return status;
}

void chosen_say_many(const struct chosen *c)
{
	enum { MANY = 256 };

	if (c->n >= MANY)
		message("%zu profiles: merge them for faster reports: ompcount merge -o job.omphwc",
			c->n);
}

void chosen_fini(struct chosen *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->paths[i]);
	free(c->paths);
	*c = (struct chosen){ .n = 0 };
}
