/*
 * liveness.h - whether a process whose profile has no end still runs.
 *
 * For ordinary code; reads /proc.
 */
#ifndef OMPHWC_SRC_MODEL_LIVENESS_H
#define OMPHWC_SRC_MODEL_LIVENESS_H

struct prof_file;

enum liveness {
	LIVENESS_ENDED,		/* the profile says so */
	LIVENESS_EXECED,	/* likewise: as another program the process went on */
	LIVENESS_AT_ONCE,	/* likewise: by _exit */
	LIVENESS_UNPROFILED,	/* likewise: it went on without being profiled */
	LIVENESS_RUNS,		/* or another that has its number, started before the profile */
	LIVENESS_GONE,		/* no such process is here: it ended without saying so */
	LIVENESS_UNKNOWN,	/* of another host or boot, or /proc doesn't tell */
};

enum liveness liveness_of(const struct prof_file *f);

/* What is to be said of it, for people; NULL: nothing. */
const char *liveness_text(enum liveness l);

#endif
