/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/run/destination.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/message.h"
#include "src/profile/folder.h"
#include "src/profile/launch.h"
#include "src/profile/magic.h"
#include "src/profile/name.h"

enum { RUNS_MOST = 100000 }; /* of one job in one folder */

static int destination_add(char *out, size_t *used, const char *text, bool literal)
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

/* Patterns that begin with a variable may be absolute in one process and relative in another:
   this one's environment decides. */
static int make_absolute(const char *pattern, char absolute[PATH_MAX])
{
	char here[PATH_MAX];
	size_t used = 0;
	int ret = 0;

	if (!prof_name_is_absolute(pattern, prof_variable_here)) {
		if (!getcwd(here, sizeof(here)))
			return -errno;
		ret = destination_add(absolute, &used, here, true);
		if (ret == 0 && used > 1)
			ret = destination_add(absolute, &used, "/", true);
	}
	return ret ? ret : destination_add(absolute, &used, pattern, false);
}

/* Whether a directive's value is not known before the start: the process id; and what only a
   launcher beneath gives its ranks. */
static bool is_unknown(const char *directive, const struct prof_launch *l)
{
	switch (*directive) {
	case 'p': return true;
	case 'r':
	case 'R':
	case 'l':
	case 's': return l->rank[0] == '\0';
	case 'q':
	case '{': return !prof_name_is_set(directive, prof_variable_here);
	}
	return false;
}

/* Whether the pattern before end contains such a directive. */
static bool has_unknown(const char *pattern, const char *end, const struct prof_launch *l)
{
	for (const char *p = pattern; p < end; p++)
		if (*p == '%' && is_unknown(++p, l))
			return true;
	return false;
}

/* Creates an unnamed temporary file if the file system has them, because quotas and servers
   may refuse what the mode permits. */
static int writable(const char *folder, bool shared)
{
	int fd;

	if (faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) != 0)
		return errno;
	if (shared)
		return 0;
	fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0)
		return errno == EOPNOTSUPP || errno == EISDIR || errno == ENOENT ? 0 : errno;
	close(fd);
	return 0;
}

/* Of many ranks none makes files to try it: each would change the folder once more. */
static int destination_check_folder(const char *folder, bool shared, struct trouble *t)
{
	struct stat st;
	int err;

	if (stat(folder, &st) != 0)
		return trouble(t, strerror(errno), NULL, "output folder %s", folder);
	if (!S_ISDIR(st.st_mode))
		return trouble(t, "is no folder", NULL, "output folder %s", folder);
	err = writable(folder, shared);
	if (err)
		return trouble(t, strerror(err), NULL, "output folder %s", folder);
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
	if (st.st_size > 0 && !prof_is_profile(path))
		return trouble(t, "exists, is no profile, and is not overwritten",
			       "name another, or remove it", "-o %s", path);
	return 0;
}

/* ---- the folder -------------------------------------------------------- */

/* Makes the folder of path where it is missing. */
static int destination_make_folder(struct destination *d, const char *path, bool shared,
				   struct trouble *t)
{
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX];
	int made = prof_folder_make(path);

	strcpy(folder, path);
	folder[slash > path ? slash - path : 1] = '\0';
	if (made > 0)
		strcpy(d->made, folder);
	if (made < 0)
		return trouble(t, strerror(-made), NULL, "output folder %s", folder);
	return destination_check_folder(folder, shared, t);
}

/* The program runs on, profiled into the working folder where that can be written. */
static void destination_fall_back(struct destination *d)
{
	struct trouble t;

	d->moved = make_absolute(PROF_NAME_DEFAULT, d->pattern) == 0 &&
		   destination_check_folder(".", false, &t) == 0;
	d->unusable = !d->moved;
	strcpy(d->why.todo,
	       d->moved ? "the profile goes to the working folder" : "the program runs unprofiled");
}

/* ---- the default ------------------------------------------------------- */

