/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * answers_pack.c - writes answers into a profile.
 *
 * doc/profile-format.md has the layout.  A string is written once, and its beginning is that of
 * the string before in the sorted table; an answer's location is the distance from the answer
 * before.  All is written twice: the first time collects the strings and functions.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "src/answers/answers.h"
#include "src/answers/questions.h"
#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/base/pack.h"
#include "src/symbols/symbols.h"

enum { SHARED_MAX = 255 };

struct packer {
	struct answers *answers;
	const struct answered **sorted;
	struct interner strings;
	uint32_t *rank;	      /* by number in strings; NULL while they are collected */
	struct map functions; /* numbers */
	const struct sym_function **order;
	size_t norder, order_room;
	struct pack out;
};

/* ---- strings --------------------------------------------------------- */

static void put_string(struct packer *p, const char *s)
{
	const uint32_t number = s ? interner_number(&p->strings, s, SIZE_MAX) : 0;

	pack_number(&p->out, s && p->rank ? p->rank[number] + UINT64_C(1) : 0);
}

static int compare_strings(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorts the strings that were collected, and writes them. */
static void put_strings(struct packer *p)
{
	const size_t count = p->strings.count;
	const char **sorted = alloc_zeroed(count, sizeof(*sorted)), *before = "";

	p->rank = alloc_zeroed(count, sizeof(*p->rank));
	for (size_t i = 0; i < count; i++)
		sorted[i] = p->strings.strings[i];
	qsort(sorted, count, sizeof(*sorted), compare_strings);
	pack_number(&p->out, count);
	for (size_t i = 0; i < count; before = sorted[i++]) {
		const size_t n = strlen(sorted[i]);
		size_t shared = 0;

		p->rank[interner_number(&p->strings, sorted[i], SIZE_MAX)] = (uint32_t)i;
		while (shared < SHARED_MAX && shared < n && sorted[i][shared] == before[shared])
			shared++;
		pack_number(&p->out, shared);
		pack_text(&p->out, sorted[i] + shared, n - shared);
	}
	free(sorted);
}

/* ---- answers --------------------------------------------------------- */

static void put_location(struct packer *p, const struct sym_location *l)
{
	pack_number(&p->out, l->nframes);
	for (size_t i = 0; i < l->nframes; i++) {
		const struct sym_frame *f = &l->frames[i];
		const char *own = f->function->file;
		const bool same = f->file == own || (f->file && own && !strcmp(f->file, own));
		uint32_t number;

		p->order = grow(p->order, p->norder, &p->order_room, sizeof(*p->order));
		if (map_add(&p->functions, (uintptr_t)f->function, 0, (uint32_t)p->norder, &number))
			p->order[p->norder++] = f->function;
		pack_number(&p->out, (uint64_t)number << 1 | same);
		if (!same)
			put_string(p, f->file);
		pack_number(&p->out, f->line);
	}
}

/* The distance in either direction. */
static void put_distance(struct packer *p, uint64_t to, uint64_t from)
{
	const uint64_t d = to - from;

	pack_number(&p->out, d << 1 ^ (d >> 63 ? UINT64_MAX : 0));
}

/* Answers to the same query are together, those for exact locations behind the others. */
static unsigned group_of(const struct answered *x)
{
	return (unsigned)x->question.query * 2 + x->question.exact;
}

/* By query, see group_of(). */
static void put_answers(struct packer *p)
{
	size_t at = 0;

	for (unsigned group = 0; group < QUERIES_STORED * 2; group++) {
		const struct question_row *row = &question_rows[group / 2];
		uint64_t before = 0;
		size_t end = at;

		while (end < p->answers->n && group_of(p->sorted[end]) == group)
			end++;
		pack_number(&p->out, end - at);
		for (; at < end; before = p->sorted[at++]->question.loc) {
			const struct answered *x = p->sorted[at];

			pack_number(&p->out, x->question.loc - before);
			if (row->callee)
				put_string(p, x->question.callee);
			for (const char *member = row->shape; *member; member++) {
				const struct answer *a = &x->answer;
				const uint64_t loc = x->question.loc;

				switch ((*member)) {
				case 'b': pack_number(&p->out, a->known); break;
				case 'c': pack_number(&p->out, (uint64_t)a->construct); break;
				case 'r': pack_number(&p->out, (uint64_t)a->barrier); break;
				case 'e': pack_number(&p->out, (uint64_t)a->single); break;
				case 'w': pack_number(&p->out, (uint64_t)a->way); break;
				case 'n': pack_number(&p->out, a->count); break;
				case 'f': pack_number(&p->out, a->first); break;
				case 'l': pack_number(&p->out, a->last); break;
				case '@': put_distance(p, a->at, loc); break;
				case '<': put_distance(p, a->entry, loc); break;
				case '>': put_distance(p, a->end, loc); break;
				case 't': put_string(p, a->text); break;
				case 'R': put_location(p, a->location); break;
				}
			}
		}
	}
}

static void put_all(struct packer *p)
{
	const struct answers *a = p->answers;

	pack_number(&p->out, p->norder);
	for (size_t i = 0; i < p->norder; i++) {
		const struct sym_function *f = p->order[i];
		const struct question q = { .query = QUERY_EXTENT, .function = f };
		const struct answer *extent = answers_find(p->answers, &q);
		const bool known = extent && extent->known;

		put_string(p, f->name);
		put_string(p, f->linkage);
		put_string(p, f->module);
		put_string(p, f->file);
		put_string(p, f->origin);
		pack_number(&p->out, f->line);
		pack_number(&p->out, (unsigned)f->outlined | (unsigned)f->inner << 2 |
					     (unsigned)f->directive << 3 | (unsigned)known << 4);
		if (known) {
			pack_number(&p->out, extent->first);
			pack_number(&p->out, extent->last);
		}
	}
	pack_number(&p->out, a->ntroubles);
	for (size_t i = 0; i < a->ntroubles; i++) {
		pack_number(&p->out, a->troubles[i].module);
		put_string(p, a->troubles[i].why);
	}
	pack_number(&p->out, QUERIES_STORED);
	put_answers(p);
}

/* What is no answer about a location comes last. */
static int compare_answers(const void *a, const void *b)
{
	const struct answered *x = *(const struct answered *const *)a;
	const struct answered *y = *(const struct answered *const *)b;

	if (group_of(x) != group_of(y))
		return group_of(x) < group_of(y) ? -1 : 1;
	if (x->question.loc != y->question.loc)
		return x->question.loc < y->question.loc ? -1 : 1;
	return x->question.callee && y->question.callee ?
		       strcmp(x->question.callee, y->question.callee) :
		       !x->question.callee - !y->question.callee;
}

void answers_pack(struct answers *a, unsigned char **bytes, size_t *n)
{
	struct packer p = { .answers = a };

	p.sorted = alloc_zeroed(a->n, sizeof(*p.sorted));
	for (size_t i = 0; i < a->n; i++)
		p.sorted[i] = &a->all[i];
	qsort(p.sorted, a->n, sizeof(*p.sorted), compare_answers);
	put_answers(&p); /* finds the functions */
	put_all(&p);
	p.out.n = 0;
	put_strings(&p);
	put_all(&p);
	*bytes = p.out.bytes;
	*n = p.out.n;
	interner_free(&p.strings);
	map_free(&p.functions);
	free(p.order);
	free(p.rank);
	free(p.sorted);
}
