/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * items.h - adds regions and tasks to a view that is being built.
 *
 * Private to what builds a view.
 */
#ifndef OMPHWC_SRC_VIEW_ITEMS_H
#define OMPHWC_SRC_VIEW_ITEMS_H

#include <stdint.h>

struct view;

/* Numbers of a view's items, created if they are new. */
uint32_t view_region(struct view *v, uint32_t node, uint32_t line, uint32_t parent);
uint32_t view_task(struct view *v, uint32_t node, uint32_t line);
uint32_t view_unknown(struct view *v, unsigned cause);

#endif
