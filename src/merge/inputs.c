#include "config.h"

#include "src/merge/inputs.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/base/grow.h"
#include "src/base/message.h"
#include "src/model/profiles.h"
#include "src/profile/digits.h"
#include "src/profile/reader/reader.h"

/* What a batch has at most, but for one that is larger. */
enum { BATCH_PROCESSES = 64, BATCH_BYTES = 16 << 20 };

void inputs_free(struct merge_inputs *in)
{
	for (size_t i = 0; i < in->n; i++) {
		free(in->all[i].path);
		free(in->all[i].host);
	}
	free(in->all);
	*in = (struct merge_inputs){ 0 };
}

static void refuse(struct merge_inputs *in, const char *path, const char *why, const char *todo)
{
	message_parts(path, why, todo);
	in->refused++;
}

/* ---- one profile ----------------------------------------------------- */

static int add(struct merge_inputs *in, const struct prof_file *f)
{
	struct merge_input *room = grow(in->all, in->n, &in->room, sizeof(*room));
	const char *host = prof_text(f, PROF_INFO_HOST), *rank = prof_text(f, PROF_INFO_RANK);
	struct merge_input new = {
		.path = strdup(f->path),
		.host = strdup(host ? host : ""),
		.rank = UINT64_MAX,
		.bytes = f->file_bytes,
		.start_realtime_ns = f->header.start_realtime_ns,
		.start_monotonic_ns = f->header.start_monotonic_ns,
		.pid = f->header.pid,
	};

	if (rank)
		digits_get(rank, &new.rank, 10);
	if (room)
		in->all = room;
	if (!room || !new.path || !new.host) {
		free(new.path);
		free(new.host);
		return -ENOMEM;
	}
	room[in->n++] = new;
	return 0;
}

int inputs_add(struct merge_inputs *in, const char *path)
{
	struct profiles_error e;
	struct prof_file *f;
	uint32_t version;
	enum prof_read_error result;
	struct stat st;
	int err = 0;

	errno = 0;
	result = prof_read_head(path, &f, &version);
	if (result == PROF_READ_MERGED) {
		refuse(in, path, "it is merged already", "name the profiles that it is of");
		return 0;
	}
	if (result != PROF_READ_OK) {
		profiles_refuse(&e, path, result, version, errno);
		refuse(in, path, e.why, e.todo);
		return result == PROF_READ_SYSTEM && errno == ENOMEM ? -ENOMEM : 0;
	}
	f->file_bytes = stat(path, &st) ? 0 : (uint64_t)st.st_size;
	if (!f->header.nevents)
		refuse(in, path, "it has no events: the run ended before it began", NULL);
	else
		err = add(in, f);
	prof_free(f);
	return err;
}

/* ---- order ----------------------------------------------------------- */

static int by_number(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int order(const void *a, const void *b)
{
	const struct merge_input *x = a, *y = b;
	int by = by_number(x->rank, y->rank);

	if (!by)
		by = by_number(x->start_realtime_ns, y->start_realtime_ns);
	if (!by)
		by = strcmp(x->host, y->host);
	if (!by)
		by = by_number(x->pid, y->pid);
	if (!by)
		by = by_number(x->start_monotonic_ns, y->start_monotonic_ns);
	return by ? by : strcmp(x->path, y->path);
}

/* As reports tell them: a host that is not known proves nothing. */
static bool is_again(const struct merge_input *a, const struct merge_input *b)
{
	return a->rank == b->rank && a->start_realtime_ns == b->start_realtime_ns &&
	       a->start_monotonic_ns == b->start_monotonic_ns && a->pid == b->pid && *a->host &&
	       !strcmp(a->host, b->host);
}

void inputs_sort(struct merge_inputs *in)
{
	size_t kept = 0;

	if (in->n)
		qsort(in->all, in->n, sizeof(*in->all), order);
	for (size_t i = 0; i < in->n; i++) {
		if (kept && is_again(&in->all[kept - 1], &in->all[i])) {
			refuse(in, in->all[i].path, "the same run was named before",
			       "name each profile once");
			free(in->all[i].path);
			free(in->all[i].host);
		} else {
			in->all[kept++] = in->all[i];
		}
	}
	in->n = kept;
}

int inputs_batches(const struct merge_inputs *in, struct merge_range **ranges, size_t *n)
{
	struct merge_range *all = calloc(in->n + 1, sizeof(*all));
	uint64_t bytes = 0;
	size_t last = 0;

	if (!all)
		return -ENOMEM;
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
	return 0;
}
