/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * listing.h - the profiles in files and folders, by the run that they are of.
 *
 * Only their heads are read, so thousands take no longer than a moment.
 */
#ifndef OMPHWC_SRC_MODEL_LISTING_H
#define OMPHWC_SRC_MODEL_LISTING_H

#include <stddef.h>
#include <stdint.h>

#include "src/base/map.h"
#include "src/model/profiles.h"

struct listing_profile {
	char *path;
	struct prof_file *head; /* NULL: a merged file, a run by itself */
	size_t run;		/* its index; set by listing_group() */
};

struct listing_run {
	uint64_t start_ns; /* since the epoch */
	size_t nprofiles;
	size_t first; /* of its profiles */
};

struct listing {
	struct listing_profile *all;
	size_t n;
	struct listing_run *runs; /* made by listing_group() */
	size_t nruns;
	size_t nolder;		       /* folders of jobs that were not looked into */
	size_t nleft_out;	       /* files *.omphwc that can't be read, or are copies */
	struct profiles_error because; /* of the first of them */
	char *merged;		       /* the newest merged file of the folders; NULL: none */
	size_t nmerged;		       /* how many there are */
	/* private */
	struct map starts; /* of processes: the first one that began at that time */
	char *left_out;
	int64_t merged_ns;
	size_t room;
};

void listing_init(struct listing *l);
void listing_fini(struct listing *l);

/* Adds a file: 0; -EINVAL with l->because, of which path is borrowed. */
int listing_add(struct listing *l, const char *path);

/* Adds the files *.omphwc of the folder at path, by name.  What can't be read is left out, and so
   are copies of what was added, and merged files: the newest one is remembered.  0 or -errno. */
int listing_folder(struct listing *l, const char *path);

/* The same for the folders omphwc.* in it, which jobs make (ompcount(1), NAMES); of more than
   `most` for those that changed last (0: for all), and the others are counted. */
int listing_job_folders(struct listing *l, const char *path, size_t most);

/* Numbers the runs, when all are added. */
void listing_group(struct listing *l);

/* The run that began last; l has one. */
size_t listing_last_run(const struct listing *l);

#endif
