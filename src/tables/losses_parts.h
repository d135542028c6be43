/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * losses_parts.h - shared by the files that compute losses, and private to them.
 */
#ifndef OMPHWC_SRC_TABLES_LOSSES_PARTS_H
#define OMPHWC_SRC_TABLES_LOSSES_PARTS_H

struct away_time;
struct losses;
struct view;

/* Adds up each process's samples in MPI, and blocked. */
void losses_away(const struct view *v, struct losses *l);

/* The time of threads without work while their process's initial threads are in MPI outside of
   regions, or blocked there (of: of each process); at most that, which is all that they have no
   work. */
double losses_idle_meanwhile(const struct view *v, struct away_time *of, double most);

#endif
