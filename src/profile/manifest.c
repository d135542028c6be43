/*
 * manifest.c - claims a name by appending it and looking who came first.
 *
 * A write to a file opened with O_APPEND is one piece at the file's end, and
 * leaves the descriptor's position behind it: so each process knows its own
 * place, everything before it is complete, and of two that want a name exactly
 * one finds none before its own.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "src/profile/calls.h"
#include "src/profile/manifest.h"
#include "src/profile/name.h"

enum { TRIES = 1000 };

/* Not on the stack, which may be a small one: a fork's child claims its name in
   its handler. */
static char entry[PATH_MAX + 2], wanted[PATH_MAX], tagged[PATH_MAX];

/* Whether path is one of the strings in the first bytes of fd: 1, 0, -errno. */
static int listed(int fd, size_t bytes, const char *path)
{
	const size_t want = strlen(path) + 1;
	const char *at, *end, *map;
	int found = 0;

	if (bytes == 0)
		return 0;
	map = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		return -errno;
	end = map + bytes;
	for (at = map; at < end && !found;) {
		const char *nul = memchr(at, '\0', (size_t)(end - at));

		if (!nul)
			break;
		found = (size_t)(nul + 1 - at) == want && memcmp(at, path, want) == 0;
		at = nul + 1;
	}
	munmap((void *)(uintptr_t)map, bytes);
	return found;
}

/* 0: path is ours; -EEXIST: it was claimed before; -errno.  The NUL in front
   ends what a full disk may have cut short. */
static int claim(int fd, const char *path)
{
	const size_t bytes = strlen(path) + 2;
	ssize_t n;
	off_t end;
	int ret;

	memcpy(entry + 1, path, bytes - 1);
	n = call_write(fd, entry, bytes);
	if (n < 0)
		return (int)n;
	if ((size_t)n != bytes)
		return -ENOSPC;
	end = lseek(fd, 0, SEEK_CUR);
	if (end < (off_t)bytes)
		return -EIO;
	ret = listed(fd, (size_t)end - bytes, path);
	return ret > 0 ? -EEXIST : ret;
}

/* The name to try after `attempt` others; the pid goes in unless it is there. */
static int next_name(char *out, size_t bytes, const char *path, uint32_t pid, int attempt)
{
	char own[32], tag[64];
	bool has_pid;

	snprintf(own, sizeof(own), "-%u" PROF_NAME_SUFFIX, pid);
	has_pid = strlen(path) > strlen(own) &&
		  strcmp(path + strlen(path) - strlen(own), own) == 0;
	if (has_pid)
		snprintf(tag, sizeof(tag), "-%d", attempt + 1);
	else if (attempt == 1)
		snprintf(tag, sizeof(tag), "-%u", pid);
	else
		snprintf(tag, sizeof(tag), "-%u-%d", pid, attempt);
	if (prof_name_tag(tagged, sizeof(tagged), path, tag) != 0 || strlen(tagged) >= bytes)
		return -ENAMETOOLONG;
	memcpy(out, tagged, strlen(tagged) + 1);
	return 0;
}

int prof_manifest_claim(const char *manifest, char *path, size_t bytes, uint32_t pid)
{
	int fd, ret;

	if (strlen(path) >= sizeof(wanted))
		return -ENAMETOOLONG;
	if (bytes > sizeof(wanted))
		bytes = sizeof(wanted);
	fd = call_open(manifest, O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0);
	if (fd < 0)
		return fd;
	memcpy(wanted, path, strlen(path) + 1);
	ret = claim(fd, wanted);
	for (int attempt = 1; ret == -EEXIST && attempt < TRIES; attempt++) {
		ret = next_name(wanted, bytes, path, pid, attempt);
		if (ret == 0)
			ret = claim(fd, wanted);
	}
	call_close(fd);
	if (ret == 0)
		memcpy(path, wanted, strlen(wanted) + 1);
	return ret;
}
