/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * writer_fixture.h - a folder for profiles, a writer, and the reader's result.
 */
#ifndef OMPHWC_TESTS_WRITER_FIXTURE_H
#define OMPHWC_TESTS_WRITER_FIXTURE_H

#include <check.h>
#include <stddef.h>
#include <sys/types.h>

#include "src/profile/reader/reader.h"
#include "src/profile/writer.h"

enum { LIMIT = 8 << 20 };

extern char folder[64];	 /* empty before each test, removed after it */
extern char profile[96]; /* a path in it */
extern struct prof_writer w;

void writer_setup(void);
void writer_teardown(void);

/* Reads the profile, which must be undamaged.  It is freed by the next call. */
struct prof_file *read_back(void);

/* The number of entries in the folder. */
int entries(void);

/* put_text() writes text into a new file; check_text() fails the test unless the file
   contains exactly that. */
void put_text(const char *path, const char *text);
void check_text(const char *path, const char *text);

/* Appends a note with this text, in two parts. */
void *append_note(const char *text);

/* Overwrites every byte after a chunk's header, as its owner would. */
void fill_chunk(uint64_t offset, size_t bytes, int value);

/* Runs a suite with one group of tests; returns main()'s result. */
int run_writer_suite(const char *name, void (*add)(TCase *));

#endif
