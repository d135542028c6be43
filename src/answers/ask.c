/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/answers/ask.h"

struct answer ask_nobody(const struct question *q)
{
	struct answer a = { .construct = CONSTRUCT_UNKNOWN };

	if (q->query != QUERY_EXTENT)
		a.at = q->loc;
	return a;
}

struct answer ask_question(const struct resolver *r, const struct question *q)
{
	struct answer a = ask_nobody(q);

	r->answer(r->self, q, &a);
	return a;
}

struct answer ask(const struct resolver *r, const struct prof_file *f, enum query query,
		  uint64_t loc, bool exact)
{
	const struct question q = { .query = query, .exact = exact, .file = f, .loc = loc };

	return ask_question(r, &q);
}

struct answer ask_extent(const struct resolver *r, const struct sym_function *function)
{
	const struct question q = { .query = QUERY_EXTENT, .function = function };

	return ask_question(r, &q);
}
