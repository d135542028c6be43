/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * merge.h - merges the profiles of a job into one file.
 *
 * The result is that of merging one profile after the other, however many threads or processes
 * share the work.
 */
#ifndef OMPHWC_SRC_MERGE_MERGE_H
#define OMPHWC_SRC_MERGE_MERGE_H

#include <stddef.h>
#include <stdint.h>

#include "src/merge/batch.h"
#include "src/merge/forest.h"
#include "src/merge/inputs.h"

struct profiles_error;

/* A batch that was read. */
struct merge_part {
	struct batch batch;
	struct forest_mapping *mappings; /* into the merge's forest */
	struct profiles_error *refused;
	size_t nrefused, refused_room;
	int err;
};

struct merge {
	const struct merge_inputs *inputs;
	const char *sysroot;
	/* Called with the number of profiles that were read; may be NULL. */
	void (*progress)(size_t done, size_t total);
	/* Results */
	size_t nprocesses;
	size_t refused; /* profiles that could not be read: a message said why */
	size_t special[BATCH_SPECIALS];
	struct forest forest;
};

/* Writes the merged file to fd, which is open for writing and empty.  merge_fini() is required in
   any case.  0, -ENODATA: no profile is left, -E2BIG, or -errno. */
int merge_run(struct merge *m, int fd);
void merge_fini(struct merge *m);

/* ---- for those who share the work ------------------------------------- */

/* Reads the profiles of a range into part.  For any thread; part->err reports a failure. */
void merge_read(const struct merge_inputs *in, const struct merge_range *range,
		struct merge_part *part);

/* Merges a part's forest into the merge's, and takes its numbers.  0 or -E2BIG. */
int merge_take(struct merge *m, struct merge_part *part);
void merge_part_free(struct merge_part *part);

/* Writes what follows the RANKS chunks: trees, names, and the header.  0 or -errno. */
int merge_finish(struct merge *m, int fd, uint64_t end);

#endif
