#include "config.h"

#include "src/view/recall.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/grow.h"
#include "src/callsite/callsite.h"
#include "src/profile/reader/reader.h"
#include "src/symbols/symbols.h"
#include "src/view/answers.h"

struct recall_file {
	const struct prof_file *file;
	struct answers answers;
	struct recall_file *next;
};

struct recall_trouble {
	const char *path, *why;
};

struct recall {
	struct resolver files;
	struct symbols *symbols;
	bool files_first, keep;
	struct recall_file *all; /* the last used one is first */
	struct recall_trouble *troubles;
	size_t ntroubles, troubles_room;
};

/* ---- profiles -------------------------------------------------------- */

static struct recall_file *file_new(const struct prof_file *f)
{
	struct recall_file *new = calloc(1, sizeof(*new));

	if (!new)
		return NULL;
	new->file = f;
	/* Of damaged names none is used: the objects' files tell them. */
	if (f->names && answers_unpack(&new->answers, f->names, f->names_bytes))
		answers_free(&new->answers);
	return new;
}

/* NULL without memory. */
static struct recall_file *recall_file(struct recall *r, const struct prof_file *f)
{
	struct recall_file **at, *x;

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

/* ---- questions ------------------------------------------------------- */

/* A question under way, and its answer. */
struct asked {
	struct recall *recall;
	struct recall_file *file; /* NULL without memory */
	struct answer answer;
};

static struct asked ask(void *self, const struct prof_file *f, enum query query, uint64_t loc,
			bool exact)
{
	struct asked a = { .recall = self, .file = recall_file(self, f) };

	a.answer.question =
		(struct question){ .query = (uint8_t)query, .loc = loc, .exact = exact };
	return a;
}

/* Whether the answer is stored: then it is in *a. */
static bool known(struct asked *a)
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

/* Whether another time could give a better answer: the module's file is not there. */
static bool is_poor(const struct asked *a)
{
	const struct sym_location *l = a->answer.location;
	const uint64_t loc = a->answer.question.loc;
	const char *trouble;

	if (PROF_LOC_MODULE(loc) == PROF_MODULE_ID_KERNEL)
		return !l || !l->frames[0].function->linkage;
	return !symbols_opened(a->recall->symbols, a->file->file, loc, &trouble);
}

static void keep(struct asked *a)
{
	if (a->recall->keep && a->file && !is_poor(a))
		answers_set(&a->file->answers, &a->answer);
}

static uint64_t number_of(struct asked *a, const char *s)
{
	return a->recall->keep && a->file ? answers_string(&a->file->answers, s) : 0;
}

static const char *text_of(const struct asked *a, unsigned i)
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

/* A name made of an offset has no symbol. */
static void note_location(struct asked *a)
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

/* ---- the resolver ---------------------------------------------------- */

static const struct sym_location *recall_resolve(void *self, const struct prof_file *f,
						 uint64_t loc, bool exact)
{
	struct asked a = ask(self, f, QUERY_RESOLVE, loc, exact);
	const struct resolver *files = &a.recall->files;

	if (known(&a)) {
		note_location(&a);
		return a.answer.location;
	}
	a.answer.location = files->resolve(files->self, f, loc, exact);
	keep(&a);
	return a.answer.location;
}

static const char *recall_string(struct asked *a, const struct prof_file *f,
				 const char *(*get)(void *, const struct prof_file *, uint64_t))
{
	const char *s;

	if (known(a))
		return text_of(a, 0);
	s = get(a->recall->files.self, f, a->answer.question.loc);
	a->answer.numbers[0] = number_of(a, s);
	keep(a);
	return s;
}

static const char *recall_object(void *self, const struct prof_file *f, uint64_t loc)
{
	struct asked a = ask(self, f, QUERY_OBJECT, loc, false);

	return recall_string(&a, f, a.recall->files.object);
}

static const char *recall_critical(void *self, const struct prof_file *f, uint64_t loc)
{
	struct asked a = ask(self, f, QUERY_CRITICAL, loc, false);

	return recall_string(&a, f, a.recall->files.critical);
}

static enum barrier_kind recall_barrier(void *self, const struct prof_file *f, uint64_t loc)
{
	struct asked a = ask(self, f, QUERY_BARRIER, loc, false);
	const struct resolver *files = &a.recall->files;

	if (!known(&a)) {
		a.answer.numbers[0] = files->barrier(files->self, f, loc);
		keep(&a);
	}
	return (enum barrier_kind)a.answer.numbers[0];
}

static enum barrier_kind recall_gnu_barrier(void *self, const struct prof_file *f, uint64_t loc,
					    enum construct_kind *ends, uint64_t *begin)
{
	struct asked a = ask(self, f, QUERY_GNU_BARRIER, loc, false);
	const struct resolver *files = &a.recall->files;
	uint64_t *n = a.answer.numbers;

