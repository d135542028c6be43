/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/merge/inputs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/base/map.h"
#include "src/base/message.h"
#include "src/model/profiles.h"
#include "src/profile/digits.h"
#include "src/profile/reader/merged.h"
#include "src/profile/reader/reader.h"

struct merge_source {
	char *path;
	struct prof_merged *merged;
	size_t again; /* processes that were named before */
};

/* What a batch has at most, but for one that is larger. */
enum { BATCH_PROCESSES = 64, BATCH_BYTES = 16 << 20 };

void inputs_free(struct merge_inputs *in)
{
	for (size_t i = 0; i < in->n; i++) {
		free(in->all[i].path);
		free(in->all[i].host);
	}
	for (size_t i = 0; i < in->nsources; i++) {
		prof_merged_free(in->sources[i].merged);
		free(in->sources[i].path);
	}
	free(in->sources);
	free(in->all);
	*in = (struct merge_inputs){ 0 };
}

static void inputs_refuse(struct merge_inputs *in, const char *path, const char *why,
			  const char *todo)
{
	message_parts(path, why, todo);
	in->refused++;
}

/* ---- one profile ----------------------------------------------------- */

/* merged: the file that it is process number `process` of, or NULL. */
static void add(struct merge_inputs *in, const struct prof_file *f,
		const struct prof_merged *merged, size_t process)
{
	const char *host = prof_text(f, PROF_INFO_HOST), *rank = prof_text(f, PROF_INFO_RANK);
	struct merge_input new = {
		.path = alloc_text(f->path),
		.host = alloc_text(host ? host : ""),
		.rank = UINT64_MAX,
		.bytes = f->file_bytes,
		.start_realtime_ns = f->header.start_realtime_ns,
		.start_monotonic_ns = f->header.start_monotonic_ns,
		.pid = f->header.pid,
		.merged = merged,
		.process = process,
	};

	if (rank)
		digits_get(rank, &new.rank, 10);
	in->all = grow(in->all, in->n, &in->room, sizeof(*in->all));
	in->all[in->n++] = new;
}

/* ---- merged files ---------------------------------------------------- */

static int refuse_file(struct merge_inputs *in, const char *path, enum prof_read_error result,
		       uint32_t version)
{
	struct profiles_error e;

	if (prof_read_starved(result))
		return -errno;
	profiles_refuse(&e, path, result, version, errno);
	if (result == PROF_READ_DAMAGED)
		inputs_refuse(in, path, "it is damaged", "merge its profiles again");
	else
		inputs_refuse(in, path, e.why, e.todo);
	return -EINVAL;
}

int inputs_merged(struct merge_inputs *in, const char *path, const struct prof_merged **merged)
{
	uint32_t version;
	enum prof_read_error result;

	for (size_t i = 0; i < in->nsources; i++)
		if (!strcmp(in->sources[i].path, path)) {
			*merged = in->sources[i].merged;
			return 0;
		}
	in->sources = grow(in->sources, in->nsources, &in->sources_room, sizeof(*in->sources));
	errno = 0;
	result = prof_read_merged(path, &in->sources[in->nsources].merged, &version);
	if (result != PROF_READ_OK)
		return refuse_file(in, path, result, version);
	*merged = in->sources[in->nsources].merged;
	in->sources[in->nsources].path = alloc_text(path);
	in->sources[in->nsources].again = 0;
	in->nsources++;
	return 0;
}

const char *inputs_source(const struct merge_inputs *in, const struct merge_input *input)
{
	for (size_t i = 0; i < in->nsources; i++)
		if (in->sources[i].merged == input->merged)
			return in->sources[i].path;
	return NULL;
}

