/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/profile/folder.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "src/profile/syscalls.h"

enum { MODE = 0777 };

/* Static, because the stack may be small: a fork's child makes its profile in its signal
   handler. */
static char folder[PATH_MAX];

/* 1: made; 0: something has that name.  Many processes may want it at once: all but the first
   change nothing. */
static int folder_make(const char *path)
{
	struct stat st;

	if (call_stat(path, &st) == 0)
		return 0;
	if (mkdir(path, MODE) == 0)
		return 1;
	return errno == EEXIST ? 0 : -errno;
}

int prof_folder_make(const char *path)
{
	const char *slash = strrchr(path, '/');
	int ret;

	if (!slash || slash == path)
		return 0;
	while (slash > path + 1 && slash[-1] == '/')
		slash--;
	if ((size_t)(slash - path) >= sizeof(folder))
		return -ENAMETOOLONG;
	memcpy(folder, path, (size_t)(slash - path));
	folder[slash - path] = '\0';
	ret = folder_make(folder);
	if (ret != -ENOENT)
		return ret;
	/* What can't be made above may be there all the same: on a file system that is mounted
	   read-only mkdir() fails before it looks. */
	for (char *p = strchr(folder + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		mkdir(folder, MODE);
		*p = '/';
	}
	return folder_make(folder);
}
