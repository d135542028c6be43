/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/diff/points.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/base/map.h"
#include "src/base/message.h"
#include "src/base/path.h"

/* A run that was found, and the point that it is of. */
struct points_found {
	const struct runs *runs;
	size_t number; /* among these */
	const char *key, *label;
	uint64_t start_ns; /* 0: not in the profile's head */
	size_t at;	   /* in the order in which they were found */
};

struct points_finding {
	struct points *points;
	enum points_by by;
	struct runs **folders; /* each with runs; the first is of files that were named */
	size_t nfolders, folders_room;
	struct points_found *all;
	size_t n, room;
};

static const char *points_keep(struct points *p, const char *text, size_t bytes)
{
	return intern(&p->strings, text, bytes);
}

static void leave_out(struct points *p, const char *path, const char *why)
{
	p->left = grow(p->left, p->nleft, &p->left_room, sizeof(*p->left));
	p->left[p->nleft++] = (struct points_left){
		.path = points_keep(p, path, strlen(path)),
		.why = points_keep(p, why, strlen(why)),
	};
}

/* ---- finding ----------------------------------------------------------- */

static struct runs *folder_new(struct points_finding *f, const char *path)
{
	struct runs *runs = alloc_zeroed(1, sizeof(*runs));

	f->folders = grow(f->folders, f->nfolders, &f->folders_room, sizeof(struct runs *));
	f->folders[f->nfolders++] = runs;
	runs->path = points_keep(f->points, path, strlen(path));
	listing_init(&runs->listing);
	return runs;
}

static void find_profiles(struct points_finding *f, const char *path)
{
	struct listing *l = &folder_new(f, path)->listing;
	int err = listing_folder(l, path);

	if (!err)
		err = listing_job_folders(l, path, 0);
	if (err)
		leave_out(f->points, path, strerror(-err));
	if (l->nleft_out)
		leave_out(f->points, l->because.path, l->because.why);
	for (size_t i = 1; i < l->nleft_out; i++)
		leave_out(f->points, path, "another profile of this folder can't be read");
}

/* Those of jobs are looked into with the folder that they are in. */
static int is_point(const struct dirent *d)
{
	return *d->d_name != '.' && strncmp(d->d_name, "omphwc.", 7) != 0;
}

