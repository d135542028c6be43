/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/model/profiles.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/grow.h"
#include "src/profile/reader/extract.h"

void profiles_init(struct profiles *p)
{
	*p = (struct profiles){ 0 };
	model_init(&p->model);
}

void profiles_fini(struct profiles *p)
{
	model_fini(&p->model);
	for (size_t i = 0; i < p->nfiles; i++)
		prof_free(p->files[i]);
	prof_merged_free(p->merged);
	map_free(&p->starts);
	free(p->files);
	profiles_init(p);
}

static const struct {
	const char *why, *todo;
} reasons[] = {
	[PROF_READ_EMPTY] = { "it is empty", NULL },
	[PROF_READ_FOREIGN] = { "not a profile", "name a file that ompcount run wrote" },
	[PROF_READ_TRUNCATED] = { "too short to be read", "copy it again" },
	/* Of this very version it has something that is not known: it is another's, or damaged. */
	[PROF_READ_NEWER] = { "it has features that are unknown here",
			      "report with the omphwc that wrote it" },
	[PROF_READ_OLDER] = { "written before version 1.0 of profiles, which can't be read",
			      "run the program again" },
	[PROF_READ_ORDER] = { "written on a machine of the other byte order",
			      "report on such a machine" },
	[PROF_READ_DAMAGED] = { "its header contradicts itself", "copy it again" },
	[PROF_READ_MERGED] = { "it is of many processes", "name the profiles of a run" },
	[PROF_READ_PIPE] = { "it is no ordinary file", "copy it into one" },
	[PROF_READ_SEVERAL] = { "another profile follows the first in it",
				"name each as a file of its own" },
};

static int profiles_fail(struct profiles_error *e, const char *why, const char *todo)
{
	snprintf(e->why, sizeof(e->why), "%s", why);
	e->todo = todo;
	return -1;
}

int profiles_refuse(struct profiles_error *e, const char *path, enum prof_read_error err,
		    uint32_t version, int error)
{
	const uint32_t own = (uint32_t)PROF_VERSION_MAJOR << 16 | PROF_VERSION_MINOR;

	*e = (struct profiles_error){ .path = path };
	if (err == PROF_READ_SYSTEM)
		return profiles_fail(e, strerror(error), NULL);
	profiles_fail(e, reasons[err].why, reasons[err].todo);
	if (err == PROF_READ_NEWER && version > own)
		snprintf(e->why, sizeof(e->why), "its format %u.%u is newer than %u.%u",
			 version >> 16, version & 0xffff, PROF_VERSION_MAJOR, PROF_VERSION_MINOR);
	return -1;
}

bool profiles_same(const struct prof_file *x, const struct prof_file *y)
{
	const struct prof_header *a = &x->header, *b = &y->header;
	const char *host = prof_text(x, PROF_INFO_HOST), *other = prof_text(y, PROF_INFO_HOST);

	return a->pid == b->pid && a->start_realtime_ns == b->start_realtime_ns &&
	       a->start_monotonic_ns == b->start_monotonic_ns && host && other &&
	       !strcmp(host, other);
}

/* Whether the same profile was added before: its samples would count twice. */
static bool profiles_again(struct profiles *p, const struct prof_file *f)
{
	const uint64_t start = f->header.start_realtime_ns;
	uint32_t first;

	/* Several of them began at one time in tests only. */
	if (map_add(&p->starts, start, f->header.pid, (uint32_t)p->nfiles, &first))
		return false;
	for (size_t i = first; i < p->nfiles; i++)
		if (profiles_same(p->files[i], f))
			return true;
	return false;
}

static int profiles_keep(struct profiles *p, struct prof_file *f, struct profiles_error *e)
{
	if (model_add(&p->model, f))
		return profiles_fail(e, "too many different events for one report",
				     "report on fewer profiles at a time");
	p->files = grow(p->files, p->nfiles, &p->files_room, sizeof(*p->files));
	p->files[p->nfiles++] = f;
	return 0;
}

/* Keeps the processes of the merged file as profiles of their own. */
static int profiles_extract(struct profiles *p, struct profiles_error *e)
{
	struct prof_file *files[EXTRACT_AT_ONCE];
	const size_t all = p->merged->nprocesses;
	int err = 0;

	for (size_t i = 0, n; i < all && !err; i += n) {
		n = all - i < EXTRACT_AT_ONCE ? all - i : EXTRACT_AT_ONCE;
		err = prof_extract(p->merged, i, n, EXTRACT_IDS_TREE, files);
		if (err)
			return profiles_fail(e, err == -EINVAL ? "it is damaged" : strerror(-err),
					     NULL);
		for (size_t k = 0; k < n; k++) {
			if (!err)
				err = profiles_keep(p, files[k], e);
			if (err)
				prof_free(files[k]);
		}
	}
	return err;
}

static int profiles_add_merged(struct profiles *p, const char *path, struct profiles_error *e)
{
	uint32_t version = 0;
	enum prof_read_error err;
	int failed;

	*e = (struct profiles_error){ .path = path };
	if (p->nfiles || p->merged)
		return profiles_fail(e, "it is merged, and other profiles are named",
				     "name it alone, or merge all of them");
	errno = 0;
	err = prof_read_merged(path, &p->merged, &version);
	if (err == PROF_READ_DAMAGED)
		return profiles_fail(e, "it is damaged", "merge the profiles again");
	if (err != PROF_READ_OK)
		return profiles_refuse(e, path, err, version, errno);
	if (p->timed && p->merged->timed)
		return profiles_extract(p, e);
	failed = model_add_merged(&p->model, p->merged);
	return failed ? profiles_fail(e, strerror(-failed), NULL) : 0;
}

int profiles_head(const char *path, struct prof_file **out, struct profiles_error *e)
{
	uint32_t version = 0;
	enum prof_read_error err;

	errno = 0;
	err = prof_read_head(path, out, &version);
	if (err == PROF_READ_MERGED)
		return 1;
	return err == PROF_READ_OK ? 0 : profiles_refuse(e, path, err, version, errno);
}

int profiles_add(struct profiles *p, const char *path, struct profiles_error *e)
{
	struct prof_file *f = NULL;
	uint32_t version = 0;
	enum prof_read_error err;

	errno = 0;
	err = prof_read(path, &f, &version);
	if (err == PROF_READ_MERGED)
		return profiles_add_merged(p, path, e);
	if (err != PROF_READ_OK)
		return profiles_refuse(e, path, err, version, errno);
	*e = (struct profiles_error){ .path = path };
	if (p->merged)
		profiles_fail(e, "a merged file is named, too",
			      "name that alone, or merge all profiles");
	else if (!f->header.nevents)
		profiles_fail(e, "it has no events: the run ended before it began", NULL);
	else if (profiles_again(p, f))
		profiles_fail(e, "the same run was named before", "name each profile once");
	else if (!profiles_keep(p, f, e))
		return 0;
	prof_free(f);
	return -1;
}

bool profiles_are_many(const struct profiles *p)
{
	enum { MANY = 1 << 18 };

	return p->merged && !p->nfiles && p->merged->nvalues >= MANY;
}
