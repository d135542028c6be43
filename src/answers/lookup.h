/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lookup.h - the resolver that knows the names stored in profiles, and else examines the program's
 * files.
 *
 * So a report is the same before and after the files are rebuilt, deleted, or out of reach.  It can
 * keep all answers, to store them.  Profiles must live as long as it does.  For ordinary code, one
 * thread at a time.
 */
#ifndef OMPHWC_SRC_ANSWERS_LOOKUP_H
#define OMPHWC_SRC_ANSWERS_LOOKUP_H

#include <stdbool.h>
#include <stddef.h>

#include "src/answers/ask.h"
#include "src/base/interner.h"

struct callsites;
struct prof_file;
struct symbols;

struct lookup {
	struct resolver resolver;
	struct symbols *symbols;
	struct callsites *callsites;
	/* private */
	struct interner names;
	bool files_first, keep;
	struct lookup_file *all; /* the last used one is first */
	struct lookup_trouble *troubles;
	size_t ntroubles, troubles_room;
};

/* sysroot is prepended to paths (NULL: none), and borrowed; with it the files that are there
   count more than stored names.  l must not move while it is in use. */
void lookup_open(struct lookup *l, const char *sysroot);
void lookup_close(struct lookup *l);

/* From now on answers are kept, of those modules whose files are there.  files_first: and files
   count more than what is stored. */
void lookup_keep(struct lookup *l, bool files_first);

/* What is stored in f and what was kept of it: see answers_pack(). */
void lookup_pack(struct lookup *l, const struct prof_file *f, unsigned char **bytes, size_t *n);

/* Calls visit for each compilation unit's folder: see symbols_folders(). */
void lookup_folders(struct lookup *l, const struct prof_file *f,
		    void (*visit)(const char *folder, void *arg), void *arg);

/* Calls visit for each module with missing names that were asked for, among the stored ones and
   those of files: see symbols_troubles(). */
void lookup_troubles(const struct lookup *l,
		     void (*visit)(const char *path, const char *why, void *arg), void *arg);

#endif
