/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * links.c - creates links, each once for all runs.
 *
 * Several ranks do so concurrently: each step accepts the result of another process and
 * then checks it.
 */
#include "config.h"

#include "src/run/links.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/fnv.h"
#include "src/run/private.h"

static int make_link(const char *path, const char *target)
{
	char there[PATH_MAX];
	ssize_t n;

	if (symlink(target, path) == 0)
		return 0;
	if (errno != EEXIST && errno != EROFS)
		return -errno;
	n = readlink(path, there, sizeof(there) - 1);
	if (n < 0)
		return -errno;
	there[n] = '\0';
	/* Another one: two paths have the same hash, or somebody put it there. */
	return strcmp(there, target) == 0 ? 0 : -EEXIST;
}

static int make_in(enum private_base where, char path[PATH_MAX], const char *library)
{
	const uint64_t hash = fnv(FNV_BEGIN, library, strlen(library));
	char base[PATH_MAX], named[PATH_MAX], folder[PATH_MAX];
	int ret = private_base(where, base);

	if (ret)
		return ret;
	if (snprintf(named, sizeof(named), "%s/lib-%016llx", base, (unsigned long long)hash) >=
	    (int)sizeof(named))
		return -ENAMETOOLONG;
	if (mkdir(named, 0700) != 0 && errno != EEXIST && errno != EROFS)
		return -errno;
	ret = private_check(named, folder);
	if (ret)
		return ret;
	if (snprintf(path, PATH_MAX, "%s/%s", folder, strrchr(library, '/') + 1) >= PATH_MAX)
		return -ENAMETOOLONG;
	return path[strcspn(path, LINKS_LOADER_SPECIAL)] ? -EINVAL : make_link(path, library);
}

int links_make(char path[PATH_MAX], const char *library)
{
	static const enum private_base places[] = { PRIVATE_CACHE, PRIVATE_RUNTIME };
	int ret = -ENOENT;

	for (size_t i = 0; ret && i < sizeof(places) / sizeof(places[0]); i++)
		ret = make_in(places[i], path, library);
	return ret;
}
