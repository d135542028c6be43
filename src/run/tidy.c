#include "config.h"

#include "src/run/tidy.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "src/profile/manifest.h"
#include "src/profile/reader/reader.h"

enum { COUNTED_LEAST_NS = 2000000 };

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

static bool says_nothing(const char *path)
{
	struct prof_file *f;
	uint32_t version;
	bool nothing;

	if (prof_read(path, &f, &version) != PROF_READ_OK)
		return false;
	nothing = f->header.run != PROF_RUN_RUNNING && f->header.run != PROF_RUN_UNPROFILED &&
		  !took_samples(f) && !counted_something(f) && !prof_text(f, PROF_INFO_RUNTIME) &&
		  f->damaged == 0;
	prof_free(f);
	return nothing;
}

size_t tidy_profiles(char **paths, size_t n, struct tidy_failure *failure)
{
	size_t kept = 0, seen = 0;

	failure->err = 0;
	for (size_t i = 0; i < n; i++) {
		int err;
		const char *failed = prof_manifest_failure(paths[i], &err);

		if (failed && failure->err == 0) {
			failure->err = err;
			snprintf(failure->path, sizeof(failure->path), "%s", failed);
		}
		if (!failed && seen++ > 0 && says_nothing(paths[i]))
			unlink(paths[i]);
		if (!failed && access(paths[i], F_OK) == 0)
			paths[kept++] = paths[i];
		else
			free(paths[i]);
	}
	return kept;
}
