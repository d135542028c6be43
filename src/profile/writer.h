/*
 * writer.h - writes a profile file that is valid at every instant.
 *
 * All functions are async-signal-safe and take no lock: a handler may interrupt them at any
 * instruction and call them again in the same thread.  System calls are made once per
 * chunk: fstat, getrlimit, fallocate (pwrite where the file system lacks it), mprotect.
 * Disk space is reserved before it is touched, so that a full disk is an error code and
 * never a SIGBUS in the application.  A file that somebody else truncates does raise
 * SIGBUS: see prof_mark_dead().  A fork's child may call prof_create() in its handler, at
 * its first sample.
 */
#ifndef OMPHWC_SRC_PROFILE_WRITER_H
#define OMPHWC_SRC_PROFILE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "src/profile/format.h"
#include "src/profile/place.h"

struct prof_writer {
	_Atomic int fd;		      /* close-on-exec; -1: not open */
	unsigned char *base;	      /* the mapping */
	size_t limit_bytes;	      /* size of the mapping, and maximum file size */
	size_t page_bytes;	      /* the machine's page size; only pages that the file has are
				   accessible */
	_Atomic uint64_t info_chunk;  /* offset of the chunk that info records go to */
	_Atomic uint64_t used_bytes;  /* end of the last allotted chunk */
	_Atomic uint64_t sound_bytes; /* least file size: smaller means truncated */
	_Atomic bool dead;	      /* the file was truncated: nothing more is written to it */
	uint32_t nevents;	      /* the header's, in case the header is lost */
	enum prof_taken taken;	      /* why path is not the requested name */
	dev_t dev;		      /* identifies the file, whatever fd refers to */
	ino_t ino;
	char path[4096];      /* its path when it was created */
	char temporary[4096]; /* its name until it is complete */
};

/* How a profile is to be made. */
struct prof_claim {
	size_t limit_bytes; /* maximum file size */
	bool next_name;	    /* path belongs to another process (a fork's parent): take the
				   next name */
	const struct prof_owner *owner; /* from prof_owner_learn(); NULL: unknown */
};

/*
 * Creates path (mode 0666 & ~umask) and maps it.  If another process has that name or is
 * taking it, the next name is used (see place.h): w->path is the name, w->taken the reason.
 * An older profile is replaced by a new file and never written into; no other file is
 * touched.  Where RLIMIT_AS leaves the application little, less address space than the
 * limit is mapped.  Fills in the header fields that describe the format, the owner and the
 * start times; the caller fills in header.nevents and w->nevents. 0, or -errno: no file is
 * left behind.
 */
int prof_create_for(struct prof_writer *w, const char *path, const struct prof_claim *claim);

/* The same for an unknown owner. */
int prof_create(struct prof_writer *w, const char *path, size_t limit_bytes);

/*
 * Records the end: its time, its kind and the cycle clock.  The mapping stays for threads
 * that are sampled while the process ends.  PROF_RUN_RUNNING revokes an end.
 */
void prof_end(struct prof_writer *w, enum prof_run how, uint64_t ticks);

/* Unmaps and closes the file and leaves it as it is: for a fork's child, whose parent goes on
   using it.  No other thread may use w. */
void prof_abandon(struct prof_writer *w);

static inline struct prof_header *prof_header(const struct prof_writer *w)
{
	return (struct prof_header *)w->base;
}

/* Allots a chunk and stores its offset in *offset.  size_bytes is rounded up to pages.  0,
   -ENOSPC, -EFBIG (limit reached), -ESTALE (the file was truncated or removed) or another
   -errno of fallocate, which header.refused records as well. */
int prof_chunk_new(struct prof_writer *w, enum prof_chunk_kind kind, uint32_t owner,
		   size_t size_bytes, uint64_t *offset);

/*
 * Appends an info record of two parts (the second may be NULL).  Returns its payload in the
 * mapping, which may be updated in place, or NULL if there is no room.
 */
void *prof_info_append(struct prof_writer *w, enum prof_info_kind kind, const void *head,
		       size_t head_bytes, const void *tail, size_t tail_bytes);

/* Whether address is in the profile's mapping.  Async-signal-safe. */
bool prof_holds(const struct prof_writer *w, const void *address);

/*
 * Handles a SIGBUS at address, which means that somebody truncated the file.  Private zero
 * pages replace the file's pages, so that every current and later access succeeds.  From
 * then on no chunk is allotted, nothing reaches the file, and its contents are lost; the
 * header has used_bytes, nevents and pid again.  Any number of threads may call it at once
 * and repeatedly.  Async-signal-safe. 0; -EINVAL (not in the mapping); -ENOMEM: the access
 * would fault again.
 */
int prof_mark_dead(struct prof_writer *w, const void *address);

/* Publishes a record that was appended as PROF_INFO_PENDING and is now complete. */
void prof_info_publish(void *payload, enum prof_info_kind kind);

#endif
