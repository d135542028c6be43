/*
 * tidy.c - removes profiles of processes in which nothing happened.
 */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "src/profile/reader.h"
#include "src/run/tidy.h"

enum { COUNTED_LEAST_NS = 2000000 };

/* Lost ones count: a sample that was taken has to be accounted for. */
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

/* For so long that samples would have been likely. */
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
	nothing = f->header.run != PROF_RUN_RUNNING && !took_samples(f) &&
		  !counted_something(f) && !prof_text(f, PROF_INFO_RUNTIME) && f->damaged == 0;
	prof_free(f);
	return nothing;
}

size_t tidy_profiles(char **paths, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (i > 0 && says_nothing(paths[i]))
			unlink(paths[i]);
		if (access(paths[i], F_OK) == 0)
			paths[kept++] = paths[i];
		else
			free(paths[i]);
	}
	return kept;
}
