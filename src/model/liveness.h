/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * liveness.h - says whether the process of a profile without an end still runs.
 *
 * For ordinary code; reads /proc.
 */
#ifndef OMPHWC_SRC_MODEL_LIVENESS_H
#define OMPHWC_SRC_MODEL_LIVENESS_H

struct prof_file;

enum liveness {
	LIVENESS_ENDED,	     /* the profile has its end */
	LIVENESS_EXECED,     /* it has the end: the process executed another program */
	LIVENESS_AT_ONCE,    /* it has the end: the process called _exit */
	LIVENESS_UNPROFILED, /* it has the end: the process ran unprofiled */
	LIVENESS_RUNS,	     /* running; or its number was reused by a process that started
				   before the profile */
	LIVENESS_GONE,	     /* the process no longer exists: it ended without recording
				   its end */
	LIVENESS_UNKNOWN,    /* written on another host or before a reboot, or /proc is not
				   available */
};

enum liveness liveness_of(const struct prof_file *f);

/* The message for people; NULL: none. */
const char *liveness_text(enum liveness l);

#endif
