/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stack_profile.h - a copied process as a profile with one sample of each thread, so that names,
 * paths and waits are decided as those of reports (src/view).
 *
 * It has no contexts of regions and tasks: it is like that of a program whose OpenMP runtime has
 * reported nothing.  Thread number i of the profile is that of the process, and its leaf is number
 * i among the leaves.
 */
#ifndef OMPHWC_SRC_STACK_STACK_PROFILE_H
#define OMPHWC_SRC_STACK_STACK_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

struct prof_file;
struct stack_process;

/* The caller frees it by prof_free(). */
struct prof_file *stack_profile_of(const struct stack_process *p);

/* The location (PROF_LOC) of an address; module 0 where it is in no object. */
uint64_t stack_profile_location(const struct prof_file *f, uint64_t at);

/* Whether an address is in code of the C library, an OpenMP runtime, or this profiler. */
bool stack_profile_is_system(const struct prof_file *f, uint64_t at);

#endif
