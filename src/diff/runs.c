/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/diff/runs.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/answers/lookup.h"
#include "src/base/alloc.h"
#include "src/base/message.h"
#include "src/base/path.h"
#include "src/diff/side.h"
#include "src/model/profiles.h"
#include "src/path/sites.h"
#include "src/symbols/symbols.h"
#include "src/tables/time_event.h"
#include "src/view/view.h"

static int refused(struct trouble *t, const struct profiles_error *e)
{
	return trouble(t, e->why, e->todo, "%s", e->path);
}

/* ---- finding --------------------------------------------------------- */

static int runs_list(struct runs *r, struct trouble *t)
{
	int err = listing_folder(&r->listing, r->path);

	if (!err)
		err = listing_job_folders(&r->listing, r->path, 0);
	if (err)
		return trouble(t, strerror(-err), NULL, "%s", r->path);
	if (r->listing.nleft_out)
		return refused(t, &r->listing.because);
	if (!r->listing.n)
		return trouble(t, "there is no profile in it",
			       "name a folder with files *.omphwc, or a file", "%s", r->path);
	return 0;
}

static int runs_file(struct runs *r, const char *path, struct trouble *t)
{
	return listing_add(&r->listing, path) ? refused(t, &r->listing.because) : 0;
}

int runs_find(struct runs *r, const char *path, struct trouble *t)
{
	struct stat st;

	*r = (struct runs){ .path = path };
	listing_init(&r->listing);
	if (stat(path, &st))
		return trouble(t, strerror(errno), "name a profile, or a folder of profiles", "%s",
			       path);
	/* It is read twice. */
	if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode))
		return trouble(t, "it is no regular file",
			       "name a profile, or a folder of profiles", "%s", path);
	if (S_ISDIR(st.st_mode) ? runs_list(r, t) : runs_file(r, path, t))
		return -1;
	listing_group(&r->listing);
	return 0;
}

int runs_of(struct runs *r, char *const *paths, size_t n, struct trouble *t)
{
	*r = (struct runs){ .path = paths[0] };
	listing_init(&r->listing);
	for (size_t i = 0; i < n; i++)
		if (runs_file(r, paths[i], t))
			return -1;
	listing_group(&r->listing);
	return 0;
}

void runs_fini(struct runs *r)
{
	listing_fini(&r->listing);
}

/* ---- reading --------------------------------------------------------- */

static bool has_initial(const struct model_process *p)
{
	return model_threads_of(p, 1u << PROF_THREAD_INITIAL);
}

/* 0: not known. */
static uint64_t elapsed_of(const struct model *m)
{
	struct model_together sum;

	model_together(m, NULL, &sum);
	return (uint64_t)sum.ns;
}

/* Whether the event of the model is the one that is compared; a stand-in is not what it
   stands for. */
static bool event_is(const struct model_event *m, const struct runs_event *e)
{
	return !strcmp(m->label, e->label) && m->unit == e->unit &&
	       !(m->flags & PROF_EVENT_COUNT_ONLY);
}

static int event_missing(const struct model *m, const char *name, const char *path,
			 struct trouble *t)
{
	char why[sizeof(t->why)];
	const char *separator = ": it has ";
	size_t at = (size_t)snprintf(why, sizeof(why), "it was not sampled there");

	for (size_t i = 0; i < m->nevents && at < sizeof(why); i++) {
		if (m->events[i].flags & PROF_EVENT_COUNT_ONLY)
			continue;
		at += (size_t)snprintf(why + at, sizeof(why) - at, "%s%s", separator,
				       m->events[i].label);
		separator = ", ";
	}
	return trouble(t, why, "measure both sides with one -e, or use --event with what both have",
		       "%s: event %s", path, name);
}

static int event_find(const struct model *m, const char *asked, struct runs_event *e,
		      const char *path, size_t *event, struct trouble *t)
{
	if (!*e->label) {
		const int found = asked ? model_find_event(m, asked) : (int)model_first_sampled(m);

		if (found < 0 || m->events[found].flags & PROF_EVENT_COUNT_ONLY)
			return event_missing(m, asked ? asked : m->events[found].label, path, t);
		snprintf(e->label, sizeof(e->label), "%s", m->events[found].label);
		e->unit = m->events[found].unit;
		e->time = time_event_is(&m->events[found]);
	}
	for (*event = 0; *event < m->nevents; ++*event)
		if (event_is(&m->events[*event], e))
			return 0;
	return event_missing(m, e->label, path, t);
}

/* ---- names that are missing ------------------------------------------ */

struct unnamed {
	struct side *side;
	const struct model *model;
};

