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

void listing_init(struct listing *f)
{
	*f = (struct listing){ .all = NULL };
}

void listing_fini(struct listing *f)
{
	for (size_t i = 0; i < f->n; i++) {
		free(f->all[i].path);
		prof_free(f->all[i].head);
	}
	free(f->all);
	free(f->runs);
	free(f->left_out);
	listing_init(f);
}

int listing_add(struct listing *f, const char *path)
{
	struct listing_profile *all = grow(f->all, f->n, &f->room, sizeof(*all)), *p;

	if (!all)
		return -ENOMEM;
	f->all = all;
	p = &all[f->n];
	if (profiles_head(path, &p->head, &f->because) != 0)
		return -EINVAL;
	p->path = strdup(path);
	if (!p->path) {
		prof_free(p->head);
		return -ENOMEM;
	}
	f->n++;
	return 0;
}

/* Adds a file of a folder; the first one that can't be read is remembered. */
static int listing_add_any(struct listing *f, const char *path)
{
	const struct profiles_error first = f->because;
	const int err = listing_add(f, path);

	if (err != -EINVAL)
		return err;
	if (f->nleft_out++ > 0) {
		f->because = first;
		return 0;
	}
	f->left_out = strdup(path);
	f->because.path = f->left_out;
	return f->left_out ? 0 : -ENOMEM;
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
static int each(struct listing *f, const char *folder, int (*select)(const struct dirent *),
		int (*take)(struct listing *f, const char *path))
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
			err = take(f, path);
		free(path);
		free(names[i]);
	}
	free(names);
	return err;
}

int listing_folder(struct listing *f, const char *path)
{
	return each(f, path, select_profile, listing_add_any);
}

/* Files may have such a name, too. */
static int listing_job_folder(struct listing *f, const char *path)
{
	const int err = listing_folder(f, path);

	return err == -ENOMEM ? err : 0;
}

int listing_job_folders(struct listing *f, const char *path)
{
	return each(f, path, select_job, listing_job_folder);
}

/* ---- runs -------------------------------------------------------------- */

static int listing_describe(struct listing *f)
{
	f->runs = calloc(f->nruns + 1, sizeof(*f->runs));
	if (!f->runs)
		return -ENOMEM;
	for (size_t i = 0; i < f->n; i++) {
		struct listing_run *r = &f->runs[f->all[i].run];
		const uint64_t start_ns = f->all[i].head->header.start_realtime_ns;

		if (r->nprofiles == 0)
			r->first = i;
		if (r->nprofiles++ == 0 || start_ns < r->start_ns)
			r->start_ns = start_ns;
	}
	return 0;
}

int listing_group(struct listing *f)
{
	struct run_of *all = calloc(f->n + 1, sizeof(*all));
	size_t *run = calloc(f->n + 1, sizeof(*run));
	int err = all && run ? 0 : -ENOMEM;

	for (size_t i = 0; !err && i < f->n; i++)
		all[i] = run_of(f->all[i].head);
	if (!err)
		err = run_of_group(all, f->n, run, &f->nruns);
	for (size_t i = 0; !err && i < f->n; i++)
		f->all[i].run = run[i];
	free(run);
	free(all);
	return err ? err : listing_describe(f);
}

size_t listing_last_run(const struct listing *f)
{
	size_t last = 0;

	for (size_t run = 1; run < f->nruns; run++)
		if (f->runs[run].start_ns >= f->runs[last].start_ns)
			last = run;
	return last;
}
