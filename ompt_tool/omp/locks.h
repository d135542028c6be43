/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * locks.h - where locks were initialized.
 *
 * A lock in the heap or on a stack has no symbol. What tells it from others for people is the call
 * that initialized it: all locks of an array have one. A table of a fixed size holds the calls: of
 * more locks those are forgotten whose slot another one gets. Any thread; takes no lock and makes
 * no system call.
 */
#ifndef OMPHWC_OMPT_TOOL_OMP_LOCKS_H
#define OMPHWC_OMPT_TOOL_OMP_LOCKS_H

#include <stdint.h>

/* The lock variable at that address was initialized by the call that returns to `call'. */
void locks_made(uint64_t lock, uintptr_t call);

/* Where the call returns to that initialized it last; 0: not known. Async-signal-safe. */
uintptr_t locks_made_at(uint64_t lock);

#endif
