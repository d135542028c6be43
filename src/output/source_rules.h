/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source_rules.h - which files are shown as sources.
 *
 * Debug information may name any file, and pages are passed on.  Text is shown of a regular file
 * whose name is one of source, that all may read or that is the user's own, and that lies, links
 * followed, in installed software, or where the program was built or run: below the folders of
 * its program, its run, its compilation units, and the working folder, or the projects that
 * these are in.  Below a folder that the user names all may be shown whose name is one of source.
 */
#ifndef OMPHWC_SRC_OUTPUT_SOURCE_RULES_H
#define OMPHWC_SRC_OUTPUT_SOURCE_RULES_H

#include <stdbool.h>
#include <stddef.h>

struct lookup;
struct model;

/* Where sources are looked for. */
struct source_place {
	const char *folder; /* that the user names; NULL: the working folder */
	const struct model *model;
	struct lookup *lookup; /* knows the folders of compilation units; NULL: nobody does */
};

/* Why the open file fd is not shown, for people; NULL: it is.  *todo: what allows it, or NULL. */
const char *source_refused(const struct source_place *p, int fd, const char **todo);

/* The folder of the project that a folder (absolute) is in: one level below the user's home
   folder, three below /home, else two below /; the folder itself if it is no deeper.  false:
   everything is in it. */
bool source_project(const char *folder, char *project, size_t bytes);

#endif
