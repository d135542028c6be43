/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/model/listing.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/model/run_of.h"
#include "src/profile/digits.h"
#include "src/profile/name.h"

#define JOB_PREFIX "omphwc."

void listing_init(struct listing *l)
{
	*l = (struct listing){ .all = NULL };
}

void listing_fini(struct listing *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->all[i].path);
		prof_free(l->all[i].head);
	}
	free(l->all);
	free(l->runs);
	free(l->left_out);
	free(l->merged);
	map_free(&l->starts);
	listing_init(l);
}

static void listing_keep(struct listing *l, const char *path, struct prof_file *head)
{
	char *copy = alloc_text(path);

	l->all = grow(l->all, l->n, &l->room, sizeof(*l->all));
	l->all[l->n++] = (struct listing_profile){ .path = copy, .head = head };
}

int listing_add(struct listing *l, const char *path)
{
	struct prof_file *head = NULL;

	if (profiles_head(path, &head, &l->because) < 0)
		return -EINVAL;
	listing_keep(l, path, head);
	return 0;
}

static void listing_leave_out(struct listing *l, const char *path, const struct profiles_error *why)
{
	if (l->nleft_out++ > 0)
		return;
	l->left_out = alloc_text(path);
	l->because = *why;
	l->because.path = l->left_out;
}

static int64_t changed_ns(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return 0;
	return (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
}

/* Adds a profile, unless there is one of the same process. */
static void listing_add_head(struct listing *l, const char *path, struct prof_file *head)
{
	struct profiles_error e = { .path = path, .todo = "remove one of them" };
	uint32_t first;

	if (map_add(&l->starts, head->header.start_realtime_ns, head->header.pid, (uint32_t)l->n,
		    &first))
		first = (uint32_t)l->n;
	for (size_t i = first; i < l->n; i++) {
		if (!l->all[i].head || !profiles_same(l->all[i].head, head))
			continue;
		prof_free(head);
		snprintf(e.why, sizeof(e.why), "it is a copy of %s", l->all[i].path);
		listing_leave_out(l, path, &e);
		return;
	}
	listing_keep(l, path, head);
}

/* Adds a file of a folder. */
static void listing_add_any(struct listing *l, const char *path)
{
	struct prof_file *head = NULL;
	struct profiles_error e;
	const int is = profiles_head(path, &head, &e);

	if (is < 0)
		listing_leave_out(l, path, &e);
	else if (is > 0) {
		const int64_t ns = changed_ns(path);

		l->nmerged++;
		if (l->merged && ns <= l->merged_ns)
			return;
		free(l->merged);
		l->merged = alloc_text(path);
		l->merged_ns = ns;
	} else {
		listing_add_head(l, path, head);
	}
}

/* ---- folders ----------------------------------------------------------- */

static int select_profile(const struct dirent *d)
{
	return *d->d_name != '.' && prof_name_has_suffix(d->d_name);
}

static int select_job(const struct dirent *d)
{
	return strncmp(d->d_name, JOB_PREFIX, sizeof(JOB_PREFIX) - 1) == 0;
}

struct listing_entry {
	char *path;
	int64_t changed_ns;
};

static void entries_free(struct listing_entry *all, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(all[i].path);
	free(all);
}

/* The selected names of a folder, as paths.  0 or -errno. */
static int entries_read(const char *folder, int (*select)(const struct dirent *),
			struct listing_entry **all, size_t *n)
{
	const size_t bytes = strlen(folder);
	const char *slash = bytes > 0 && folder[bytes - 1] == '/' ? "" : "/";
	struct dirent **names;
	const int found = scandir(folder, &names, select, alphasort);
	int err = found < 0 ? -errno : 0;

	*n = 0;
	*all = found < 0 ? NULL : alloc_zeroed((size_t)found + 1, sizeof(**all));
	for (int i = 0; i < found; i++) {
		(*all)[*n].path = alloc_printf("%s%s%s", folder, slash, names[i]->d_name);
		*n += 1;
		free(names[i]);
	}
	if (found >= 0)
		free(names);
	return err;
}

int listing_folder(struct listing *l, const char *path)
{
	struct listing_entry *all;
	size_t n;
	int err = entries_read(path, select_profile, &all, &n);

	for (size_t i = 0; i < n && !err; i++)
		listing_add_any(l, all[i].path);
	entries_free(all, n);
	return err;
}

static int newest_first(const void *a, const void *b)
{
	const struct listing_entry *x = a, *y = b;

	if (x->changed_ns != y->changed_ns)
		return x->changed_ns > y->changed_ns ? -1 : 1;
	return strcmp(x->path, y->path);
}

int listing_job_folders(struct listing *l, const char *path, size_t most)
{
	struct listing_entry *all;
	size_t n, before = l->n;
	int err = entries_read(path, select_job, &all, &n);

	for (size_t i = 0; i < n; i++)
		all[i].changed_ns = changed_ns(all[i].path);
	if (!err)
		qsort(all, n, sizeof(*all), newest_first);
	for (size_t i = 0; i < n && !err; i++) {
		if (most > 0 && i >= most && l->n > before) {
			l->nolder = n - i;
			break;
		}
		/* Files may have such a name, too, and folders may be closed. */
		listing_folder(l, all[i].path);
	}
	entries_free(all, n);
	return err;
}

/* ---- runs -------------------------------------------------------------- */

static uint64_t listing_rank(const struct listing_profile *p)
{
	const char *text = p->head ? prof_text(p->head, PROF_INFO_RANK) : NULL;
	uint64_t rank;

	return text && digits_get(text, &rank, 10) ? rank : UINT64_MAX;
}

/* By rank, then by path: rank 2 comes before rank 10. */
static int listing_order(const void *a, const void *b)
{
	const struct listing_profile *x = a, *y = b;
	const uint64_t i = listing_rank(x), k = listing_rank(y);

	return i != k ? (i > k) - (i < k) : strcmp(x->path, y->path);
}

void listing_group(struct listing *l)
{
	const struct run_of nothing = { .rank = -1, .size = -1 };
	struct run_of *all = alloc_zeroed(l->n + 1, sizeof(*all));
	size_t *run = alloc_zeroed(l->n + 1, sizeof(*run));

	if (l->n)
		qsort(l->all, l->n, sizeof(*l->all), listing_order);
	for (size_t i = 0; i < l->n; i++)
		all[i] = l->all[i].head ? run_of(l->all[i].head) : nothing;
	run_of_group(all, l->n, run, &l->nruns);
	for (size_t i = 0; i < l->n; i++)
		l->all[i].run = run[i];
	free(run);
	free(all);
	l->runs = alloc_zeroed(l->nruns + 1, sizeof(*l->runs));
	for (size_t i = 0; i < l->n; i++) {
		struct listing_run *r = &l->runs[l->all[i].run];
		const struct prof_file *head = l->all[i].head;
		const uint64_t start_ns = head ? head->header.start_realtime_ns : 0;

		if (r->nprofiles == 0)
			r->first = i;
		if (r->nprofiles++ == 0 || start_ns < r->start_ns)
			r->start_ns = start_ns;
	}
}

size_t listing_last_run(const struct listing *l)
{
	size_t last = 0;

	for (size_t run = 1; run < l->nruns; run++)
		if (l->runs[run].start_ns >= l->runs[last].start_ns)
			last = run;
	return last;
}
