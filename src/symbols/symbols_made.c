/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/symbols/symbols_made.h"

#include <fcntl.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/alloc.h"
#include "src/base/arena.h"
#include "src/base/grow.h"
#include "src/base/map.h"
#include "src/profile/reader/reader.h"

enum {
	NAME_MAX_BYTES = 1024,
	ENTRIES_MAX = 1 << 22,
	OVERLAPS_MAX = 4096,	/* older entries that are looked at for one address */
	BYTES_MAX = 1 << 30,	/* of a file: a sparse one may have any length */
	SLACK_S = 2,		/* file systems keep time more coarsely than clocks */
	JIT_MAGIC = 0x4A695444, /* "JiTD", as a number of this byte order */
	JIT_LOAD = 0,
	JIT_MOVE = 1,
};

struct made_entry {
	uint64_t lo, hi;
	uint64_t reach; /* the highest hi of this and all entries before */
	size_t order;	/* in the file */
	const char *name;
};

struct symbols_made_map {
	const struct prof_file *file;
	struct made_entry *entries; /* by lo */
	size_t n, room;
	struct arena names;
	struct symbols_made_map *next;
};

/* ---- the file ----------------------------------------------------------- */

static bool made_is_of_run(const struct stat *s, const struct prof_header *h)
{
	const uint64_t begin = h->start_realtime_ns / 1000000000;
	const uint64_t ran = h->end_monotonic_ns > h->start_monotonic_ns ?
				     (h->end_monotonic_ns - h->start_monotonic_ns) / 1000000000 :
				     0;
	const uint64_t changed = (uint64_t)s->st_mtime;

	return changed + SLACK_S >= begin && (!ran || changed <= begin + ran + SLACK_S);
}

static FILE *open_of_run(const char *path, const struct prof_header *h)
{
	struct stat s;
	FILE *f;
	int fd;

	fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	if (fstat(fd, &s) || !S_ISREG(s.st_mode) || (s.st_uid != geteuid() && s.st_uid != 0) ||
	    s.st_size > BYTES_MAX || !made_is_of_run(&s, h)) {
		close(fd);
		return NULL;
	}
	f = fdopen(fd, "r");
	if (!f)
		close(fd);
	return f;
}

/* The file in the folder that variable names (itself, if it is none), or NULL; a name may be a
   pattern, of whose files it is the first. */
static FILE *open_in(const char *variable, const char *name, const struct prof_header *h)
{
	const char *folder = *variable == '/' || *variable == '.' ? variable : getenv(variable);
	char path[4096];
	FILE *f = NULL;
	glob_t found;

	if (!folder || !*folder ||
	    snprintf(path, sizeof(path), "%s/%s", folder, name) >= (int)sizeof(path))
		return NULL;
	if (!strchr(name, '*'))
		return open_of_run(path, h);
	if (!glob(path, GLOB_NOSORT, NULL, &found))
		for (size_t i = 0; i < found.gl_pathc && !f; i++)
			f = open_of_run(found.gl_pathv[i], h);
	globfree(&found);
	return f;
}

static FILE *open_map(const struct prof_header *h)
{
	char name[32];
	FILE *f;

	snprintf(name, sizeof(name), "perf-%u.map", h->pid);
	f = open_in("/tmp", name, h);
	return f ? f : open_in("TMPDIR", name, h);
}

static FILE *open_dump(const struct prof_header *h)
{
	static const char *const plain[] = { ".", "/tmp", "TMPDIR", "JITDUMPDIR" };
	char name[32], deep[64];
	FILE *f = NULL;

	snprintf(name, sizeof(name), "jit-%u.dump", h->pid);
	for (size_t i = 0; i < sizeof(plain) / sizeof(*plain) && !f; i++)
		f = open_in(plain[i], name, h);
	snprintf(deep, sizeof(deep), ".debug/jit/*/%s", name);
	if (!f)
		f = open_in("JITDUMPDIR", deep, h);
	return f ? f : open_in("HOME", deep, h);
}

/* The function of the file's next entry; name may be changed. False: no more. */
static bool made_add(struct symbols_made_map *m, uint64_t lo, uint64_t bytes, char *name)
{
	char *copy;

	if (!bytes || lo + bytes < lo || !*name)
		return true;
	if (m->n == ENTRIES_MAX)
		return false;
	for (char *c = name; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	m->entries = grow(m->entries, m->n, &m->room, sizeof(*m->entries));
	copy = arena_alloc(&m->names, strlen(name) + 1);
	strcpy(copy, name);
	m->entries[m->n] = (struct made_entry){ lo, lo + bytes, 0, m->n, copy };
	m->n++;
	return true;
}

/* "7f0012340000 b py::solve:/home/u/app.py". Of a line that is too long the rest is dropped. */
static bool read_line(struct symbols_made_map *m, char *line)
{
	char *end;
	const uint64_t lo = strtoull(line, &end, 16);
	uint64_t bytes;

	if (end == line || *end != ' ')
		return true;
	line = end + 1;
	bytes = strtoull(line, &end, 16);
	if (end == line || *end != ' ')
		return true;
	return made_add(m, lo, bytes, end + 1);
}

/* ---- a dump -------------------------------------------------------------- */

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
	struct symbols_made_map *to;
};

