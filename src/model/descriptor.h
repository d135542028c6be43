/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * descriptor.h - a construct, as an instrumentor described it in the program: POMP's context
 * descriptor, from the text of OPARI2, "LENGTH*KEY=VALUE*KEY=VALUE**".
 */
#ifndef OMPHWC_SRC_MODEL_DESCRIPTOR_H
#define OMPHWC_SRC_MODEL_DESCRIPTOR_H

#include <stdint.h>

/* Unknown lines are 0, unknown texts NULL. */
struct descriptor {
	char *name;		   /* "parallel for", "region": what the user marked */
	char *sub_name;		   /* of a critical section, or a region */
	uint32_t sections;	   /* of sections; else 0 */
	char *file;		   /* as the instrumentor was given it */
	uint32_t begin[2], end[2]; /* first and last line of the directive that begins it, and of
				      the one that ends it */
};

/* Takes what the text has and can be read, which may be nothing. */
void descriptor_parse(struct descriptor *d, const char *text);
void descriptor_free(struct descriptor *d);

/* "critical (queue) sim.c:68-71"; malloc'ed. */
char *descriptor_label(const struct descriptor *d);

#endif
