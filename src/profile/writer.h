/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * writer.h - writes a profile file that is valid at every instant.
 *
 * All functions are async-signal-safe and take no lock: a handler may interrupt them at any
 * instruction and call them again in the same thread.  System calls are made once per
 * chunk: fstat, getrlimit, fallocate (pwrite where the file system lacks it), mprotect.
 * Disk space is reserved before it is touched, so that a full disk is an error code and
 * never a SIGBUS in the application.  A file that somebody else truncates does raise
 * SIGBUS: see prof_mark_dead().  One that somebody else writes into is noticed sooner or later:
 * whatever is read back from the mapping is bounded by what is kept here.  A fork's child may
 * call prof_create() in its handler, at its first sample.
 */
#ifndef OMPHWC_SRC_PROFILE_WRITER_H
#define OMPHWC_SRC_PROFILE_WRITER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "src/profile/format.h"
#include "src/profile/place.h"

struct prof_writer {
	_Atomic int fd;		      /* close-on-exec; -1: not open */
	unsigned char *base;	      /* the mapping */
	_Atomic uint64_t open_bytes;  /* the mapping is accessible up to here */
	_Atomic uint32_t nodes;	      /* the same in nodes: the bound of node numbers */
	_Atomic uint32_t nthreads;    /* thread records; the header has a copy */
	size_t limit_bytes;	      /* size of the mapping, and maximum file size */
	size_t page_bytes;	      /* the machine's page size; only pages that the file has are
				   accessible */
	_Atomic uint64_t info_chunk;  /* offset of the chunk that info records go to */
	_Atomic uint64_t used_bytes;  /* end of the last allotted chunk */
	_Atomic uint64_t sound_bytes; /* least file size: smaller means truncated */
	_Atomic bool dead;	      /* the file was truncated or written into: nothing more is
				   written to it */
	_Atomic bool overwritten;     /* somebody else wrote into it */
	uint32_t nevents;	      /* the header's, in case the header is lost */
	enum prof_taken taken;	      /* why path is not the requested name */
	uint64_t boot, start;	      /* the header's owner, and pid: in case the header is lost */
	uint32_t pid;
	dev_t dev; /* identifies the file, whatever fd refers to */
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

/* Unmaps what is not used beyond this file's share of so much address space: the file can't
   grow into it any more. Other threads may write. */
void prof_yield(struct prof_writer *w, uint64_t address_space);

/* The same as prof_create_for(), for an unknown owner. */
int prof_create(struct prof_writer *w, const char *path, size_t limit_bytes);

/*
 * Records the end: its time, its kind and the cycle clock.  The mapping stays for threads
 * that are sampled while the process ends.  PROF_RUN_RUNNING revokes an end.  false: the file
 * is no longer this process's.
 */
bool prof_end(struct prof_writer *w, enum prof_run how, uint64_t ticks);

/* Removes the file, if the name is still this process's; the mapping stays. Async-signal-safe. */
void prof_remove(struct prof_writer *w);

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

/* Whether the bytes from address on are in its accessible part.  Async-signal-safe. */
static inline bool prof_holds_bytes(const struct prof_writer *w, const void *address, size_t bytes)
{
	const uint64_t open = atomic_load_explicit(&w->open_bytes, memory_order_relaxed);
	const uint64_t at = (uint64_t)((uintptr_t)address - (uintptr_t)w->base);

	return at < open && bytes <= open - at;
}

/*
 * Handles a SIGBUS at address, which means that somebody truncated the file.  Private zero
 * pages replace the file's pages, so that every current and later access succeeds.  From
 * then on no chunk is allotted and nothing reaches the file, but for its header, where it is
 * still this process's: that says so (PROF_REFUSED_DAMAGED), and has the end.  The mapping's
 * header has used_bytes, nevents and pid again.  Any number of threads may call it at once
 * and repeatedly.  Async-signal-safe. 0; -EINVAL (not in the mapping); -ENOMEM: the access
 * would fault again.
 */
int prof_mark_dead(struct prof_writer *w, const void *address);

/* Somebody else has written into the file: from then on it is left alone, as by
   prof_mark_dead().  Async-signal-safe. */
void prof_mark_overwritten(struct prof_writer *w);

/* Whether the header is as this process left it; otherwise prof_mark_overwritten().  Only with a
   profile.  Async-signal-safe. */
bool prof_is_intact(struct prof_writer *w);

/* The number of a new thread record, from 0.  Async-signal-safe. */
uint32_t prof_thread_index(struct prof_writer *w);

/* Publishes a record that was appended as PROF_INFO_PENDING and is now complete. */
void prof_info_publish(void *payload, enum prof_info_kind kind);

#endif
