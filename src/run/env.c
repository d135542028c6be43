#include "config.h"

#include "src/run/env.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/grow.h"

int env_copy(struct env *e, char *const *from)
{
	size_t n = 0;

	while (from[n])
		n++;
	e->n = 0;
	e->room = n + 1;
	e->list = calloc(e->room, sizeof(*e->list));
	if (!e->list)
		return -ENOMEM;
	for (; e->n < n; e->n++) {
		e->list[e->n] = strdup(from[e->n]);
		if (!e->list[e->n]) {
			env_free(e);
			return -ENOMEM;
		}
	}
	return 0;
}

static char **find(const struct env *e, const char *name)
{
	const size_t length = strlen(name);

	for (size_t i = 0; i < e->n; i++)
		if (strncmp(e->list[i], name, length) == 0 && e->list[i][length] == '=')
			return &e->list[i];
	return NULL;
}

int env_set(struct env *e, const char *name, const char *value)
{
	char **at = find(e, name), **list;
	char *entry;

	if (asprintf(&entry, "%s=%s", name, value) < 0)
		return -ENOMEM;
	if (at) {
		free(*at);
		*at = entry;
		return 0;
	}
	list = grow(e->list, e->n + 1, &e->room, sizeof(*list));
	if (!list) {
		free(entry);
		return -ENOMEM;
	}
	e->list = list;
	e->list[e->n++] = entry;
	e->list[e->n] = NULL;
	return 0;
}

int env_prepend(struct env *e, const char *name, const char *value, char separator)
{
	const char *old = env_get(e, name);
	char *joined;
	int ret;

	if (!old || !*old)
		return env_set(e, name, value);
	if (asprintf(&joined, "%s%c%s", value, separator, old) < 0)
		return -ENOMEM;
	ret = env_set(e, name, joined);
	free(joined);
	return ret;
}

const char *env_get(const struct env *e, const char *name)
{
	char **at = find(e, name);

	return at ? *at + strlen(name) + 1 : NULL;
}

void env_unset(struct env *e, const char *name)
{
	char **at;

	while ((at = find(e, name))) {
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
