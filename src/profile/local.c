/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * local.c - see local.h.
 *
 * Such a folder may lie where everybody can make names, /dev/shm for one.  In it names are
 * safe from others, since only its owner may enter.
 */
#include "config.h"

#include "src/profile/local.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "src/profile/syscalls.h"

enum { TRIES = 100 };

/* statfs(2) and the file systems' sources; headers don't have all. */
static const uint32_t remote[] = {
	0x6969,	    /* NFS */
	0x517b,	    /* SMB */
	0xff534d42, /* CIFS */
	0xfe534d42, /* SMB2 */
	0x01021997, /* 9P */
	0x65735546, /* FUSE */
	0x0bd00bd0, /* Lustre */
	0x47504653, /* GPFS */
	0x19830326, /* BeeGFS */
	0x00c36400, /* Ceph */
	0x5346414f, /* AFS */
	0x6b414653, /* AFS, in the kernel */
	0x73757245, /* Coda */
	0x20030528, /* OrangeFS */
	0xaad7aaea, /* PanFS */
	0x01161970, /* GFS2 */
	0x7461636f, /* OCFS2 */
};

bool local_is_not(const char *folder)
{
	struct statfs fs;

	if (statfs(folder, &fs) != 0)
		return false;
	for (size_t i = 0; i < sizeof(remote) / sizeof(remote[0]); i++)
		if ((uint32_t)fs.f_type == remote[i])
			return true;
	return false;
}

/* It may have inherited its set-group-ID bit. */
static int check_own(const char *path)
{
	struct stat st;
	const int err = call_lstat(path, &st);

	if (err != 0)
		return err;
	return S_ISDIR(st.st_mode) && st.st_uid == geteuid() && (st.st_mode & 0777) == 0700 ?
		       0 :
		       -EACCES;
}

bool local_is_own(const char *path)
{
	return check_own(path) == 0;
}

/* Others of this user remove it when nothing is in it. */
int local_make(const char *path)
{
	int err = -ENOENT;

	for (int i = 0; i < TRIES && err == -ENOENT; i++) {
		err = check_own(path);
		if (err == -ENOENT && mkdir(path, 0700) != 0 && errno != EEXIST)
			return -errno;
	}
	return err;
}

static const char *local_place(unsigned number)
{
	switch (number) {
	case 0: return getenv("SLURM_TMPDIR");
	case 1: return getenv("TMPDIR");
	case 2: return "/dev/shm";
	}
	return NULL;
}

enum { PLACES = 3 };

bool local_folder_at(unsigned number, char path[PATH_MAX])
{
	const char *where = local_place(number);

	if (number >= PLACES)
		return false;
	if (!where || where[0] != '/' ||
	    snprintf(path, PATH_MAX, "%s/omphwc-%u", where, (unsigned)geteuid()) >= PATH_MAX)
		path[0] = '\0';
	return true;
}

int local_folder_make(unsigned number, char path[PATH_MAX])
{
	if (!local_folder_at(number, path))
		return -ENOENT;
	return path[0] && !local_is_not(local_place(number)) ? local_make(path) : -ENOTDIR;
}

int local_folder(char path[PATH_MAX])
{
	unsigned i = 0;
	int err;

	do
		err = local_folder_make(i++, path);
	while (err != 0 && err != -ENOENT);
	return err;
}

int local_spool(const char *folder, char path[PATH_MAX])
{
	if (snprintf(path, PATH_MAX, "%s/" LOCAL_SPOOL "XXXXXX", folder) >= PATH_MAX)
		return -ENAMETOOLONG;
	return mkdtemp(path) ? 0 : -errno;
}
