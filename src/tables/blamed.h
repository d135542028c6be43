/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * blamed.h - which code makes other threads wait, from `ompcount run --blame'.
 */
#ifndef OMPHWC_SRC_TABLES_BLAMED_H
#define OMPHWC_SRC_TABLES_BLAMED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/view/view.h"

/* What threads wait for. */
struct blamed_part {
	uint8_t kind;	    /* enum blame_kind */
	const char *object; /* name of the lock or critical section, or NULL */
	uint64_t weight;    /* of the event */
};

/* Code: a line, or a function without lines, in a region. */
struct blamed_row {
	uint64_t line;		   /* table_line_key() */
	uint32_t region;	   /* a region of the view with the line of the row's */
	uint64_t work;		   /* its own, of the event */
	uint64_t causes;	   /* the waiting of other threads that is charged to it */
	struct blamed_part *parts; /* by weight, descending; they add up to causes */
	size_t nparts;
};

/* A function with all that it calls. */
struct blamed_function {
	uint32_t function;
	uint64_t work, causes;
};

/* Waits that some runtimes don't report: then they are charged to nobody, and their threads count
   as working. */
enum blamed_unreported {
	UNREPORTED_DEPEND,
	UNREPORTED_DOACROSS,
	UNREPORTED_TARGET,
	BLAMED_UNREPORTED
};

/* Code that causes nothing is left out. */
struct blamed {
	struct blamed_row *rows; /* by causes, descending */
	size_t n;
	struct blamed_function *functions; /* likewise */
	size_t nfunctions;
	uint64_t charged[BLAME_KINDS], waited[BLAME_KINDS]; /* waited: by the waiting threads'
							       own samples */
	uint64_t all_charged, all_waited;
	uint64_t unreported[BLAMED_UNREPORTED]; /* in all_waited, but for UNREPORTED_TARGET */
	bool asked;				/* some process was run with --blame */
	bool waits_known; /* waited is of all threads: the event sees those that sleep, and no
			     filter left threads or code out */
	bool filtered;
};

void blamed_build(const struct view *v, size_t event, struct blamed *t);
void blamed_fini(struct blamed *t);

/* For people ("barrier", "lock"), and for JSON. */
const char *blamed_kind_name(enum blame_kind kind);

#endif
