/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stack_output.h - writes a look at a process.
 */
#ifndef OMPHWC_SRC_STACK_STACK_OUTPUT_H
#define OMPHWC_SRC_STACK_STACK_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct stack_finding;
struct stack_look;

/* full: all functions of long paths. */
void stack_text(const struct stack_look *l, bool full, FILE *out);

/* As doc/stack.schema.json says. */
void stack_json(const struct stack_look *l, FILE *out);

/* "deadlock: thread 12 waits for …"; malloc'ed. */
char *stack_finding_text(const struct stack_look *l, const struct stack_finding *f);

#endif
