/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/answers/lookup.h"

#include <stdlib.h>
#include <string.h>

#include "src/answers/answers.h"
#include "src/answers/questions.h"
#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/base/map.h"
#include "src/callsite/callsite.h"
#include "src/profile/reader/reader.h"
#include "src/symbols/symbols.h"

struct lookup_file {
	const struct prof_file *file;
	struct answers answers;
	struct lookup_file *next;
};

struct lookup_trouble {
	const char *path, *why;
};

/* ---- profiles -------------------------------------------------------- */

static struct lookup_file *lookup_file(struct lookup *l, const struct prof_file *f)
{
	struct lookup_file **at = &l->all, *x;

	/* One that was extracted has the names of its tree. */
	f = f->tree ? f->tree : f;
	while (*at && (*at)->file != f)
		at = &(*at)->next;
	x = *at;
	if (x) {
		*at = x->next;
	} else {
		x = alloc_zeroed(1, sizeof(*x));
		x->file = f;
		/* Of damaged names none is used: the objects' files show them. */
		if (f->names && answers_unpack(&x->answers, f->names, f->names_bytes))
			answers_free(&x->answers);
	}
	x->next = l->all;
	l->all = x;
	return x;
}

/* ---- questions ------------------------------------------------------- */

/* A name made of an offset has no symbol. */
static bool lookup_is_nameless(const struct sym_location *location)
{
	const struct sym_function *f = location->frames[location->nframes - 1].function;

	return !f->linkage && !f->file;
}

/* Notes why a stored location has no name. */
static void lookup_note(struct lookup *l, const struct lookup_file *f, const struct question *q,
			const struct sym_location *location)
{
	const struct prof_rmodule *m = prof_module_by_id(f->file, PROF_LOC_MODULE(q->loc));
	const char *why = answers_trouble_of(&f->answers, PROF_LOC_MODULE(q->loc));

	if (!lookup_is_nameless(location) || !m || !why)
		return;
	for (size_t i = 0; i < l->ntroubles; i++)
		if (!strcmp(l->troubles[i].path, m->path) && !strcmp(l->troubles[i].why, why))
			return;
	l->troubles = grow(l->troubles, l->ntroubles, &l->troubles_room, sizeof(*l->troubles));
	l->troubles[l->ntroubles++] = (struct lookup_trouble){ m->path, why };
}

/* Whether another time could give a better answer: the module's file, or the map of code that was
   made at run time, is not there. */
static bool lookup_is_poor(const struct lookup *l, const struct lookup_file *f,
			   const struct question *q, const struct answer *a)
{
	const uint32_t module = PROF_LOC_MODULE(q->loc);
	const char *trouble;

	if (module == PROF_MODULE_ID_KERNEL || module == 0)
		return q->query != QUERY_RESOLVE || !a->location->frames[0].function->linkage;
	return !symbols_opened(l->symbols, f->file, q->loc, &trouble);
}

/* A function is of any profile: those of ranks are merged.  Files do not know those that were
   stored. */
static void lookup_extent(struct lookup *l, const struct question *q, struct answer *a)
{
	const struct answer *stored = NULL;

	for (struct lookup_file *f = l->all; f && !stored; f = f->next)
		stored = answers_find(&f->answers, q);
	if (stored)
		*a = *stored;
	else
		question_rows[q->query].files(l, q, a);
	if (l->keep && l->all)
		answers_set(&l->all->answers, q, a);
}

static void lookup_answer(void *self, const struct question *q, struct answer *a)
{
	struct lookup *l = self;
	const struct answer *stored;
	struct lookup_file *f;
	const char *trouble;

	if (q->query == QUERY_EXTENT) {
		lookup_extent(l, q, a);
		return;
	}
	f = lookup_file(l, q->file);
	stored = answers_find(&f->answers, q);
	if (stored && !(l->files_first && symbols_opened(l->symbols, f->file, q->loc, &trouble))) {
		*a = *stored;
		if (q->query == QUERY_RESOLVE)
			lookup_note(l, f, q, a->location);
		return;
	}
	question_rows[q->query].files(l, q, a);
	if (l->keep && !lookup_is_poor(l, f, q, a))
		answers_set(&f->answers, q, a);
}

/* ---- storing --------------------------------------------------------- */

void lookup_keep(struct lookup *l, bool files_first)
{
	l->keep = true;
	l->files_first |= files_first;
}

/* Notes why names of the module with that location, which has none, are missing, as its file shows
   now. */
static void lookup_keep_trouble(struct lookup *l, struct lookup_file *f, uint64_t loc)
{
	const char *why;

	/* What is stored counts more than a file that was not examined. */
	if (!l->files_first && answers_trouble_of(&f->answers, PROF_LOC_MODULE(loc)))
		return;
	if (symbols_opened(l->symbols, f->file, loc, &why))
		answers_set_trouble(&f->answers, PROF_LOC_MODULE(loc), why);
}

void lookup_pack(struct lookup *l, const struct prof_file *f, unsigned char **bytes, size_t *n)
{
	struct lookup_file *file = lookup_file(l, f);
	struct map done = { 0 };

	for (size_t i = 0; i < file->answers.n; i++) {
		const struct answered *a = &file->answers.all[i];
		uint32_t ignored;

		if (a->question.query == QUERY_RESOLVE && lookup_is_nameless(a->answer.location) &&
		    map_add(&done, PROF_LOC_MODULE(a->question.loc), 0, 0, &ignored))
			lookup_keep_trouble(l, file, a->question.loc);
	}
	map_free(&done);
	answers_pack(&file->answers, bytes, n);
}

/* ---- all ------------------------------------------------------------- */

void lookup_open(struct lookup *l, const char *sysroot)
{
	*l = (struct lookup){ .resolver = { lookup_answer, l },
			      .symbols = symbols_new(sysroot),
			      .files_first = sysroot };
	l->callsites = callsites_new(sysroot, l->symbols);
	if (!l->symbols)
		alloc_failed();
}

void lookup_close(struct lookup *l)
{
	while (l->all) {
		struct lookup_file *next = l->all->next;

		answers_free(&l->all->answers);
		free(l->all);
		l->all = next;
	}
	free(l->troubles);
	interner_free(&l->names);
	callsites_free(l->callsites);
	symbols_free(l->symbols);
	*l = (struct lookup){ 0 };
}

void lookup_folders(struct lookup *l, const struct prof_file *f,
		    void (*visit)(const char *folder, void *arg), void *arg)
{
	symbols_folders(l->symbols, f, visit, arg);
}

void lookup_troubles(const struct lookup *l,
		     void (*visit)(const char *path, const char *why, void *arg), void *arg)
{
	for (size_t i = 0; i < l->ntroubles; i++)
		visit(l->troubles[i].path, l->troubles[i].why, arg);
	symbols_troubles(l->symbols, visit, arg);
}
