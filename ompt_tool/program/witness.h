/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * witness.h - how the kernel's signal mask of a thread holds the program's.
 *
 * Some signals are *open*: the kernel must deliver them to every thread, or there
 * would be no samples. If the program blocks one, the kernel's mask has a *witness*
 * in its place: a real-time number that nobody sends. So the kernel's mask alone
 * says what the program blocks. Whatever saves and restores it (jmp_buf,
 * ucontext_t, fork, a new thread) needs no help from us, and nothing can be stale.
 *
 * The numbers for samples and the witnesses are the *group*. The program blocks all
 * of it (sigfillset) or none. A mask of some of the group's numbers is literal, and
 * so is one that was made without us: the *marker*, which no witness stands for,
 * is in it, or all of the group are, and an open signal. What a bare system
 * call or a handler adds to a mask, or sets, is thus understood. What it takes away
 * is, too, unless it is one open signal (SIGTRAP, SIGBUS) that was blocked through
 * libc: only the witness is there to be removed.
 *
 * A number of the group that the program names leaves it: a new *generation*. Masks
 * of an older one stay readable, since each generation has a witness of its own for
 * the group. An exception is the named number itself: where it was the witness of
 * SIGTRAP or SIGBUS, a mask from before with that signal alone (no sigfillset) now
 * means the number, but in the thread that named it. Such a mask, of another thread or
 * saved, blocks one signal too many and one too few. That takes a program that uses a
 * number from the middle of the real-time range, and blocked SIGBUS alone before it did.
 *
 * Masks are the kernel's, 64 bits: bit n - 1 is signal n. All functions are
 * async-signal-safe and take no lock.
 */
#ifndef OMPHWC_OMPT_TOOL_PROGRAM_WITNESS_H
#define OMPHWC_OMPT_TOOL_PROGRAM_WITNESS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The open signals that have a witness of their own. */
enum { WITNESS_OWN = 2, WITNESS_GENERATIONS = 40 };

struct witness {
	uint64_t group;	 /* all numbers below, and those of older generations */
	uint64_t marker; /* 0, with all others: no number was free, and every mask is literal */
	uint64_t whole;	 /* the group's witness */
	uint64_t sent;	 /* the numbers for samples in it; 0: there are none */
	uint64_t open;	 /* those of own[].signal that are open */
	/* Where the first is blocked, and the mask is not literal, the second are blocked
	   for a sleep, and not by the program. */
	uint64_t shield, shielded;
	struct {
		uint64_t signal, witness;
	} own[WITNESS_OWN];
};

/* The kernel's mask for the program's, and the program's mask in the kernel's. */
uint64_t witness_encode(uint64_t program);
uint64_t witness_decode(uint64_t kernel);

/* A mask in which each number stands for itself; marked: even where it need not be. */
uint64_t witness_literal(uint64_t program, bool marked);

/* Whether a mask is marked as literal, or of an older generation: then adding an encoded
   mask to it, or removing one, does not give the right mask. */
bool witness_is_literal(uint64_t kernel);
bool witness_is_old(uint64_t kernel);

/* The kernel's numbers to be removed so that the program no longer blocks these. */
uint64_t witness_unblock(uint64_t program);

/* The numbers of the group by which a set of the program's may be an encoded mask that
   it read where we could not decode it (a handler's ucontext_t). */
uint64_t witness_emitted(void);

/* The newest generation; NULL: none, and masks are literal. */
const struct witness *witness_now(void);

/* Publishes a generation. false: there were too many. One caller at a time. */
bool witness_publish(const struct witness *w);

/* The program uses number n: no older generation's witness any more. */
void witness_forget(int signo);

/* ---- the kernel's masks ----------------------------------------------------- */

/* sigprocmask(2) by a system call: returns the mask before. libc's functions leave out the
   two signals that it has for itself. bits may be NULL. */
uint64_t mask_change(int how, const uint64_t *bits);

static inline uint64_t mask_bit(int signo)
{
	return UINT64_C(1) << (signo - 1);
}

static inline int mask_count(uint64_t bits)
{
	int n = 0;

	for (; bits != 0; bits &= bits - 1)
		n++;
	return n;
}

static inline uint64_t mask_get(const sigset_t *set)
{
	uint64_t bits;

	memcpy(&bits, set, sizeof(bits));
	return bits;
}

/* The rest of the set, which the kernel does not know, stays as it is. */
static inline void mask_put(sigset_t *set, uint64_t bits)
{
	memcpy(set, &bits, sizeof(bits));
}

#endif
