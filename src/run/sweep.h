/*
 * sweep.h - what runs have left behind that were killed.
 */
#ifndef OMPHWC_SRC_RUN_SWEEP_H
#define OMPHWC_SRC_RUN_SWEEP_H

/* Names in a run's private folder, and how its own name begins. */
#define SCRATCH_PREFIX "ompcount-"
#define SCRATCH_MANIFEST "profiles"
#define SCRATCH_UNLOCKED "profiles-unlocked"

enum { SWEEP_PREFIX_BYTES = sizeof(SCRATCH_PREFIX) + 66 };

/* SCRATCH_PREFIX and this machine's name: others may share the folder, and
   locks need not reach from one to the other. */
void sweep_prefix(char prefix[SWEEP_PREFIX_BYTES]);

/* Takes the lock that says that a run is alive; fd is its manifest, open for
   writing, and must stay so.  0 or -errno (-EWOULDBLOCK: somebody has it). */
int sweep_lock(int fd);

/*
 * Removes from the folder `where` the private folders of this user's runs on this
 * machine that are over.  Follows no link, touches nothing that is not as a run
 * makes it.
 */
void sweep(const char *where);

#endif
