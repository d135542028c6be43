/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * private.c - checks every folder from the root down.
 *
 * A folder's own mode is not enough: whoever can write to a folder above it can replace it.
 * The sticky bit does not help, because anybody can take the name once the folder is gone.
 */
#include "config.h"

#include "src/run/private.h"

#include <errno.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OWN_FOLDER "omphwc"

/* How owners of files appear in this user namespace: see user_namespaces(7). */
struct id_view {
	bool whole;	/* all users are mapped */
	bool root;	/* root is mapped */
	uid_t overflow; /* the id of unmapped users */
};

static void look_at_view(struct id_view *v)
{
	unsigned inside, outside, count;
	FILE *f = fopen("/proc/sys/fs/overflowuid", "re");

	*v = (struct id_view){ .overflow = 65534 };
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

/* In a container that maps only its user, root and everybody else appear as the overflow id;
   but folders directly below / belong to the administrator. */
static bool is_trusted(const struct id_view *v, uid_t owner, int depth)
{
	if (owner == v->overflow && !v->whole)
		return !v->root && depth <= 1;
	return owner == 0 || owner == geteuid();
}

/* An ACL that lets others write appears in the group's mode bits. */
static int check_one(const struct id_view *v, const char *folder, int depth)
{
	struct stat st;

	if (lstat(folder, &st) != 0)
		return -errno;
	if (!S_ISDIR(st.st_mode))
		return -ENOTDIR;
	return is_trusted(v, st.st_uid, depth) && !(st.st_mode & (S_IWGRP | S_IWOTH)) ? 0 : -EACCES;
}

int private_check(const char *path, char real[PATH_MAX])
{
	struct id_view view;
	int ret, depth = 0;

	if (!realpath(path, real))
		return -errno;
	look_at_view(&view);
	ret = check_one(&view, "/", depth);
	/* From the top down: what was found private cannot be changed by others afterwards. */
	for (char *slash = real; ret == 0 && real[1] && slash;) {
		slash = strchr(slash + 1, '/');
		if (slash)
			*slash = '\0';
		ret = check_one(&view, real, ++depth);
		if (slash)
			*slash = '/';
	}
	return ret;
}

/* Creates parent/name if it is missing and parent is private; path becomes its real path. */
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

/* XDG_CACHE_HOME is created if it is missing, as its specification requires. */
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
	switch (which) {
	case PRIVATE_RUNTIME: return make_below(path, getenv("XDG_RUNTIME_DIR"), OWN_FOLDER);
	case PRIVATE_CACHE: return cache(path);
	}
	return -EINVAL;
}
