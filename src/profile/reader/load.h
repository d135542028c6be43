/*
 * load.h - a file's bytes in memory, in two steps.
 *
 * The first step reads as much as tells whether the rest is wanted, so that a
 * foreign file of any size costs a page.  The bytes are a copy: a file that
 * grows or shrinks meanwhile is no danger.  Pipes serve as well as files.
 */
#ifndef OMPHWC_SRC_PROFILE_READER_LOAD_H
#define OMPHWC_SRC_PROFILE_READER_LOAD_H

#include <stddef.h>

struct load {
	int fd;
	unsigned char *bytes;	/* aligned as malloc aligns */
	size_t size;		/* bytes read so far */
	size_t room;		/* bytes allocated */
	size_t stop;		/* a regular file's size when it was opened: what
				   a writer adds later is not chased */
};

/* Opens path and reads at most first_bytes.  0 or -errno; on success
   load_close() is due. */
int load_open(struct load *l, const char *path, size_t first_bytes);

/* Reads the rest.  -ENOMEM also for more than the machine's memory. */
int load_rest(struct load *l);

void load_close(struct load *l);

#endif
