/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * object.h - the loaded object that a PC lies in.
 *
 * The loader finds it (find_object.h). What else is needed (where its tables
 * may be read, its build-id, a number) is determined once and kept for the life of
 * the process, in a table that only grows. An entry belongs to one file at one
 * address. Another library that is loaded there later has another path or other
 * contents, and gets an entry of its own; the same library, loaded there again,
 * finds its old entry.
 *
 * A program whose segments have a hole of whole pages between them has an entry for
 * each part that the C library reports: start and bytes are the part's, all else is
 * the program's.
 *
 * Async-signal-safe and lock-free. pc must lie in code that can't be unloaded
 * during the call: code that runs, or that a frame returns to.
 */
#ifndef OMPHWC_OMPT_TOOL_UNWIND_OBJECT_H
#define OMPHWC_OMPT_TOOL_UNWIND_OBJECT_H

#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	OBJECT_MAX = 16384, /* entries; further objects are not found */
	OBJECT_BUILD_ID_BYTES = 32,
	OBJECT_PROOF_WORDS = 12,
	OBJECT_TEXTS = 3,
	OBJECT_DATA = 2,
};

struct object_samples { /* words, one each stride bytes */
	const unsigned char *at;
	uintptr_t stride;
	uint32_t n;
};

/*
 * The contents that distinguish an object from another one loaded at its address
 * later: its build-id's first word; without a build-id, words from its header and
 * its tables, and samples of its tables and its code. After a change
 * (object_epoch_advance()) its path and more of its code must be equal too.
 */
struct object_proof {
	uint32_t words;
	uint32_t usual;			      /* the first so many words are compared each time */
	const void *word[OBJECT_PROOF_WORDS]; /* each is readable if those before are equal */
	uint64_t value[OBJECT_PROOF_WORDS];
	struct object_samples tables, code;
	uint64_t sum;	   /* of path and samples */
	uint64_t deep_sum; /* of path and groups of samples of the code */
};

struct object_text { /* a readable segment of code, or of data */
	uintptr_t start, bytes;
};

struct object {
	uintptr_t start; /* its mapping: start <= address < start + bytes */
	uintptr_t bytes;
	uint32_t number; /* 1 and up, below OBJECT_MAX; 0: no object */
	uint32_t next;
	const struct link_map *_Atomic map;    /* the loader's link map, when last met */
	uintptr_t eh_hdr;		       /* PT_GNU_EH_FRAME in memory; 0: none */
	uintptr_t eh_lo, eh_hi;		       /* the readable segment that holds it */
	struct object_text text[OBJECT_TEXTS]; /* the first segments of code; bytes 0: none */
	struct object_text data[OBJECT_DATA];  /* likewise of writable data */
	uintptr_t bias;			       /* run-time address - ELF address */
	uintptr_t entry;	 /* its entry point (e_entry); a library's may be meaningless */
	uintptr_t lo, hi;	 /* the range of all its parts, at least its mapping */
	bool program;		 /* the main program: never unloaded */
	_Atomic uint64_t proven; /* the epoch in which its contents were last compared */
	struct object_proof proof;
	uint32_t build_id_bytes;
	unsigned char build_id[OBJECT_BUILD_ID_BYTES];
	const char *path;	 /* a lasting path of its file, or NULL; set by module_scan()
				   before module has a value */
	_Atomic uint64_t module; /* belongs to module.c; 0 at first */
};

/* The object that pc lies in, or NULL. */
struct object *object_find(uintptr_t pc);

/* Entry number n, for loops over all entries. Some may be empty. NULL when there is
   none (yet). */
struct object *object_numbered(uint32_t n);

/*
 * Notes that objects may have changed. To be called after dlclose() (or another
 * unloading) and after dlopen(), before either returns to its caller. From then on
 * an older object must prove again that it is still loaded, and data that threads
 * keep by PC alone (last stack, creation contexts) is dropped. Without this call,
 * frames of a library that replaced another may be taken for the old library's
 * where PC and stack are equal. From the first call on, every change must be reported:
 * between two calls less is compared. Async-signal-safe, lock-free, one addition.
 */
void object_epoch_advance(void);

/* Looks for objects that were loaded without a word, where the C library does not report them to
   handlers (find_object_refresh()). Whether there were any. Not to be called in a handler. */
bool object_look(void);

/* 0 until the first call, then another value after each. */
extern _Atomic uint64_t object_changes;

static inline uint64_t object_epoch(void)
{
	return atomic_load_explicit(&object_changes, memory_order_acquire);
}

/* Whether the word at address lies in a segment of the object's data: it can be read. */
static inline bool object_has_data(const struct object *o, uintptr_t address)
{
	for (unsigned i = 0; i < OBJECT_DATA; i++)
		if (address - o->data[i].start < o->data[i].bytes &&
		    o->data[i].bytes - (address - o->data[i].start) >= sizeof(uintptr_t))
			return true;
	return false;
}

/* The readable segment of code that holds pc, or NULL. */
static inline const struct object_text *object_text_of(const struct object *o, uintptr_t pc)
{
	for (unsigned i = 0; i < OBJECT_TEXTS; i++)
		if (pc - o->text[i].start < o->text[i].bytes)
			return &o->text[i];
	return NULL;
}

#endif
