/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chosen.h - which profiles the words of a command line mean.
 */
#ifndef OMPHWC_SRC_CHOSEN_H
#define OMPHWC_SRC_CHOSEN_H

#include <stddef.h>

struct chosen {
	char **paths;
	size_t n;
	/* private */
	size_t room;
};

/*
 * Files as they are; of a folder its last run; without words the last run in this folder and in
 * the folders omphwc.* in it.  Says on standard error which run that is where there are several,
 * and what could not be read.  0, or an exit status, of which it said the reason.
 * chosen_fini() is required in either case.
 */
int chosen_runs(struct chosen *c, const char *command, char *const *words, size_t n);

/* The same, but of folders all runs. */
int chosen_all(struct chosen *c, const char *command, char *const *words, size_t n);

/* The last two runs in this folder: *before gets the paths of the earlier one. */
int chosen_two(struct chosen *before, struct chosen *after, const char *command);

/* Says how hundreds of profiles are made one file, which takes less time and memory to read. */
void chosen_say_many(const struct chosen *c);

void chosen_fini(struct chosen *c);

#endif
