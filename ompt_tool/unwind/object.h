/*
 * object.h - the loaded object that a PC lies in.
 *
 * _dl_find_object() knows it without a lock; what else is needed of it (where
 * its tables may be read, its build-id, a number) is worked out once and kept
 * for the life of the process, in a table that only grows.  An entry belongs
 * to one file at one address: another library that is loaded there later has
 * another path or other contents, and gets an entry of its own; the same one,
 * loaded there again, finds its old entry.
 *
 * A program whose segments have a hole of whole pages between them has an entry
 * for each part that the C library tells of: start and bytes are the part's, all
 * else is the program's.
 *
 * Async-signal-safe and lock-free.  pc must be of code that can't be unloaded
 * during the call: one that is being run, or that a frame returns to.
 */
#ifndef OMPHWC_OMPT_TOOL_UNWIND_OBJECT_H
#define OMPHWC_OMPT_TOOL_UNWIND_OBJECT_H

#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	OBJECT_MAX = 16384,	/* entries; what comes after is not found */
	OBJECT_BUILD_ID_BYTES = 32,
	OBJECT_PROOF_WORDS = 12,
	OBJECT_TEXTS = 3,
};

struct object_samples {		/* words, one each stride bytes */
	const unsigned char *at;
	uintptr_t stride;
	uint32_t n;
};

/*
 * What tells an object from another that is loaded at its address later: its
 * build-id's first word; without one, words from its header and its tables, and
 * samples of its tables and its code.  After a change (object_epoch_advance())
 * its path and more of its code have to be the same too.
 */
struct object_proof {
	uint32_t words;
	uint32_t usual;		/* so many words are looked at each time */
	const void *word[OBJECT_PROOF_WORDS]; /* each is there if those before hold */
	uint64_t value[OBJECT_PROOF_WORDS];
	struct object_samples tables, code;
	uint64_t sum;		/* of path and samples */
	uint64_t deep_sum;	/* of path and groups of samples of the code */
};

struct object_text {		/* a segment of code that can be read */
	uintptr_t start, bytes;
};

struct object {
	uintptr_t start;	/* its mapping: start <= address < start + bytes */
	uintptr_t bytes;
	uint32_t number;	/* 1 and up, below OBJECT_MAX; 0: no object */
	uint32_t next;
	const struct link_map *_Atomic map; /* the loader's, when it was last met */
	uintptr_t eh_hdr;	/* PT_GNU_EH_FRAME in memory; 0: none */
	uintptr_t eh_lo, eh_hi;	/* the readable segment that holds it */
	struct object_text text[OBJECT_TEXTS]; /* its first ones; bytes 0: none */
	uintptr_t bias;		/* run-time address - ELF address */
	uintptr_t entry;	/* where a process begins in it; may be none's */
	uintptr_t lo, hi;	/* all its parts: its mapping, or more than that */
	bool program;		/* the process's own: never unloaded */
	_Atomic uint64_t proven; /* the epoch in which it was last proven */
	struct object_proof proof;
	uint32_t build_id_bytes;
	unsigned char build_id[OBJECT_BUILD_ID_BYTES];
	const char *path;	/* its file by another name, or NULL; set by
				   module_scan() before module has a value */
	_Atomic uint64_t module; /* belongs to module.c; 0 at first */
};

/* The object that pc lies in, or NULL. */
struct object *object_find(uintptr_t pc);

/* Entry number n, for those who go through all of them: some may be empty.
   NULL when there is none (yet). */
struct object *object_numbered(uint32_t n);

/*
 * Tells that objects may have changed: to be called after dlclose() (and whatever else
 * unloads) and after dlopen(), before anybody can have come back from it.  From then on
 * an object of before has to prove anew that it is still there, and what threads keep
 * by PC alone (their last stack, creation contexts) is given up: without that word,
 * frames of a library that took another's place may be taken for the old one's where
 * PC and stack are the same.  From the first call on, all changes have to be told:
 * between two of them less is compared.  Async-signal-safe, lock-free, one addition.
 */
void object_epoch_advance(void);

/* 0 until the first call, then another value after each. */
extern _Atomic uint64_t object_changes;

static inline uint64_t object_epoch(void)
{
	return atomic_load_explicit(&object_changes, memory_order_acquire);
}

/* The segment of code that pc lies in, or NULL. */
static inline const struct object_text *object_text_of(const struct object *o, uintptr_t pc)
{
	for (unsigned i = 0; i < OBJECT_TEXTS; i++)
		if (pc - o->text[i].start < o->text[i].bytes)
			return &o->text[i];
	return NULL;
}

#endif
