/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/base/grow.h"

#include <string.h>

#include "src/base/alloc.h"

void *grow(void *array, size_t n, size_t *room, size_t element_bytes)
{
	const size_t want = *room ? *room * 2 : 16;
	char *p;

	if (n < *room)
		return array;
	p = alloc_array(array, want, element_bytes);
	memset(p + n * element_bytes, 0, (want - n) * element_bytes);
	*room = want;
	return p;
}
