/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/output/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/alloc.h"
#include "src/model/model.h"
#include "src/output/source_rules.h"

enum { SOURCE_BYTES_MAX = 64 << 20 };

/* A descriptor, if it is a regular file that may be shown; or -errno. */
static int source_try(struct source *s, const struct source_place *p, const char *folder,
		      const char *path, struct stat *st)
{
	int fd, err;

	s->path = alloc_printf("%s%s%s", folder, *folder ? "/" : "", path);
	fd = open(s->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	err = fd < 0 || fstat(fd, st) ? -errno : S_ISREG(st->st_mode) ? 0 : -EINVAL;
	if (!err)
		s->refused = source_refused(p, fd, &s->todo);
	if (!err && !s->refused)
		return fd;
	if (!err)
		err = -EPERM;
	if (fd >= 0)
		close(fd);
	free(s->path);
	s->path = NULL;
	return err;
}

/* Tries path itself, then the folder with ever fewer of path's leading components.  Of a file that
   is refused and found nowhere else, the refusal is reported. */
static int source_find(struct source *s, const char *path, const struct source_place *p,
		       struct stat *st)
{
	const char *const folder = p->folder ? p->folder : ".";
	int fd = source_try(s, p, "", path, st);
	struct source first = *s;

	if (fd == -EPERM && !p->folder)
		return fd;
	for (const char *rest = path; (fd == -ENOENT || fd == -EPERM) && rest;) {
		rest = strchr(rest, '/');
		if (rest)
			fd = source_try(s, p, folder, ++rest, st);
		else if (!strchr(path, '/') && p->folder)
			fd = source_try(s, p, folder, path, st);
		if (fd == -EPERM)
			first = *s;
	}
	if (fd != -ENOENT || !first.refused)
		return fd;
	*s = first;
	return -EPERM;
}

static int source_read(struct source *s, int fd, size_t size)
{
	size_t at = 0;
	ssize_t n = 1;

	if (size > SOURCE_BYTES_MAX)
		return -EFBIG;
	s->text = alloc_bytes(size + 1);
	while (at < size && n > 0) {
		n = read(fd, s->text + at, size - at);
		if (n > 0)
			at += (size_t)n;
	}
	s->text[at] = '\0';
	return n < 0 ? -errno : 0;
}

int source_open(struct source *s, const char *path, const struct source_place *p)
{
	struct stat st;
	int fd, err = 0;

	*s = (struct source){ 0 };
	fd = source_find(s, path, p, &st);
	if (fd < 0)
		return fd;
	s->refused = s->todo = NULL;
	if (__builtin_mul_overflow(st.st_mtim.tv_sec, INT64_C(1000000000), &s->modified_ns) ||
	    __builtin_add_overflow(s->modified_ns, st.st_mtim.tv_nsec, &s->modified_ns))
		s->modified_ns = st.st_mtim.tv_sec < 0 ? INT64_MIN : INT64_MAX;
	err = source_read(s, fd, (size_t)st.st_size);
	close(fd);
	if (!err) {
		size_t n = 1, at = 0;

		for (const char *c = s->text; *c; c++)
			n += *c == '\n';
		s->lines = alloc_zeroed(n, sizeof(*s->lines));
		for (char *line = s->text; line; at++) {
			s->lines[at] = line;
			line = strchr(line, '\n');
			if (line)
				*line++ = '\0';
		}
		s->nlines = at;
	}
	if (err)
		source_close(s);
	return err;
}

void source_close(struct source *s)
{
	free(s->path);
	free(s->text);
	free(s->lines);
	*s = (struct source){ 0 };
}

bool source_is_newer(const struct source *s, const struct model *m)
{
	for (size_t i = 0; i < m->nprocesses; i++)
		if (s->modified_ns > (int64_t)m->processes[i].file->header.start_realtime_ns)
			return true;
	return false;
}

const char *source_line(const struct source *s, unsigned n)
{
	return n && n <= s->nlines ? s->lines[n - 1] : NULL;
}