	if (!known(&a)) {
		n[0] = files->gnu_barrier(files->self, f, loc, ends, begin);
		n[1] = *ends;
		n[2] = *begin;
		keep(&a);
	}
	*ends = (enum construct_kind)n[1];
	*begin = n[2];
	return (enum barrier_kind)n[0];
}

static bool recall_loop(void *self, const struct prof_file *f, uint64_t loc, bool exact,
			uint64_t *at)
{
	struct asked a = ask(self, f, QUERY_LOOP, loc, exact);
	const struct resolver *files = &a.recall->files;
	uint64_t *n = a.answer.numbers;

	if (!known(&a)) {
		n[1] = loc;
		n[0] = files->loop(files->self, f, loc, exact, &n[1]);
		keep(&a);
	}
	if (n[0])
		*at = n[1];
	return n[0];
}

static bool recall_loop_lines(void *self, const struct prof_file *f, uint64_t at, const char **file,
			      unsigned *line, unsigned *last)
{
	struct asked a = ask(self, f, QUERY_LOOP_LINES, at, true);
	const struct resolver *files = &a.recall->files;
	uint64_t *n = a.answer.numbers;
	const char *path = NULL;
	unsigned first = 0, end = 0;

	if (known(&a)) {
		path = text_of(&a, 1);
	} else {
		n[0] = files->loop_lines(files->self, f, at, &path, &first, &end);
		n[1] = number_of(&a, n[0] ? path : NULL);
		n[2] = first;
		n[3] = end;
		keep(&a);
	}
	if (n[0]) {
		*file = path;
		*line = (unsigned)n[2];
		*last = (unsigned)n[3];
	}
	return n[0];
}

static enum construct_kind recall_construct(void *self, const struct prof_file *f, uint64_t loc)
{
	struct asked a = ask(self, f, QUERY_CONSTRUCT, loc, false);
	const struct resolver *files = &a.recall->files;

	if (!known(&a)) {
		a.answer.numbers[0] = files->construct(files->self, f, loc);
		keep(&a);
	}
	return (enum construct_kind)a.answer.numbers[0];
}

static unsigned recall_sections(void *self, const struct prof_file *f, uint64_t loc)
{
	struct asked a = ask(self, f, QUERY_SECTIONS, loc, false);
	const struct resolver *files = &a.recall->files;

	if (!known(&a)) {
		a.answer.numbers[0] = files->sections(files->self, f, loc);
		keep(&a);
	}
	return (unsigned)a.answer.numbers[0];
}

/* The beginning may be found without lines. */
static bool recall_span(void *self, const struct prof_file *f, uint64_t loc, uint64_t *begin,
			unsigned *first, unsigned *last)
{
	struct asked a = ask(self, f, QUERY_SPAN, loc, false);
	const struct resolver *files = &a.recall->files;
	uint64_t *n = a.answer.numbers;
	unsigned from = 0, to = 0;

	if (!known(&a)) {
		n[1] = loc;
		n[0] = files->span(files->self, f, loc, &n[1], &from, &to);
		n[2] = from;
		n[3] = to;
		keep(&a);
	}
	*begin = n[1];
	*first = (unsigned)n[2];
	*last = (unsigned)n[3];
	return n[0];
}

static bool recall_tail(void *self, const struct prof_file *f, uint64_t loc, uint64_t *at,
			enum construct_kind *kind)
{
	struct asked a = ask(self, f, QUERY_TAIL, loc, false);
	const struct resolver *files = &a.recall->files;
	enum construct_kind found = CONSTRUCT_UNKNOWN;
	uint64_t *n = a.answer.numbers;

	if (!known(&a)) {
		n[1] = loc;
		n[0] = files->tail(files->self, f, loc, &n[1], &found);
		n[2] = found;
		keep(&a);
	}
	if (n[0]) {
		*at = n[1];
		*kind = (enum construct_kind)n[2];
	}
	return n[0];
}

static enum callsite_way recall_way(void *self, const struct prof_file *f, uint64_t loc)
{
	struct asked a = ask(self, f, QUERY_WAY, loc, false);
	const struct resolver *files = &a.recall->files;

