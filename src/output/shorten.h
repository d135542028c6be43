/*
 * shorten.h - C++ names that are too long for a line: what tells them apart for a
 * person is rarely in their template arguments.
 */
#ifndef OMPHWC_SRC_OUTPUT_SHORTEN_H
#define OMPHWC_SRC_OUTPUT_SHORTEN_H

#include <stddef.h>

/*
 * name with its template arguments replaced by "..." that lie in more than depth
 * others: 0 leaves "f<...>".  Also of text with several names in it; what stands in
 * angle brackets by itself (<OMP-idle>) is no argument.  Unbalanced ones are left
 * alone.  malloc'ed; NULL without memory.
 */
char *shorten_name(const char *name, unsigned depth);

#endif
