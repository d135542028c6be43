/*
 * gather.h - finds profiles of a run that its manifest does not have.
 *
 * Ranks on other nodes can't write to a manifest that lies in a folder of this machine.
 */
#ifndef OMPHWC_SRC_RUN_GATHER_H
#define OMPHWC_SRC_RUN_GATHER_H

#include <stddef.h>

/*
 * Appends to the *n paths those profiles of run id that lie beside the first of them, or else in
 * the pattern's folder, and are not among them.  Without memory some are missing.  May move
 * *paths, which is freed like each path.
 */
void gather_profiles(char ***paths, size_t *n, const char *pattern, const char *id);

#endif
