/*
 * detail.h - one function or file from near: who calls it and what it calls,
 * its source or its machine code beside their costs.
 *
 * For people, as text.  Writers return 0, -ENOENT (the profile has no such
 * function or file), -ENOMEM, or another -errno of what they needed.
 */
#ifndef OMPHWC_SRC_OUTPUT_TEXT_DETAIL_H
#define OMPHWC_SRC_OUTPUT_TEXT_DETAIL_H

#include <stdio.h>

struct lookup;
struct report;

struct detail_target {
	const char *name;	/* of a function or file */
	struct lookup *lookup;
	const char *sysroot;	/* before objects' paths; NULL: none */
	const char *sources;	/* folder to look for sources in; NULL: here */
};

int detail_calls(FILE *out, const struct report *r, const struct detail_target *t);

/* The report's view must tell lines apart. */
int detail_annotate(FILE *out, const struct report *r, const struct detail_target *t);

/* Runs objdump: -ENOEXEC without it. */
int detail_asm(FILE *out, const struct report *r, const struct detail_target *t);

#endif
