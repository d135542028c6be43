/*
 * writer_fixture.h - a folder for profiles, a writer, and what a reader finds.
 */
#ifndef OMPHWC_TESTS_WRITER_FIXTURE_H
#define OMPHWC_TESTS_WRITER_FIXTURE_H

#include <check.h>
#include <stddef.h>
#include <sys/types.h>

#include "src/profile/reader/reader.h"
#include "src/profile/writer.h"

enum { LIMIT = 8 << 20 };

extern char folder[64];		/* empty before each test, removed after it */
extern char profile[96];	/* a name in it */
extern struct prof_writer w;

void writer_setup(void);
void writer_teardown(void);

/* Reads the profile; it must be one without damage.  Freed with the next. */
struct prof_file *read_back(void);

/* How many entries the folder has. */
int entries(void);

/* Puts text into a new file, and tells whether it is there and nothing else. */
void put_text(const char *path, const char *text);
void check_text(const char *path, const char *text);

/* A note with this text, in two parts. */
void *append_note(const char *text);

/* Marks every byte behind a chunk's header, as its owner would. */
void fill_chunk(uint64_t offset, size_t bytes, int value);

/* Runs a suite of one group of tests; main()'s result. */
int run_writer_suite(const char *name, void (*add)(TCase *));

#endif
