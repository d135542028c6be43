/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source.h - the lines of a source file.
 */
#ifndef OMPHWC_SRC_OUTPUT_SOURCE_H
#define OMPHWC_SRC_OUTPUT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct model;
struct source_place;

struct source {
	char *path;	     /* where it was found */
	const char *refused; /* why a file that was found is not shown, for people; or NULL */
	const char *todo;    /* what allows it, or NULL */
	char *text;
	char **lines; /* pointers into text, without line ends */
	size_t nlines;
	int64_t modified_ns; /* time of modification, since 1970 */
};

/*
 * Finds the file with that path in debug information: at the path itself, otherwise below
 * the place's folder by as many of its last components as possible.  0, -ENOENT and other
 * -errno, -EFBIG, -EPERM: see s->refused.
 */
int source_open(struct source *s, const char *path, const struct source_place *p);
void source_close(struct source *s);

/* Whether the file was changed after the model's run began, so that line numbers may be wrong. */
bool source_is_newer(const struct source *s, const struct model *m);

/* Line n, from 1, or NULL. */
const char *source_line(const struct source *s, unsigned n);

#endif
