/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/profile/reader/append.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/alloc.h"
#include "src/base/fnv.h"
#include "src/profile/reader/reader.h"

/* A new profile may have taken the name since f was read. */
static bool append_is_same(const struct prof_header *a, const struct prof_header *b)
{
	return !memcmp(a->magic, b->magic, sizeof(a->magic)) && a->version == b->version &&
	       a->pid == b->pid && a->start_realtime_ns == b->start_realtime_ns &&
	       a->start_monotonic_ns == b->start_monotonic_ns && a->run == b->run &&
	       a->used_bytes == b->used_bytes && !memcmp(&a->owner, &b->owner, sizeof(a->owner));
}

/* Whether a chunk may be appended to fd: 0 or -errno, and the file's size. */
static int append_check(int fd, const struct prof_file *f, uint64_t *size)
{
	struct prof_header h;
	struct stat s;

	if (fstat(fd, &s))
		return -errno;
	if (!S_ISREG(s.st_mode))
		return -EINVAL;
	if (s.st_uid != geteuid())
		return -EPERM;
	if (flock(fd, LOCK_EX | LOCK_NB))
		return errno == EWOULDBLOCK ? -EBUSY : -errno;
	if (pread(fd, &h, sizeof(h), 0) != (ssize_t)sizeof(h) || !append_is_same(&h, &f->header))
		return -ESTALE;
	*size = (uint64_t)s.st_size;
	return *size < h.used_bytes ? -ENODATA : 0;
}

static int append_write_all(int fd, const unsigned char *bytes, size_t n, uint64_t at)
{
	while (n) {
		const ssize_t done = pwrite(fd, bytes, n, (off_t)at);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return done ? -errno : -ENOSPC;
		bytes += done;
		n -= (size_t)done;
		at += (uint64_t)done;
	}
	return 0;
}

/* The chunk for file offset `at`, without its magic. */
static unsigned char *make_chunk(const void *payload, size_t n, uint64_t at, size_t *bytes)
{
	const struct prof_names names = {
		.hash = fnv(FNV_BEGIN, payload, n),
		.bytes = n,
		.version = PROF_NAMES_VERSION,
	};
	const size_t head = sizeof(struct prof_chunk) + sizeof(names);
	struct prof_chunk chunk = { .kind = PROF_CHUNK_NAMES, .offset = at };
	unsigned char *all;

	*bytes = (head + n + PROF_PAGE - 1) / PROF_PAGE * PROF_PAGE;
	chunk.size_bytes = *bytes;
	all = alloc_zeroed(1, *bytes);
	memcpy(all, &chunk, sizeof(chunk));
	memcpy(all + sizeof(chunk), &names, sizeof(names));
	memcpy(all + head, payload, n);
	return all;
}

static int append_append(int fd, uint64_t size, const void *payload, size_t n)
{
	static const uint32_t magic = PROF_CHUNK_MAGIC;
	const uint64_t at = (size + PROF_PAGE - 1) / PROF_PAGE * PROF_PAGE;
	size_t bytes;
	unsigned char *chunk = make_chunk(payload, n, at, &bytes);
	int err = append_write_all(fd, chunk, bytes, at);

	/* Where the machine stops now, the disk may have the magic without the data: the
	   hash shows it. */
	if (!err)
		err = append_write_all(fd, (const unsigned char *)&magic, sizeof(magic), at);
	if (err && ftruncate(fd, (off_t)size))
		err = -errno;
	free(chunk);
	return err;
}

int prof_append_names(const struct prof_file *f, const void *payload, size_t n)
{
	/* A write past RLIMIT_FSIZE is then an error. */
	const struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct sigaction before;
	uint64_t size = 0;
	int err, fd = open(f->path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0)
		return -errno;
	sigaction(SIGXFSZ, &ignore, &before);
	err = append_check(fd, f, &size);
	if (!err)
		err = append_append(fd, size, payload, n);
	sigaction(SIGXFSZ, &before, NULL);
	close(fd);
	return err;
}
