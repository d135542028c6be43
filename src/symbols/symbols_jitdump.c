/* SPDX-License-Identifier: BSD-3-Clause */
/* symbols_jitdump.c - see symbols_jitdump.h. */
#include "config.h"

#include "src/symbols/symbols_jitdump.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/grow.h"
#include "src/base/map.h"

enum {
	MAGIC = 0x4A695444, /* "JiTD", as a number of this byte order */
	NAME_BYTES = 1024,
	LOAD = 0,
	MOVE = 1,
	FUNCTIONS_MAX = 1 << 22,
};

struct dump_header {
	uint32_t magic, version, bytes, machine, pad, pid;
	uint64_t timestamp, flags;
};

struct prefix {
	uint32_t id, bytes;
	uint64_t timestamp;
};

/* After the prefix; the name follows, then the code. */
struct jitdump_load {
	uint32_t pid, tid;
	uint64_t vma, address, bytes, index;
};

struct move {
	uint32_t pid, tid;
	uint64_t vma, from, to, bytes, index;
};

struct dump {
	FILE *f;
	struct map by_index; /* into name_at: moves name a function by its index */
	long *name_at;	     /* in the file */
	size_t n, room;
	symbols_jitdump_add *add;
	void *to;
};

static void jitdump_read_name(FILE *f, char *name)
{
	size_t n = 0;
	int c;

	while (n < NAME_BYTES - 1 && (c = getc(f)) != EOF && c)
		name[n++] = (char)c;
	name[n] = '\0';
}

static bool jitdump_note(struct dump *d, uint64_t index, long at)
{
	uint32_t i;

	d->name_at = grow(d->name_at, d->n, &d->room, sizeof(*d->name_at));
	if (d->n == FUNCTIONS_MAX)
		return false;
	map_add(&d->by_index, index, 0, (uint32_t)d->n, &i);
	if (i == d->n)
		d->n++;
	d->name_at[i] = at;
	return true;
}

static bool read_load(struct dump *d)
{
	char name[NAME_BYTES];
	struct jitdump_load load;
	long at;

	if (fread(&load, sizeof(load), 1, d->f) != 1)
		return false;
	at = ftell(d->f);
	jitdump_read_name(d->f, name);
	return at >= 0 && jitdump_note(d, load.index, at) &&
	       d->add(d->to, load.address, load.bytes, name);
}

static bool read_move(struct dump *d)
{
	char name[NAME_BYTES];
	struct move move;
	uint32_t i;

	if (fread(&move, sizeof(move), 1, d->f) != 1)
		return false;
	i = map_get(&d->by_index, move.index, 0, UINT32_MAX);
	if (i == UINT32_MAX)
		return true;
	if (fseek(d->f, d->name_at[i], SEEK_SET))
		return false;
	jitdump_read_name(d->f, name);
	return d->add(d->to, move.to, move.bytes, name);
}

/* False: the end. */
static bool read_record(struct dump *d, long *at)
{
	struct prefix p;
	bool more = true;

	if (fseek(d->f, *at, SEEK_SET) || fread(&p, sizeof(p), 1, d->f) != 1 || p.bytes < sizeof(p))
		return false;
	if (p.id == LOAD && p.bytes >= sizeof(p) + sizeof(struct jitdump_load))
		more = read_load(d);
	else if (p.id == MOVE && p.bytes >= sizeof(p) + sizeof(struct move))
		more = read_move(d);
	*at += p.bytes;
	return more;
}

void symbols_jitdump_read(FILE *f, uint32_t pid, symbols_jitdump_add *add, void *to)
{
	struct dump d = { .f = f, .add = add, .to = to };
	struct dump_header h;
	long at;

	if (fread(&h, sizeof(h), 1, f) != 1 || h.magic != MAGIC || h.version != 1 || h.pid != pid ||
	    h.bytes < sizeof(h))
		return;
	at = (long)h.bytes;
	while (read_record(&d, &at))
		;
	free(d.name_at);
	map_free(&d.by_index);
}
