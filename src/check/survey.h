/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * survey.h - what the OpenMP runtime of a program reports to tools: `ompcount check --runtime`.
 */
#ifndef OMPHWC_SRC_CHECK_SURVEY_H
#define OMPHWC_SRC_CHECK_SURVEY_H

/*
 * Runs the command, unprofiled, and prints what its OpenMP runtime answered for each event of OMPT
 * (OpenMP 5.2, section 19.5.2.1), how often it reported it, which entry points it lacks, and its
 * states and implementations of locks.  Returns the exit status: COMMAND_FAILED where no runtime
 * started a tool, or that of a command that cannot be started.  The command's own end is in the
 * text.
 */
int survey_runtime(char *const *command);

#endif
