/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * region_label.h - how regions are printed.
 */
#ifndef OMPHWC_SRC_TABLES_REGION_LABEL_H
#define OMPHWC_SRC_TABLES_REGION_LABEL_H

#include <stdint.h>

struct view;

/* "solve:26 (jacobi.c)", "(serial)"; special and line as in struct region.  malloc'ed. */
char *region_label(const struct view *v, uint32_t special, uint32_t line);

/* The same of a region of the view. */
char *region_label_of(const struct view *v, uint32_t region);

#endif
