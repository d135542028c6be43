/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reader_fixture.h - a profile being built and the reader's result, for the suites of the
 * reader.
 */
#ifndef OMPHWC_TESTS_READER_FIXTURE_H
#define OMPHWC_TESTS_READER_FIXTURE_H

#include <check.h>

#include "src/profile/reader/reader.h"
#include "tests/support/mkprofile.h"
#include "tests/support/promises.h"

extern struct mkprofile *m;
extern struct prof_file *f;
extern uint32_t version;

void setup(void);
void teardown(void);

/* Reads bytes, replaces the last result, and checks the guarantees. */
enum prof_read_error read_bytes(const void *bytes, size_t size);

/* Reads m, which must succeed with that many damaged and unfinished records. */
void read_m(size_t damaged, size_t unfinished);

/* Reads the first size bytes of m from memory of exactly that size. */
enum prof_read_error read_cut(size_t size);

/* A profile with all kinds of data: main and a worker, a region, a lock, an orderly end.  It
   has SMALL_NODES nodes and SMALL_SAMPLES samples. */
enum { SMALL_NODES = 18, SMALL_SAMPLES = 111 };
void make_small(void);

/* Makes one event, one module, one thread with a root; returns the root's number. */
uint32_t make_root(void);

/* Runs a suite with one group of tests; returns main()'s result. */
int run_suite(const char *name, void (*add)(TCase *));

#endif
