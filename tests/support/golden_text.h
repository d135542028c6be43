/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * golden_text.h - compares texts with the expected ones in tests/golden.
 *
 * After an intended change, write them with OMPHWC_GOLDEN_WRITE=1 and review the difference.
 */
#ifndef OMPHWC_TESTS_GOLDEN_TEXT_H
#define OMPHWC_TESTS_GOLDEN_TEXT_H

/* Fails the test unless the text is that of the file, but for the program's version, which it
   removes from the text. */
void golden_check(const char *name, char *text);

/* A whole file; the caller frees it. */
char *golden_read(const char *path);

#endif
