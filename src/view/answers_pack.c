/*
 * answers_pack.c - writes answers into a profile.
 *
 * All numbers are LEB128.  A string is written once, and its beginning is that of the string
 * before in the sorted table; an answer's location is the distance from the answer before.
 * doc/profile-format.md has the layout.  It is written twice: the first time collects the
 * strings and functions.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/grow.h"
#include "src/symbols/symbols.h"
#include "src/view/answers.h"

enum { SHARED_MAX = 255 };

struct packer {
	const struct answers *answers;
	const struct answer **sorted;
	struct interner strings;
	uint32_t *rank;	      /* by number in strings; NULL while they are collected */
	struct map functions; /* numbers */
	const struct sym_function **order;
	size_t norder, order_room;
	unsigned char *bytes;
	size_t n, room;
	int err;
};

/* ---- numbers, strings ------------------------------------------------ */

static void put_byte(struct packer *p, unsigned byte)
{
	unsigned char *room = p->err ? NULL : grow(p->bytes, p->n, &p->room, 1);

	if (!room) {
		p->err = -ENOMEM;
		return;
	}
	p->bytes = room;
	p->bytes[p->n++] = (unsigned char)byte;
}

static void put_number(struct packer *p, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		put_byte(p, (v & 0x7f) | 0x80);
	put_byte(p, (unsigned)v);
}

/* The distance in either direction. */
static void put_distance(struct packer *p, uint64_t to, uint64_t from)
{
	const uint64_t d = to - from;

	put_number(p, d << 1 ^ (d >> 63 ? UINT64_MAX : 0));
}

static void put_string(struct packer *p, const char *s)
{
	uint32_t number = 0;

	if (!s) {
		put_number(p, 0);
		return;
	}
	if (interner_number(&p->strings, s, SIZE_MAX, &number))
		p->err = -ENOMEM;
	put_number(p, p->rank && !p->err ? p->rank[number] + UINT64_C(1) : 0);
}

