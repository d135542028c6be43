/*
 * writer.h - writes a profile file that is whole at every instant.
 *
 * Everything here is async-signal-safe and takes no lock: it may be interrupted at any
 * instruction by a handler in the same thread that calls it again.  System calls
 * are made once a chunk: fstat, getrlimit, fallocate (pwrite where the file system
 * has none), mprotect.  Room is reserved on disk before it is touched, so a full
 * disk is an error code here and never a SIGBUS in the application; a file that
 * somebody else makes shorter is one, see prof_mark_dead().  prof_create() itself makes
 * only async-signal-safe calls: a fork's child may create its profile when its
 * first sample comes.
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
	_Atomic int fd;		/* close-on-exec; -1: not open */
	unsigned char *base;	/* the mapping */
	size_t limit_bytes;	/* its length: the file never grows past it */
	size_t page_bytes;	/* the machine's; only what the file has is accessible */
	_Atomic uint64_t info_chunk; /* offset of the chunk info records go to */
	_Atomic uint64_t used_bytes; /* end of the last chunk allotted */
	_Atomic uint64_t sound_bytes; /* the file was this long, and must stay so */
	_Atomic bool dead;	/* somebody made the file shorter: it gets nothing more */
	uint32_t nevents;	/* of the header, should that be lost */
	enum prof_taken taken;	/* why path is not what was asked for */
	dev_t dev;		/* which file it is, whatever becomes of fd */
	ino_t ino;
	char path[4096];	/* as it was when the file was made */
	char temporary[4096];	/* its name until it is whole */
};

/* How a profile is to be made. */
struct prof_claim {
	size_t limit_bytes;	/* how large the file may become */
	bool next_name;		/* path is another's (a fork's parent's): the next name */
	const struct prof_owner *owner;	/* prof_owner_learn(); NULL: nothing is known */
};

/*
 * Creates path (mode 0666 & ~umask) and maps it, or, where another has that name or
 * is about to, the next one (see place.h): w->path is what it is called, w->taken
 * why.  An older profile is replaced by a new file, never written into; no other file
 * is touched.  Less address space than the limit is taken where RLIMIT_AS leaves
 * the application little.  Header fields that describe the format, the owner and
 * start times are filled in; header.nevents is the caller's, and w->nevents too.
 * 0, or -errno: nothing is left behind then.
 */
int prof_create_for(struct prof_writer *w, const char *path, const struct prof_claim *claim);

/* The same for an owner of whom nothing is known. */
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
   0, -ENOSPC, -EFBIG (limit reached), -ESTALE (the file was made shorter, or is gone)
   or another -errno of fallocate; header.refused has it too. */
int prof_chunk_new(struct prof_writer *w, enum prof_chunk_kind kind,
		   uint32_t owner, size_t size_bytes, uint64_t *offset);

/*
 * Appends an info record of two parts (the second may be NULL).  Returns its
 * payload within the mapping, to be updated in place, or NULL without room.
 */
void *prof_info_append(struct prof_writer *w, enum prof_info_kind kind,
		       const void *head, size_t head_bytes,
		       const void *tail, size_t tail_bytes);

/* Whether address is in the profile's mapping.  Async-signal-safe. */
bool prof_holds(const struct prof_writer *w, const void *address);

/*
 * For a SIGBUS at address: somebody made the file shorter.  Puts zeros of this
 * process alone in the place of the file's pages, so that every access that is under
 * way, and every later one, goes on.  From here on no chunk is allotted, nothing
 * reaches the file, and what was in it is gone; the header has used_bytes, nevents
 * and pid again.  Any number of threads may call it at once, and again.
 * Async-signal-safe.  0; -EINVAL (not ours); -ENOMEM: the access would fault again.
 */
int prof_mark_dead(struct prof_writer *w, const void *address);

/* Publishes a record appended as PROF_INFO_PENDING, now that it is whole. */
void prof_info_publish(void *payload, enum prof_info_kind kind);

#endif
