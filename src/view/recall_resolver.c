/*
 * recall_resolver.c - the resolver of recall.h: each query is answered from what is stored, or
 * else by the resolver that examines files.
 */
#include "config.h"

#include <string.h>

#include "src/callsite/callsite.h"
#include "src/view/answers.h"
#include "src/view/recall.h"
#include "src/view/recall_asked.h"

static const struct sym_location *recall_resolve(void *self, const struct prof_file *f,
						 uint64_t loc, bool exact)
{
	struct asked a = asked_begin(self, f, QUERY_RESOLVE, loc, exact);
	const struct resolver *files = &a.recall->files;

	if (asked_is_known(&a)) {
		asked_note_location(&a);
		return a.answer.location;
	}
	a.answer.location = files->resolve(files->self, f, loc, exact);
	asked_keep(&a);
	return a.answer.location;
}

static const char *recall_string(struct asked *a, const struct prof_file *f,
				 const char *(*get)(void *, const struct prof_file *, uint64_t))
{
	const char *s;

	if (asked_is_known(a))
		return asked_text(a, 0);
	s = get(a->recall->files.self, f, a->answer.question.loc);
	a->answer.numbers[0] = asked_number(a, s);
	asked_keep(a);
	return s;
}

static const char *recall_object(void *self, const struct prof_file *f, uint64_t loc)
{
	struct asked a = asked_begin(self, f, QUERY_OBJECT, loc, false);

	return recall_string(&a, f, a.recall->files.object);
}

static const char *recall_critical(void *self, const struct prof_file *f, uint64_t loc)
{
	struct asked a = asked_begin(self, f, QUERY_CRITICAL, loc, false);

	return recall_string(&a, f, a.recall->files.critical);
}

static enum barrier_kind recall_barrier(void *self, const struct prof_file *f, uint64_t loc)
{
	struct asked a = asked_begin(self, f, QUERY_BARRIER, loc, false);
	const struct resolver *files = &a.recall->files;

	if (!asked_is_known(&a)) {
		a.answer.numbers[0] = files->barrier(files->self, f, loc);
		asked_keep(&a);
	}
	return (enum barrier_kind)a.answer.numbers[0];
}

static enum barrier_kind recall_gnu_barrier(void *self, const struct prof_file *f, uint64_t loc,
					    enum construct_kind *ends, uint64_t *begin)
{
	struct asked a = asked_begin(self, f, QUERY_GNU_BARRIER, loc, false);
	const struct resolver *files = &a.recall->files;
	uint64_t *n = a.answer.numbers;

	if (!asked_is_known(&a)) {
		n[0] = files->gnu_barrier(files->self, f, loc, ends, begin);
		n[1] = *ends;
		n[2] = *begin;
		asked_keep(&a);
	}
	*ends = (enum construct_kind)n[1];
	*begin = n[2];
	return (enum barrier_kind)n[0];
}

static bool recall_loop(void *self, const struct prof_file *f, uint64_t loc, bool exact,
			uint64_t *at)
{
	struct asked a = asked_begin(self, f, QUERY_LOOP, loc, exact);
	const struct resolver *files = &a.recall->files;
	uint64_t *n = a.answer.numbers;

	if (!asked_is_known(&a)) {
		n[1] = loc;
		n[0] = files->loop(files->self, f, loc, exact, &n[1]);
		asked_keep(&a);
	}
	if (n[0])
		*at = n[1];
	return n[0];
}

static bool recall_loop_lines(void *self, const struct prof_file *f, uint64_t at, const char **file,
			      unsigned *line, unsigned *last)
{
	struct asked a = asked_begin(self, f, QUERY_LOOP_LINES, at, true);
	const struct resolver *files = &a.recall->files;
	uint64_t *n = a.answer.numbers;
	const char *path = NULL;
	unsigned first = 0, end = 0;

	if (asked_is_known(&a)) {
		path = asked_text(&a, 1);
	} else {
		n[0] = files->loop_lines(files->self, f, at, &path, &first, &end);
		n[1] = asked_number(&a, n[0] ? path : NULL);
		n[2] = first;
		n[3] = end;
		asked_keep(&a);
	}
	if (n[0]) {
		*file = path;
		*line = (unsigned)n[2];
		*last = (unsigned)n[3];
	}
	return n[0];
}

static bool recall_single(void *self, const struct prof_file *f, uint64_t loc, bool exact,
			  uint64_t *begin, enum single_end *end)
{
	struct asked a = asked_begin(self, f, QUERY_SINGLE, loc, exact);
	const struct resolver *files = &a.recall->files;
	enum single_end told = SINGLE_END_UNKNOWN;
	uint64_t *n = a.answer.numbers;

	if (!asked_is_known(&a)) {
		n[1] = loc;
		n[0] = files->single(files->self, f, loc, exact, &n[1], &told);
		n[2] = told;
		asked_keep(&a);
	}
	if (n[0]) {
		*begin = n[1];
		*end = (enum single_end)n[2];
	}
	return n[0];
}

static enum construct_kind recall_construct(void *self, const struct prof_file *f, uint64_t loc)
{
	struct asked a = asked_begin(self, f, QUERY_CONSTRUCT, loc, false);
	const struct resolver *files = &a.recall->files;

	if (!asked_is_known(&a)) {
		a.answer.numbers[0] = files->construct(files->self, f, loc);
		asked_keep(&a);
	}
	return (enum construct_kind)a.answer.numbers[0];
}

static unsigned recall_sections(void *self, const struct prof_file *f, uint64_t loc)
{
	struct asked a = asked_begin(self, f, QUERY_SECTIONS, loc, false);
	const struct resolver *files = &a.recall->files;

	if (!asked_is_known(&a)) {
		a.answer.numbers[0] = files->sections(files->self, f, loc);
		asked_keep(&a);
	}
	return (unsigned)a.answer.numbers[0];
}

