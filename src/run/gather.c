/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/run/gather.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/profile/manifest.h"
#include "src/profile/name.h"
#include "src/profile/reader/reader.h"
#include "src/run/paths.h"

enum { SLACK_S = 3600 };

/* The folder to look into; false: it is not known. */
static bool gather_find_folder(char *const *paths, size_t n, const char *pattern,
			       char folder[PATH_MAX])
{
	const char *path = pattern, *slash;
	int err;

	for (size_t i = n; i-- > 0;)
		if (!prof_manifest_failure(paths[i], &err))
			path = paths[i];
	slash = strrchr(path, '/');
	if (!slash || slash - path >= PATH_MAX || slash == path)
		return false;
	memcpy(folder, path, (size_t)(slash - path));
	folder[slash - path] = '\0';
	return path != pattern || !strchr(folder, '%');
}

static bool gather_is_of_run(const char *path, const char *id)
{
	struct prof_file *f;
	uint32_t version;
	const char *its;
	bool is;

	if (prof_read_head(path, &f, &version) != PROF_READ_OK)
		return false;
	its = prof_text(f, PROF_INFO_RUN_ID);
	is = its && strcmp(its, id) == 0;
	prof_free(f);
	return is;
}

static int is_profile_name(const struct dirent *d)
{
	return prof_name_has_suffix(d->d_name);
}

/* Whether it is a file of this user that was written since, by the file system's clock, which may
   be a server's. */
static bool may_be_of_run(const char *path, uint64_t begun_ns)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	       (uint64_t)st.st_mtime + SLACK_S >= begun_ns / 1000000000;
}

void gather_profiles(char ***paths, size_t *n, const char *pattern, const char *id,
		     uint64_t begun_ns)
{
	struct dirent **names;
	char folder[PATH_MAX], path[PATH_MAX + NAME_MAX + 2];
	int nnames;

	if (!id || !gather_find_folder(*paths, *n, pattern, folder))
		return;
	nnames = scandir(folder, &names, is_profile_name, alphasort);
	for (int i = 0; i < nnames; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]->d_name);
		free(names[i]);
		if (may_be_of_run(path, begun_ns) && gather_is_of_run(path, id))
			paths_add(paths, n, path);
	}
	if (nnames >= 0)
		free(names);
}
