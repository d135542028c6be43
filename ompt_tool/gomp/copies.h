/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * copies.h - which libgomp a call is for.
 *
 * A process may have several: wheels and plugins bring their own. Where one is in the
 * global scope when the first entry point is called, the loader would have bound all
 * callers to it. Otherwise each calling object has its own.
 */
#ifndef OMPHWC_OMPT_TOOL_GOMP_COPIES_H
#define OMPHWC_OMPT_TOOL_GOMP_COPIES_H

#include <stdbool.h>
#include <stdint.h>

#include "ompt_tool/gomp/libgomp.h"

/* The one in the global scope. All NULL: not looked for yet, or there is none. */
extern struct libgomp copies_first __attribute__((visibility("hidden")));

/*
 * The libgomp that code's object is bound to; ends the process with a message where there
 * is none. code is an outlined function where the entry point has one: the return address
 * of a tail call lies in another object. Not async-signal-safe at the first call with a
 * code; any thread.
 */
const struct libgomp *copies_find(const void *code);

/* Whether the runtime that is in the global scope, if any, needs no help of ours, since it
   is not libgomp or has a tools interface that is used. Not async-signal-safe. */
bool copies_global_is_foreign(void);

/* Whether some libgomp has the calling thread in a team that has not ended, or (a worker)
   has ended last; *number: its number there. Async-signal-safe. */
bool copies_in_team(int *number);

/* The function of the libgomp that code (see copies_find()) is bound to. */
#define COPIES_REAL(name, code) \
	(__builtin_expect(copies_first.name != 0, 1) ? copies_first.name : copies_find(code)->name)

static inline const struct libgomp *copies_of(const void *code)
{
	return __builtin_expect(__atomic_load_n(&copies_first.ready, __ATOMIC_ACQUIRE), 1) ?
		       &copies_first :
		       copies_find(code);
}

/* loaded.c: the objects that the loader has loaded: who holds an address, who needs whom, and
   which names an object has. Any thread; not async-signal-safe where not said otherwise. */

/* The object that holds address; NULL: none. */
void *loaded_object(const void *address);

/* Whether address lies in this library. Async-signal-safe. */
bool loaded_is_ours(const void *address);

/* Where the object that holds address is mapped; *lo == *hi == 0: unknown. */
void loaded_range(const void *address, uintptr_t *lo, uintptr_t *hi);

/* Whether the object that holds address defines or asks for a symbol of this name, or
   defines a version of it. */
bool loaded_mentions(const void *address, const char *name);

/* The first object in the loader's list that needs object, directly or not, or is it; as
   a handle for dlsym(), NULL: none. */
void *loaded_root(const void *object);

/* The first object that defines a function of this name, but for this library; as a handle
   for dlsym(). It stays loaded. NULL: none. */
void *loaded_definer(const char *name);

/* The object that holds address is never unloaded. */
void loaded_keep(const void *address);

#endif
