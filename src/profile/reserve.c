/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reserve.c - reserves by fallocate, and on file systems without it by writing zeros.
 *
 * posix_fallocate's own emulation is unsuitable: glibc's is not signal-safe, and writes one
 * byte per block of a size that it guesses.
 */
#include "config.h"

#include "src/profile/reserve.h"

#include <errno.h>
#include <sys/resource.h>

#include "src/profile/syscalls.h"

enum { TRIES = 10 };

static const char zeros[4096];

bool prof_fsize_allows(uint64_t end)
{
	struct rlimit r;

	return getrlimit(RLIMIT_FSIZE, &r) != 0 || r.rlim_cur == RLIM_INFINITY || end <= r.rlim_cur;
}

static int write_zeros(int fd, uint64_t offset, uint64_t bytes)
{
	while (bytes != 0) {
		size_t n = bytes < sizeof(zeros) ? bytes : sizeof(zeros);
		ssize_t done = call_pwrite(fd, zeros, n, offset);

		if (done == -EINTR)
			continue;
		if (done <= 0)
			return done < 0 ? (int)done : -ENOSPC;
		offset += (uint64_t)done;
		bytes -= (uint64_t)done;
	}
	return 0;
}

int prof_reserve(int fd, uint64_t offset, uint64_t bytes)
{
	int err = -EINTR;

	if (!prof_fsize_allows(offset + bytes))
		return -EFBIG;
	/* On some file systems a signal interrupts and undoes fallocate; the number of
	   retries is limited. */
	for (int i = 0; i < TRIES && err == -EINTR; i++)
		err = call_fallocate(fd, offset, bytes);
	if (err == -EOPNOTSUPP || err == -ENOSYS || err == -EINTR)
		err = write_zeros(fd, offset, bytes);
	return err;
}
