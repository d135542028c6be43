/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * turn.h - of the processes of this user on this node one at a time.
 */
#ifndef OMPHWC_SRC_RUN_TURN_H
#define OMPHWC_SRC_RUN_TURN_H

#include <stdatomic.h>
#include <stdint.h>

/*
 * Waits until no other has a turn in the folder (src/profile/local.h), and takes it.  A descriptor;
 * -1: one had it for too long, as where its server has stalled, or there can be none: the caller
 * goes on as if it had it.  Adds to *others for each one that ended meanwhile.
 */
int turn_take(const char *folder, _Atomic uint64_t *others);

/* Ends it; also that of a process that was killed and may never end (fd -1). */
void turn_end(const char *folder, int fd);

#endif