int inputs_add(struct merge_inputs *in, const char *path)
{
	struct prof_file *f;
	uint32_t version;
	enum prof_read_error result;
	const struct prof_merged *m;
	struct stat st;
	int err;

	errno = 0;
	result = prof_read_head(path, &f, &version);
	if (result == PROF_READ_MERGED) {
		err = inputs_merged(in, path, &m);
		for (size_t i = 0; !err && i < m->nprocesses; i++)
			add(in, m->processes[i], m, i);
		return err == -EINVAL ? 0 : err;
	}
	if (result != PROF_READ_OK) {
		err = refuse_file(in, path, result, version);
		return err == -EINVAL ? 0 : err;
	}
	f->file_bytes = stat(path, &st) ? 0 : (uint64_t)st.st_size;
	if (!f->header.nevents)
		inputs_refuse(in, path, "it has no events: the run ended before it began", NULL);
	else
		add(in, f, NULL, 0);
	prof_free(f);
	return 0;
}

bool inputs_replaceable(const char *path)
{
	struct prof_file *f = NULL;
	uint32_t version;
	const enum prof_read_error is = prof_read_head(path, &f, &version);

	prof_free(f);
	return is == PROF_READ_EMPTY || is == PROF_READ_MERGED;
}

/* ---- order ----------------------------------------------------------- */

static int inputs_order(const void *a, const void *b)
{
	const struct merge_input *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return strcmp(x->path, y->path);
}

/* Whether input i is the process of one before.  starts: the first one of each start. */
static bool was_before(const struct merge_inputs *in, struct map *starts, size_t i)
{
	const struct merge_input *one = &in->all[i];
	uint32_t first;

	if (map_add(starts, one->start_realtime_ns, one->pid, (uint32_t)i, &first))
		return false;
	/* As reports show them: a host that is not known proves nothing. */
	for (size_t k = first; k < i && *one->host; k++) {
		const struct merge_input *before = &in->all[k];

		if (before->start_realtime_ns == one->start_realtime_ns &&
		    before->start_monotonic_ns == one->start_monotonic_ns &&
		    before->pid == one->pid && !strcmp(before->host, one->host))
			return true;
	}
	return false;
}

/* Of a merged file it is said once, at the end. */
static void refuse_again(struct merge_inputs *in, const struct merge_input *one)
{
	for (size_t i = 0; i < in->nsources; i++)
		if (in->sources[i].merged == one->merged) {
			in->sources[i].again++;
			return;
		}
	inputs_refuse(in, one->path, "the same run was named before", "name each profile once");
}

void inputs_sort(struct merge_inputs *in)
{
	struct map starts = { 0 };
	size_t kept = 0;

	if (in->n)
		qsort(in->all, in->n, sizeof(*in->all), inputs_order);
	for (size_t i = 0; i < in->n; i++) {
		/* What is kept stands before those that are still to come. */
		const struct merge_input one = in->all[i];

		in->all[i] = in->all[kept];
		in->all[kept] = one;
		if (was_before(in, &starts, kept))
			refuse_again(in, &one);
		else
			kept++;
	}
	for (size_t i = 0; i < in->nsources; i++) {
		const struct merge_source *s = &in->sources[i];
		char why[80];

		snprintf(why, sizeof(why), "%zu of its %zu runs were named before", s->again,
			 s->merged->nprocesses);
		if (s->again)
			inputs_refuse(in, s->path, why, "name each once");
	}
	for (size_t i = kept; i < in->n; i++) {
		free(in->all[i].path);
		free(in->all[i].host);
	}
	in->n = kept;
	map_free(&starts);
}

void inputs_batches(const struct merge_inputs *in, struct merge_range **ranges, size_t *n)
{
	struct merge_range *all = alloc_zeroed(in->n + 1, sizeof(*all));
	uint64_t bytes = 0;
	size_t last = 0;

	for (size_t i = 0; i < in->n; i++) {
		if (all[last].n == BATCH_PROCESSES ||
		    (all[last].n && bytes + in->all[i].bytes > BATCH_BYTES)) {
			all[++last].first = i;
			bytes = 0;
		}
		all[last].n++;
		bytes += in->all[i].bytes;
	}
	*ranges = all;
	*n = in->n ? last + 1 : 0;
}
