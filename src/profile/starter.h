/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * starter.h - programs that start a job's ranks.
 *
 * mpirun, srun and their helpers hand the environment on to the ranks, and are no part of the
 * measured program.
 */
#ifndef OMPHWC_SRC_PROFILE_STARTER_H
#define OMPHWC_SRC_PROFILE_STARTER_H

#include <stdbool.h>

/* Whether the last component of path is the name of such a program. Links must be resolved:
   mpirun is often one. */
bool prof_is_starter(const char *path);

/* Likewise, whether it only submits a job, and may end before that begins. */
bool prof_is_submitter(const char *path);

#endif
