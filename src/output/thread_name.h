/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thread_name.h - what formats call a thread.
 */
#ifndef OMPHWC_SRC_OUTPUT_THREAD_NAME_H
#define OMPHWC_SRC_OUTPUT_THREAD_NAME_H

#include <stdint.h>
#include <stdio.h>

struct model;

/* "thread 3", where there are several processes with the rank or number of its own; thread
   is an index into m->threads. */
void thread_name(FILE *out, const struct model *m, uint32_t thread);

/* The same as a malloc'ed text. */
char *thread_text(const struct model *m, uint32_t thread);

/* "initial", "worker" or "other"; NULL: it is none of OpenMP's.  kind: enum prof_thread_kind. */
const char *thread_kind(uint32_t kind);

#endif
