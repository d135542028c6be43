/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * finding_facts.h - private: what the sentences about a finding depend on, and have in them.
 */
#ifndef OMPHWC_SRC_OUTPUT_FINDING_FACTS_H
#define OMPHWC_SRC_OUTPUT_FINDING_FACTS_H

#include <stdbool.h>
#include <stdio.h>

struct finding;
struct view;

struct words {
	FILE *out;
	const struct view *v;
	const struct finding *f;
};

/* What may hold of a finding.  Those without a comment: the member of that name is not 0. */
enum finding_fact {
	HAS_ALONE = 1,
	HAS_ASLEEP,
	HAS_CALL,
	HAS_CONSTRUCT, /* else it is of a region itself */
	HAS_CPUS,
	IS_CALL_FOR_LOCK, /* work_line calls the runtime for what one thread is in at a time */
	IS_CALL_FOR_SINGLE,
	IS_CALL_FOR_DOACROSS,
	IS_CALL_FOR_FLUSH,
	IS_CALL_OF_QUERY, /* a query whose result is the same for a thread's part of a loop */
	IS_CALL_OF_TEST,  /* of a lock */
	HAS_FEW_ENTRIES,
	HAS_FIT,
	HAS_GAIN,
	HAS_IN_CALLS,
	HAS_INITIALS, /* several */
	HAS_INSTRUCTIONS,
	HAS_IPC,
	HAS_ITERATIONS,
	HAS_ONE_ITERATION,
	HAS_MISSES,
	HAS_MORE_WORK,	/* the late thread has more instructions, as its time is longer */
	HAS_EQUAL_WORK, /* it has not */
	HAS_NCPUS,
	HAS_NESTED,
	HAS_NO_CPU, /* of what is left: threads that could run waited for CPUs */
	HAS_OTHERS,
	HAS_OUTSIDE, /* a part of the gain that is mentioned */
	HAS_OWN,     /* likewise */
	HAS_PART,
	HAS_PIECE,
	HAS_PIECES,
	HAS_PLACES,
	HAS_QUOTA,
	HAS_REGION_LINE,
	HAS_SAME,
	HAS_SETTING,
	HAS_SEVERAL_PIECES,
	HAS_STALLED,
	HAS_THREAD,
	HAS_WAITED,
	HAS_WORK,      /* work_part */
	HAS_MUCH_WORK, /* the call at work_line may be why the kernel is busy */
	IS_AT_DIRECTIVE,
	IS_BARRIER,
	IS_BY_GCC, /* some loops are not recognized; updates and reductions are under a lock */
	IS_BY_NEW_THREADS, /* most entries are by a thread that began none before */
	IS_CAUSE,	   /* the kind of what is left is a cause */
	IS_COMBINED,	   /* the region is the loop: nowait removes no barrier */
	IS_COPY,	   /* by memcpy() or memmove() */
	IS_DOACROSS,	   /* threads wait for one iteration or several, not for all before */
	IS_FASTER_WITH_FEWER,
	IS_FIT_FOR_FEWER, /* one thread, or some, would be faster */
	IS_GUIDED,
	IS_INPUT, /* most work is in a library's function that reads */
	IS_OUTPUT,
	IS_KEPT, /* malloc's memory, by a setting */
	IS_HUGE, /* its pages are, or can't be made so by a setting */
	IS_MAPPED_AGAIN,
	IS_NESTED_TEAM,
	IS_OF_TASKLOOP,
	IS_ORDERED, /* the loop has an ordered region, which larger chunks delay */
	IS_REGION_END,
	IS_RESIZED,
	IS_RUNTIME_SCHEDULE,
	IS_SECTIONS,
	IS_SERIAL,
	IS_SLEEPING,
	IS_SPINNING,
	IS_USER_ONLY,
	IS_VARYING,
	IS_WOKEN, /* waits for a lock are the first cause of the kernel's time to look at */
	IS_OF_RULE,
	IS_OF_LOSS = 1000
};

/* The rule, and what the time was spent in. */
#define OF_RULE(rule) (IS_OF_RULE + (int)(rule))
#define OF_LOSS(loss) (IS_OF_LOSS + (int)(loss))

/* fact: one of those above, or a negative one, which does not hold. */
bool finding_holds(const struct words *w, int fact);

/* Prints text, in which {name} stands for a value of the finding (see finding_facts.c), and {s} and
   {y} for "s" and "ies", or after a 1 for "" and "y". */
void finding_put(const struct words *w, const char *text);

#endif
