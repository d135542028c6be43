/*
 * masks.h - which of the shared signals the program blocks, thread by thread.
 *
 * The kernel's mask of a thread lacks the open signals (shared.h) that the program
 * blocks: they are in the virtual mask.  One that came all the same while the
 * program blocks it is *held*: sent again, and blocked in the kernel, where it
 * pends as it would have without us.
 *
 * All of it concerns the calling thread; async-signal-safe.
 */
#ifndef OMPHWC_OMPT_TOOL_PROGRAM_MASKS_H
#define OMPHWC_OMPT_TOOL_PROGRAM_MASKS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* The program's sigprocmask() or pthread_sigmask(), by `native'. */
int masks_change(int (*native)(int, const sigset_t *, sigset_t *), int how,
		 const sigset_t *set, sigset_t *old);

/* Whether the program blocks the slot's signal here, though the kernel delivered it. */
bool masks_blocks(int slot);

/* A signal of the slot has to wait until the program unblocks it; kernel is the mask
   that the kernel will put back. */
void masks_hold(int slot, sigset_t *kernel);

/* The program took a signal of the slot by waiting for it: samples come again. */
void masks_taken(int slot);

/* Of numbers that counters have left the kernel's mask becomes the program's. */
void masks_settle(void);

/* The slots that the program blocks here and the kernel does not: for a new thread,
   which begins with its creator's mask. */
uint32_t masks_virtual(void);
void masks_inherit(uint32_t slots);

/* Lets the open signals through.  What was blocked counts as blocked by the program. */
void masks_open(void);

/* A call that sleeps with another mask: the one for the kernel. */
struct masks_swap {
	sigset_t native;
	uint32_t before;
};
const sigset_t *masks_swap(struct masks_swap *s, const sigset_t *mask);
void masks_swap_back(const struct masks_swap *s);

/* What the kernel blocks where a handler of the calling thread has come, but for what its
   own mask adds: a call's that sleeps with another mask, else saved, which the
   kernel will put back. */
sigset_t masks_interrupted(const sigset_t *saved);

/* A call that sleeps, and that no signal restarts: what comes to sleeping threads
   too waits.  False: there is no such signal, and nothing to take back. */
bool masks_shield(void);
/* The same, for all that set does not wait for. */
bool masks_shield_but(const sigset_t *set);
void masks_unshield(void);

/* exec and spawn: the kernel's mask becomes the program's. */
void masks_true(sigset_t *before);
void masks_back(const sigset_t *before);

#endif
