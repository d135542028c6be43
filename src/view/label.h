/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * label.h - how functions are printed.
 */
#ifndef OMPHWC_SRC_VIEW_LABEL_H
#define OMPHWC_SRC_VIEW_LABEL_H

#include <stdint.h>

struct function;
struct names;

/* "solve (jacobi.c:12)", "memcpy [libc.so.6]"; malloc'ed. */
char *label_function(const struct function *f);

/* "solve (jacobi.c:12)" for a line; likewise. */
char *label_line(const struct names *names, uint32_t line);

#endif
