/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/answers/answers.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/grow.h"

void answers_free(struct answers *a)
{
	free(a->all);
	free(a->troubles);
	map_free(&a->index);
	interner_free(&a->callees);
	arena_free(&a->arena);
	*a = (struct answers){ 0 };
}

/* With loc, what distinguishes one question from others. */
static uint64_t answers_key(struct answers *a, const struct question *q)
{
	const uint64_t callee =
		q->callee ? interner_number(&a->callees, q->callee, SIZE_MAX) + UINT64_C(1) : 0;

	return callee << 32 | (uint64_t)q->exact << 8 | (uint64_t)q->query;
}

const struct answer *answers_find(struct answers *a, const struct question *q)
{
	const uint32_t i = map_get(&a->index, q->loc, answers_key(a, q), UINT32_MAX);

	return i == UINT32_MAX ? NULL : &a->all[i].answer;
}

void answers_set(struct answers *a, const struct question *q, const struct answer *answer)
{
	uint32_t i;

	a->all = grow(a->all, a->n, &a->room, sizeof(*a->all));
	a->n += map_add(&a->index, q->loc, answers_key(a, q), (uint32_t)a->n, &i);
	a->all[i] = (struct answered){ *q, *answer };
	a->all[i].question.file = NULL;
	if (q->callee)
		a->all[i].question.callee = intern(&a->callees, q->callee, SIZE_MAX);
}

/* Where the module is, or would be. */
static size_t answers_module(const struct answers *a, uint32_t module)
{
	size_t at = 0;

	while (at < a->ntroubles && a->troubles[at].module < module)
		at++;
	return at;
}

const char *answers_trouble_of(const struct answers *a, uint32_t module)
{
	const size_t at = answers_module(a, module);

	return at < a->ntroubles && a->troubles[at].module == module ? a->troubles[at].why : NULL;
}

void answers_set_trouble(struct answers *a, uint32_t module, const char *why)
{
	const size_t at = answers_module(a, module);
	const bool had = answers_trouble_of(a, module), has = why;
	struct answers_trouble *t;

	a->troubles = grow(a->troubles, a->ntroubles, &a->troubles_room, sizeof(*t));
	t = &a->troubles[at];
	memmove(t + has, t + had, (a->ntroubles - at - had) * sizeof(*t));
	a->ntroubles = a->ntroubles - had + has;
	if (why)
		*t = (struct answers_trouble){ module, why };
}
