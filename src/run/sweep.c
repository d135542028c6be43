/*
 * sweep.c - removes private folders of runs that were killed.
 *
 * A run holds a lock on its manifest, which ends with its process in any case.  So a folder
 * whose lock can be taken has no owner.  A folder without a manifest is left alone: it is
 * being created or removed, or its file system has no locks.
 */
#include "config.h"

#include "src/run/sweep.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

void sweep_prefix(char prefix[SWEEP_PREFIX_BYTES])
{
	struct utsname machine;

	uname(&machine);
	snprintf(prefix, SWEEP_PREFIX_BYTES, SCRATCH_PREFIX "%s-", machine.nodename);
	for (char *slash = prefix; (slash = strchr(slash, '/'));)
		*slash = '_';
}

/*
 * Takes both kinds of lock if possible, because file systems and seccomp filters may refuse
 * either: two processes that can take only one kind each must still exclude one that has
 * both.
 */
int sweep_lock(int fd)
{
	struct flock all = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int whole = flock(fd, LOCK_EX | LOCK_NB) == 0 ? 0 : -errno;
	int record = fcntl(fd, F_OFD_SETLK, &all) == 0 ? 0 : -errno;

	if (whole == -EWOULDBLOCK || record == -EAGAIN || record == -EACCES)
		return -EWOULDBLOCK;
	return whole == 0 || record == 0 ? 0 : whole;
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

static void remove_folder(int where, const char *name, int folder)
{
	unlinkat(folder, SCRATCH_MANIFEST, 0);
	unlinkat(where, name, AT_REMOVEDIR);
}

static void look_at(int where, const char *name)
{
	int folder = open_folder(where, name), manifest = -1;

	if (folder >= 0 && ours(folder))
		manifest = openat(folder, SCRATCH_MANIFEST,
				  O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	if (manifest >= 0 && sweep_lock(manifest) == 0)
		remove_folder(where, name, folder);
	if (manifest >= 0)
		close(manifest);
	if (folder >= 0)
		close(folder);
}

void sweep(const char *where)
{
	char prefix[SWEEP_PREFIX_BYTES];
	DIR *d = opendir(where);
	struct dirent *entry;

	if (!d)
		return;
	sweep_prefix(prefix);
	while ((entry = readdir(d))) {
		const bool hidden = entry->d_name[0] == '.';

		if (strncmp(entry->d_name + hidden, prefix, strlen(prefix)) == 0)
			look_at(dirfd(d), entry->d_name);
	}
	closedir(d);
}
