/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * infos.h - the info records of a profile: modules, threads, texts; and its stored names.
 *
 * infos_take() copies records into a struct prof_file in file order; infos_finish() then
 * sorts them and fills gaps.
 */
#ifndef OMPHWC_SRC_PROFILE_READER_INFOS_H
#define OMPHWC_SRC_PROFILE_READER_INFOS_H

#include <stddef.h>
#include <stdint.h>

struct chunk;
struct prof_file;

/* Capacities of the growing arrays of a struct prof_file. */
struct infos {
	size_t modules_room, threads_room, texts_room;
};

/* Takes the records of one INFO chunk. */
void infos_take(struct infos *in, struct prof_file *f, const unsigned char *bytes,
		const struct chunk *c);

/*
 * Sorts modules by id and threads by index, removes duplicates, and makes the threads
 * dense: an index without a record that is below roots_end (one more than the largest index
 * used by a tree) gets an empty record.  Indices far beyond the number of records are
 * rejected.
 */
void infos_finish(struct prof_file *f, uint64_t roots_end);

/* Takes the payload of a NAMES chunk, whose contents are not examined; it replaces an earlier
   one. */
void infos_take_names(struct prof_file *f, const unsigned char *bytes, const struct chunk *c);

#endif
