/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * name.h - expands the pattern of the profile's file name.
 *
 *   %c  base name of the command     %h  host
 *   %p  process id                   %t  time of the start, in UTC: 20261123T175959Z
 *   %r  MPI rank                     %l  rank on this node
 *   %j  batch job                    %a  task of a job array
 *   %s  step of the job              %R  a dot and the rank, or nothing
 *   %%  a percent sign               %{NAME}, %q{NAME}  a variable of the environment
 *
 * "none" stands for a rank, job, task, step or variable that there is not.
 *
 * No allocation, no system call, no locale.
 */
#ifndef OMPHWC_SRC_PROFILE_NAME_H
#define OMPHWC_SRC_PROFILE_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/profile/launch.h"

#define PROF_NAME_SUFFIX ".omphwc"
#define PROF_NAME_DEFAULT "%c.%h-%p" PROF_NAME_SUFFIX
#define PROF_NAME_OF_JOB "%c%R.%h-%p" PROF_NAME_SUFFIX /* in the job's folder */

struct prof_name {
	const char *command; /* as it was called; the folder is removed */
	const char *host;
	uint32_t pid;
	bool later;	 /* pid is not known yet: the result is a pattern for another expansion */
	uint64_t time_s; /* since 1970 */
	const struct prof_launch *launch; /* NULL: no rank, no job */
	prof_variable *variable;	  /* NULL: there are none */
};

/*
 * Expands pattern into out, NUL-terminated.  Slashes in a field become underscores, and so does
 * a dot at its beginning: a field never adds a folder, is none above, and hides no file.  Those
 * of a variable stay.  A field longer than 100 bytes is cut between characters, so that the
 * file name stays within the system's limit; a variable is never cut.
 * Control characters become underscores.  A command or host that is NULL or empty becomes
 * "unknown".  Returns the length, or -EINVAL (empty pattern, % before
 * an unknown letter, a malformed %{NAME}) or -ENAMETOOLONG; out is then an empty string.
 */
int prof_name_expand(char *out, size_t bytes, const char *pattern, const struct prof_name *fields);

/* Whether the expanded pattern is an absolute path: it begins with a slash, or with a variable
   whose value does. */
bool prof_name_is_absolute(const char *pattern, prof_variable *variable);

/* Whether all ranks on a node get the same name.  A variable may be the rank. */
bool prof_name_is_shared(const char *pattern);

/* Whether the variable of a directive ("{NAME}" or "q{NAME}") is set and not empty. */
bool prof_name_is_set(const char *directive, prof_variable *variable);

enum { PROF_NAME_DEFAULT_BYTES = 80 };

/*
 * The default folder as a pattern: inside of a batch job omphwc.%j.%s, one for each step of it,
 * else empty.  run: instead of a step, the number of the run within the job; 0: none.
 */
void prof_name_folder(char out[PROF_NAME_DEFAULT_BYTES], const struct prof_launch *l, uint32_t run);

/* The default pattern, in that folder. */
void prof_name_default(char out[PROF_NAME_DEFAULT_BYTES], const struct prof_launch *l);

/* Whether name ends as names of profiles do, and has more before that. */
bool prof_name_has_suffix(const char *name);

/*
 * Inserts tag before the suffix of path, or appends it if the suffix is not that of
 * profiles: "a.omphwc" and "-2" give "a-2.omphwc".  0 or -ENAMETOOLONG.
 */
int prof_name_tag(char *out, size_t bytes, const char *path, const char *tag);

#endif
