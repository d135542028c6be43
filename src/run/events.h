/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * events.h - checks before the start whether the events of -e can be counted here.
 */
#ifndef OMPHWC_SRC_RUN_EVENTS_H
#define OMPHWC_SRC_RUN_EVENTS_H

#include <stdbool.h>

struct run_options;
struct trouble;

struct events_found {
	bool nothing;	   /* no event and no substitute can be counted */
	bool addresses;	   /* samples of some event report data addresses */
	double samples_hz; /* of a thread, as far as the rates show */
};

/*
 * 0, or the exit status with *t: an unknown event, or with --strict one that cannot be
 * counted.  Without --strict a message names the substitute (unless `silent`).
 */
int events_check(const struct run_options *o, int silent, struct events_found *found,
		 struct trouble *t);

#endif
