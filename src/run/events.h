/*
 * events.h - whether what -e asks for can be counted here, before anything is
 * started.
 */
#ifndef OMPHWC_SRC_RUN_EVENTS_H
#define OMPHWC_SRC_RUN_EVENTS_H

#include <stdbool.h>

struct run_options;
struct trouble;

struct events_found {
	bool nothing;	/* neither an event nor a substitute can be counted */
	bool addresses;	/* samples of some event tell the address of data */
};

/*
 * 0, or the exit status with *t: an event that does not exist, or, with
 * --strict, one that can't be counted.  Without, says in a line what is counted
 * in its place (not if `silent`).
 */
int events_check(const struct run_options *o, int silent, struct events_found *found,
		 struct trouble *t);

#endif
