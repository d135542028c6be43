/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * region_counts.h - what the runtime's reports show of a region's entries: how many there were,
 * how long they took, and how large their teams were; and which of that is not known.
 *
 * All sums of these are made here: of a region's processes, of regions that become one where
 * functions are hidden, of a table's rows.
 *
 * For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_VIEW_REGION_COUNTS_H
#define OMPHWC_SRC_VIEW_REGION_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

struct region_counts {
	uint64_t entries;    /* 0: unknown */
	uint64_t elapsed_ns; /* sum over entries */
	uint64_t open_ns;    /* of entries that had not ended with the process, or its last
				sample; not in entries and elapsed_ns */
	/* Sums over entries, and those that had not ended, of elapsed time * threads: those of
	   the team, and all OpenMP threads of the process. */
	double team_ns, wide_ns;
	bool elapsed_unknown; /* of an entry: the sums of times are too small */
	bool team_unknown;    /* of an entry: team_ns is too small */
	bool sampled; /* the call that begins it may begin others, too, which no sample showed: the
			 entries and times are of all of them */
	uint32_t team_least; /* least threads of an entry, ended or not; 0: unknown */
	uint32_t team_most;
	uint64_t team_sum; /* sum over entries */
	uint64_t fewer;	   /* entries whose team has fewer threads than they asked for, and */
	uint64_t asked;	   /* the sum of what these asked for */
	uint64_t resized;  /* entries whose team has another size than the one before */
	uint32_t alone;	   /* a process of the model, plus 1, that had one thread, and whose first
			      entry, of several threads, or of not known how many, had not ended;
			      0: none */
};

/* Entries that ended. known: whether ns is. */
void region_counts_entries(struct region_counts *c, uint64_t entries, uint64_t ns, bool known);

/* The sizes of teams; 0: unknown. sum: over entries. */
void region_counts_teams(struct region_counts *c, uint32_t least, uint32_t most, uint64_t sum);

/* Entries that ended in a process of so many threads. team_ns: elapsed time * team, if known. */
void region_counts_team_time(struct region_counts *c, double ns, double team_ns, uint64_t threads,
			     bool known);

/* An entry that had not ended after ns. team: 0: not known. */
void region_counts_open(struct region_counts *c, uint64_t ns, uint32_t team, uint64_t threads);

/* That entry was begun by process number p of the model, which had one thread only. */
void region_counts_alone(struct region_counts *c, uint32_t p);

/* Adds b's to a's. */
void region_counts_add(struct region_counts *a, const struct region_counts *b);

/* Entries and times are not known, or (teams) nor is how many threads they had. */
void region_counts_forget(struct region_counts *c, bool entries, bool teams);

/* Whether there were entries. */
bool region_counts_lasted(const struct region_counts *c);

/* Whether all its times are known. */
bool region_counts_timed(const struct region_counts *c);

#endif
