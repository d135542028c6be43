/*
 * scratch.c - makes, reads and removes the private folder of a run.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/run/scratch.h"
#include "src/run/sweep.h"

/* What separates or expands in LD_PRELOAD and LD_LIBRARY_PATH. */
#define LOADER_SPECIAL " \t\n:;$"

static int make_in(struct scratch *s, const char *where)
{
	if (!where || where[0] != '/' || where[strcspn(where, LOADER_SPECIAL)])
		return -EINVAL;
	if (snprintf(s->folder, sizeof(s->folder), "%s/" SCRATCH_PREFIX "XXXXXX", where) >=
	    (int)sizeof(s->folder))
		return -ENAMETOOLONG;
	sweep(where);
	return mkdtemp(s->folder) ? 0 : -errno;
}

/* The manifest gets its name when it is locked: a sweep never finds one that is
   not yet. */
static int make_manifest(struct scratch *s)
{
	char unnamed[PATH_MAX + 16];

	snprintf(unnamed, sizeof(unnamed), "%s/new", s->folder);
	s->lock = open(unnamed, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (s->lock < 0)
		return -errno;
	sweep_lock(s->lock);
	if (rename(unnamed, s->manifest) == 0)
		return 0;
	unlink(unnamed);
	return -errno;
}

static int fill(struct scratch *s)
{
	int ret;

	snprintf(s->manifest, sizeof(s->manifest), "%s/" SCRATCH_MANIFEST, s->folder);
	snprintf(s->libraries, sizeof(s->libraries), "%s/" SCRATCH_LIBRARIES, s->folder);
	ret = make_manifest(s);
	if (ret == 0 && mkdir(s->libraries, 0700) != 0)
		ret = -errno;
	return ret;
}

int scratch_make(struct scratch *s)
{
	const char *const places[] = {getenv("TMPDIR"), "/tmp", "/dev/shm"};
	int ret = -ENOENT;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		s->lock = -1;
		ret = make_in(s, places[i]);
		if (ret == 0)
			ret = fill(s);
		else
			s->folder[0] = '\0';
		if (ret == 0)
			return 0;
		scratch_remove(s);
	}
	return ret;
}

static int link_path(const struct scratch *s, const char *name, char *path, size_t bytes)
{
	return snprintf(path, bytes, "%s/%s", s->libraries, name) < (int)bytes ? 0 : -ENAMETOOLONG;
}

int scratch_link(const struct scratch *s, const char *name, const char *file)
{
	char path[PATH_MAX + 64];
	int ret = link_path(s, name, path, sizeof(path));

	if (ret == 0 && symlink(file, path) != 0)
		ret = -errno;
	return ret;
}

void scratch_unlink(const struct scratch *s)
{
	DIR *folder = opendir(s->libraries);
	struct dirent *entry;

	if (!folder)
		return;
	while ((entry = readdir(folder)) != NULL)
		if (entry->d_type != DT_DIR)
			unlinkat(dirfd(folder), entry->d_name, 0);
	closedir(folder);
}

static char *read_manifest(const char *path, size_t *bytes)
{
	struct stat st;
	char *text = NULL;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = -1;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && st.st_size > 0)
		text = malloc((size_t)st.st_size + 1);
	if (text)
		n = pread(fd, text, (size_t)st.st_size, 0);
	close(fd);
	if (n < 0) {
		free(text);
		return NULL;
	}
	text[n] = '\0';
	*bytes = (size_t)n;
	return text;
}

static int add_once(char ***paths, size_t *n, const char *path)
{
	char **more;

	for (size_t i = 0; i < *n; i++)
		if (strcmp((*paths)[i], path) == 0)
			return 0;
	more = realloc(*paths, (*n + 1) * sizeof(*more));
	if (!more)
		return -ENOMEM;
	*paths = more;
	more[*n] = strdup(path);
	if (!more[*n])
		return -ENOMEM;
	++*n;
	return 0;
}

char **scratch_profiles(const struct scratch *s, size_t *n)
{
	size_t bytes = 0;
	char **paths = NULL;
	char *text;

	*n = 0;
	text = s->folder[0] ? read_manifest(s->manifest, &bytes) : NULL;
	if (!text)
		return NULL;
	for (const char *at = text; at < text + bytes; at += strlen(at) + 1)
		/* Only what is followed by a NUL was written whole. */
		if (*at && at + strlen(at) < text + bytes && add_once(&paths, n, at) != 0)
			break;
	free(text);
	return paths;
}

void scratch_remove(struct scratch *s)
{
	if (!s->folder[0])
		return;
	if (s->lock >= 0)
		close(s->lock);
	s->lock = -1;
	scratch_unlink(s);
	rmdir(s->libraries);
	unlink(s->manifest);
	rmdir(s->folder);
	s->folder[0] = '\0';
}
