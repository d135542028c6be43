/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * handler.h - takes a sample when a counter overflows.
 */
#ifndef OMPHWC_OMPT_TOOL_SAMPLE_HANDLER_H
#define OMPHWC_OMPT_TOOL_SAMPLE_HANDLER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct pmu_sample;
struct thread;

/*
 * Takes the sample for a signal that a counter of the calling thread sent, in that
 * thread's signal handler; false for any other signal, which is left alone. Where a
 * wait of the program's took the signal, ucontext is the context of that wait.
 * Async-signal-safe.
 */
bool handler_take(int signo, siginfo_t *info, void *ucontext);

/* The same where a call of the program's that sleeps held the signal back until now: the thread
   slept there. */
bool handler_take_held(int signo, siginfo_t *info, void *ucontext);

/* The thread is sampled no more, or not for now: counts the time since its last sample of a wall
   clock where that was. Any thread may call it. */
void handler_rest(struct thread *t);

/* In ordinary code of t, the calling thread: a sleep in which its last sample found it is over. */
void handler_wake(struct thread *t);

/* What is known of a sample besides the interrupted registers. */
struct handler_event {
	int event;	 /* the event's number in the profile */
	uint64_t weight; /* how many events the sample stands for; 0: none, but the place
					  is noted */
	const struct pmu_sample *record; /* the kernel's record in the ring, or NULL */
	bool precise;			 /* record->ip is where the event happened */
	bool wall;			 /* of a wall clock */
	bool asleep;			 /* the thread slept: only of a wall clock */
	uint64_t ready;			 /* beside weight: it had no CPU; only of a wall clock */
};

/* Takes one sample of the calling thread t: the part of the handler that bench/ measures. */
void handler_sample(struct thread *t, const struct handler_event *e, const void *ucontext);

/* For handler.c and handler_wall.c. Charges node with what other threads wait meanwhile. */
void handler_charge(struct thread *t, uint32_t node, unsigned event, uint64_t weight);

/* Counts e->ready beside the leaf of the sample that was just taken. */
void handler_count_ready(struct thread *t, const struct handler_event *e, uint64_t now_ticks);

/* Counts a sample of a wall clock, of that weight, where the thread's last one was. */
void handler_sample_there(struct thread *t, uint64_t weight);

/* Notes in the thread's timeline a sample whose innermost frame, or boundary, is node, with that
   enum prof_state. Called only where timeline_on. Async-signal-safe. */
void when_note(struct thread *t, const struct handler_event *e, uint32_t node, uint8_t state,
	       uint64_t now_ticks);

#endif
