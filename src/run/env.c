/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/run/env.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"

void env_copy(struct env *e, char *const *from)
{
	size_t n = 0;

	while (from[n])
		n++;
	e->n = 0;
	e->room = n + 1;
	e->list = alloc_zeroed(e->room, sizeof(*e->list));
	for (; e->n < n; e->n++)
		e->list[e->n] = alloc_text(from[e->n]);
}

static char **env_find(const struct env *e, const char *name)
{
	const size_t length = strlen(name);

	for (size_t i = 0; i < e->n; i++)
		if (strncmp(e->list[i], name, length) == 0 && e->list[i][length] == '=')
			return &e->list[i];
	return NULL;
}

void env_set(struct env *e, const char *name, const char *value)
{
	char **at = env_find(e, name);
	char *entry;

	entry = alloc_printf("%s=%s", name, value);
	if (at) {
		free(*at);
		*at = entry;
		return;
	}
	e->list = grow(e->list, e->n + 1, &e->room, sizeof(*e->list));
	e->list[e->n++] = entry;
	e->list[e->n] = NULL;
}

void env_prepend(struct env *e, const char *name, const char *value, char separator)
{
	const char *old = env_get(e, name);
	char *joined;

	if (!old || !*old) {
		env_set(e, name, value);
		return;
	}
	joined = alloc_printf("%s%c%s", value, separator, old);
	env_set(e, name, joined);
	free(joined);
}

const char *env_get(const struct env *e, const char *name)
{
	char **at = env_find(e, name);

	return at ? *at + strlen(name) + 1 : NULL;
}

void env_unset(struct env *e, const char *name)
{
	char **at;

	while ((at = env_find(e, name))) {
		free(*at);
		memmove(at, at + 1, (size_t)(e->list + e->n - at) * sizeof(*at));
		e->n--;
	}
}

void env_free(struct env *e)
{
	for (size_t i = 0; i < e->n; i++)
		free(e->list[i]);
	free(e->list);
	*e = (struct env){ .list = NULL };
}
