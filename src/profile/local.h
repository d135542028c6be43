/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * local.h - folders of this user on this node.
 */
#ifndef OMPHWC_SRC_PROFILE_LOCAL_H
#define OMPHWC_SRC_PROFILE_LOCAL_H

#include <limits.h>
#include <stdbool.h>

/* Whether the file system that folder is on has its files elsewhere, or in another process: NFS,
   Lustre, FUSE ….  What can't be asked is not. */
bool local_is_not(const char *folder);

/*
 * The user's folder in the first of SLURM_TMPDIR, TMPDIR and /dev/shm that lies on this node: it
 * is made where it is missing, and nobody else may look into it.  0 or -errno.
 */
int local_folder(char path[PATH_MAX]);

/* Likewise that of the place with that number.  -ENOENT: no more; -errno: not there. */
int local_folder_make(unsigned number, char path[PATH_MAX]);

/* Of those folders the one with that number, whether it is there or not.  false: no more. */
bool local_folder_at(unsigned number, char path[PATH_MAX]);

/* Whether path is a folder of this user that nobody else may look into, and no link. */
bool local_is_own(const char *path);

/* Makes it where it is missing.  0 or -errno: -EACCES: it is another's, or others may look into
   it. */
int local_make(const char *path);

#define LOCAL_SPOOL "spool-"

/* Makes a folder for profiles in such a folder (src/run/spool.h).  0 or -errno. */
int local_spool(const char *folder, char path[PATH_MAX]);

#endif
