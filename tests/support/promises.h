/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * promises.h - checks what reader.h guarantees about its result.
 */
#ifndef OMPHWC_TESTS_PROMISES_H
#define OMPHWC_TESTS_PROMISES_H

#include <stdint.h>

struct prof_file;

/* The guarantee of reader.h that f violates, or NULL. */
const char *promise_broken(const struct prof_file *f);

/* The sum of all leaves' samples. */
uint64_t promise_samples(const struct prof_file *f);

#endif
