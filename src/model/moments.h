/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * moments.h - which part of each leaf's samples was taken when.
 *
 * A timeline's cell counts samples of one event and state whose leaves lie beneath a node.
 * Each leaf belongs to the cells of the nearest such node above it; where their samples are
 * more than the leaves have left, or fewer (cells were moved nearer the root meanwhile), what
 * is left of the leaves belongs to the next such node.  The samples of a node's cells are
 * shared among its leaves by proportion, in whole numbers: the sum over time of each leaf's
 * shares, and the sum over leaves of each cell's, are exact.  Pure; for ordinary code.
 */
#ifndef OMPHWC_SRC_MODEL_MOMENTS_H
#define OMPHWC_SRC_MODEL_MOMENTS_H

#include <stddef.h>
#include <stdint.h>

struct prof_file;

/* A cell, at a time that only the caller interprets. */
struct moment_cell {
	uint32_t node; /* index into the file's nodes */
	uint32_t slot; /* the time; ascending among the cells of a node */
	uint64_t weight, samples;
	uint8_t event, state;
};

enum { MOMENTS_NOWHERE = UINT32_MAX };

/* What the leaves' samples are added up by. */
struct moments {
	const struct prof_file *file;
	const struct moment_cell *cells; /* of all threads */
	size_t ncells;
	/* By leaf, in the order of the file's nodes: a number below ntargets, or
	   MOMENTS_NOWHERE: shown nowhere. */
	const uint32_t *target;
	size_t ntargets;
	/* Called for each share that is not 0. */
	void (*add)(void *arg, const struct moment_cell *cell, uint32_t target, uint64_t weight,
		    uint64_t samples);
	void *arg;
};

/* The number of the file's leaves. */
size_t moments_leaves(const struct prof_file *f);

void moments_place(const struct moments *m);

#endif
