/*
 * shared.h - the signals that the program and the tool share.
 *
 * The kernel has our handler for each of them. The program's disposition is kept
 * here, behind a sequence lock, and masks.h keeps for each thread whether the
 * program blocks the signal.
 *
 * Some signals are *open*: the kernel must deliver them in every thread, or there
 * would be no samples; only a virtual mask says whether the program blocks them.
 * The kernel's masks hold for the others.
 */
#ifndef OMPHWC_OMPT_TOOL_PROGRAM_SHARED_H
#define OMPHWC_OMPT_TOOL_PROGRAM_SHARED_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* A signal keeps its slot for ever. A set of slots has one bit for each slot. */
enum { SHARED_SLOTS = 10, SHARED_NONE = -1 };

#define SHARED_BIT(slot) (1u << (slot))
#define SHARED_ALL ((1u << SHARED_SLOTS) - 1)

/* The slot of a signal, or SHARED_NONE. */
int shared_slot(int signo);

/* The signal number in a slot; 0: the slot is empty. */
int shared_signo(int slot);

/* Those of `slots' whose signals are in set. */
uint32_t shared_in(const sigset_t *set, uint32_t slots);

/* Adds the slots' signals to set, or removes them from it. */
void shared_add(sigset_t *set, uint32_t slots);
void shared_remove(sigset_t *set, uint32_t slots);

/* The slots of the open signals. */
uint32_t shared_open(void);

/* The slots to be blocked while a thread sleeps in a call that no signal restarts:
   their signals interrupt sleeping threads too. */
uint32_t shared_shielded(void);

/* ---- the program's disposition -------------------------------------------- */

/* Copies the program's disposition, never half written. Async-signal-safe. */
void shared_disposition(int slot, struct sigaction *out);

/* The program's sigaction() for the slot. act or old may be NULL. Async-signal-safe. */
void shared_dispose(int slot, const struct sigaction *act, struct sigaction *old);

/* ---- numbers that the program names --------------------------------------- */

/* The program uses signo: counters move to another number, if there is one. */
void shared_named(int signo);

/* The same for each number in set, unless set holds nearly all numbers. */
void shared_named_in(const sigset_t *set);

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
