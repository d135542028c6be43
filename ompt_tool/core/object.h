/*
 * object.h - the loaded object that a PC lies in.
 *
 * _dl_find_object() knows it without a lock; what else is needed of it (where
 * its tables may be read, its build-id, a number) is worked out once and kept
 * for the life of the process, in a table that only grows.  An entry belongs
 * to one file at one address: another library that is loaded there later has
 * other contents and gets an entry of its own; the same one, loaded there
 * again, finds its old entry.
 *
 * Async-signal-safe and lock-free.  pc must be of code that can't be unloaded
 * during the call: one that is being run, or that a frame returns to.
 */
#ifndef OMPHWC_OMPT_TOOL_CORE_OBJECT_H
#define OMPHWC_OMPT_TOOL_CORE_OBJECT_H

#include <link.h>
#include <stddef.h>
#include <stdint.h>

enum {
	OBJECT_MAX = 16384,	/* entries; what comes after is not found */
	OBJECT_BUILD_ID_BYTES = 32,
	OBJECT_PROOF_WORDS = 5,
	OBJECT_TEXTS = 3,
};

/*
 * What tells an object from another that is loaded at its address later: its
 * build-id's first word; without one, words from its header and its tables.
 */
struct object_proof {
	uint32_t words, samples;
	const void *word[OBJECT_PROOF_WORDS]; /* each is there if those before hold */
	uint64_t value[OBJECT_PROOF_WORDS];
	const unsigned char *sample; /* one each stride bytes */
	uintptr_t stride;
	uint64_t sum;
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

/* The segment of code that pc lies in, or NULL. */
static inline const struct object_text *object_text_of(const struct object *o, uintptr_t pc)
{
	for (unsigned i = 0; i < OBJECT_TEXTS; i++)
		if (pc - o->text[i].start < o->text[i].bytes)
			return &o->text[i];
	return NULL;
}

#endif
