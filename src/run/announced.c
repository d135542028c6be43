/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/run/announced.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/alloc.h"
#include "src/profile/clock.h"
#include "src/run/paths.h"

int announced_open(struct announced *a)
{
	char name[ANNOUNCED_BYTES / 2];

	*a = (struct announced){ .manifest = "" };
	/* The name never recurs: another process may have this one's number later. */
	snprintf(name, sizeof(name), "omphwc-%d-%llu", (int)getpid(),
		 (unsigned long long)clock_ns(CLOCK_REALTIME));
	a->fd = memfd_create(name, MFD_CLOEXEC);
	if (a->fd < 0)
		return -errno;
	if (fchmod(a->fd, 0600) != 0) {
		const int err = -errno;

		announced_close(a);
		return err;
	}
	snprintf(a->manifest, sizeof(a->manifest), "/proc/%d/fd/%d:%s", (int)getpid(), a->fd, name);
	return 0;
}

static char *read_manifest(int fd, size_t *bytes)
{
	struct stat st;
	char *text = NULL;
	ssize_t n = -1;

	if (fstat(fd, &st) == 0 && st.st_size > 0)
		text = alloc_bytes((size_t)st.st_size + 1);
	if (text)
		n = pread(fd, text, (size_t)st.st_size, 0);
	if (n < 0) {
		free(text);
		return NULL;
	}
	text[n] = '\0';
	*bytes = (size_t)n;
	return text;
}

char **announced_profiles(const struct announced *a, size_t *n)
{
	size_t bytes = 0;
	char **paths = NULL;
	char *text;

	*n = 0;
	text = a->fd > 0 ? read_manifest(a->fd, &bytes) : NULL;
	if (!text)
		return NULL;
	for (const char *at = text; at < text + bytes; at += strlen(at) + 1)
		/* A text without the NUL after it was not written completely. */
		if (*at && at + strlen(at) < text + bytes)
			paths_add(&paths, n, at);
	free(text);
	return paths;
}

void announced_close(struct announced *a)
{
	if (a->fd > 0)
		close(a->fd);
	a->fd = -1;
}
