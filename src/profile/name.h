/*
 * name.h - expands the pattern of the profile's file name.
 *
 *   %c  base name of the command     %h  host
 *   %p  process id                   %r  MPI rank, "none" without one
 *   %%  a percent sign
 *
 * No allocation, no system call, no locale.
 */
#ifndef OMPHWC_SRC_PROFILE_NAME_H
#define OMPHWC_SRC_PROFILE_NAME_H

#include <stddef.h>
#include <stdint.h>

#define PROF_NAME_SUFFIX ".omphwc"
#define PROF_NAME_DEFAULT "%c.%h-%p" PROF_NAME_SUFFIX

struct prof_name {
	const char *command; /* as it was called; the folder is removed */
	const char *host;
	uint32_t pid;
	const char *rank; /* from the launcher; NULL or empty: none */
};

/*
 * Expands pattern into out, NUL-terminated.  Slashes in a field become underscores, so that
 * a field never adds a folder.  A field longer than 100 bytes is cut between characters, so
 * that the file name stays within the system's limit.  A field that is NULL or empty
 * (except rank) becomes "unknown".  Returns the length, or -EINVAL (empty pattern, or %
 * before an unknown letter) or -ENAMETOOLONG; out is then an empty string.
 */
int prof_name_expand(char *out, size_t bytes, const char *pattern, const struct prof_name *fields);

/* This process's MPI rank according to the launcher's environment, or NULL.  No other thread
   may change the environment meanwhile. */
const char *prof_rank(void);

/*
 * Inserts tag before the suffix of path, or appends it if the suffix is not that of
 * profiles: "a.omphwc" and "-2" give "a-2.omphwc".  0 or -ENAMETOOLONG.
 */
int prof_name_tag(char *out, size_t bytes, const char *path, const char *tag);

#endif
