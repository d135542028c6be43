/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * roomy_stack.h - runs code that needs more stack than a batch system may grant.
 *
 * `ulimit -s' is inherited from scripts, where it is small for the program's threads;
 * libdw's line decoder needs more.
 */
#ifndef OMPHWC_SRC_BASE_ROOMY_STACK_H
#define OMPHWC_SRC_BASE_ROOMY_STACK_H

/* Calls f(arg) on a stack of 8 MiB where the process's own is limited to less, and returns its
   result.  Without memory for that, on the own one. */
int roomy_stack_call(int (*f)(void *arg), void *arg);

#endif
