/*
 * destination.h - whether the profile can be written where it is to go.
 */
#ifndef OMPHWC_SRC_RUN_DESTINATION_H
#define OMPHWC_SRC_RUN_DESTINATION_H

#include <limits.h>

struct trouble;

/*
 * The name's pattern made absolute, so that a program that changes its folder
 * changes nothing.  Refuses a folder that is missing or can't be written, and a
 * file that is there and no profile; creates nothing.  0, or -1 with *t.
 */
int destination_check(const char *pattern, const char *command, char absolute[PATH_MAX],
		      struct trouble *t);

#endif
