/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * find_object.h - which loaded object an address lies in, as the loader knows it.
 *
 * glibc's _dl_find_object() (2.35) finds it without a lock. Before that there is only
 * dl_iterate_phdr(), which takes one: a sorted table of ranges is made with it outside of
 * handlers. What was loaded since is in no object, until find_object_refresh() is called.
 */
#ifndef OMPHWC_OMPT_TOOL_UNWIND_FIND_OBJECT_H
#define OMPHWC_OMPT_TOOL_UNWIND_FIND_OBJECT_H

#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct found_object {
	uintptr_t start, end; /* start <= address < end */
	uintptr_t eh_hdr;     /* PT_GNU_EH_FRAME in memory; 0: none */
	/* The loader's; from the table, a lasting copy of its l_addr, l_name and l_ld, whose l_prev
	   is NULL for the program. */
	const struct link_map *map;
	/* The loader's, while objects are unloaded: this one may be gone already, and something
	   else lie there. */
	bool leaving;
};

/* Async-signal-safe, lock-free. False: in no object. */
bool find_object(uintptr_t address, struct found_object *f);

/* Whether the table is in use, and may lack an object: a look-up failed since the last refresh. */
extern _Atomic bool find_object_missed;

static inline bool find_object_is_stale(void)
{
	return atomic_load_explicit(&find_object_missed, memory_order_relaxed);
}

/* Makes the table anew, where it is in use and the loader's counts have changed. Takes the
   loader's lock for its lists; not to be called in a handler. While another thread does it, that
   one does it again. Returns whether it was made. */
bool find_object_refresh(void);

/* To be called before and after objects are unloaded, in any thread. */
void find_object_unloading(void);
void find_object_unloaded(void);

/* Whether a thread is between the two. Async-signal-safe. */
bool find_object_is_unloading(void);

/* In a fork's child: the thread that was making the table, or unloads an object, may be the
   parent's. */
void find_object_fork_child(void);

/* Looks up by the loader's _dl_find_object(); NULL: by the table, as before the first call. */
void find_object_by(void *loaders);

#endif
