/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inputs.h - the profiles that are merged, in the order of their ranks.
 *
 * A merged file is an input for each of its processes, and stays in memory until inputs_free().
 */
#ifndef OMPHWC_SRC_MERGE_INPUTS_H
#define OMPHWC_SRC_MERGE_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prof_merged;

struct merge_input {
	char *path; /* of a merged file's process: the profile that it was */
	char *host;
	const struct prof_merged *merged; /* NULL: it is a profile */
	size_t process;			  /* its number in merged */
	uint64_t bytes;
	uint64_t rank; /* UINT64_MAX: none */
	uint64_t start_realtime_ns, start_monotonic_ns;
	uint32_t pid;
};

/* A zeroed struct is empty and ready. */
struct merge_inputs {
	struct merge_input *all;
	size_t n;
	size_t refused; /* that were named, and can't be merged: a message said why */
	/* private */
	size_t room;
	struct merge_source *sources; /* the merged files */
	size_t nsources, sources_room;
};

void inputs_free(struct merge_inputs *in);

/* Whether a merged file may replace the ordinary file at path: that is empty, or merged, too. */
bool inputs_replaceable(const char *path);

/* Adds the profile at path, or the processes of the merged file. */
int inputs_add(struct merge_inputs *in, const char *path);

/* The path of the merged file that an input is of; NULL: of none. */
const char *inputs_source(const struct merge_inputs *in, const struct merge_input *input);

/* The merged file at path, which is read once.  0 or -EINVAL: it can't be read; then a
   message said why. */
int inputs_merged(struct merge_inputs *in, const char *path, const struct prof_merged **merged);

/* After the last one: sorts by rank, and those of a rank by path, as reports on folders do; of
   those with the same process only the first is kept. */
void inputs_sort(struct merge_inputs *in);

/* Batches of successive inputs, whose bounds depend on their number and sizes only. */
struct merge_range {
	size_t first, n;
};

/* *ranges is for the caller to free. */
void inputs_batches(const struct merge_inputs *in, struct merge_range **ranges, size_t *n);

#endif
