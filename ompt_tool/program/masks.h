/*
 * masks.h - which of the shared signals the program blocks, for each thread.
 *
 * The kernel's mask of a thread leaves the open signals (shared.h) unblocked, even
 * those that the program blocks: these are in the thread's virtual mask. A signal
 * that no counter sent and that the program blocks is *held*: sent again and
 * blocked in the kernel, where it pends as it would without us.
 *
 * Each function concerns the calling thread, and is async-signal-safe.
 */
#ifndef OMPHWC_OMPT_TOOL_PROGRAM_MASKS_H
#define OMPHWC_OMPT_TOOL_PROGRAM_MASKS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* The program's sigprocmask() or pthread_sigmask(); native is libc's function of that name. */
int masks_change(int (*native)(int, const sigset_t *, sigset_t *), int how, const sigset_t *set,
		 sigset_t *old);

/* Whether the program blocks the slot's signal here, though the kernel delivers it. */
bool masks_blocks(int slot);

/* Holds the slot's signal until the program unblocks it. kernel: the mask that the
   kernel restores when the handler returns; the signal is added to it. */
void masks_hold(int slot, sigset_t *kernel);

/* The program took the slot's signal by a wait: unblocks a held signal for samples again. */
void masks_taken(int slot);

/* Moves the signals that are no longer open from the virtual mask to the kernel's mask. */
void masks_settle(void);

/* The slots that the program blocks in this thread and the kernel does not. */
uint32_t masks_virtual(void);

/* Unblocks the open signals in the kernel. Those that were blocked go to the virtual mask. */
void masks_open(void);

/* The same in a handler, for those that were opened since: kernel is the mask that the kernel
   restores when the handler returns. False: there are none. */
bool masks_open_fresh(sigset_t *kernel);

/* For a call that sleeps with a mask of its own (ppoll, sigsuspend): returns the mask
   for the kernel, which may be mask itself or lie in *s. */
struct masks_swap {
	sigset_t native;
	uint32_t before;
};
const sigset_t *masks_swap(struct masks_swap *s, const sigset_t *mask);
void masks_swap_back(const struct masks_swap *s);

/* The mask that was in effect where a handler interrupted the thread: that of a call
   that sleeps with a mask of its own, else saved, which the kernel restores. */
sigset_t masks_interrupted(const sigset_t *saved);

/* Around a call that sleeps and that no signal restarts: blocks the signals that
   interrupt sleeping threads too. False: nothing was blocked, and masks_unshield() must
   not be called. */
bool masks_shield(void);
/* The same, but for the signals in set, which the call waits for. */
bool masks_shield_but(const sigset_t *set);
void masks_unshield(void);

/* For exec, spawn and new threads: the kernel's mask becomes the one that the program asked for.
   masks_back() restores *before. */
void masks_true(sigset_t *before);
void masks_back(const sigset_t *before);

#endif
