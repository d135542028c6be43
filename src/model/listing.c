#include "config.h"

#include "src/model/listing.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/base/grow.h"
#include "src/model/run_of.h"

#define SUFFIX ".omphwc"
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
	listing_init(l);
}

static int listing_keep(struct listing *l, const char *path, struct prof_file *head)
{
	struct listing_profile *all = grow(l->all, l->n, &l->room, sizeof(*all));
	char *copy = all ? strdup(path) : NULL;

	if (all)
		l->all = all;
	if (!copy) {
		prof_free(head);
		return -ENOMEM;
	}
	l->all[l->n++] = (struct listing_profile){ .path = copy, .head = head };
	return 0;
}

int listing_add(struct listing *l, const char *path)
{
	struct prof_file *head = NULL;

	return profiles_head(path, &head, &l->because) < 0 ? -EINVAL : listing_keep(l, path, head);
}

static int listing_leave_out(struct listing *l, const char *path, const struct profiles_error *why)
{
	if (l->nleft_out++ > 0)
		return 0;
	l->left_out = strdup(path);
	l->because = *why;
	l->because.path = l->left_out;
	return l->left_out ? 0 : -ENOMEM;
}

static int listing_merged(struct listing *l, const char *path)
{
	struct stat st;
	int64_t ns = 0;

	if (stat(path, &st) == 0)
		ns = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
	if (l->merged && ns <= l->merged_ns)
		return 0;
	free(l->merged);
	l->merged = strdup(path);
	l->merged_ns = ns;
	return l->merged ? 0 : -ENOMEM;
}

/* Adds a file of a folder. */
static int listing_add_any(struct listing *l, const char *path)
{
	struct prof_file *head = NULL;
	struct profiles_error e;
	const int is = profiles_head(path, &head, &e);

	if (is < 0)
		return listing_leave_out(l, path, &e);
	return is > 0 ? listing_merged(l, path) : listing_keep(l, path, head);
}

/* ---- folders ----------------------------------------------------------- */

static bool is_profile_name(const char *name)
{
	const size_t n = strlen(name), end = sizeof(SUFFIX) - 1;

	return n > end && *name != '.' && strcmp(name + n - end, SUFFIX) == 0;
}

static bool is_job_name(const char *name)
{
	return strncmp(name, JOB_PREFIX, sizeof(JOB_PREFIX) - 1) == 0;
}

static int select_profile(const struct dirent *d)
{
	return is_profile_name(d->d_name);
}

static int select_job(const struct dirent *d)
{
	return is_job_name(d->d_name);
}

/* Calls take with the path of each name in the folder that is selected. */
static int each(struct listing *l, const char *folder, int (*select)(const struct dirent *),
		int (*take)(struct listing *l, const char *path))
{
	struct dirent **names;
	const int n = scandir(folder, &names, select, alphasort);
	int err = 0;

	if (n < 0)
		return -errno;
	for (int i = 0; i < n; i++) {
		char *path = NULL;

		if (!err && asprintf(&path, "%s/%s", folder, names[i]->d_name) < 0)
			err = -ENOMEM;
		else if (!err)
			err = take(l, path);
		free(path);
		free(names[i]);
	}
	free(names);
	return err;
}

int listing_folder(struct listing *l, const char *path)
{
	return each(l, path, select_profile, listing_add_any);
}

/* Files may have such a name, too. */
static int listing_job_folder(struct listing *l, const char *path)
{
	const int err = listing_folder(l, path);

	return err == -ENOMEM ? err : 0;
}

int listing_job_folders(struct listing *l, const char *path)
{
	return each(l, path, select_job, listing_job_folder);
}

/* ---- runs -------------------------------------------------------------- */

static int listing_describe(struct listing *l)
{
	l->runs = calloc(l->nruns + 1, sizeof(*l->runs));
	if (!l->runs)
		return -ENOMEM;
	for (size_t i = 0; i < l->n; i++) {
		struct listing_run *r = &l->runs[l->all[i].run];
		const struct prof_file *head = l->all[i].head;
		const uint64_t start_ns = head ? head->header.start_realtime_ns : 0;

		if (r->nprofiles == 0)
			r->first = i;
		if (r->nprofiles++ == 0 || start_ns < r->start_ns)
			r->start_ns = start_ns;
	}
	return 0;
}

int listing_group(struct listing *l)
{
	const struct run_of nothing = { .rank = -1, .size = -1 };
	struct run_of *all = calloc(l->n + 1, sizeof(*all));
	size_t *run = calloc(l->n + 1, sizeof(*run));
	int err = all && run ? 0 : -ENOMEM;

	for (size_t i = 0; !err && i < l->n; i++)
		all[i] = l->all[i].head ? run_of(l->all[i].head) : nothing;
	if (!err)
		err = run_of_group(all, l->n, run, &l->nruns);
	for (size_t i = 0; !err && i < l->n; i++)
		l->all[i].run = run[i];
	free(run);
	free(all);
	return err ? err : listing_describe(l);
}

size_t listing_last_run(const struct listing *l)
{
	size_t last = 0;

	for (size_t run = 1; run < l->nruns; run++)
		if (l->runs[run].start_ns >= l->runs[last].start_ns)
			last = run;
	return last;
}
