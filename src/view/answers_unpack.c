/*
 * answers_unpack.c - reads answers from a profile, without trusting it.
 *
 * Each list's length is at most the number of bytes that are left, since each element has a
 * byte at least.
 */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "src/code/callsite_code.h"
#include "src/model/construct_kind.h"
#include "src/symbols/symbols.h"
#include "src/view/answers.h"

enum { SHARED_MAX = 255 };

struct unpacker {
	struct answers *answers;
	const unsigned char *at, *end;
	const char **strings;
	size_t nstrings;
	struct sym_function *functions;
	size_t nfunctions;
	int err;
};

/* ---- numbers, strings ------------------------------------------------ */

static uint64_t damaged(struct unpacker *u)
{
	if (!u->err)
		u->err = -EINVAL;
	return 0;
}

/* A number of at most max. */
static uint64_t get_number(struct unpacker *u, uint64_t max)
{
	uint64_t v = 0;
	unsigned shift = 0;

	while (!u->err) {
		uint64_t byte;

		if (u->at == u->end || shift > 63)
			return damaged(u);
		byte = *u->at++;
		v |= (byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return v > max ? damaged(u) : v;
		shift += 7;
	}
	return 0;
}

static size_t get_count(struct unpacker *u)
{
	return (size_t)get_number(u, (uint64_t)(u->end - u->at));
}

static uint64_t get_distance(struct unpacker *u, uint64_t from)
{
	const uint64_t d = get_number(u, UINT64_MAX);

	return from + (d >> 1 ^ (d & 1 ? UINT64_MAX : 0));
}

/* Memory for n elements; NULL after an error. */
static void *get_room(struct unpacker *u, size_t n, size_t bytes)
{
	void *room = u->err ? NULL : arena_alloc(&u->answers->arena, (n + 1) * bytes);

	if (!room && !u->err)
		u->err = -ENOMEM;
	return room;
}

static const char *get_string(struct unpacker *u)
{
	const uint64_t number = get_number(u, u->nstrings);

	return number && !u->err ? u->strings[number - 1] : NULL;
}

static const char *get_new_string(struct unpacker *u, const char *before)
{
	const size_t shared = (size_t)get_number(u, SHARED_MAX), n = get_count(u);
	char *s;

	if (shared > strlen(before))
		damaged(u);
	s = get_room(u, shared + n, 1);
	if (!s || (size_t)(u->end - u->at) < n || memchr(u->at, '\0', n)) {
		damaged(u);
		return NULL;
	}
	memcpy(s, before, shared);
	memcpy(s + shared, u->at, n);
	u->at += n;
	return s;
}

static void get_strings(struct unpacker *u)
{
	const size_t count = get_count(u);
	const char *before = "";

	u->strings = get_room(u, count, sizeof(*u->strings));
	for (; u->nstrings < count && !u->err; u->nstrings++)
		before = u->strings[u->nstrings] = get_new_string(u, before);
}

/* ---- functions ------------------------------------------------------- */

static void get_extent(struct unpacker *u, const struct sym_function *f, bool known)
{
	struct answers_extent e = { .function = f, .known = known };

	if (known) {
		e.first = (unsigned)get_number(u, UINT_MAX);
		e.last = (unsigned)get_number(u, UINT_MAX);
	}
	if (e.first > e.last)
		damaged(u);
	if (!u->err)
		u->err = answers_set_extent(u->answers, &e);
}

static void get_function(struct unpacker *u, struct sym_function *f)
{
	unsigned flags;

	f->name = get_string(u);
	f->linkage = get_string(u);
	f->module = get_string(u);
	f->file = get_string(u);
	f->origin = get_string(u);
	f->line = (unsigned)get_number(u, UINT_MAX);
	flags = (unsigned)get_number(u, (1 << 5) - 1);
	f->outlined = (enum sym_outlined)(flags & 3);
	f->inner = flags >> 2 & 1;
	f->directive = flags >> 3 & 1;
	if (!f->name || !f->module)
		damaged(u);
	get_extent(u, f, flags >> 4 & 1);
}

static void get_functions(struct unpacker *u)
{
	const size_t count = get_count(u);

	u->functions = get_room(u, count, sizeof(*u->functions));
	for (; u->nfunctions < count && !u->err; u->nfunctions++)
		get_function(u, &u->functions[u->nfunctions]);
}

/* ---- answers --------------------------------------------------------- */

static void get_frame(struct unpacker *u, struct sym_frame *f)
{
	const uint64_t number = get_number(u, UINT64_MAX);

	if (number >> 1 >= u->nfunctions)
		damaged(u);
	if (u->err)
		return;
	f->function = &u->functions[number >> 1];
	f->file = number & 1 ? f->function->file : get_string(u);
	f->line = (unsigned)get_number(u, UINT_MAX);
}

static const struct sym_location *get_location(struct unpacker *u)
{
	const size_t count = (size_t)get_number(u, ANSWER_FRAMES_MAX);
	struct sym_location *l = get_room(u, 1, sizeof(*l));
	struct sym_frame *frames = get_room(u, count, sizeof(*frames));

	if (!count)
		damaged(u);
	for (size_t i = 0; i < count && !u->err; i++) {
		get_frame(u, &frames[i]);
		frames[i].inlined = i + 1 < count;
	}
	if (!u->err)
		*l = (struct sym_location){ frames, count };
	return l;
}

static uint64_t get_field(struct unpacker *u, char shape, uint64_t loc)
{
	switch (shape) {
	case 'b': return get_number(u, 1);
	case 'l': return get_distance(u, loc);
	case 's': return answers_string(u->answers, get_string(u));
	case 'c': return get_number(u, CONSTRUCT_KINDS - 1);
	case 'r': return get_number(u, BARRIER_EXPLICIT);
	case 'e': return get_number(u, SINGLE_END_VAGUE);
	case 'w': return get_number(u, CALLSITE_POINTER);
	}
	return get_number(u, UINT_MAX);
}

static uint64_t get_answer(struct unpacker *u, enum query query, bool exact, uint64_t before)
{
	const char *shape = answers_shape(query);
	struct answer a = { .question = { .query = (uint8_t)query, .exact = exact } };

	a.question.loc = before + get_number(u, UINT64_MAX);
	if (answers_has_callee(query))
		a.question.callee = (uint32_t)answers_string(u->answers, get_string(u));
	if (query == QUERY_RESOLVE)
		a.location = get_location(u);
	for (size_t i = 0; shape[i]; i++)
		a.numbers[i] = get_field(u, shape[i], a.question.loc);
	if (!u->err)
		u->err = answers_set(u->answers, &a);
	return a.question.loc;
}

/* Those of all queries from first to last - 1. */
static void get_answers(struct unpacker *u, unsigned first, unsigned last)
{
	for (unsigned group = first * 2; group < last * 2; group++) {
		const size_t count = get_count(u);
		uint64_t loc = 0;

		for (size_t i = 0; i < count && !u->err; i++)
			loc = get_answer(u, (enum query)(group / 2), group % 2, loc);
	}
}

static void get_troubles(struct unpacker *u)
{
	const size_t count = get_count(u);

	for (size_t i = 0; i < count && !u->err; i++) {
		const uint32_t module = (uint32_t)get_number(u, UINT32_MAX);
		const char *why = get_string(u);

		if (!why)
			damaged(u);
		if (!u->err)
			u->err = answers_set_trouble(u->answers, module, why);
	}
}

/* The answers to queries that older versions do not know. A later version's other ones are
   skipped. */
static void get_further(struct unpacker *u)
{
	const uint64_t known = QUERIES - QUERIES_FIRST;
	const uint64_t n = !u->err && u->at < u->end ? get_number(u, UINT8_MAX) : 0;

	get_answers(u, QUERIES_FIRST, QUERIES_FIRST + (unsigned)(n < known ? n : known));
}

int answers_unpack(struct answers *a, const unsigned char *bytes, size_t n)
{
	struct unpacker u = { .answers = a, .at = bytes, .end = bytes + n };

	get_strings(&u);
	get_functions(&u);
	get_answers(&u, 0, QUERIES_FIRST);
	get_troubles(&u);
	get_further(&u);
	return !u.err && a->failed ? -ENOMEM : u.err;
}
