/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ranks_program.h - launchers, and the program that they start.
 */
#ifndef OMPHWC_SRC_RUN_RANKS_PROGRAM_H
#define OMPHWC_SRC_RUN_RANKS_PROGRAM_H

#include <stdbool.h>

struct target;

/* Whether the program at path is mpirun, srun or the like. */
bool starts_ranks(const char *path);

/*
 * Finds the ranks' program on a launcher's command line, which NULL ends: the first word that is
 * the path of a program, or names one and is no option's value, as far as that can be known.
 * False: there is none.
 */
bool ranks_program_find(char *const *command, struct target *program);

#endif
