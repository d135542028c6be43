/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * loaded.h - the objects that the loader has loaded: who holds an address, who needs whom,
 * and which names an object has. Any thread; not async-signal-safe where not said otherwise.
 */
#ifndef OMPHWC_OMPT_TOOL_GOMP_LOADED_H
#define OMPHWC_OMPT_TOOL_GOMP_LOADED_H

#include <stdbool.h>
#include <stdint.h>

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
