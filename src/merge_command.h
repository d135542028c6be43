/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * merge_command.h - the command line of merge, as ompcount-merge and ompcount-mpi take it.
 */
#ifndef OMPHWC_SRC_MERGE_COMMAND_H
#define OMPHWC_SRC_MERGE_COMMAND_H

#include <stddef.h>

#include "src/merge/inputs.h"
#include "src/merge/merge.h"

struct merge_options {
	const char *output, *sysroot;
	char **paths;
	int npaths;
};

/* 0: *o is filled in; -1: help was printed; or an exit status. */
int merge_parse(int argc, char **argv, struct merge_options *o);

/* The profiles that the paths name, sorted; nothing where the output would replace what is no
   merged file.  0 or an exit status; inputs_free() is required in
   any case. */
int merge_inputs(const struct merge_options *o, struct merge_inputs *in);

/* Says what a merge left out, or why it failed.  Returns the exit status. */
int merge_report(const struct merge_options *o, const struct merge *m, size_t refused, int err);

#endif
