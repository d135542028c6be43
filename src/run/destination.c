#include "config.h"

#include "src/run/destination.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/message.h"
#include "src/profile/format.h"
#include "src/profile/name.h"

static int add(char *out, size_t *used, const char *text, bool literal)
{
	for (; *text; text++) {
		if (*used + 3 > PATH_MAX)
			return -ENAMETOOLONG;
		if (literal && *text == '%')
			out[(*used)++] = '%';
		out[(*used)++] = *text;
	}
	out[*used] = '\0';
	return 0;
}

static int make_absolute(const char *pattern, char absolute[PATH_MAX])
{
	char here[PATH_MAX];
	size_t used = 0;
	int ret = 0;

	if (*pattern != '/') {
		if (!getcwd(here, sizeof(here)))
			return -errno;
		ret = add(absolute, &used, here, true);
		if (ret == 0)
			ret = add(absolute, &used, "/", true);
	}
	return ret ? ret : add(absolute, &used, pattern, false);
}

/* Expands the pattern as far as possible before the start; the process id is unknown. */
static int preview(const char *pattern, const char *command, char path[PATH_MAX])
{
	char host[256] = "";
	const struct prof_name fields = { .command = command, .host = host, .rank = prof_rank() };
	int ret;

	gethostname(host, sizeof(host) - 1);
	ret = prof_name_expand(path, PATH_MAX, pattern, &fields);
	return ret < 0 ? ret : 0;
}

/* Whether the pattern before end contains the process id. */
static bool has_pid(const char *pattern, const char *end)
{
	for (const char *p = pattern; p < end; p++)
		if (*p == '%' && *++p == 'p')
			return true;
	return false;
}

static bool is_profile(const char *path)
{
	char magic[sizeof(PROF_MAGIC) - 1] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	ssize_t n = fd < 0 ? -1 : read(fd, magic, sizeof(magic));

	if (fd >= 0)
		close(fd);
	return n == (ssize_t)sizeof(magic) && memcmp(magic, PROF_MAGIC, sizeof(magic)) == 0;
}

/* Creates an unnamed temporary file if the file system has them, because quotas and servers
   may refuse what the mode permits. */
static int writable(const char *folder)
{
	int fd;

	if (faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) != 0)
		return errno;
	fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0)
		return errno == EOPNOTSUPP || errno == EISDIR || errno == ENOENT ? 0 : errno;
	close(fd);
	return 0;
}

static int check_folder(const char *folder, struct trouble *t)
{
	struct stat st;
	int err;

	if (stat(folder, &st) != 0)
		return trouble(t, strerror(errno),
			       errno == ENOENT ? "make it first, or name another with -o" :
						 "name another with -o",
			       "output folder %s", folder);
	if (!S_ISDIR(st.st_mode))
		return trouble(t, "is no folder", "name another with -o", "output folder %s",
			       folder);
	err = writable(folder);
	if (err)
		return trouble(t, strerror(err), "name one that can be written with -o",
			       "output folder %s", folder);
	return 0;
}

static int check_file(const char *path, struct trouble *t)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return 0;
	if (S_ISDIR(st.st_mode))
		return trouble(t, "is a folder", "name a file in it", "-o %s", path);
	if (!S_ISREG(st.st_mode))
		return trouble(t, "is no ordinary file", "name another", "-o %s", path);
	if (st.st_size > 0 && !is_profile(path))
		return trouble(t, "is there already, is no profile, and is not replaced",
			       "name another, or remove it", "-o %s", path);
	return 0;
}

int destination_check(const char *pattern, const char *command, char absolute[PATH_MAX],
		      struct trouble *t)
{
	char path[PATH_MAX], folder[PATH_MAX];
	const char *name;
	int ret = make_absolute(pattern, absolute);

	if (ret == 0)
		ret = preview(absolute, command, path);
	if (ret)
		return trouble(t, strerror(-ret), "name another with -o", "output file %s",
			       pattern);
	name = strrchr(absolute, '/') + 1;
	if (has_pid(absolute, name))
		return 0;
	strcpy(folder, path);
	*(strrchr(folder, '/') + (strrchr(folder, '/') == folder)) = '\0';
	if (check_folder(folder, t) != 0)
		return -1;
	if (!*name)
		return trouble(t, "is a folder", "name a file in it", "-o %s", pattern);
	return has_pid(name, name + strlen(name)) ? 0 : check_file(path, t);
}
