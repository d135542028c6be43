#include "config.h"

#include "src/run/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/grow.h"
#include "src/run/private.h"
#include "src/run/sweep.h"

/* In the working folder, which people look at, its name begins with a dot. */
static int make_in(struct scratch *s, enum private_base where)
{
	char base[PATH_MAX], prefix[SWEEP_PREFIX_BYTES];
	int ret = private_base(where, base);

	if (ret)
		return ret;
	sweep_prefix(prefix);
	if (snprintf(s->folder, sizeof(s->folder), "%s/%s%sXXXXXX", base,
		     where == PRIVATE_HERE ? "." : "", prefix) >= (int)sizeof(s->folder))
		return -ENAMETOOLONG;
	sweep(base);
	return mkdtemp(s->folder) ? 0 : -errno;
}

/* The manifest is renamed to its final name after it was locked, so that a sweep never finds
   an unlocked one of a live run.  If it cannot be locked, its name is one that sweeps ignore. */
static int make_manifest(struct scratch *s)
{
	char unnamed[PATH_MAX + 16];

	snprintf(unnamed, sizeof(unnamed), "%s/new", s->folder);
	s->lock = open(unnamed, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (s->lock < 0)
		return -errno;
	snprintf(s->manifest, sizeof(s->manifest), "%s/%s", s->folder,
		 sweep_lock(s->lock) == 0 ? SCRATCH_MANIFEST : SCRATCH_UNLOCKED);
	if (rename(unnamed, s->manifest) == 0)
		return 0;
	unlink(unnamed);
	return -errno;
}

int scratch_make(struct scratch *s)
{
	static const enum private_base places[] = {
		PRIVATE_TMPDIR,
		PRIVATE_RUNTIME,
		PRIVATE_CACHE,
		PRIVATE_HERE,
	};
	int ret = -ENOENT;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		*s = (struct scratch){ .lock = -1 };
		ret = make_in(s, places[i]);
		if (ret == 0)
			ret = make_manifest(s);
		else
			s->folder[0] = '\0';
		if (ret == 0)
			return 0;
		scratch_remove(s);
	}
	*s = (struct scratch){ .lock = -1 };
	return ret;
}

static char *read_manifest(const char *path, size_t *bytes)
{
	struct stat st;
	char *text = NULL;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
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

static int add_once(char ***paths, size_t *n, size_t *room, const char *path)
{
	char **more;

	for (size_t i = 0; i < *n; i++)
		if (strcmp((*paths)[i], path) == 0)
			return 0;
	more = grow(*paths, *n, room, sizeof(*more));
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
	size_t bytes = 0, room = 0;
	char **paths = NULL;
	char *text;

	*n = 0;
	text = s->folder[0] ? read_manifest(s->manifest, &bytes) : NULL;
	if (!text)
		return NULL;
	for (const char *at = text; at < text + bytes; at += strlen(at) + 1)
		/* A text without the NUL after it was not written completely. */
		if (*at && at + strlen(at) < text + bytes && add_once(&paths, n, &room, at) != 0)
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
	unlink(s->manifest);
	rmdir(s->folder);
	s->folder[0] = '\0';
}
