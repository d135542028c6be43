/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stack_rules.h - what can be concluded from what threads wait for.  Pure functions.
 *
 * Nothing is guessed: an owner is what the lock itself records, and without one there is a
 * deadlock only where no thread is left that could release anything.
 */
#ifndef OMPHWC_SRC_STACK_STACK_RULES_H
#define OMPHWC_SRC_STACK_STACK_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum stack_wait {
	STACK_RUNS,	 /* or could */
	STACK_LOCK,	 /* for a lock, a critical section, a mutex */
	STACK_THREAD,	 /* for the end of thread `owner` */
	STACK_BARRIER,	 /* at a barrier */
	STACK_END,	 /* for the end of a region that it began */
	STACK_TASKS,	 /* for tasks */
	STACK_IDLE,	 /* of a worker: for work, or at the end of a region */
	STACK_CONDITION, /* for a condition variable or semaphore */
	STACK_CALL,	 /* in a system call that others than the process's threads can end */
	STACK_WAITS
};

/* One thread. */
struct stack_row {
	pid_t tid;
	uint8_t wait;	/* enum stack_wait */
	bool firm;	/* it sleeps, without a time limit, and nobody has woken it */
	pid_t owner;	/* who must act; 0: not recorded */
	uint32_t team;	/* the same for threads in one region, as far as that is known; else 0 */
	uint32_t place; /* the same where the innermost function and line are */
	uint32_t look;	/* the same where all that is shown is equal; less than there are rows */
};

enum stack_finding_kind {
	STACK_CYCLE,   /* each of rows waits for the next one, the last for the first */
	STACK_STUCK,   /* no thread can go on; rows wait for locks, or are all if none does */
	STACK_MISSING, /* rows wait at one barrier or end, for those of missing */
};

struct stack_finding {
	enum stack_finding_kind kind;
	bool sure; /* STACK_STUCK: all sleep firmly; else seen twice, with nothing moved */
	size_t *rows, n;
	size_t *missing, nmissing;
};

struct stack_findings {
	struct stack_finding *all;
	size_t n, room;
};

/* moved: some thread moved between two looks, or there was one look only.  stack_findings_free() is
   required. */
void stack_rules(const struct stack_row *rows, size_t n, bool moved, struct stack_findings *found);
void stack_findings_free(struct stack_findings *found);

/* Whether a second look could show more: no thread runs, some wait for locks, and not all sleep
   firmly. */
bool stack_rules_doubt(const struct stack_row *rows, size_t n);

/* The order in which threads are shown, those of one look together: groups with what is found
   first, then the smaller ones.  order has room for n. */
void stack_rules_order(const struct stack_row *rows, size_t n, const struct stack_findings *found,
		       size_t *order);

#endif
