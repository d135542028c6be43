/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/profile/reader/stored_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/fnv.h"
#include "src/profile/reader/chunks.h"
#include "src/profile/reader/reader.h"

int names_take(struct prof_file *f, const unsigned char *bytes, const struct chunk *c)
{
	const size_t room = c->end - c->begin;
	struct prof_names n;
	unsigned char *copy;

	if (room < sizeof(n)) {
		f->damaged++;
		return 0;
	}
	memcpy(&n, bytes + c->begin, sizeof(n));
	bytes += c->begin + sizeof(n);
	if (n.bytes > room - sizeof(n) || fnv(FNV_BEGIN, bytes, (size_t)n.bytes) != n.hash) {
		f->damaged++;
		return 0;
	}
	if (n.version != PROF_NAMES_VERSION || !n.bytes)
		return 0;
	copy = malloc((size_t)n.bytes);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, bytes, (size_t)n.bytes);
	free(f->names);
	f->names = copy;
	f->names_bytes = (size_t)n.bytes;
	return 0;
}
