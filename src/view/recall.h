/*
 * recall.h - a resolver that knows the names stored in profiles.
 *
 * It answers from what is stored, and asks another resolver, which examines the program's
 * files, only for the rest.  So a report is the same before and after the files are rebuilt,
 * deleted, or out of reach.  It can keep all answers, to store them.  Profiles must live as
 * long as it does.  For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_VIEW_RECALL_H
#define OMPHWC_SRC_VIEW_RECALL_H

#include <stdbool.h>
#include <stddef.h>

#include "src/view/resolver.h"

/* files and symbols are borrowed.  files_first: a file that is there counts more than what is
   stored.  NULL without memory. */
struct recall *recall_new(const struct resolver *files, struct symbols *symbols, bool files_first);
void recall_free(struct recall *r);

/* The resolver; valid as long as r. */
struct resolver recall_resolver(struct recall *r);

/* From now on answers are kept, of those modules whose files are there, and files count more
   than what is stored. */
void recall_keep(struct recall *r);

/* The same, but what is stored counts more than files. */
void recall_keep_rest(struct recall *r);

/* What is stored in f and what was kept of it: see answers_pack(). */
int recall_pack(struct recall *r, const struct prof_file *f, unsigned char **bytes, size_t *n);

/* Calls visit for each module with missing names among the stored ones that were asked for. */
void recall_troubles(const struct recall *r,
		     void (*visit)(const char *path, const char *why, void *arg), void *arg);

#endif
