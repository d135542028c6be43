/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * masks.h - which of the shared signals the program blocks.
 *
 * The kernel's mask of a thread is the only record. It holds the program's mask
 * encoded (witness.h): these functions translate where the program sets a mask or
 * sees one. A signal that no counter sent and that the program blocks is *held*:
 * sent again and blocked in the kernel, where it pends as it would without us.
 *
 * Each function concerns the calling thread, and is async-signal-safe. All are right
 * in a child that shares our memory or was forked by a bare system call, too.
 */
#ifndef OMPHWC_OMPT_TOOL_PROGRAM_MASKS_H
#define OMPHWC_OMPT_TOOL_PROGRAM_MASKS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

/* The program's sigprocmask() or pthread_sigmask(); native is libc's function of that name. */
int masks_change(int (*native)(int, const sigset_t *, sigset_t *), int how, const sigset_t *set,
		 sigset_t *old);

/* Replaces a mask of the kernel's by the program's, and one that the program has set by the
   kernel's. */
void masks_show(sigset_t *set);
void masks_hide(sigset_t *set);

/* libc will set this mask itself: its numbers are the program's, and those in the group leave it.
   may_be_encoded: it may have been read from the kernel; then witnesses that masks were made with
   are none of these. */
void masks_named(const sigset_t *set, bool may_be_encoded);

/* ---- in our handlers; uc: what the kernel gave the handler ----------------- */

/* Whether the program blocks the signal where the handler interrupted it. */
bool masks_blocks(int signo, const ucontext_t *uc);

/* Holds the signal until the program unblocks it: the kernel blocks it when the handler
   returns. */
void masks_hold(int signo, ucontext_t *uc);

/* The program's mask that was in effect where the handler interrupted it: that of a call
   that sleeps with a mask of its own, which has ended by then, or the one to be
   restored. */
uint64_t masks_interrupted(const ucontext_t *uc);

/* After the program's handler, which masks_show() has shown the mask to be restored: encodes what
   it made of that. */
void masks_hide_interrupted(ucontext_t *uc);

/* Encodes a mask of an older generation anew. */
void masks_refresh(ucontext_t *uc);

/* ---- elsewhere --------------------------------------------------------------- */

/* The program took the signal by a wait: unblocks a held signal in the kernel. */
void masks_taken(int signo);

/* Encodes a mask that was made without us. */
void masks_open(void);

/* For a call that sleeps with a mask of its own (ppoll, sigsuspend): returns the mask
   for the kernel, which may be mask itself or lie in *s. In such a call every number
   stands for itself: what the program blocks must not end the call. */
struct masks_swap {
	sigset_t native;
	bool swapped;
};
const sigset_t *masks_swap(struct masks_swap *s, const sigset_t *mask);
void masks_swap_back(const struct masks_swap *s);

/* Around a call that sleeps and that no signal restarts: blocks the signals that
   interrupt sleeping threads too, and returns those that were not blocked, for
   masks_unshield(). 0: it need not be called. */
uint64_t masks_shield(void);
/* The same, but for the signals in set, which the call waits for. */
uint64_t masks_shield_but(const sigset_t *set);
void masks_unshield(uint64_t blocked);

/* For exec and spawn: the kernel's mask becomes the one that the program asked for.
   masks_back() restores *before. */
void masks_true(sigset_t *before);
void masks_back(const sigset_t *before);

#endif