/* Missing names of the C library and the runtime do not concern users. */
static bool is_users(const struct model *m, const char *path)
{
	for (size_t p = 0; p < m->nprocesses; p++) {
		const struct prof_file *f = m->processes[p].file;

		for (size_t i = 0; i < f->nmodules; i++)
			if (!strcmp(f->modules[i].path, path))
				return sites_module_owner(&f->modules[i]) == SITE_USER;
	}
	return true;
}

static void note_unnamed(const char *path, const char *why, void *arg)
{
	struct unnamed *u = arg;

	if (is_users(u->model, path))
		side_unnamed(u->side, path, why);
}

/* ---- one run --------------------------------------------------------- */

/* The arguments, separated by blanks, without the program's name, which may differ between before
   and after; malloc'ed. */
static char *runs_arguments_of(const struct prof_file *f)
{
	const struct prof_text *argv = NULL;
	char *s;

	for (size_t i = 0; i < f->ntexts && !argv; i++)
		if (f->texts[i].kind == PROF_INFO_ARGV)
			argv = &f->texts[i];
	const size_t name = argv ? strlen(argv->text) + 1 : 0;

	if (!argv || name >= argv->bytes)
		return alloc_text("");
	/* Each argument ends with a NUL, the last one, too. */
	const size_t n = argv->bytes - name - (argv->text[argv->bytes - 1] == '\0');

	s = alloc_bytes(n + 1);
	for (size_t i = 0; i < n; i++)
		s[i] = argv->text[name + i] ? argv->text[name + i] : ' ';
	s[n] = '\0';
	return s;
}

static void read_view(struct side *side, const char *sysroot, const struct model *m,
		      struct side_run *run, size_t event)
{
	struct view_options o = { .kind = VIEW_USER };
	struct lookup lookup;
	struct view *v = NULL;
	char *arguments;
	struct model_together sum;

	lookup_open(&lookup, sysroot);
	o.resolver = &lookup.resolver;
	v = view_build(m, &o);
	struct unnamed unnamed = { .side = side, .model = m };

	symbols_troubles(lookup.symbols, note_unnamed, &unnamed);
	run->elapsed_ns = elapsed_of(m);
	/* The number of OpenMP threads: the largest team's, for each process with an initial
	   thread, of those that ran at one time. */
	uint32_t team = 0, processes = 0, threads = 0;

	for (size_t i = 0; i < v->nregions; i++)
		if (v->regions[i].counts.team_most > team)
			team = v->regions[i].counts.team_most;
	model_together(v->model, has_initial, &sum);
	processes = sum.most;
	for (size_t i = 0; i < v->model->nthreads; i++)
		threads += v->model->threads[i].t->kind == PROF_THREAD_WORKER;
	run->threads = team ? team * (processes ? processes : 1) : threads + processes;
	uint64_t start = 0; /* not known */

	for (size_t i = 0; i < m->nprocesses; i++) {
		const uint64_t one = m->processes[i].file->header.start_realtime_ns;

		if (one && (!start || one < start))
			start = one;
	}
	run->start_ns = start;
	run->program = path_base(prof_text(m->processes[0].file, PROF_INFO_EXE));
	run->arguments = arguments = runs_arguments_of(m->processes[0].file);
	run->host = prof_text(m->processes[0].file, PROF_INFO_HOST);
	side_add(side, run, v, event);
	free(arguments);
	view_free(v);
	lookup_close(&lookup);
}

int runs_read_one(const struct runs *r, size_t number, const struct runs_options *o,
		  struct runs_event *e, struct side *side, struct trouble *t)
{
	const struct listing *listing = &r->listing;
	struct side_run run = { 0 };
	struct profiles p;
	struct profiles_error error;
	size_t event = 0;
	int ret = 0;

	profiles_init(&p);
	for (size_t i = 0; i < listing->n && !ret; i++) {
		if (listing->all[i].run != number)
			continue;
		if (!run.profiles++)
			run.path = listing->all[i].path;
		if (profiles_add(&p, listing->all[i].path, &error))
			ret = refused(t, &error);
	}
	if (!ret)
		ret = event_find(&p.model, o->event, e, run.path, &event, t);
	if (!ret)
		read_view(side, o->sysroot, &p.model, &run, event);
	profiles_fini(&p);
	return ret;
}

int runs_read(const struct runs *r, const struct runs_options *o, struct runs_event *e,
	      struct side *side, struct trouble *t)
{
	for (size_t i = 0; i < r->listing.nruns; i++)
		if (runs_read_one(r, i, o, e, side, t))
			return -1;
	return 0;
}
