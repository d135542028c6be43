/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * folder.h - makes the folder that a profile is to lie in.
 */
#ifndef OMPHWC_SRC_PROFILE_FOLDER_H
#define OMPHWC_SRC_PROFILE_FOLDER_H

/*
 * Makes the folders of path: all that comes before its last slash.  Other processes may do the
 * same at once.  1: this process made the last one; 0: it was there, or there is no slash;
 * -errno.  Async-signal-safe; one thread of a process at a time.
 */
int prof_folder_make(const char *path);

#endif
