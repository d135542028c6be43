/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/base/grow.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"

void *grow_or_null(void *array, size_t n, size_t *room, size_t element_bytes)
{
	size_t want = *room ? *room * 2 : 16;
	char *p;

	if (n < *room)
		return array;
	p = reallocarray(array, want, element_bytes);
	if (!p)
		return NULL;
	memset(p + n * element_bytes, 0, (want - n) * element_bytes);
	*room = want;
	return p;
}

void *grow(void *array, size_t n, size_t *room, size_t element_bytes)
{
	void *p = grow_or_null(array, n, room, element_bytes);

	if (!p)
		alloc_failed();
	return p;
}
