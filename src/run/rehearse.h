/*
 * rehearse.h - tests whether an OpenMP runtime starts on this machine.
 */
#ifndef OMPHWC_SRC_RUN_REHEARSE_H
#define OMPHWC_SRC_RUN_REHEARSE_H

#include <stddef.h>

/*
 * Loads and initializes the libomp at path in a separate process with a program's
 * environment and limits.  0; or -1 if it ended the process, with its message in why.  A
 * library that cannot be loaded here (for another C library) cannot be tested, and counts
 * as 0.
 */
int rehearse_libomp(const char *path, char *why, size_t bytes);

#endif
