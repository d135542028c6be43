/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/profile/reader/load.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	PIPE_FIRST_BYTES = 1 << 16,
	PATIENCE_MS = 5000, /* with a pipe or device from which nothing comes */
};

/* A larger allocation would only get the process killed. */
static size_t memory_limit(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);

	if (pages <= 0 || page <= 0 || (size_t)pages > SIZE_MAX / (size_t)page)
		return SIZE_MAX / 2;
	return (size_t)pages * (size_t)page;
}

static int load_make_room(struct load *l, size_t room)
{
	unsigned char *bytes;

	if (room <= l->room)
		return 0;
	if (room > memory_limit())
		return -ENOMEM;
	bytes = realloc(l->bytes, room);
	if (!bytes)
		return -ENOMEM;
	l->bytes = bytes;
	l->room = room;
	return 0;
}

/* Whether more comes from what is no regular file. */
static bool more_comes(const struct load *l)
{
	struct pollfd p = { .fd = l->fd, .events = POLLIN };
	int n;

	do
		n = poll(&p, 1, PATIENCE_MS);
	while (n < 0 && errno == EINTR);
	return n > 0;
}

/* Reads until size bytes are in memory or the file ends.  A FIFO that nobody has opened for writing
   seems to end, too. */
static int read_to(struct load *l, size_t size)
{
	bool first = l->fifo && l->size == 0;

	while (l->size < size) {
		ssize_t n = read(l->fd, l->bytes + l->size, size - l->size);

		if (n < 0 && errno == EINTR)
			continue;
		if ((n < 0 && errno == EAGAIN) || (n == 0 && first)) {
			first = false;
			if (!more_comes(l))
				return -ESPIPE;
			continue;
		}
		if (n < 0)
			return -errno;
		if (!n)
			break;
		l->size += (size_t)n;
	}
	return 0;
}

int load_open(struct load *l, const char *path, size_t first_bytes, bool file)
{
	struct stat st;
	int err;

	/* Nobody may ever write into a FIFO. */
	*l = (struct load){ .fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) };
	if (l->fd < 0)
		return -errno;
	if (fstat(l->fd, &st))
		err = -errno;
	else if (S_ISREG(st.st_mode) && (uint64_t)st.st_size > SIZE_MAX / 2)
		err = -EFBIG;
	else if (file && !S_ISREG(st.st_mode)) {
		err = S_ISDIR(st.st_mode) ? -EISDIR : -ESPIPE;
	} else {
		/* A size of 0 proves nothing: files in /proc have it. */
		l->fifo = S_ISFIFO(st.st_mode);
		l->stop = S_ISREG(st.st_mode) && st.st_size ? (size_t)st.st_size : SIZE_MAX;
		err = load_make_room(l, first_bytes);
	}
	if (!err)
		err = read_to(l, first_bytes);
	if (err)
		load_close(l);
	return err;
}

int load_rest(struct load *l)
{
	size_t had;
	int err;

	if (l->stop != SIZE_MAX) {
		err = load_make_room(l, l->stop);
		return err ? err : read_to(l, l->stop);
	}
	do {
		had = l->room;
		err = load_make_room(l, had < PIPE_FIRST_BYTES ? PIPE_FIRST_BYTES : had * 2);
		if (!err)
			err = read_to(l, l->room);
	} while (!err && l->size == l->room);
	return err;
}

void load_close(struct load *l)
{
	if (l->fd >= 0)
		close(l->fd);
	free(l->bytes);
	*l = (struct load){ .fd = -1 };
}
