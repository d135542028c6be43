/*
 * destination.h - checks whether the profile can be written at its destination.
 */
#ifndef OMPHWC_SRC_RUN_DESTINATION_H
#define OMPHWC_SRC_RUN_DESTINATION_H

#include <limits.h>

struct trouble;

/*
 * Makes the pattern absolute, so that it does not depend on the program's working folder.
 * Refuses a folder that is missing or not writable, and an existing file that is not a
 * profile; creates nothing.  0, or -1 with *t.
 */
int destination_check(const char *pattern, const char *command, char absolute[PATH_MAX],
		      struct trouble *t);

#endif
