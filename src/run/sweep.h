/*
 * sweep.h - removes what killed runs left behind.
 */
#ifndef OMPHWC_SRC_RUN_SWEEP_H
#define OMPHWC_SRC_RUN_SWEEP_H

/* Names in a run's private folder, and the prefix of the folder's name. */
#define SCRATCH_PREFIX "ompcount-"
#define SCRATCH_MANIFEST "profiles"
#define SCRATCH_UNLOCKED "profiles-unlocked"

enum { SWEEP_PREFIX_BYTES = sizeof(SCRATCH_PREFIX) + 66 };

/* SCRATCH_PREFIX and this machine's name: machines may share the folder, and locks may not
   work between them. */
void sweep_prefix(char prefix[SWEEP_PREFIX_BYTES]);

/* Takes the lock that marks a run as alive; fd is its manifest, open for writing, and must
   stay open.  0 or -errno (-EWOULDBLOCK: it is taken). */
int sweep_lock(int fd);

/*
 * Removes from the folder `where` the private folders of this user's finished runs on this
 * machine.  Follows no links, and touches only folders that look as a run creates them.
 */
void sweep(const char *where);

#endif
