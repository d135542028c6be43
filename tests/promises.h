/*
 * promises.h - what the reader promises of whatever it returns.
 */
#ifndef OMPHWC_TESTS_PROMISES_H
#define OMPHWC_TESTS_PROMISES_H

#include <stdint.h>

struct prof_file;

/* The promise of reader.h that f breaks, or NULL. */
const char *promise_broken(const struct prof_file *f);

/* The sum of all leaves' samples. */
uint64_t promise_samples(const struct prof_file *f);

#endif
