#include "config.h"

#include "src/view/answers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/grow.h"

static const char *const shapes[QUERIES] = {
	[QUERY_RESOLVE] = "",	     [QUERY_OBJECT] = "s",    [QUERY_BARRIER] = "r",
	[QUERY_GNU_BARRIER] = "rcl", [QUERY_LOOP] = "bl",     [QUERY_LOOP_LINES] = "bsnn",
	[QUERY_CRITICAL] = "s",	     [QUERY_CONSTRUCT] = "c", [QUERY_SECTIONS] = "n",
	[QUERY_SPAN] = "blnn",	     [QUERY_TAIL] = "blc",    [QUERY_WAY] = "w",
	[QUERY_BODY] = "blll",	     [QUERY_CALLED] = "bs",   [QUERY_BEGIN] = "bl",
	[QUERY_ENTRY] = "bl",	     [QUERY_PLACE] = "s",     [QUERY_START] = "bl",
	[QUERY_SINGLE] = "ble",
};

const char *answers_shape(enum query query)
{
	return shapes[query];
}

bool answers_has_callee(enum query query)
{
	return query == QUERY_BODY;
}

void answers_free(struct answers *a)
{
	free(a->all);
	free(a->extents);
	free(a->troubles);
	map_free(&a->index);
	map_free(&a->by_function);
	interner_free(&a->strings);
	arena_free(&a->arena);
	*a = (struct answers){ 0 };
}

static int failed(struct answers *a)
{
	a->failed = true;
	return -ENOMEM;
}

uint64_t answers_string(struct answers *a, const char *s)
{
	uint32_t number;

	if (!s)
		return 0;
	if (interner_number(&a->strings, s, SIZE_MAX, &number)) {
		failed(a);
		return 0;
	}
	return number + UINT64_C(1);
}

const char *answers_text(const struct answers *a, uint64_t number)
{
	return number ? a->strings.strings[number - 1] : NULL;
}

static uint64_t second_key(const struct question *q)
{
	return (uint64_t)q->callee << 32 | (uint64_t)q->exact << 8 | q->query;
}

const struct answer *answers_find(const struct answers *a, const struct question *q)
{
	const uint32_t i = map_get(&a->index, q->loc, second_key(q), UINT32_MAX);

	return i == UINT32_MAX ? NULL : &a->all[i];
}

int answers_set(struct answers *a, const struct answer *answer)
{
	struct answer *room = grow(a->all, a->n, &a->room, sizeof(*room));
	const struct question *q = &answer->question;
	uint32_t i;
	int added;

	if (!room)
		return failed(a);
	a->all = room;
	added = map_add(&a->index, q->loc, second_key(q), (uint32_t)a->n, &i);
	if (added < 0)
		return failed(a);
	a->n += (size_t)added;
	a->all[i] = *answer;
	return 0;
}

const struct answers_extent *answers_extent_of(const struct answers *a,
					       const struct sym_function *f)
{
	const uint32_t i = map_get(&a->by_function, (uintptr_t)f, 0, UINT32_MAX);

	return i == UINT32_MAX ? NULL : &a->extents[i];
}

int answers_set_extent(struct answers *a, const struct answers_extent *extent)
{
	struct answers_extent *room =
		grow(a->extents, a->nextents, &a->extents_room, sizeof(*room));
	uint32_t i;
	int added;

	if (!room)
		return -ENOMEM;
	a->extents = room;
	added = map_add(&a->by_function, (uintptr_t)extent->function, 0, (uint32_t)a->nextents, &i);
	if (added < 0)
		return added;
	a->nextents += (size_t)added;
	a->extents[i] = *extent;
	return 0;
}

const char *answers_trouble_of(const struct answers *a, uint32_t module)
{
	for (size_t i = 0; i < a->ntroubles; i++)
		if (a->troubles[i].module == module)
			return a->troubles[i].why;
	return NULL;
}

/* Sorted by module: the same answers are the same bytes. */
int answers_set_trouble(struct answers *a, uint32_t module, const char *why)
{
	struct answers_trouble *room;
	const char *kept = answers_text(a, answers_string(a, why));
	size_t at = 0;

	if (why && !kept)
		return -ENOMEM;
	while (at < a->ntroubles && a->troubles[at].module < module)
		at++;
	if (at < a->ntroubles && a->troubles[at].module == module) {
		memmove(&a->troubles[at], &a->troubles[at + 1],
			(--a->ntroubles - at) * sizeof(*a->troubles));
	}
	if (!why)
		return 0;
	room = grow(a->troubles, a->ntroubles, &a->troubles_room, sizeof(*room));
	if (!room)
		return -ENOMEM;
	a->troubles = room;
	memmove(&room[at + 1], &room[at], (a->ntroubles++ - at) * sizeof(*room));
	room[at] = (struct answers_trouble){ module, kept };
	return 0;
}
