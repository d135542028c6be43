/*
 * links.c - creates folders of links, each once for all runs.
 *
 * Several ranks do so concurrently: each step accepts the result of another process and
 * then checks it.
 */
#include "config.h"

#include "src/run/links.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/fnv.h"
#include "src/run/private.h"

/* Includes the NUL that ends the text.  If two sets of links have the same hash, the links
   differ, which is detected. */
static uint64_t add_to_hash(uint64_t hash, const char *text)
{
	return fnv(hash, text, strlen(text) + 1);
}

static int make_link(const char *folder, const struct links_entry *e)
{
	char path[PATH_MAX], there[PATH_MAX];
	ssize_t n;

	if (snprintf(path, sizeof(path), "%s/%s", folder, e->name) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	if (symlink(e->target, path) == 0)
		return 0;
	if (errno != EEXIST && errno != EROFS)
		return -errno;
	n = readlink(path, there, sizeof(there) - 1);
	if (n < 0)
		return -errno;
	there[n] = '\0';
	return strcmp(there, e->target) == 0 ? 0 : -EEXIST;
}

static int make_in(enum private_base where, char folder[PATH_MAX],
		   const struct links_entry *entries, size_t n)
{
	uint64_t hash = FNV_BEGIN;
	char base[PATH_MAX], path[PATH_MAX];
	int ret = private_base(where, base);

	if (ret)
		return ret;
	if (base[strcspn(base, LINKS_LOADER_SPECIAL)])
		return -EINVAL;
	for (size_t i = 0; i < n; i++)
		hash = add_to_hash(add_to_hash(hash, entries[i].name), entries[i].target);
	if (snprintf(path, sizeof(path), "%s/lib-%016llx", base, (unsigned long long)hash) >=
	    (int)sizeof(path))
		return -ENAMETOOLONG;
	if (mkdir(path, 0700) != 0 && errno != EEXIST && errno != EROFS)
		return -errno;
	ret = private_check(path, folder);
	for (size_t i = 0; ret == 0 && i < n; i++)
		ret = make_link(folder, &entries[i]);
	return ret;
}

int links_make(char folder[PATH_MAX], const struct links_entry *entries, size_t n)
{
	static const enum private_base places[] = { PRIVATE_CACHE, PRIVATE_RUNTIME };
	int ret = -ENOENT;

	for (size_t i = 0; ret && i < sizeof(places) / sizeof(places[0]); i++)
		ret = make_in(places[i], folder, entries, n);
	if (ret)
		folder[0] = '\0';
	return ret;
}
