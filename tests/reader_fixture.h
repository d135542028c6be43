/*
 * reader_fixture.h - a profile under construction and what the reader makes of
 * it, for the suites of the reader.
 */
#ifndef OMPHWC_TESTS_READER_FIXTURE_H
#define OMPHWC_TESTS_READER_FIXTURE_H

#include <check.h>

#include "src/profile/reader/reader.h"
#include "tests/mkprofile.h"
#include "tests/promises.h"

extern struct mkprofile *m;
extern struct prof_file *f;
extern uint32_t version;

void setup(void);
void teardown(void);

/* Reads bytes in place of the last result, and checks the promises. */
enum prof_read_error read_bytes(const void *bytes, size_t size);

/* Reads m, which must succeed with so many damaged and unfinished. */
void read_m(size_t damaged, size_t unfinished);

/* Reads the first size bytes of m, copied to memory of just that size. */
enum prof_read_error read_cut(size_t size);

/* main and a worker, a region, a lock: something of each kind, in an orderly
   run.  SMALL_NODES nodes, SMALL_SAMPLES samples. */
enum { SMALL_NODES = 18, SMALL_SAMPLES = 111 };
void make_small(void);

/* One event, one module, one thread with a root; the root's number. */
uint32_t make_root(void);

/* Runs a suite of one group of tests; main()'s result. */
int run_suite(const char *name, void (*add)(TCase *));

#endif
