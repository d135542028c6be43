/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * answers_unpack.c - reads answers from a profile, without trusting it.
 *
 * Each list's length is at most the number of bytes that are left, since each element has a
 * byte at least.
 */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "src/answers/answers.h"
#include "src/answers/questions.h"
#include "src/base/pack.h"
#include "src/symbols/symbols.h"

enum { SHARED_MAX = 255 };

struct unpacker {
	struct answers *answers;
	struct unpack in;
	const char **strings;
	size_t nstrings;
	struct sym_function *functions;
	size_t nfunctions;
};

static uint64_t get_number(struct unpacker *u, uint64_t max)
{
	return unpack_up_to(&u->in, max);
}

static size_t answers_unpack_get_count(struct unpacker *u)
{
	return (size_t)get_number(u, (uint64_t)(u->in.end - u->in.at));
}

static uint64_t get_distance(struct unpacker *u, uint64_t from)
{
	const uint64_t d = get_number(u, UINT64_MAX);

	return from + (d >> 1 ^ (d & 1 ? UINT64_MAX : 0));
}

static const char *get_string(struct unpacker *u)
{
	const uint64_t number = get_number(u, u->nstrings);

	return number ? u->strings[number - 1] : NULL;
}

/* ---- strings, functions ---------------------------------------------- */

static const char *get_new_string(struct unpacker *u, const char *before)
{
	const size_t shared = (size_t)get_number(u, SHARED_MAX);
	size_t n;
	const unsigned char *rest = unpack_text(&u->in, &n);
	char *s;

	if (!rest || shared > strlen(before) || memchr(rest, '\0', n)) {
		u->in.damaged = true;
		return NULL;
	}
	s = arena_alloc(&u->answers->arena, shared + n + 1);
	memcpy(s, before, shared);
	memcpy(s + shared, rest, n);
	return s;
}

static void get_functions(struct unpacker *u)
{
	const size_t count = answers_unpack_get_count(u);

	u->functions = arena_alloc(&u->answers->arena, (count + 1) * sizeof(*u->functions));
	while (u->nfunctions < count && !u->in.damaged) {
		struct sym_function *f = &u->functions[u->nfunctions++];
		const struct question q = { .query = QUERY_EXTENT, .function = f };
		struct answer extent = ask_nobody(&q);
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
		extent.known = flags >> 4 & 1;
		if (extent.known) {
			extent.first = (unsigned)get_number(u, UINT_MAX);
			extent.last = (unsigned)get_number(u, UINT_MAX);
		}
		if (!f->name || !f->module || extent.first > extent.last)
			u->in.damaged = true;
		answers_set(u->answers, &q, &extent);
	}
}

/* ---- answers --------------------------------------------------------- */

static const struct sym_location *get_location(struct unpacker *u)
{
	const size_t count = (size_t)get_number(u, ANSWER_FRAMES_MAX);
	struct sym_location *l = arena_alloc(&u->answers->arena, sizeof(*l));
	struct sym_frame *frames = arena_alloc(&u->answers->arena, (count + 1) * sizeof(*frames));

	*l = (struct sym_location){ frames, count };
	if (!count)
		u->in.damaged = true;
	for (size_t i = 0; i < count && !u->in.damaged; i++) {
		const uint64_t number = get_number(u, UINT64_MAX);

		if (number >> 1 >= u->nfunctions) {
			u->in.damaged = true;
			break;
		}
		frames[i].function = &u->functions[number >> 1];
		frames[i].file = number & 1 ? frames[i].function->file : get_string(u);
		frames[i].line = (unsigned)get_number(u, UINT_MAX);
		frames[i].inlined = i + 1 < count;
	}
	return l;
}

static void get_member(struct unpacker *u, char member, uint64_t loc, struct answer *a)
{
	switch (member) {
	case 'b': a->known = get_number(u, 1); break;
	case 'c': a->construct = (enum construct_kind)get_number(u, CONSTRUCT_KINDS - 1); break;
	case 'r': a->barrier = (enum barrier_kind)get_number(u, BARRIER_EXPLICIT); break;
	case 'e': a->single = (enum single_end)get_number(u, SINGLE_END_VAGUE); break;
	case 'w': a->way = (enum callsite_way)get_number(u, CALLSITE_POINTER); break;
	case 'n': a->count = (unsigned)get_number(u, UINT_MAX); break;
	case 'f': a->first = (unsigned)get_number(u, UINT_MAX); break;
	case 'l': a->last = (unsigned)get_number(u, UINT_MAX); break;
	case '@': a->at = get_distance(u, loc); break;
	case '<': a->entry = get_distance(u, loc); break;
	case '>': a->end = get_distance(u, loc); break;
	case 't': a->text = get_string(u); break;
	case 'R': a->location = get_location(u); break;
	}
}

/* Those of the first queries. */
static void get_answers(struct unpacker *u, unsigned queries)
{
	for (unsigned group = 0; group < queries * 2; group++) {
		const struct question_row *row = &question_rows[group / 2];
		struct question q = { .query = (enum query)(group / 2), .exact = group % 2 };

		for (size_t n = answers_unpack_get_count(u); n > 0 && !u->in.damaged; n--) {
			struct answer a;

			q.loc += get_number(u, UINT64_MAX);
			q.callee = row->callee ? get_string(u) : NULL;
			a = ask_nobody(&q);
			for (const char *member = row->shape; *member; member++)
				get_member(u, *member, q.loc, &a);
			if (!u->in.damaged)
				answers_set(u->answers, &q, &a);
		}
	}
}

static void get_troubles(struct unpacker *u)
{
	for (size_t n = answers_unpack_get_count(u); n > 0 && !u->in.damaged; n--) {
		const uint32_t module = (uint32_t)get_number(u, UINT32_MAX);
		const char *why = get_string(u);

		if (!why)
			u->in.damaged = true;
		else
			answers_set_trouble(u->answers, module, why);
	}
}

int answers_unpack(struct answers *a, const unsigned char *bytes, size_t n)
{
	struct unpacker u = { .answers = a, .in = { .at = bytes, .end = bytes + n } };
	uint64_t queries;
	const size_t count = answers_unpack_get_count(&u);
	const char *before = "";

	u.strings = arena_alloc(&a->arena, (count + 1) * sizeof(*u.strings));
	while (u.nstrings < count && !u.in.damaged)
		before = u.strings[u.nstrings++] = get_new_string(&u, before);
	get_functions(&u);
	get_troubles(&u);
	/* Of a later version's, only what is known here. */
	queries = get_number(&u, UINT8_MAX);
	get_answers(&u, (unsigned)(queries < QUERIES_STORED ? queries : QUERIES_STORED));
	return u.in.damaged ? -EINVAL : 0;
}
