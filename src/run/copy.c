/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/run/copy.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/profile/folder.h"
#include "src/profile/format.h"
#include "src/profile/place.h"
#include "src/profile/profile_owner.h"

enum { PIECE_BYTES = 1 << 20 };

static unsigned char piece[PIECE_BYTES];

static int copy_write_all(int fd, size_t n, off_t at)
{
	for (size_t done = 0; done < n;) {
		const ssize_t now = pwrite(fd, piece + done, n - done, at + (off_t)done);

		if (now < 0 && errno == EINTR)
			continue;
		if (now <= 0)
			return now < 0 ? -errno : -ENOSPC;
		done += (size_t)now;
	}
	return 0;
}

static int copy_range(int in, int out, off_t at, off_t end, _Atomic uint64_t *bytes)
{
	int err = 0;

	while (at < end && err == 0) {
		const off_t left = end - at;
		const ssize_t n =
			pread(in, piece, left < PIECE_BYTES ? (size_t)left : PIECE_BYTES, at);

		if (n <= 0)
			return n < 0 ? -errno : -ESTALE;
		err = copy_write_all(out, (size_t)n, at);
		at += n;
		atomic_fetch_add(bytes, (uint64_t)n);
	}
	return err;
}

/* What is new in length comes first, since the disk may be full, and the header at last. */
static int copy_all(int in, int out, off_t had, _Atomic uint64_t *bytes)
{
	struct stat st;
	int err;

	if (fstat(in, &st) != 0)
		return -errno;
	if (had < PROF_HEADER_BYTES)
		had = PROF_HEADER_BYTES;
	err = copy_range(in, out, had, st.st_size, bytes);
	if (err == 0)
		err = copy_range(in, out, PROF_HEADER_BYTES, had < st.st_size ? had : st.st_size,
				 bytes);
	if (err == 0)
		err = copy_range(in, out, 0, PROF_HEADER_BYTES, bytes);
	/* Servers may report only now that there is no room. */
	if (err == 0 && fsync(out) != 0 && errno != EINVAL)
		err = -errno;
	return err;
}

static bool read_header(int fd, struct prof_header *h)
{
	return pread(fd, h, sizeof(*h), 0) == (ssize_t)sizeof(*h) &&
	       memcmp(h->magic, PROF_MAGIC, sizeof(h->magic)) == 0;
}

/* -ENOENT: there is no earlier copy of that name. */
static int copy_over(int in, const struct prof_header *h, const char *to, _Atomic uint64_t *bytes)
{
	int err = -ENOENT, out = open(to, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK);
	struct prof_header there;
	struct stat st;

	if (out < 0)
		return -ENOENT;
	if (fstat(out, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    read_header(out, &there) && h->pid == there.pid &&
	    h->start_realtime_ns == there.start_realtime_ns && h->owner.boot == there.owner.boot &&
	    h->owner.start == there.owner.start)
		err = copy_all(in, out, st.st_size, bytes);
	if (close(out) != 0 && err == 0)
		err = -errno;
	return err;
}

static int copy_new(int in, const struct prof_header *h, char to[PATH_MAX], _Atomic uint64_t *bytes)
{
	struct prof_owner owner = h->owner;
	char temporary[PATH_MAX];
	enum prof_taken taken;
	int out, err;

	/* The copier takes the name, in the place of the profile's process. */
	prof_owner_here(&owner);
	err = prof_temporary(temporary, sizeof(temporary), to, h->pid,
			     h->owner.boot ^ h->owner.start);
	if (err != 0)
		return err;
	const int how = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
	int fd = open(temporary, how, 0666);

	if (fd < 0 && errno == ENOENT && prof_folder_make(temporary) >= 0)
		fd = open(temporary, how, 0666);
	if (fd < 0 && errno == EEXIST && unlink(temporary) == 0)
		fd = open(temporary, how, 0666);
	out = fd < 0 ? -errno : fd;
	if (out < 0)
		return out;
	err = copy_all(in, out, 0, bytes);
	if (close(out) != 0 && err == 0)
		err = -errno;
	if (err == 0)
		err = prof_place(to, PATH_MAX, temporary, false, &owner, h->pid, &taken);
	if (err != 0)
		unlink(temporary);
	return err;
}

/* Where that can't be seen, its end was written or not. */
static bool copy_may_write(const struct prof_header *h)
{
	struct prof_owner here = { .boot = h->owner.boot };

	if (h->run == PROF_RUN_EXECED)
		return false;
	prof_owner_here(&here);
	switch (prof_owner_life(&h->owner, h->pid, h->owner.start,
				h->start_realtime_ns / 1000000000, &here)) {
	case PROF_LIFE_OVER: return false;
	case PROF_LIFE_UNKNOWN: return h->run == PROF_RUN_RUNNING;
	case PROF_LIFE_GOES_ON: break;
	}
	return true;
}

int copy_profile(const char *from, char to[PATH_MAX], _Atomic uint64_t *bytes, bool *runs)
{
	struct prof_header h;
	int err, in = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	*runs = false;
	if (in < 0)
		return -errno;
	if (!read_header(in, &h)) {
		close(in);
		return -EINVAL;
	}
	/* Before the copy: what ends meanwhile is copied once more. */
	*runs = copy_may_write(&h);
	err = copy_over(in, &h, to, bytes);
	if (err == -ENOENT)
		err = copy_new(in, &h, to, bytes);
	close(in);
	return err;
}

bool copy_is_of_dead(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct prof_header h;
	const bool is = fd >= 0 && read_header(fd, &h) && !copy_may_write(&h);

	if (fd >= 0)
		close(fd);
	return is;
}
