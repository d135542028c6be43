/*
 * source.h - the text of a source file, line by line.
 */
#ifndef OMPHWC_SRC_OUTPUT_TEXT_SOURCE_H
#define OMPHWC_SRC_OUTPUT_TEXT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct source {
	char *path;		/* where it was found */
	char *text;
	char **lines;		/* without their ends, in text */
	size_t nlines;
	int64_t modified_ns;	/* since 1970 */
};

/*
 * Finds the file that debug information calls path: there, else below folder
 * (NULL: the working folder) by its last parts, the most of them that fit.
 * 0, -ENOENT and other -errno, -EFBIG, -ENOMEM.
 */
int source_open(struct source *s, const char *path, const char *folder);
void source_close(struct source *s);

/* Line n, counted from 1, or NULL. */
const char *source_line(const struct source *s, unsigned n);

#endif
