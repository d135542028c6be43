/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * object_proof.h - by which contents an entry of object.h knows that its object is still loaded.
 *
 * The compared words can always be read: the build-id lies in the mapping's first page;
 * without one, each word is read only when those before have shown that it is mapped, and
 * code only when the headers show that it lies where it lay. The main program is never
 * unloaded, and is not compared.
 *
 * Async-signal-safe. An entry is filled in by its creator alone.
 */
#ifndef OMPHWC_OMPT_TOOL_UNWIND_OBJECT_PROOF_H
#define OMPHWC_OMPT_TOOL_UNWIND_OBJECT_PROOF_H

#include <elf.h>
#include <stdbool.h>

#include "ompt_tool/unwind/object.h"

/* Adds a word to those that are compared. */
void object_proof_add(struct object_proof *p, const void *word);

/*
 * Proves by the unwind table's header, the last entry of its sorted list, the
 * rules' entry that this points to, and words from all over the rules up to that
 * entry's end.
 */
void object_proof_by_tables(struct object *o);

/* Proves by the place of the headers and by what they say of the first segment of code:
   while these words are equal, the code lies where it lay. */
void object_proof_by_headers(struct object *o, const Elf64_Ehdr *elf);

/* Ends the proof: after all of the above. */
void object_proof_complete(struct object *o, const struct link_map *map);

/* Whether the object is still loaded. */
bool object_proof_holds(struct object *o, const struct link_map *map);

#endif
