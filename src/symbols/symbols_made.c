/* SPDX-License-Identifier: BSD-3-Clause */
/* symbols_made.c - see symbols_made.h. */
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
#include "src/profile/reader/reader.h"
#include "src/symbols/symbols_jitdump.h"

enum {
	NAME_MAX_BYTES = 1024,
	ENTRIES_MAX = 1 << 22,
	OVERLAPS_MAX = 4096, /* older entries that are looked at for one address */
	BYTES_MAX = 1 << 30, /* of a file: a sparse one may have any length */
	SLACK_S = 2,	     /* file systems keep time more coarsely than clocks */
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

static bool made_add(void *map, uint64_t lo, uint64_t bytes, char *name)
{
	struct symbols_made_map *m = map;
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
		symbols_jitdump_read(f, h->pid, made_add, m);
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
