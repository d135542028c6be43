/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/run/tidy.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/alloc.h"
#include "src/profile/manifest.h"
#include "src/profile/reader/reader.h"

enum { COUNTED_LEAST_NS = 2000000 };

/* What decides about an entry of the manifest. */
struct tidy_entry {
	bool failed;
	bool overwritten; /* also: another run's */
	bool gone;	  /* removed, now or before */
	bool nothing;
	bool helper; /* it can be one of the starter's own: it has no rank and no OpenMP */
	char *rank;  /* NULL: none */
};

/* Lost samples count, too: every taken sample must be accounted for. */
static bool took_samples(const struct prof_file *f)
{
	for (size_t i = 0; i < PROF_LOST_MAX; i++)
		if (f->header.lost[i])
			return true;
	for (size_t i = 0; i < f->nthreads; i++)
		for (size_t e = 0; e < PROF_EVENTS_MAX; e++)
			if (f->threads[i].t.samples[e])
				return true;
	return false;
}

/* Whether the process ran long enough that its exact counts matter. */
static bool counted_something(const struct prof_file *f)
{
	for (size_t i = 0; i < f->nthreads; i++)
		for (unsigned e = 0; e < f->header.nevents; e++)
			if (f->header.events[e].flags & PROF_EVENT_COUNT_ONLY &&
			    f->threads[i].t.values[e].enabled_ns >= COUNTED_LEAST_NS)
				return true;
	return false;
}

static bool tidy_is_of_run(const struct prof_file *f, const char *run)
{
	const char *its = prof_text(f, PROF_INFO_RUN_ID);

	return !its || !run || strcmp(its, run) == 0;
}

static void inspect(struct tidy_entry *e, const char *path, const char *run)
{
	struct prof_file *f;
	uint32_t version;

	if (prof_read(path, &f, &version) != PROF_READ_OK)
		return;
	e->overwritten = !tidy_is_of_run(f, run);
	e->helper = f->header.run != PROF_RUN_RUNNING && f->header.run != PROF_RUN_UNPROFILED &&
		    !prof_text(f, PROF_INFO_RUNTIME) && f->damaged == 0;
	e->nothing = e->helper && !took_samples(f) && !counted_something(f);
	if (prof_text(f, PROF_INFO_RANK)) {
		e->rank = alloc_text(prof_text(f, PROF_INFO_RANK));
		e->helper = false;
	}
	prof_free(f);
}

static bool has_ranks(const struct tidy_entry *all, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (all[i].rank)
			return true;
	return false;
}

/* Whether a process of the same rank has a profile that is kept, or comes later. */
static bool rank_has_another(const struct tidy_entry *all, size_t n, size_t at)
{
	for (size_t i = 0; i < n; i++)
		if (i != at && !all[i].gone && all[i].rank &&
		    strcmp(all[i].rank, all[at].rank) == 0)
			return true;
	return false;
}

/* started: by the program, which starts ranks; what is none is a helper of its own. */
static bool is_dispensable(const struct tidy_entry *all, size_t n, size_t at, bool started,
			   bool first)
{
	const struct tidy_entry *e = &all[at];

	if (started && !e->rank)
		return e->helper;
	if (!e->nothing || (first && !started))
		return false;
	return !e->rank || rank_has_another(all, n, at);
}

static size_t tidy_keep(char **paths, struct tidy_entry *all, size_t n, bool starts)
{
	const bool started = starts && has_ranks(all, n);
	size_t kept = 0, seen = 0;

	/* The files of processes that found something else there at their end. */
	for (size_t i = 0; i < n; i++) {
		int err = 0;
		const char *failed = all[i].failed ? prof_manifest_failure(paths[i], &err) : NULL;

		for (size_t k = 0; failed && err == ESTALE && k < i; k++)
			all[k].overwritten = all[k].overwritten || strcmp(paths[k], failed) == 0;
	}
	for (size_t i = 0; i < n; i++) {
		struct tidy_entry *e = &all[i];

		if (!e->failed && !e->overwritten &&
		    is_dispensable(all, n, i, started, seen++ == 0))
			unlink(paths[i]);
		e->gone = e->failed || e->overwritten || access(paths[i], F_OK) != 0;
		if (e->gone)
			free(paths[i]);
		else
			paths[kept++] = paths[i];
	}
	return kept;
}

static bool take_failure(const char *path, struct tidy_failure *failure)
{
	int err;
	const char *failed = prof_manifest_failure(path, &err);

	/* EALREADY: another ompcount has a profile; nothing has failed. */
	if (failed && (failure->err == 0 || failure->err == EALREADY)) {
		failure->err = err;
		snprintf(failure->path, sizeof(failure->path), "%s", failed);
	}
	return failed;
}

size_t tidy_profiles(char **paths, size_t n, bool starts, const char *run,
		     struct tidy_failure *failure)
{
	const size_t entries = n;
	struct tidy_entry *all = alloc_zeroed(n + 1, sizeof(*all));

	failure->err = 0;
	for (size_t i = 0; i < entries; i++) {
		all[i].failed = take_failure(paths[i], failure);
		if (all[i].failed)
			all[i].gone = true;
		else
			inspect(&all[i], paths[i], run);
		if (all[i].overwritten) {
			/* Somebody has put another run's profile there. */
			const char *path = paths[i];

			if (failure->err != 0 && failure->err != EALREADY)
				continue;
			failure->err = ESTALE;
			snprintf(failure->path, sizeof(failure->path), "%s", path);
		}
	}
	n = tidy_keep(paths, all, entries, starts);
	for (size_t i = 0; i < entries; i++)
		free(all[i].rank);
	free(all);
	return n;
}
