/*
 * items.h - adds regions, tasks and functions to a view that is being built.
 *
 * Private to what builds a view.
 */
#ifndef OMPHWC_SRC_VIEW_ITEMS_H
#define OMPHWC_SRC_VIEW_ITEMS_H

#include <stdint.h>

struct view;

/* Numbers of a view's items, created if they are new. */
void view_region(struct view *v, uint32_t node, uint32_t line, uint32_t parent, uint32_t *region);
void view_task(struct view *v, uint32_t node, uint32_t line, uint32_t *task);
void view_artificial(struct view *v, const char *name, int kind, uint32_t *function);
void view_unknown(struct view *v, unsigned cause, uint32_t *node);

/* The function of a library as the program's code calls it; of the modules whose code ran there
   (module, or NULL) it has the first in alphabetical order: an entry may leave by a jump to
   another library. */
void view_call(struct view *v, const char *name, const char *module, uint32_t *function);

#endif
