/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * find_profile.h - the profile of a process that runs.
 */
#ifndef OMPHWC_SRC_SCREEN_FIND_PROFILE_H
#define OMPHWC_SRC_SCREEN_FIND_PROFILE_H

#include <sys/types.h>

/*
 * The profile that the process has mapped, or else one of the processes that it started, as
 * /proc shows: of an ompcount, that of its program.  *path is malloc'ed.  0; -ESRCH: there is
 * no such process; -EACCES: another user's; -ENOENT: it has none.
 */
int find_profile(pid_t pid, char **path);

#endif