	if (!known(&a)) {
		a.answer.numbers[0] = files->way(files->self, f, loc);
		keep(&a);
	}
	return (enum callsite_way)a.answer.numbers[0];
}

static bool recall_body(void *self, const struct prof_file *f, uint64_t loc, bool exact,
			const char *callee, struct callsite_body *body)
{
	struct asked a = ask(self, f, QUERY_BODY, loc, exact);
	const struct resolver *files = &a.recall->files;
	struct callsite_body found = { 0 };
	uint64_t *n = a.answer.numbers;

	if (a.file)
		a.answer.question.callee = (uint32_t)answers_string(&a.file->answers, callee);
	if (!known(&a)) {
		n[0] = files->body(files->self, f, loc, exact, callee, &found);
		n[1] = found.entry;
		n[2] = found.at;
		n[3] = found.end;
		keep(&a);
	}
	if (n[0])
		*body = (struct callsite_body){ .entry = n[1], .at = n[2], .end = n[3] };
	return n[0];
}

static bool recall_called(void *self, const struct prof_file *f, uint64_t loc, bool exact,
			  char *name, size_t bytes)
{
	struct asked a = ask(self, f, QUERY_CALLED, loc, exact);
	const struct resolver *files = &a.recall->files;
	uint64_t *n = a.answer.numbers;
	const char *s;

	if (!known(&a)) {
		n[0] = files->called(files->self, f, loc, exact, name, bytes);
		n[1] = number_of(&a, n[0] ? name : NULL);
		keep(&a);
		return n[0];
	}
	s = text_of(&a, 1);
	if (!n[0] || !s || strlen(s) >= bytes)
		return false;
	memcpy(name, s, strlen(s) + 1);
	return true;
}

static bool recall_begin(void *self, const struct prof_file *f, uint64_t loc, uint64_t *begin)
{
	struct asked a = ask(self, f, QUERY_BEGIN, loc, false);
	const struct resolver *files = &a.recall->files;
	uint64_t *n = a.answer.numbers;

	if (!known(&a)) {
		n[1] = loc;
		n[0] = files->begin(files->self, f, loc, &n[1]);
		keep(&a);
	}
	if (n[0])
		*begin = n[1];
	return n[0];
}

static bool recall_start(void *self, const struct prof_file *f, uint64_t loc, uint64_t *start)
{
	struct asked a = ask(self, f, QUERY_START, loc, true);
	const struct resolver *files = &a.recall->files;
	uint64_t *n = a.answer.numbers;

	if (!known(&a)) {
		n[1] = loc;
		n[0] = files->start(files->self, f, loc, &n[1]);
		keep(&a);
	}
	if (n[0])
		*start = n[1];
	return n[0];
}

static bool recall_entry(void *self, const struct prof_file *f, uint64_t loc, bool exact,
			 uint64_t *entry)
{
	struct asked a = ask(self, f, QUERY_ENTRY, loc, exact);
	const struct resolver *files = &a.recall->files;
	uint64_t *n = a.answer.numbers;

	if (!known(&a)) {
		n[1] = loc;
		n[0] = files->entry(files->self, f, loc, exact, &n[1]);
		keep(&a);
	}
	if (n[0])
		*entry = n[1];
	return n[0];
}

static const char *recall_place(void *self, const struct prof_file *f, uint64_t loc, bool exact)
{
	struct asked a = ask(self, f, QUERY_PLACE, loc, exact);
	const struct resolver *files = &a.recall->files;
	const char *s;

	if (known(&a))
		return text_of(&a, 0);
	s = files->place(files->self, f, loc, exact);
	a.answer.numbers[0] = number_of(&a, s);
	keep(&a);
	return s;
}

/* ---- lines of functions ---------------------------------------------- */

/* A function is of any profile: those of ranks are merged. */
static const struct answers_extent *find_extent(const struct recall *r,
						const struct sym_function *function)
{
	for (const struct recall_file *f = r->all; f; f = f->next) {
		const struct answers_extent *e = answers_extent_of(&f->answers, function);

		if (e)
			return e;
	}
	return NULL;
}

static bool recall_extent(void *self, const struct sym_function *function, unsigned *first,
			  unsigned *last)
{
	struct recall *r = self;
	const struct answers_extent *e = find_extent(r, function);
	struct answers_extent fresh = { .function = function };

	/* Functions that were stored are unknown to symbols; all of them are found. */
	if (!e) {
		fresh.known = r->files.extent(r->files.self, function, &fresh.first, &fresh.last);
	} else {
		fresh = *e;
	}
	if (r->keep && r->all)
		answers_set_extent(&r->all->answers, &fresh);
	if (fresh.known) {
		*first = fresh.first;
		*last = fresh.last;
	}
	return fresh.known;
}

struct resolver recall_resolver(struct recall *r)
{
	return (struct resolver){
		.resolve = recall_resolve,
		.object = recall_object,
		.barrier = recall_barrier,
		.gnu_barrier = recall_gnu_barrier,
		.loop = recall_loop,
		.loop_lines = recall_loop_lines,
		.critical = recall_critical,
		.construct = recall_construct,
		.sections = recall_sections,
		.span = recall_span,
		.tail = recall_tail,
		.way = recall_way,
		.body = recall_body,
		.called = recall_called,
		.begin = recall_begin,
		.entry = recall_entry,
		.start = recall_start,
		.place = recall_place,
		.extent = recall_extent,
		.self = r,
	};
}

/* ---- storing --------------------------------------------------------- */

/* Why names of the module with that location are missing, as its file tells now. */
static int pack_trouble(struct recall *r, struct recall_file *f, uint64_t loc)
{
	const char *why;

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
