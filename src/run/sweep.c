/*
 * sweep.c - removes private folders that nobody will.
 *
 * A run holds a lock on its manifest, which ends with its process, however
 * that ends.  A folder whose lock can be had is thus nobody's; one without a
 * manifest is under way, made or removed at this moment, and left alone.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/run/sweep.h"

int sweep_lock(int fd)
{
	return flock(fd, LOCK_EX | LOCK_NB) == 0 ? 0 : -errno;
}

static int open_folder(int at, const char *name)
{
	return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static bool ours(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_uid == geteuid() && (st.st_mode & 07777) == 0700;
}

/* Only links are ever in there. */
static void empty(int libraries)
{
	DIR *d = fdopendir(libraries);
	struct dirent *entry;

	if (!d) {
		close(libraries);
		return;
	}
	while ((entry = readdir(d)) != NULL)
		if (entry->d_type == DT_LNK)
			unlinkat(dirfd(d), entry->d_name, 0);
	closedir(d);
}

static void remove_folder(int where, const char *name, int folder)
{
	int libraries = open_folder(folder, SCRATCH_LIBRARIES);

	if (libraries >= 0)
		empty(libraries);
	unlinkat(folder, SCRATCH_LIBRARIES, AT_REMOVEDIR);
	unlinkat(folder, SCRATCH_MANIFEST, 0);
	unlinkat(where, name, AT_REMOVEDIR);
}

static void look_at(int where, const char *name)
{
	int folder = open_folder(where, name), manifest = -1;

	if (folder >= 0 && ours(folder))
		manifest = openat(folder, SCRATCH_MANIFEST,
				  O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	if (manifest >= 0 && sweep_lock(manifest) == 0)
		remove_folder(where, name, folder);
	if (manifest >= 0)
		close(manifest);
	if (folder >= 0)
		close(folder);
}

void sweep(const char *where)
{
	DIR *d = opendir(where);
	struct dirent *entry;

	if (!d)
		return;
	while ((entry = readdir(d)) != NULL)
		if (strncmp(entry->d_name, SCRATCH_PREFIX, sizeof(SCRATCH_PREFIX) - 1) == 0)
			look_at(dirfd(d), entry->d_name);
	closedir(d);
}
