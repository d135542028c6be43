/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_words.h - what users of perf type that means something else here, or nothing.
 *
 * Pure functions.
 */
#ifndef OMPHWC_SRC_PERF_PERF_WORDS_H
#define OMPHWC_SRC_PERF_PERF_WORDS_H

/* The answer to such a word, for a message. */
struct perf_word {
	const char *names; /* between blanks */
	const char *why;
	const char *todo;
};

/* A command of perf that is none here; NULL: perf has none of that name either. */
const struct perf_word *perf_command(const char *name);

/* An option ("-p", "--pid=12") of perf's commands that start a program, and of those that read
   a profile; NULL: not known. */
const struct perf_word *perf_run_option(const char *option);
const struct perf_word *perf_report_option(const char *option);

#endif