/* The beginning may be found without lines. */
static bool recall_span(void *self, const struct prof_file *f, uint64_t loc, uint64_t *begin,
			unsigned *first, unsigned *last)
{
	struct asked a = asked_begin(self, f, QUERY_SPAN, loc, false);
	const struct resolver *files = &a.recall->files;
	uint64_t *n = a.answer.numbers;
	unsigned from = 0, to = 0;

	if (!asked_is_known(&a)) {
		n[1] = loc;
		n[0] = files->span(files->self, f, loc, &n[1], &from, &to);
		n[2] = from;
		n[3] = to;
		asked_keep(&a);
	}
	*begin = n[1];
	*first = (unsigned)n[2];
	*last = (unsigned)n[3];
	return n[0];
}

static bool recall_tail(void *self, const struct prof_file *f, uint64_t loc, uint64_t *at,
			enum construct_kind *kind)
{
	struct asked a = asked_begin(self, f, QUERY_TAIL, loc, false);
	const struct resolver *files = &a.recall->files;
	enum construct_kind found = CONSTRUCT_UNKNOWN;
	uint64_t *n = a.answer.numbers;

	if (!asked_is_known(&a)) {
		n[1] = loc;
		n[0] = files->tail(files->self, f, loc, &n[1], &found);
		n[2] = found;
		asked_keep(&a);
	}
	if (n[0]) {
		*at = n[1];
		*kind = (enum construct_kind)n[2];
	}
	return n[0];
}

static enum callsite_way recall_way(void *self, const struct prof_file *f, uint64_t loc)
{
	struct asked a = asked_begin(self, f, QUERY_WAY, loc, false);
	const struct resolver *files = &a.recall->files;

	if (!asked_is_known(&a)) {
		a.answer.numbers[0] = files->way(files->self, f, loc);
		asked_keep(&a);
	}
	return (enum callsite_way)a.answer.numbers[0];
}

static bool recall_body(void *self, const struct prof_file *f, uint64_t loc, bool exact,
			const char *callee, struct callsite_body *body)
{
	struct asked a = asked_begin(self, f, QUERY_BODY, loc, exact);
	const struct resolver *files = &a.recall->files;
	struct callsite_body found = { 0 };
	uint64_t *n = a.answer.numbers;

	if (a.file)
		a.answer.question.callee = (uint32_t)answers_string(&a.file->answers, callee);
	if (!asked_is_known(&a)) {
		n[0] = files->body(files->self, f, loc, exact, callee, &found);
		n[1] = found.entry;
		n[2] = found.at;
		n[3] = found.end;
		asked_keep(&a);
	}
	if (n[0])
		*body = (struct callsite_body){ .entry = n[1], .at = n[2], .end = n[3] };
	return n[0];
}

static bool recall_called(void *self, const struct prof_file *f, uint64_t loc, bool exact,
			  char *name, size_t bytes)
{
	struct asked a = asked_begin(self, f, QUERY_CALLED, loc, exact);
	const struct resolver *files = &a.recall->files;
	uint64_t *n = a.answer.numbers;
	const char *s;

	if (!asked_is_known(&a)) {
		n[0] = files->called(files->self, f, loc, exact, name, bytes);
		n[1] = asked_number(&a, n[0] ? name : NULL);
		asked_keep(&a);
		return n[0];
	}
	s = asked_text(&a, 1);
	if (!n[0] || !s || strlen(s) >= bytes)
		return false;
	memcpy(name, s, strlen(s) + 1);
	return true;
}

static bool recall_begin(void *self, const struct prof_file *f, uint64_t loc, uint64_t *begin)
{
	struct asked a = asked_begin(self, f, QUERY_BEGIN, loc, false);
	const struct resolver *files = &a.recall->files;
	uint64_t *n = a.answer.numbers;

	if (!asked_is_known(&a)) {
		n[1] = loc;
		n[0] = files->begin(files->self, f, loc, &n[1]);
		asked_keep(&a);
	}
	if (n[0])
		*begin = n[1];
	return n[0];
}

static bool recall_start(void *self, const struct prof_file *f, uint64_t loc, uint64_t *start)
{
	struct asked a = asked_begin(self, f, QUERY_START, loc, true);
	const struct resolver *files = &a.recall->files;
	uint64_t *n = a.answer.numbers;

	if (!asked_is_known(&a)) {
		n[1] = loc;
		n[0] = files->start(files->self, f, loc, &n[1]);
		asked_keep(&a);
	}
	if (n[0])
		*start = n[1];
	return n[0];
}

static bool recall_entry(void *self, const struct prof_file *f, uint64_t loc, bool exact,
			 uint64_t *entry)
{
	struct asked a = asked_begin(self, f, QUERY_ENTRY, loc, exact);
	const struct resolver *files = &a.recall->files;
	uint64_t *n = a.answer.numbers;

	if (!asked_is_known(&a)) {
		n[1] = loc;
		n[0] = files->entry(files->self, f, loc, exact, &n[1]);
		asked_keep(&a);
	}
	if (n[0])
		*entry = n[1];
	return n[0];
}

static const char *recall_place(void *self, const struct prof_file *f, uint64_t loc, bool exact)
{
	struct asked a = asked_begin(self, f, QUERY_PLACE, loc, exact);
	const struct resolver *files = &a.recall->files;
	const char *s;

	if (asked_is_known(&a))
		return asked_text(&a, 0);
	s = files->place(files->self, f, loc, exact);
	a.answer.numbers[0] = asked_number(&a, s);
	asked_keep(&a);
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
		.single = recall_single,
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
