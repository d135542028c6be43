/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * manifest.c - appends to a file to which other processes append too.
 *
 * A write to a file opened with O_APPEND is atomic at the file's end.  The leading NUL
 * terminates a text that a full disk truncated.
 */
#include "config.h"

#include "src/profile/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/profile/digits.h"
#include "src/profile/reserve.h"
#include "src/profile/syscalls.h"

enum { FAILURE_BYTES = 1 + DIGITS_MAX + 1 }; /* "!ERRNO " */

/* Static, because the stack may be small: a fork's child calls this in its signal handler. */
static char entry[1 + FAILURE_BYTES + PATH_MAX];
static char descriptor[PROF_MANIFEST_BYTES], target[PROF_MANIFEST_BYTES];

/* Whether it is a file without a name, of this user, that no other user may write to. */
static bool manifest_is_own(int fd)
{
	struct stat st;

	return call_fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink == 0 &&
	       st.st_uid == geteuid() && !(st.st_mode & (S_IWGRP | S_IWOTH));
}

/* Whether `descriptor` is of the memory of that name: 0; -ENOENT; -EACCES: it is of another user,
   as ompcount is of a process that gave up its rights. */
static int check_name(const char *name)
{
	static const char before[] = "/memfd:", after[] = " (deleted)";
	const size_t n = strlen(name), head = sizeof(before) - 1, tail = sizeof(after) - 1;
	const ssize_t got = readlink(descriptor, target, sizeof(target));

	if (got < 0)
		return -errno;
	return got == (ssize_t)(head + n + tail) && memcmp(target, before, head) == 0 &&
			       memcmp(target + head, name, n) == 0 &&
			       memcmp(target + head + n, after, tail) == 0 ?
		       0 :
		       -ENOENT;
}

/*
 * A process that outlives the run may find another process under the number of its ompcount:
 * that has no memory of this name, and nothing of it is opened.
 */
static int open_own(const char *manifest)
{
	const char *name = strrchr(manifest, ':');
	int fd;

	if (!name || strlen(manifest) >= sizeof(descriptor))
		return -ENOENT;
	memcpy(descriptor, manifest, (size_t)(name - manifest));
	descriptor[name - manifest] = '\0';
	fd = check_name(name + 1);
	if (fd < 0)
		return fd;
	fd = call_open(descriptor, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0);
	if (fd >= 0 && !manifest_is_own(fd)) {
		call_close(fd);
		fd = -EACCES;
	}
	return fd;
}

/* Other processes may append between the check of the limit and the write.  The kernel raises
   SIGXFSZ only for a write that begins at the limit, so some spare room is required. */
static int manifest_append(const char *manifest, size_t bytes)
{
	int fd = open_own(manifest);
	struct stat st;
	ssize_t n = -EFBIG;

	if (fd < 0)
		return fd;
	if (call_fstat(fd, &st) != 0)
		n = -errno;
	else if (prof_fsize_allows((uint64_t)st.st_size + bytes + PATH_MAX))
		n = call_write(fd, entry, bytes);
	call_close(fd);
	if (n < 0)
		return (int)n;
	return (size_t)n == bytes ? 0 : -ENOSPC;
}

int prof_manifest_add(const char *manifest, const char *path)
{
	const size_t bytes = strlen(path) + 1;

	if (bytes > PATH_MAX)
		return -ENAMETOOLONG;
	entry[0] = '\0';
	memcpy(entry + 1, path, bytes);
	return manifest_append(manifest, 1 + bytes);
}

int prof_manifest_fail(const char *manifest, const char *path, int err)
{
	const size_t bytes = strlen(path) + 1;
	char *at = entry + 2;

	if (bytes > PATH_MAX)
		return -ENAMETOOLONG;
	entry[0] = '\0';
	entry[1] = PROF_MANIFEST_FAILURE;
	at = digits_put(at, (uint64_t)err, 10);
	*at++ = ' ';
	memcpy(at, path, bytes);
	return manifest_append(manifest, (size_t)(at - entry) + bytes);
}

const char *prof_manifest_failure(const char *text, int *err)
{
	uint64_t n;
	const char *end = *text == PROF_MANIFEST_FAILURE ? digits_get(text + 1, &n, 10) : NULL;

	if (!end || *end != ' ' || n > INT_MAX)
		return NULL;
	*err = (int)n;
	return end + 1;
}