static int compare_strings(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void put_table(struct packer *p, const char **sorted)
{
	const char *before = "";

	put_number(p, p->strings.count);
	for (size_t i = 0; i < p->strings.count; i++) {
		size_t shared = 0, n = strlen(sorted[i]);

		while (shared < SHARED_MAX && shared < n && sorted[i][shared] == before[shared])
			shared++;
		put_number(p, shared);
		put_number(p, n - shared);
		for (size_t c = shared; c < n; c++)
			put_byte(p, (unsigned char)sorted[i][c]);
		before = sorted[i];
	}
}

/* Sorts the strings that were collected, and writes them. */
static void put_strings(struct packer *p)
{
	const size_t count = p->strings.count;
	const char **sorted = calloc(count + 1, sizeof(*sorted));
	uint32_t number;

	p->rank = calloc(count + 1, sizeof(*p->rank));
	if (!sorted || !p->rank) {
		p->err = -ENOMEM;
		free(sorted);
		return;
	}
	if (count) {
		memcpy(sorted, p->strings.strings, count * sizeof(*sorted));
		qsort(sorted, count, sizeof(*sorted), compare_strings);
	}
	for (size_t i = 0; i < count; i++)
		if (!interner_number(&p->strings, sorted[i], SIZE_MAX, &number))
			p->rank[number] = (uint32_t)i;
	put_table(p, sorted);
	free(sorted);
}

/* ---- functions ------------------------------------------------------- */

static uint32_t function_number(struct packer *p, const struct sym_function *f)
{
	const struct sym_function **room = grow(p->order, p->norder, &p->order_room, sizeof(*room));
	uint32_t number = 0;
	int added = -ENOMEM;

	if (room) {
		p->order = room;
		added = map_add(&p->functions, (uintptr_t)f, 0, (uint32_t)p->norder, &number);
	}
	if (added < 0)
		p->err = added;
	else if (added)
		p->order[p->norder++] = f;
	return number;
}

static void put_function(struct packer *p, const struct sym_function *f)
{
	const struct answers_extent *e = answers_extent_of(p->answers, f);

	put_string(p, f->name);
	put_string(p, f->linkage);
	put_string(p, f->module);
	put_string(p, f->file);
	put_string(p, f->origin);
	put_number(p, f->line);
	put_number(p, (unsigned)f->outlined | (unsigned)f->inner << 2 |
			      (unsigned)f->directive << 3 | (e && e->known ? 1u : 0u) << 4);
	if (e && e->known) {
		put_number(p, e->first);
		put_number(p, e->last);
	}
}

static void put_functions(struct packer *p)
{
	put_number(p, p->norder);
	for (size_t i = 0; i < p->norder; i++)
		put_function(p, p->order[i]);
}

/* ---- answers --------------------------------------------------------- */

static void put_location(struct packer *p, const struct sym_location *l)
{
	put_number(p, l->nframes);
	for (size_t i = 0; i < l->nframes; i++) {
		const struct sym_frame *f = &l->frames[i];
		const char *own = f->function->file;
		const bool same = f->file == own || (f->file && own && !strcmp(f->file, own));

		put_number(p, (uint64_t)function_number(p, f->function) << 1 | same);
		if (!same)
			put_string(p, f->file);
		put_number(p, f->line);
	}
}

static void put_answer(struct packer *p, const struct answer *a, uint64_t before)
{
	const enum query query = (enum query)a->question.query;
	const char *shape = answers_shape(query);

	put_number(p, a->question.loc - before);
	if (answers_has_callee(query))
		put_string(p, answers_text(p->answers, a->question.callee));
	if (query == QUERY_RESOLVE)
		put_location(p, a->location);
	for (size_t i = 0; shape[i]; i++) {
		if (shape[i] == 's')
			put_string(p, answers_text(p->answers, a->numbers[i]));
		else if (shape[i] == 'l')
			put_distance(p, a->numbers[i], a->question.loc);
		else
			put_number(p, a->numbers[i]);
	}
}

/* Answers to the same query are together, those for exact locations behind the others. */
static unsigned group_of(const struct answer *a)
{
	return a->question.query * 2u + a->question.exact;
}

/* Those of all queries from first to last - 1; *at: the first that is not put yet. */
static void put_answers(struct packer *p, unsigned first, unsigned last, size_t *at)
{
	const size_t n = p->answers->n;
	size_t begin = *at, end;

	for (unsigned group = first * 2; group < last * 2; group++, begin = *at = end) {
		for (end = begin; end < n && group_of(p->sorted[end]) == group;)
			end++;
		put_number(p, end - begin);
		for (size_t i = begin; i < end; i++)
			put_answer(p, p->sorted[i], i > begin ? p->sorted[i - 1]->question.loc : 0);
	}
}

static void put_troubles(struct packer *p)
{
	const struct answers *a = p->answers;

	put_number(p, a->ntroubles);
	for (size_t i = 0; i < a->ntroubles; i++) {
		put_number(p, a->troubles[i].module);
		put_string(p, a->troubles[i].why);
	}
}

static void put_all(struct packer *p)
{
	size_t at = 0;

	put_functions(p);
	put_answers(p, 0, QUERIES_FIRST, &at);
	put_troubles(p);
	put_number(p, QUERIES - QUERIES_FIRST);
	put_answers(p, QUERIES_FIRST, QUERIES, &at);
}

static int compare_answers(const void *a, const void *b, void *arg)
{
	const struct answers *all = arg;
	const struct answer *x = *(const struct answer *const *)a;
	const struct answer *y = *(const struct answer *const *)b;

	if (group_of(x) != group_of(y))
		return group_of(x) < group_of(y) ? -1 : 1;
	if (x->question.loc != y->question.loc)
		return x->question.loc < y->question.loc ? -1 : 1;
	if (x->question.callee == y->question.callee)
		return 0;
	return strcmp(answers_text(all, x->question.callee), answers_text(all, y->question.callee));
}

static void sort_answers(struct packer *p)
{
	p->sorted = calloc(p->answers->n + 1, sizeof(*p->sorted));
	if (!p->sorted) {
		p->err = -ENOMEM;
		return;
	}
	for (size_t i = 0; i < p->answers->n; i++)
		p->sorted[i] = &p->answers->all[i];
	qsort_r(p->sorted, p->answers->n, sizeof(*p->sorted), compare_answers,
		(void *)(uintptr_t)p->answers);
}

int answers_pack(const struct answers *a, unsigned char **bytes, size_t *n)
{
	struct packer p = { .answers = a, .err = a->failed ? -ENOMEM : 0 };
	size_t at = 0;

	sort_answers(&p);
	if (!p.err) {
		put_answers(&p, 0, QUERIES, &at); /* finds the functions */
		put_all(&p);
	}
	p.n = 0;
	if (!p.err)
		put_strings(&p);
	if (!p.err)
		put_all(&p);
	interner_free(&p.strings);
	map_free(&p.functions);
	free(p.order);
	free(p.rank);
	free(p.sorted);
	if (p.err)
		free(p.bytes);
	*bytes = p.err ? NULL : p.bytes;
	*n = p.err ? 0 : p.n;
	return p.err;
}
