/*
 * regex_cost.h - which regular expressions would take too long.
 *
 * The C library writes counts out, and tries all ways in which back references may match: a
 * pattern of some characters may need all memory, or a year.
 */
#ifndef OMPHWC_SRC_BASE_REGEX_COST_H
#define OMPHWC_SRC_BASE_REGEX_COST_H

/* Why the extended regular expression is refused; NULL: it is not, but may be none. */
const char *regex_refused(const char *pattern);

#endif
