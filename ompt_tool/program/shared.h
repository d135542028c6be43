/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shared.h - the signals that the program and the tool share.
 *
 * The kernel has our handler for each of them. The program's disposition is kept
 * here, behind a sequence lock; what the program blocks is in the kernel's mask of
 * each thread (witness.h).
 */
#ifndef OMPHWC_OMPT_TOOL_PROGRAM_SHARED_H
#define OMPHWC_OMPT_TOOL_PROGRAM_SHARED_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* A signal keeps its slot for ever. A set of slots has one bit for each slot. */
enum { SHARED_SLOTS = 31, SHARED_NONE = -1 };

#define SHARED_BIT(slot) (1u << (slot))
#define SHARED_ALL ((UINT32_C(1) << SHARED_SLOTS) - 1)

/* Whether a disposition is a handler. */
static inline bool shared_has_handler(const struct sigaction *a)
{
	return (a->sa_flags & SA_SIGINFO) != 0 ||
	       (a->sa_handler != SIG_DFL && a->sa_handler != SIG_IGN);
}

/* The slot of a signal, or SHARED_NONE. */
int shared_slot(int signo);

/* The signal number in a slot; 0: the slot is empty. */
int shared_signo(int slot);

/* Those of `slots' whose signals are in set. */
uint32_t shared_in(const sigset_t *set, uint32_t slots);

/* Removes the slots' signals from set. */
void shared_remove(sigset_t *set, uint32_t slots);

/* The slots to be blocked while a thread sleeps in a call that no signal restarts:
   their signals interrupt sleeping threads too. */
uint32_t shared_shielded(void);
uint64_t shared_shielded_bits(void); /* as a mask */

/* ---- the program's disposition -------------------------------------------- */

/* Copies the program's disposition, never half written. Async-signal-safe. */
void shared_disposition(int slot, struct sigaction *out);

/* The program's sigaction() for the slot. act or old may be NULL. Async-signal-safe. */
void shared_dispose(int slot, const struct sigaction *act, struct sigaction *old);

/* ---- numbers that the program names --------------------------------------- */

/* The program uses signo: counters move to another number, if there is one. */
void shared_named(int signo);

/* The same for each number that a mask names: those in it, unless it holds nearly all
   numbers; of the group (witness.h), those that such a mask leaves out. */
void shared_named_in(const sigset_t *set);

/* Those of them that were not named before, for a mask. */
uint64_t shared_names(uint64_t mask);

/* Whether a set has nearly all real-time numbers, and so names none of them. */
bool shared_are_most(uint64_t set);

/* The numbers that counters sent and have left, as a mask. */
uint64_t shared_left(void);

/* In a fork's child: repairs what a thread that exists in the parent only had under way
   (a store, a spawn). */
void shared_forked(void);

/* ---- where the kernel has to be right ------------------------------------- */

/* Before exec or spawn: lets the kernel ignore each signal that the program ignores, in
   the place of our handler. The last of the threads that asked for it restores our
   handler. Returns the changed slots, for shared_dispositions_back(). */
uint32_t shared_dispositions_true(void);
void shared_dispositions_back(uint32_t slots);

/* The same in a vfork's child, which has dispositions of its own but shares the
   parent's memory and locks. */
uint32_t shared_dispositions_true_in_child(void);
void shared_dispositions_back_in_child(uint32_t slots);

/* Whether act is one of our handlers. */
bool shared_is_own(const struct sigaction *act);

#endif
