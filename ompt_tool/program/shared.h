/*
 * shared.h - the signals that the program and the tool share.
 *
 * For each the kernel has our handler.  What the program wants of it is kept
 * here: its disposition (behind a sequence lock) for the process, and for each
 * thread whether the program blocks it.
 *
 * Some are *open*: the kernel must let them through in every thread, or there
 * would be no samples; whether the program blocks them is known here alone.  The
 * others' masks are the kernel's own.
 */
#ifndef OMPHWC_OMPT_TOOL_PROGRAM_SHARED_H
#define OMPHWC_OMPT_TOOL_PROGRAM_SHARED_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* A signal keeps its slot for ever.  Sets of slots have a bit for each. */
enum { SHARED_SLOTS = 10, SHARED_NONE = -1 };

#define SHARED_BIT(slot) (1u << (slot))
#define SHARED_ALL ((1u << SHARED_SLOTS) - 1)

/* The slot of a signal, or SHARED_NONE. */
int shared_slot(int signo);

/* The number in a slot; 0: none. */
int shared_signo(int slot);

/* Those of the slots in `slots' that are in set. */
uint32_t shared_in(const sigset_t *set, uint32_t slots);

/* Adds to set, or takes out of it, the slots' signals. */
void shared_add(sigset_t *set, uint32_t slots);
void shared_remove(sigset_t *set, uint32_t slots);

/* The open ones. */
uint32_t shared_open(void);

/* Those that are better blocked while a thread sleeps in a call that no signal
   restarts: they come to sleeping threads too. */
uint32_t shared_shielded(void);

/* ---- the program's disposition -------------------------------------------- */

/* A copy that is whole.  Async-signal-safe. */
void shared_disposition(int slot, struct sigaction *out);

/* The program's sigaction() on it.  Either may be NULL.  Async-signal-safe. */
void shared_dispose(int slot, const struct sigaction *act, struct sigaction *old);

/* ---- numbers that the program names --------------------------------------- */

/* The program asks for signo by name: counters go to another number, if they can. */
void shared_named(int signo);

/* The same for each number in a set that names some and not all. */
void shared_named_in(const sigset_t *set);

/* In a fork's child: a writer, or who was about to spawn, may have stayed in the parent. */
void shared_forked(void);

/* ---- where the kernel has to be right ------------------------------------- */

/* Before exec or spawn: the kernel ignores what the program ignores, where it has our
   handler, until the last thread that asked for that has put it back.  Returns the slots
   that are so, for shared_dispositions_back(). */
uint32_t shared_dispositions_true(void);
void shared_dispositions_back(uint32_t slots);

/* The same in a vfork's child, whose dispositions are its own, and whose memory and
   locks are not. */
uint32_t shared_dispositions_true_in_child(void);
void shared_dispositions_back_in_child(uint32_t slots);

/* Whether act is one of our handlers. */
bool shared_is_own(const struct sigaction *act);

#endif
