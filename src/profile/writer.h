/*
 * writer.h - writes a profile file that is whole at every instant.
 *
 * Everything here is async-signal-safe and takes no lock: it may be interrupted at any
 * instruction by a handler in the same thread that calls it again.  The only
 * system call behind it is fallocate (pwrite where the file system has none),
 * once a chunk.  Room is reserved on disk before it is touched, so a full disk
 * is an error code here and never a SIGBUS in the application.  prof_create()
 * itself makes only async-signal-safe calls: a fork's child may create its
 * profile when its first sample comes.
 */
#ifndef OMPHWC_SRC_PROFILE_WRITER_H
#define OMPHWC_SRC_PROFILE_WRITER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "src/profile/format.h"

struct prof_writer {
	_Atomic int fd;		/* close-on-exec; -1: not open */
	unsigned char *base;	/* the mapping */
	size_t limit_bytes;	/* its length: the file never grows past it */
	size_t page_bytes;	/* the machine's; only what the file has is accessible */
	_Atomic uint64_t info_chunk; /* offset of the chunk info records go to */
	dev_t dev;		/* which file it is, whatever becomes of fd */
	ino_t ino;
	char path[4096];
	char temporary[4096];	/* its name until it is whole */
};

/*
 * Creates path (mode 0666 & ~umask) and maps it.  An existing file is replaced
 * by a new one, never written into; what is no regular file is left alone
 * (-EEXIST, -EISDIR).  limit_bytes is how large the file may become; less
 * address space is taken where RLIMIT_AS leaves the application little.
 * Header fields that describe the format and start times are filled in.
 * 0, or -errno: nothing is left behind then.
 */
int prof_create(struct prof_writer *w, const char *path, size_t limit_bytes);

/*
 * Notes the end: when, how, and the cycle clock then.  The mapping stays, for
 * threads that are still sampled while the process ends, and the file is whole
 * with or without it.  PROF_RUN_RUNNING takes an end back.
 */
void prof_end(struct prof_writer *w, enum prof_run how, uint64_t ticks);

/* Unmaps and closes, and leaves the file as it is: for a fork's child, whose
   parent goes on with it.  No other thread may use w. */
void prof_abandon(struct prof_writer *w);

static inline struct prof_header *prof_header(const struct prof_writer *w)
{
	return (struct prof_header *)w->base;
}

/* Allots a chunk: its offset in *offset.  size_bytes is rounded up to pages.
   0, -ENOSPC, -EFBIG (limit reached) or another -errno of fallocate. */
int prof_chunk_new(struct prof_writer *w, enum prof_chunk_kind kind,
		   uint32_t owner, size_t size_bytes, uint64_t *offset);

/*
 * Appends an info record of two parts (the second may be NULL).  Returns its
 * payload within the mapping, to be updated in place, or NULL without room.
 */
void *prof_info_append(struct prof_writer *w, enum prof_info_kind kind,
		       const void *head, size_t head_bytes,
		       const void *tail, size_t tail_bytes);

/* Publishes a record appended as PROF_INFO_PENDING, now that it is whole. */
void prof_info_publish(void *payload, enum prof_info_kind kind);

#endif
