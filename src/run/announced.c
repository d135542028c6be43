#include "config.h"

#include "src/run/announced.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/profile/clock.h"

/* Above the standard streams, which may be closed. */
static int make_memory(const char *name)
{
	const int low = memfd_create(name, MFD_CLOEXEC);
	const int fd = low < 0 ? low : fcntl(low, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	const int err = -errno;

	if (low >= 0)
		close(low);
	if (fd >= 0 && fchmod(fd, 0600) == 0)
		return fd;
	if (fd < 0)
		return err;
	close(fd);
	return -EPERM;
}

int announced_open(struct announced *a)
{
	char name[ANNOUNCED_BYTES / 2];

	*a = (struct announced){ .manifest = "" };
	/* The name never recurs: another process may have this one's number later. */
	snprintf(name, sizeof(name), "omphwc-%d-%llu", (int)getpid(),
		 (unsigned long long)clock_ns(CLOCK_REALTIME));
	a->fd = make_memory(name);
	if (a->fd < 0)
		return a->fd;
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

static void add_once(char ***paths, size_t *n, size_t *room, const char *path)
{
	for (size_t i = 0; i < *n; i++)
		if (strcmp((*paths)[i], path) == 0)
			return;
	*paths = grow(*paths, *n, room, sizeof(**paths));
	(*paths)[*n] = alloc_text(path);
	++*n;
}

char **announced_profiles(const struct announced *a, size_t *n)
{
	size_t bytes = 0, room = 0;
	char **paths = NULL;
	char *text;

	*n = 0;
	text = a->fd > 0 ? read_manifest(a->fd, &bytes) : NULL;
	if (!text)
		return NULL;
	for (const char *at = text; at < text + bytes; at += strlen(at) + 1)
		/* A text without the NUL after it was not written completely. */
		if (*at && at + strlen(at) < text + bytes)
			add_once(&paths, n, &room, at);
	free(text);
	return paths;
}

void announced_close(struct announced *a)
{
	if (a->fd > 0)
		close(a->fd);
	a->fd = -1;
}