static void points_find_folder(struct points_finding *f, const char *path)
{
	const size_t bytes = strlen(path);
	struct dirent **names;
	const int n = scandir(path, &names, is_point, alphasort);

	find_profiles(f, path);
	for (int i = 0; i < n; i++) {
		char *inner = alloc_printf("%s%s%s", path, path[bytes - 1] == '/' ? "" : "/",
					   names[i]->d_name);
		struct stat st;

		if (!stat(inner, &st) && S_ISDIR(st.st_mode))
			find_profiles(f, inner);
		free(inner);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
}

static int find_all(struct points_finding *f, char *const *paths, size_t n, struct trouble *t)
{
	folder_new(f, "");
	for (size_t i = 0; i < n; i++) {
		struct stat st;

		if (stat(paths[i], &st))
			return trouble(t, strerror(errno), "name profiles, or folders of profiles",
				       "%s", paths[i]);
		if (S_ISDIR(st.st_mode)) {
			points_find_folder(f, paths[i]);
		} else {
			const char *path = paths[i];
			struct listing *files = &f->folders[0]->listing;

			if (listing_add(files, path))
				leave_out(f->points, path, files->because.why);
		}
	}
	return 0;
}

/* ---- which point ------------------------------------------------------- */

static const char *folder_label(struct points *p, const char *path)
{
	size_t end = strlen(path), from;

	while (end > 1 && path[end - 1] == '/')
		end--;
	for (from = end; from > 0 && path[from - 1] != '/'; from--)
		;
	return points_keep(p, path + from, end - from);
}

static const char *day_label(struct points *p, const char *path, uint64_t start_ns)
{
	struct stat st;
	time_t second = (time_t)(start_ns / 1000000000);
	struct tm tm;
	char day[32];

	/* A merged file has no head: it was made when the run had ended. */
	if (!start_ns && !stat(path, &st))
		second = st.st_mtime;
	localtime_r(&second, &tm);
	return points_keep(p, day, strftime(day, sizeof(day), "%Y-%m-%d", &tm));
}

static void add_found(struct points_finding *f, const struct runs *runs, size_t number)
{
	const struct listing_run *run = &runs->listing.runs[number];
	const char *path = runs->listing.all[run->first].path;
	struct points_found found = {
		.runs = runs,
		.number = number,
		.start_ns = run->start_ns,
		.at = f->n,
		.key = points_keep(f->points, path, strlen(path)),
	};

	if (f->by == POINTS_DAY)
		found.key = found.label = day_label(f->points, path, run->start_ns);
	else if (f->by == POINTS_FOLDER && runs != f->folders[0]) {
		found.label = folder_label(f->points, found.key = runs->path);
	} else {
		/* A name without what follows the last dot. */
		struct points *p = f->points;
		const char *base = path_base(path), *dot = strrchr(base, '.');

		found.label = points_keep(p, base,
					  dot && dot > base ? (size_t)(dot - base) : strlen(base));
	}
	f->all = grow(f->all, f->n, &f->room, sizeof(*f->all));
	f->all[f->n++] = found;
}

/* ---- order ------------------------------------------------------------- */

static int by_start(const void *a, const void *b)
{
	const struct points_found *x = a, *y = b;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

static int by_name(const void *a, const void *b)
{
	const struct points_found *x = a, *y = b;
	const int order = strverscmp(x->label, y->label);

	return order ? order : by_start(a, b);
}

static int points_by_start(const void *a, const void *b)
{
	const struct point *x = a, *y = b;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return strverscmp(x->label, y->label);
}

/* Runs of one point lie beside each other then: at the place of its first one.  Returns the number
   of points. */
static size_t points_group(struct points_finding *f)
{
	struct map points = { 0 };
	size_t *of = alloc_zeroed(f->n + 1, sizeof(*of)), at = 0, n;
	struct points_found *grouped = alloc_zeroed(f->n + 1, sizeof(*grouped));

	for (size_t i = 0; i < f->n; i++) {
		uint32_t point;

		map_add(&points, (uintptr_t)f->all[i].key, 0, (uint32_t)points.count, &point);
		of[i] = point;
	}
	n = points.count;
	map_free(&points);
	for (size_t point = 0; point < n; point++)
		for (size_t i = 0; i < f->n; i++)
			if (of[i] == point)
				grouped[at++] = f->all[i];
	free(f->all);
	free(of);
	f->all = grouped;
	return n;
}

static size_t point_end(const struct points_finding *f, size_t from)
{
	size_t end = from;

	while (end < f->n && f->all[end].key == f->all[from].key)
		end++;
	return end;
}

/* ---- reading ----------------------------------------------------------- */

static void point_read(struct points *p, const struct points_found *all, size_t n,
		       const struct points_options *o)
{
	struct point *point = &p->all[p->n];
	const struct side *s = &point->side;

	*point = (struct point){ .label = all->label };
	side_init(&point->side, &p->strings, n);
	point->side.only = 1u << DIFF_RUN | 1u << DIFF_REGION;
	for (size_t i = 0; i < n; i++) {
		struct trouble t;
		const struct points_found *found = &all[i];

		if (runs_read_one(found->runs, found->number, &o->runs, &p->event, &point->side,
				  &t))
			leave_out(p, t.what, t.why);
	}
	for (size_t i = 0; i < s->nruns; i++)
		if (!i || s->runs[i].start_ns < point->start_ns)
			point->start_ns = s->runs[i].start_ns;
	if (s->nruns)
		p->n++;
	else
		side_fini(&point->side);
}

/* From the newest one on, whose event it is; then in their order. */
static void points_of(struct points_finding *f, const struct points_options *o)
{
	struct points *p = f->points;
	size_t npoints, nbegins = 0;

	if (f->n)
		qsort(f->all, f->n, sizeof(*f->all), o->by_name ? by_name : by_start);
	npoints = points_group(f);
	size_t *begins = alloc_zeroed(npoints + 1, sizeof(*begins));

	for (size_t i = 0; i < f->n; i = point_end(f, i))
		begins[nbegins++] = i;
	begins[nbegins] = f->n;
	p->nearlier = npoints > o->last ? npoints - o->last : 0;
	p->all = alloc_zeroed(npoints + 1, sizeof(*p->all));
	for (size_t i = npoints; i-- > p->nearlier;)
		point_read(p, &f->all[begins[i]], begins[i + 1] - begins[i], o);
	for (size_t i = 0; i < p->n / 2; i++) {
		const struct point one = p->all[i];

		p->all[i] = p->all[p->n - 1 - i];
		p->all[p->n - 1 - i] = one;
	}
	/* Of a merged file it is known only now. */
	if (!o->by_name && p->n)
		qsort(p->all, p->n, sizeof(*p->all), points_by_start);
	free(begins);
}

/* Of two points with one label, both have their path. */
static void labels_differ(struct points *p)
{
	struct map labels = { 0 };

	for (size_t i = 0; i < p->n; i++) {
		struct point *point = &p->all[i];
		uint32_t first;

		if (map_add(&labels, (uintptr_t)point->label, 0, (uint32_t)i, &first))
			continue;
		point->label = point->side.runs[0].path;
		p->all[first].label = p->all[first].side.runs[0].path;
	}
	map_free(&labels);
}

int points_read(struct points *p, char *const *paths, size_t n, const struct points_options *o,
		struct trouble *t)
{
	struct points_finding f = { .points = p, .by = o->by };
	int err;

	*p = (struct points){ 0 };
	err = find_all(&f, paths, n, t);
	if (!err) {
		size_t with_runs = 0;

		for (size_t i = 0; i < f.nfolders; i++) {
			listing_group(&f.folders[i]->listing);
			with_runs += i && f.folders[i]->listing.nruns;
		}
		if (f.by == POINTS_AUTO)
			f.by = with_runs > 1 ? POINTS_FOLDER : POINTS_RUN;
		for (size_t i = 0; i < f.nfolders; i++)
			for (size_t run = 0; run < f.folders[i]->listing.nruns; run++)
				add_found(&f, f.folders[i], run);
		points_of(&f, o);

		/* The paths of runs are borrowed from their listings. */
		for (size_t i = 0; i < p->n; i++)
			for (size_t k = 0; k < p->all[i].side.nruns; k++) {
				struct side_run *run = &p->all[i].side.runs[k];

				run->path = points_keep(p, run->path, strlen(run->path));
			}
		labels_differ(p);
	}
	for (size_t i = 0; i < f.nfolders; i++) {
		runs_fini(f.folders[i]);
		free(f.folders[i]);
	}
	free(f.folders);
	free(f.all);
	if (!err && !p->n && p->nleft)
		return trouble(t, p->left->why, NULL, "%s", p->left->path);
	if (!err && !p->n)
		return trouble(t, "there is no profile in it",
			       "name folders with files *.omphwc, or files", "%s", paths[0]);
	return err;
}

void points_fini(struct points *p)
{
	for (size_t i = 0; i < p->n; i++)
		side_fini(&p->all[i].side);
	free(p->all);
	free(p->left);
	interner_free(&p->strings);
	*p = (struct points){ 0 };
}
