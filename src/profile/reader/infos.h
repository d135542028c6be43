/*
 * infos.h - the info records of a profile: modules, threads, texts.
 *
 * Records are copied into a struct prof_file as they are met, in file order;
 * infos_finish() then sorts and fills gaps.
 */
#ifndef OMPHWC_SRC_PROFILE_READER_INFOS_H
#define OMPHWC_SRC_PROFILE_READER_INFOS_H

#include <stddef.h>
#include <stdint.h>

struct chunk;
struct prof_file;

/* How many elements the growing arrays of a struct prof_file have room for. */
struct infos {
	size_t modules_room, threads_room, texts_room;
};

/* Takes the records of one INFO chunk.  0 or -ENOMEM. */
int infos_take(struct infos *in, struct prof_file *f, const unsigned char *bytes,
	       const struct chunk *c);

/*
 * Sorts modules by id and threads by index, drops second ones, and makes
 * threads dense: an index without a record, below roots_end (one more than the
 * largest index a tree claims), gets an empty one.  Indices far beyond the
 * records found are not believed.  0 or -ENOMEM.
 */
int infos_finish(struct infos *in, struct prof_file *f, uint64_t roots_end);

#endif
