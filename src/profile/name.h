/*
 * name.h - the profile's file name, from a pattern.
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
	const char *command;	/* as it was called; folders are left out */
	const char *host;
	uint32_t pid;
	const char *rank;	/* as the launcher says; NULL or empty: none */
};

/*
 * Expands pattern into out, ended by NUL.  A field never brings a folder with
 * it (a slash in one becomes an underscore), and one of more than 100 bytes is
 * cut between characters, so that the name stays one that a file can have.
 * A field that is NULL or empty (but for rank) shows as "unknown".
 * The length, or -EINVAL (empty pattern, or % before anything else), or
 * -ENAMETOOLONG; out is an empty string then.
 */
int prof_name_expand(char *out, size_t bytes, const char *pattern,
		     const struct prof_name *fields);

/* This process's MPI rank as its launcher's environment tells it, or NULL.
   Not while another thread changes the environment. */
const char *prof_rank(void);

/*
 * Puts tag before the suffix of path (after its end, where it has none of
 * ours): "a.omphwc" and "-2" make "a-2.omphwc".  0 or -ENAMETOOLONG.
 */
int prof_name_tag(char *out, size_t bytes, const char *path, const char *tag);

#endif
