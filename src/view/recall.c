#include "config.h"

#include "src/view/recall.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/grow.h"
#include "src/profile/reader/reader.h"
#include "src/symbols/symbols.h"
#include "src/view/answers.h"
#include "src/view/recall_asked.h"

/* ---- profiles -------------------------------------------------------- */

static struct recall_file *file_new(const struct prof_file *f)
{
	struct recall_file *new = calloc(1, sizeof(*new));
	int err = 0;

	if (!new)
		return NULL;
	new->file = f;
	if (f->names)
		err = answers_unpack(&new->answers, f->names, f->names_bytes);
	/* Of damaged names none is used: the objects' files tell them. */
	if (err)
		answers_free(&new->answers);
	if (err != -ENOMEM)
		return new;
	free(new);
	return NULL;
}

/* NULL without memory. */
static struct recall_file *recall_file(struct recall *r, const struct prof_file *f)
{
	struct recall_file **at, *x;

	/* One that was extracted has the names of its tree. */
	f = f->tree ? f->tree : f;

	for (at = &r->all; (x = *at); at = &x->next)
		if (x->file == f)
			break;
	if (x)
		*at = x->next;
	else
		x = file_new(f);
	if (!x)
		return NULL;
	x->next = r->all;
	r->all = x;
	return x;
}

struct recall *recall_new(const struct resolver *files, struct symbols *symbols, bool files_first)
{
	struct recall *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->files = *files;
	r->symbols = symbols;
	r->files_first = files_first;
	return r;
}

void recall_free(struct recall *r)
{
	if (!r)
		return;
	while (r->all) {
		struct recall_file *next = r->all->next;

		answers_free(&r->all->answers);
		free(r->all);
		r->all = next;
	}
	free(r->troubles);
	free(r);
}

void recall_keep(struct recall *r)
{
	r->keep = r->files_first = true;
}

void recall_keep_rest(struct recall *r)
{
	r->keep = true;
}

/* ---- questions ------------------------------------------------------- */

struct asked asked_begin(void *self, const struct prof_file *f, enum query query, uint64_t loc,
			 bool exact)
{
	struct asked a = { .recall = self, .file = recall_file(self, f) };

	a.answer.question =
		(struct question){ .query = (uint8_t)query, .loc = loc, .exact = exact };
	return a;
}

bool asked_is_known(struct asked *a)
{
	const struct answer *stored;
	const char *trouble;

	stored = a->file ? answers_find(&a->file->answers, &a->answer.question) : NULL;
	if (!stored || (a->recall->files_first && symbols_opened(a->recall->symbols, a->file->file,
								 a->answer.question.loc, &trouble)))
		return false;
	a->answer = *stored;
	return true;
}

/* Whether another time could give a better answer: the module's file, or the map of code that was
   made at run time, is not there. */
static bool is_poor(const struct asked *a)
{
	const struct sym_location *l = a->answer.location;
	const uint64_t loc = a->answer.question.loc;
	const char *trouble;

	if (PROF_LOC_MODULE(loc) == PROF_MODULE_ID_KERNEL || PROF_LOC_MODULE(loc) == 0)
		return !l || !l->frames[0].function->linkage;
	return !symbols_opened(a->recall->symbols, a->file->file, loc, &trouble);
}

void asked_keep(struct asked *a)
{
	if (a->recall->keep && a->file && !is_poor(a))
		answers_set(&a->file->answers, &a->answer);
}

uint64_t asked_number(struct asked *a, const char *s)
{
	return a->recall->keep && a->file ? answers_string(&a->file->answers, s) : 0;
}

const char *asked_text(const struct asked *a, unsigned i)
{
	return answers_text(&a->file->answers, a->answer.numbers[i]);
}

/* ---- what is missing ------------------------------------------------- */

/* Notes that a nameless location of a module was asked for. */
static void note_trouble(struct recall *r, const char *path, const char *why)
{
	struct recall_trouble *room;

	for (size_t i = 0; i < r->ntroubles; i++)
		if (!strcmp(r->troubles[i].path, path) && !strcmp(r->troubles[i].why, why))
			return;
	room = grow(r->troubles, r->ntroubles, &r->troubles_room, sizeof(*room));
	if (!room)
		return;
	r->troubles = room;
	r->troubles[r->ntroubles++] = (struct recall_trouble){ path, why };
}

void asked_note_location(struct asked *a)
{
	const struct sym_location *l = a->answer.location;
	const uint32_t id = PROF_LOC_MODULE(a->answer.question.loc);
	const struct sym_function *f = l->frames[l->nframes - 1].function;
	const struct prof_rmodule *m;
	const char *why;

	if (f->linkage || f->file)
		return;
	m = prof_module_by_id(a->file->file, id);
	why = answers_trouble_of(&a->file->answers, id);
	if (m && why)
		note_trouble(a->recall, m->path, why);
}

void recall_troubles(const struct recall *r,
		     void (*visit)(const char *path, const char *why, void *arg), void *arg)
{
	for (size_t i = 0; i < r->ntroubles; i++)
		visit(r->troubles[i].path, r->troubles[i].why, arg);
}

/* ---- storing --------------------------------------------------------- */

/* Why names of the module with that location are missing, as its file tells now. */
static int pack_trouble(struct recall *r, struct recall_file *f, uint64_t loc)
{
	const char *why;

	/* What is stored counts more than a file that was not examined. */
	if (!r->files_first && answers_trouble_of(&f->answers, PROF_LOC_MODULE(loc)))
		return 0;
	if (!symbols_opened(r->symbols, f->file, loc, &why))
		return 0;
	return answers_set_trouble(&f->answers, PROF_LOC_MODULE(loc), why);
}

static int pack_troubles(struct recall *r, struct recall_file *f)
{
	struct map done = { 0 };
	int err = 0;

	for (size_t i = 0; i < f->answers.n && err >= 0; i++) {
		const uint64_t loc = f->answers.all[i].question.loc;
		uint32_t value;

		err = map_add(&done, PROF_LOC_MODULE(loc), 0, 0, &value);
		if (err > 0)
			err = pack_trouble(r, f, loc);
	}
	map_free(&done);
	return err < 0 ? err : 0;
}

int recall_pack(struct recall *r, const struct prof_file *f, unsigned char **bytes, size_t *n)
{
	struct recall_file *file = recall_file(r, f);
	int err = file ? pack_troubles(r, file) : -ENOMEM;

	return err ? err : answers_pack(&file->answers, bytes, n);
}
