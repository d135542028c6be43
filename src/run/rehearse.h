/*
 * rehearse.h - whether an OpenMP runtime starts on this machine.
 */
#ifndef OMPHWC_SRC_RUN_REHEARSE_H
#define OMPHWC_SRC_RUN_REHEARSE_H

#include <stddef.h>

/*
 * Loads the libomp at path in a process of its own and has it begin, with the
 * environment and the limits that a program would have.  0; or -1 when it ended the
 * process, with its own words in why.  What can't be loaded here (another C
 * library's) can't be told, and counts as 0.
 */
int rehearse_libomp(const char *path, char *why, size_t bytes);

#endif
