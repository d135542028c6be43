/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gather.h - finds profiles of a run that its manifest does not have.
 *
 * Ranks on other nodes can't reach it, nor can processes in another PID namespace, or with fewer
 * capabilities than ompcount: see ptrace(2), "Ptrace access mode checking".
 */
#ifndef OMPHWC_SRC_RUN_GATHER_H
#define OMPHWC_SRC_RUN_GATHER_H

#include <stddef.h>
#include <stdint.h>

/*
 * Appends to the *n paths those profiles of run id that lie beside the last of them, or else in
 * the pattern's folder, and are not among them.  begun_ns: of the run, since 1970; older files, and
 * other users', are not looked into.
 */
void gather_profiles(char ***paths, size_t *n, const char *pattern, const char *id,
		     uint64_t begun_ns);

#endif