static void jitdump_read_name(FILE *f, char *name)
{
	size_t n = 0;
	int c;

	while (n < NAME_MAX_BYTES - 1 && (c = getc(f)) != EOF && c)
		name[n++] = (char)c;
	name[n] = '\0';
}

static bool jitdump_note(struct dump *d, uint64_t index, long at)
{
	uint32_t i;

	d->name_at = grow(d->name_at, d->n, &d->room, sizeof(*d->name_at));
	if (d->n == ENTRIES_MAX)
		return false;
	map_add(&d->by_index, index, 0, (uint32_t)d->n, &i);
	if (i == d->n)
		d->n++;
	d->name_at[i] = at;
	return true;
}

static bool read_load(struct dump *d)
{
	char name[NAME_MAX_BYTES];
	struct jitdump_load load;
	long at;

	if (fread(&load, sizeof(load), 1, d->f) != 1)
		return false;
	at = ftell(d->f);
	jitdump_read_name(d->f, name);
	return at >= 0 && jitdump_note(d, load.index, at) &&
	       made_add(d->to, load.address, load.bytes, name);
}

static bool read_move(struct dump *d)
{
	char name[NAME_MAX_BYTES];
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
	return made_add(d->to, move.to, move.bytes, name);
}

/* False: the end. */
static bool read_record(struct dump *d, long *at)
{
	struct prefix p;
	bool more = true;

	if (fseek(d->f, *at, SEEK_SET) || fread(&p, sizeof(p), 1, d->f) != 1 || p.bytes < sizeof(p))
		return false;
	if (p.id == JIT_LOAD && p.bytes >= sizeof(p) + sizeof(struct jitdump_load))
		more = read_load(d);
	else if (p.id == JIT_MOVE && p.bytes >= sizeof(p) + sizeof(struct move))
		more = read_move(d);
	*at += p.bytes;
	return more;
}

/* The functions that the process loaded, and where it moved them to. Stops at the file's end, or
   where it is damaged; a file of another byte order or process has none. */
static void read_dump(FILE *f, struct symbols_made_map *to)
{
	struct dump d = { .f = f, .to = to };
	struct dump_header h;
	long at;

	if (fread(&h, sizeof(h), 1, f) != 1 || h.magic != JIT_MAGIC || h.version != 1 ||
	    h.pid != to->file->header.pid || h.bytes < sizeof(h))
		return;
	at = (long)h.bytes;
	while (read_record(&d, &at))
		;
	free(d.name_at);
	map_free(&d.by_index);
}

/* ---- all that is known --------------------------------------------------- */

static int made_by_address(const void *a, const void *b)
{
	const struct made_entry *x = a, *y = b;

	if (x->lo != y->lo)
		return x->lo < y->lo ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static void made_load(struct symbols_made_map *m)
{
	const struct prof_header *h = &m->file->header;
	FILE *f = open_map(h);

	if (f) {
		char line[NAME_MAX_BYTES];
		bool more = true, rest = false;

		while (more && fgets(line, sizeof(line), f)) {
			const size_t n = strcspn(line, "\n");
			const bool whole = line[n] == '\n';

			line[n] = '\0';
			if (!rest)
				more = read_line(m, line);
			rest = !whole;
		}
		fclose(f);
	}
	f = open_dump(h);
	if (f) {
		read_dump(f, m);
		fclose(f);
	}

	uint64_t reach = 0;

	if (m->n)
		qsort(m->entries, m->n, sizeof(*m->entries), made_by_address);
	for (size_t i = 0; i < m->n; i++) {
		reach = m->entries[i].hi > reach ? m->entries[i].hi : reach;
		m->entries[i].reach = reach;
	}
}

/* ---- look-up ------------------------------------------------------------ */

static const struct symbols_made_map *map_of(struct symbols_made *all, const struct prof_file *f)
{
	struct symbols_made_map *m = all->maps;

	while (m && m->file != f)
		m = m->next;
	if (m)
		return m;
	m = alloc_zeroed(1, sizeof(*m));
	m->file = f;
	m->next = all->maps;
	all->maps = m;
	made_load(m);
	return m;
}

const char *symbols_made_find(struct symbols_made *all, const struct prof_file *f, uint64_t address)
{
	const struct symbols_made_map *m = map_of(all, f);
	const struct made_entry *last = NULL;
	/* The number of entries that begin at or before address. */
	size_t i = 0, hi = m->n;

	while (i < hi) {
		const size_t middle = i + (hi - i) / 2;

		if (m->entries[middle].lo <= address)
			i = middle + 1;
		else
			hi = middle;
	}

	for (unsigned n = 0; i > 0 && n < OVERLAPS_MAX; n++) {
		const struct made_entry *e = &m->entries[--i];

		if (e->reach <= address)
			break;
		if (e->hi > address && (!last || e->order > last->order))
			last = e;
	}
	return last ? last->name : NULL;
}

void symbols_made_free(struct symbols_made *all)
{
	while (all->maps) {
		struct symbols_made_map *m = all->maps;

		all->maps = m->next;
		free(m->entries);
		arena_free(&m->names);
		free(m);
	}
}
