/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/toolchain/outlined.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "src/toolchain/toolchain.h"

/* Of clang: regions in a region have it several times. */
static const char nested[] = ".omp_outlined";

/* Decides by the last construct in the name: main.omp_outlined_debug__.omp_outlined is the
   wrapper of an inner region. */
static bool is_debug(const char *name)
{
	const char *last = NULL, *at = name;

	while ((at = strstr(at, nested)))
		last = at++;
	return last && strstr(last, "_debug__");
}

/* Fills o by a mark at a place in a name. */
static void outlined_set(const char *name, const char *at, const struct outlined_mark *m,
			 struct outlined *o)
{
	/* The origin of main.omp_outlined_debug__.omp.reduction.… is main. */
	const char *first = strstr(name, nested);

	o->kind = m->kind;
	o->gnu = m->flag == OUTLINED_GNU && !(first && first < at);
	if (first && first < at)
		at = first;
	if (at > name) {
		o->origin = name;
		o->origin_bytes = (size_t)(at - name);
	}
	o->debug = o->kind == SYM_OUTLINED_REGION && is_debug(name);
}

const char *outlined_number(const char *begin, const char *end, const char *mark, unsigned *number)
{
	const char *digits = end;
	size_t n = strlen(mark);

	while (digits > begin && isdigit((unsigned char)digits[-1]))
		digits--;
	if (digits == end || (size_t)(digits - begin) <= n || memcmp(digits - n, mark, n) != 0)
		return NULL;
	*number = (unsigned)strtoul(digits, NULL, 10);
	return digits - n;
}

bool outlined_parse(const char *name, struct outlined *o)
{
	const struct toolchain *t;

	*o = (struct outlined){ .kind = SYM_NOT_OUTLINED };
	for (size_t i = 0; (t = toolchain_number(i)); i++) {
		for (size_t k = 0; k < t->nmarks; k++) {
			const char *at = strstr(name, t->marks[k].text);

			if (!at || (t->marks[k].place == AT_START && at != name))
				continue;
			outlined_set(name, at, &t->marks[k], o);
			return true;
		}
		if (t->outlined && t->outlined(name, o))
			return true;
	}
	return false;
}

/* Whether a name has a mark with that flag. */
static bool outlined_has(const char *name, enum outlined_flag flag)
{
	const struct toolchain *t;

	for (size_t i = 0; name && (t = toolchain_number(i)); i++)
		for (size_t k = 0; k < t->nmarks; k++)
			if (t->marks[k].flag == flag && strstr(name, t->marks[k].text))
				return true;
	return false;
}

bool outlined_is_gnu(const char *name)
{
	return outlined_has(name, OUTLINED_GNU);
}

bool outlined_is_task_entry(const char *name)
{
	return outlined_has(name, OUTLINED_TASK_ENTRY);
}
