/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/run/paths.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"

void paths_add(char ***list, size_t *n, const char *path)
{
	for (size_t i = 0; i < *n; i++)
		if (strcmp((*list)[i], path) == 0)
			return;
	*list = alloc_array(*list, *n + 1, sizeof(**list));
	(*list)[(*n)++] = alloc_text(path);
}

void paths_free(char **list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(list[i]);
	free(list);
}
