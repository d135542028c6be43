#include "config.h"

#include "src/run/gather.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/profile/manifest.h"
#include "src/profile/name.h"
#include "src/profile/reader/reader.h"

/* The folder to look into; false: it is not known. */
static bool find_folder(char *const *paths, size_t n, const char *pattern, char folder[PATH_MAX])
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

static bool is_known(char *const *paths, size_t n, const char *path)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(paths[i], path) == 0)
			return true;
	return false;
}

static bool is_of_run(const char *path, const char *id)
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

void gather_profiles(char ***paths, size_t *n, const char *pattern, const char *id)
{
	const size_t known = *n;
	size_t room = *n;
	struct dirent **names;
	char folder[PATH_MAX], path[PATH_MAX + NAME_MAX + 2];
	int nnames;

	if (!id || !find_folder(*paths, *n, pattern, folder))
		return;
	nnames = scandir(folder, &names, is_profile_name, alphasort);
	for (int i = 0; i < nnames; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]->d_name);
		free(names[i]);
		if (is_known(*paths, known, path) || !is_of_run(path, id))
			continue;
		*paths = grow(*paths, *n, &room, sizeof(**paths));
		(*paths)[*n] = alloc_text(path);
		++*n;
	}
	if (nnames >= 0)
		free(names);
}
