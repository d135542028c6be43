/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * testomp_loop.h - work shares from the inside; see testomp_loop.c.
 */
#ifndef OMPHWC_TESTS_TESTOMP_LOOP_H
#define OMPHWC_TESTS_TESTOMP_LOOP_H

#include "tests/collector/testomp.h"

struct share {
	struct share *next;
	unsigned number; /* 1: the first of its team */
	unsigned users;	 /* threads that have not done with it */
	long start, incr, count, chunk;
	enum schedule schedule;
	bool ordered;
	long given;	  /* iterations that were handed out; not of static ones */
	atomic_long done; /* iterations before this one have executed their ordered regions */
	atomic_uint turns;
	void *copied; /* by single's copyprivate */
};

/* Begins the thread's next share: the one offered where it is the first to come there
   (true), else that of the first; then the one offered is freed. */
bool share_begin(struct member *, struct share *offered);
/* The thread has done with its share. */
void share_end(struct member *);

/* The thread's next chunk: values of the loop's variable, [from, to). */
bool share_next(struct member *, long *from, long *to);

/* Until the chunks before the thread's own have been passed. */
void ordered_wait(struct member *);
/* The thread has done with its chunk. */
void ordered_pass(struct member *);

#endif