/* Expands the folder now: what the programs beneath know of their job and step may differ. */
static int in_folder(const char *folder, const struct prof_name *fields, char absolute[PATH_MAX])
{
	struct prof_name f = *fields;
	char name[PATH_MAX];
	int ret;

	f.later = true;
	ret = prof_name_expand(name, sizeof(name), folder, &f);
	if (ret < 0)
		return ret;
	if ((size_t)ret + sizeof("/" PROF_NAME_OF_JOB) > sizeof(name))
		return -ENAMETOOLONG;
	strcpy(name + ret, "/" PROF_NAME_OF_JOB);
	return make_absolute(name, absolute);
}

/* The first number whose folder can be made: of several ompcounts each gets another. */
static int number_run(struct destination *d, const struct prof_name *fields)
{
	char folder[PROF_NAME_DEFAULT_BYTES], path[PATH_MAX];
	int made = 0;

	for (uint32_t run = 1; run <= RUNS_MOST && made == 0; run++) {
		prof_name_folder(folder, fields->launch, run);
		int ret = in_folder(folder, fields, d->pattern);
		if (ret == 0)
			ret = prof_name_expand(path, sizeof(path), d->pattern, fields);
		if (ret < 0)
			return ret;
		made = prof_folder_make(path);
	}
	if (made > 0) {
		*strrchr(path, '/') = '\0';
		strcpy(d->made, path);
	}
	return 0;
}

static int choose_default(struct destination *d, const struct prof_name *fields)
{
	char folder[PROF_NAME_DEFAULT_BYTES];

	prof_name_folder(folder, fields->launch, 0);
	if (folder[0] == '\0')
		return make_absolute(PROF_NAME_DEFAULT, d->pattern);
	if (prof_launch_is_alone(fields->launch))
		return number_run(d, fields);
	return in_folder(folder, fields, d->pattern);
}

/* ---- together ---------------------------------------------------------- */

int destination_choose(struct destination *d, const struct destination_wish *wish,
		       struct trouble *t)
{
	char path[PATH_MAX], host[256] = "";
	const char *asked = wish->pattern ? wish->pattern : PROF_NAME_DEFAULT;
	const struct prof_name fields = {
		.command = wish->command,
		.host = host,
		.time_s = wish->time_s,
		.launch = wish->launch,
		.variable = prof_variable_here,
	};
	int ret;

	*d = (struct destination){ .made = "" };
	if (!prof_name_is_absolute(asked, prof_variable_here) && !getcwd(path, sizeof(path)) &&
	    errno == ENOENT) {
		/* The working folder was removed, and the profile's name is relative to it. A name
		   is kept, though nothing is written. */
		const int err = errno;

		trouble(&d->why, strerror(err), "the program runs unprofiled", "working folder");
		strcpy(d->pattern, "/" PROF_NAME_DEFAULT);
		d->unusable = true;
		return 0;
	}
	gethostname(host, sizeof(host) - 1);
	ret = wish->pattern ? make_absolute(asked, d->pattern) : choose_default(d, &fields);
	if (ret == 0)
		ret = prof_name_expand(path, sizeof(path), d->pattern, &fields);
	if (ret < 0)
		return trouble(t, strerror(-ret), "name another with -o", "output file %s", asked);
	/* Checks what can be known before the start, when the process id is not known. */
	const char *slash = strrchr(d->pattern, '/');
	const char *name = slash ? slash + 1 : d->pattern; /* %{NAME} may be all of it */

	if (has_unknown(d->pattern, name, wish->launch))
		return 0;
	if (path[strlen(path) - 1] == '/')
		return trouble(t, "is a folder", "name a file in it", "-o %s", wish->pattern);
	if (!has_unknown(name, name + strlen(name), wish->launch) && check_file(path, t) != 0)
		return -1;
	if (destination_make_folder(d, path, !prof_launch_is_alone(wish->launch), &d->why) != 0)
		destination_fall_back(d);
	return 0;
}

void destination_tidy(struct destination *d, bool written)
{
	if (d->made[0] && !written)
		rmdir(d->made);
	d->made[0] = '\0';
}
