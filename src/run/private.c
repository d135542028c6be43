/*
 * private.c - looks at every folder from the root down.
 *
 * A folder's own bits do not tell: who can write to one above it can put another
 * in its place.  The sticky bit does not help either, since the name is free for
 * everybody as soon as the folder is gone.
 */
#include "config.h"

#include <errno.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/run/private.h"

#define OWN_FOLDER "omphwc"

/* Whose files are seen as whose in this user namespace: see user_namespaces(7). */
struct view {
	bool whole;		/* everybody's as they are */
	bool root;		/* root's */
	uid_t overflow;		/* what all others are seen as */
};

static void look_at_view(struct view *v)
{
	unsigned inside, outside, count;
	FILE *f = fopen("/proc/sys/fs/overflowuid", "re");

	*v = (struct view){.overflow = 65534};
	if (f && fscanf(f, "%u", &inside) == 1)
		v->overflow = inside;
	if (f)
		fclose(f);
	f = fopen("/proc/self/uid_map", "re");
	v->whole = v->root = !f;
	while (f && fscanf(f, "%u %u %u", &inside, &outside, &count) == 3) {
		v->whole |= inside == 0 && count == UINT_MAX;
		v->root |= inside == 0 && count > 0;
	}
	if (f)
		fclose(f);
}

/* In a container that knows its user alone root is seen as nobody in particular, and
   so is everybody else; but folders right below / are the administrator's. */
static bool is_trusted(const struct view *v, uid_t owner, int depth)
{
	if (owner == v->overflow && !v->whole)
		return !v->root && depth <= 1;
	return owner == 0 || owner == geteuid();
}

/* An ACL that lets others write shows in the group's bits. */
static int check_one(const struct view *v, const char *folder, int depth)
{
	struct stat st;

	if (lstat(folder, &st) != 0)
		return -errno;
	if (!S_ISDIR(st.st_mode))
		return -ENOTDIR;
	return is_trusted(v, st.st_uid, depth) && !(st.st_mode & (S_IWGRP | S_IWOTH)) ? 0 :
											-EACCES;
}

int private_check(const char *path, char real[PATH_MAX])
{
	struct view view;
	int ret, depth = 0;

	if (!realpath(path, real))
		return -errno;
	look_at_view(&view);
	ret = check_one(&view, "/", depth);
	/* From the top: what was found private can't be changed meanwhile. */
	for (char *slash = real; ret == 0 && real[1] && slash; ) {
		slash = strchr(slash + 1, '/');
		if (slash)
			*slash = '\0';
		ret = check_one(&view, real, ++depth);
		if (slash)
			*slash = '/';
	}
	return ret;
}

/* Makes parent/name if need be, where nobody else can; path becomes its real one. */
static int make_below(char path[PATH_MAX], const char *parent, const char *name)
{
	char folder[PATH_MAX], below[PATH_MAX];
	int ret;

	if (!parent || parent[0] != '/')
		return -ENOENT;
	ret = private_check(parent, folder);
	if (ret)
		return ret;
	if (snprintf(below, sizeof(below), "%s/%s", folder, name) >= (int)sizeof(below))
		return -ENAMETOOLONG;
	if (mkdir(below, 0700) != 0 && errno != EEXIST)
		return -errno;
	return private_check(below, path);
}

static const char *home(void)
{
	const char *given = getenv("HOME");
	const struct passwd *entry;

	if (given && *given)
		return given;
	entry = getpwuid(geteuid());
	return entry ? entry->pw_dir : NULL;
}

/* XDG_CACHE_HOME is made where it is missing, as its specification wants it. */
static int make_given(char path[PATH_MAX], const char *given)
{
	char parent[PATH_MAX];
	const char *name = strrchr(given, '/') + 1;

	if (access(given, F_OK) == 0 || !*name)
		return private_check(given, path);
	snprintf(parent, sizeof(parent), "%.*s", (int)(name - given), given);
	return make_below(path, parent, name);
}

static int cache(char path[PATH_MAX])
{
	const char *given = getenv("XDG_CACHE_HOME");
	char parent[PATH_MAX];
	int ret = given && given[0] == '/' ? make_given(parent, given) :
					     make_below(parent, home(), ".cache");

	return ret ? ret : make_below(path, parent, OWN_FOLDER);
}

int private_base(enum private_base which, char path[PATH_MAX])
{
	const char *given = getenv("TMPDIR");

	switch (which) {
	case PRIVATE_TMPDIR:
		return given && given[0] == '/' ? private_check(given, path) : -ENOENT;
	case PRIVATE_RUNTIME:
		return make_below(path, getenv("XDG_RUNTIME_DIR"), OWN_FOLDER);
	case PRIVATE_CACHE:
		return cache(path);
	case PRIVATE_HERE:
		return private_check(".", path);
	}
	return -EINVAL;
}
