/*
 * manifest.h - the list of the profiles that one run of ompcount makes.
 *
 * A file of paths, each between NULs, made by ompcount and named to the
 * processes beneath it by OMPHWC_MANIFEST; each appends the path of its own
 * profile.  Being first there also settles who may use a name, so that several
 * processes never replace each other's profile.
 */
#ifndef OMPHWC_SRC_PROFILE_MANIFEST_H
#define OMPHWC_SRC_PROFILE_MANIFEST_H

#include <stddef.h>
#include <stdint.h>

/*
 * Claims path (absolute) for this process.  Where another process of the run
 * has it already, or an earlier program of this one, path becomes the next
 * free name: tagged with pid, then with a number too.  Call it before
 * prof_create().  May be called by any number of processes at once, in each of
 * them by one thread; async-signal-safe, keeps no descriptor.
 * 0, or -errno: path is as it was, and usable (-ENOENT: the run is over).
 */
int prof_manifest_claim(const char *manifest, char *path, size_t bytes, uint32_t pid);

#endif
