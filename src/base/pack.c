/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/base/pack.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"

enum { NUMBER_BYTES_MOST = 10, ROOM_LEAST = 256 };

void pack_free(struct pack *p)
{
	free(p->bytes);
	*p = (struct pack){ 0 };
}

static void pack_make_room(struct pack *p, size_t more)
{
	size_t room = p->room ? p->room : ROOM_LEAST;

	if (p->room - p->n >= more)
		return;
	while (room - p->n < more && room <= SIZE_MAX / 2)
		room *= 2;
	if (room - p->n < more)
		alloc_failed();
	p->bytes = alloc_resize(p->bytes, room);
	p->room = room;
}

void pack_number(struct pack *p, uint64_t number)
{
	pack_make_room(p, NUMBER_BYTES_MOST);
	for (; number >= 0x80; number >>= 7)
		p->bytes[p->n++] = (unsigned char)(number | 0x80);
	p->bytes[p->n++] = (unsigned char)number;
}

void pack_bytes(struct pack *p, const void *bytes, size_t n)
{
	if (n == 0)
		return;
	pack_make_room(p, n);
	memcpy(p->bytes + p->n, bytes, n);
	p->n += n;
}

void pack_text(struct pack *p, const void *text, size_t n)
{
	pack_number(p, n);
	pack_bytes(p, text, n);
}

/* The first place from i on where they differ, or (same) where they are equal. */
static size_t place(const unsigned char *a, const unsigned char *b, size_t i, size_t n, bool same)
{
	while (i < n && (a[i] == b[i]) != same)
		i++;
	return i;
}

/* Pairs of lengths: of what is equal, and of what follows and differs. */
void pack_difference(struct pack *p, const void *before, const void *now, size_t n)
{
	const unsigned char *a = before, *b = now;

	for (size_t i = 0; i < n;) {
		const size_t from = place(a, b, i, n, false), to = place(a, b, from, n, true);

		pack_number(p, from - i);
		pack_text(p, b + from, to - from);
		i = to;
	}
}

uint64_t unpack_long_number(struct unpack *u)
{
	uint64_t v = 0;

	for (unsigned shift = 0; u->at < u->end && shift < 64; shift += 7) {
		const uint64_t byte = *u->at++;

		v |= (byte & 0x7f) << shift;
		if (byte < 0x80)
			return v;
	}
	unpack_require(u, false);
	return 0;
}

void unpack_require(struct unpack *u, bool holds)
{
	if (!holds) {
		u->damaged = true;
		u->at = u->end;
	}
}

uint64_t unpack_up_to(struct unpack *u, uint64_t max)
{
	const uint64_t v = unpack_number(u);

	unpack_require(u, v <= max);
	return v <= max ? v : 0;
}

const unsigned char *unpack_bytes(struct unpack *u, size_t n)
{
	const unsigned char *bytes = u->at;

	unpack_require(u, !u->damaged && n <= (size_t)(u->end - u->at));
	if (u->damaged)
		return NULL;
	u->at += n;
	return bytes;
}

const unsigned char *unpack_text(struct unpack *u, size_t *n)
{
	const unsigned char *bytes;

	*n = (size_t)unpack_up_to(u, (uint64_t)(u->end - u->at));
	bytes = unpack_bytes(u, *n);
	if (!bytes)
		*n = 0;
	return bytes;
}

void unpack_difference(struct unpack *u, void *before, size_t n)
{
	for (size_t i = 0; i < n && !u->damaged;) {
		const size_t same = (size_t)unpack_up_to(u, n - i);
		const unsigned char *bytes;
		size_t differs;

		bytes = unpack_text(u, &differs);
		i += same;
		unpack_require(u, differs <= n - i && (same || differs));
		if (u->damaged)
			return;
		memcpy((unsigned char *)before + i, bytes, differs);
		i += differs;
	}
}
