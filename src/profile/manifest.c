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
static char entry[1 + FAILURE_BYTES + PATH_MAX], folder_path[PATH_MAX];

static bool is_own(int fd, mode_t type)
{
	struct stat st;

	return call_fstat(fd, &st) == 0 && (st.st_mode & S_IFMT) == type &&
	       st.st_uid == geteuid() && !(st.st_mode & (S_IWGRP | S_IWOTH)) &&
	       (type == S_IFDIR || st.st_nlink == 1);
}

/*
 * A process that outlives the run may find another user's file under the manifest's name,
 * if ompcount was given a folder that is less private than it seemed.  Only a file of this
 * user in a folder of this user is accepted, and no symbolic link.
 */
static int open_own(const char *manifest)
{
	const char *slash = strrchr(manifest, '/');
	int folder, fd;

	if (!slash || slash == manifest || strlen(manifest) >= sizeof(folder_path))
		return -ENOENT;
	memcpy(folder_path, manifest, (size_t)(slash - manifest));
	folder_path[slash - manifest] = '\0';
	folder = call_open(folder_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW, 0);
	if (folder < 0)
		return folder;
	fd = is_own(folder, S_IFDIR) ? call_openat(folder, slash + 1,
						   O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW |
							   O_NOCTTY | O_NONBLOCK) :
				       -EACCES;
	call_close(folder);
	if (fd >= 0 && !is_own(fd, S_IFREG)) {
		call_close(fd);
		fd = -EACCES;
	}
	return fd;
}

/* Other processes may append between the check of the limit and the write.  The kernel raises
   SIGXFSZ only for a write that begins at the limit, so some spare room is required. */
static int append(const char *manifest, size_t bytes)
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
	return append(manifest, 1 + bytes);
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
	return append(manifest, (size_t)(at - entry) + bytes);
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
