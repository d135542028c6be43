/* SPDX-License-Identifier: BSD-3-Clause */
/* task_bodies.h - which functions are the bodies of tasks. */
#ifndef OMPHWC_SRC_PATH_TASK_BODIES_H
#define OMPHWC_SRC_PATH_TASK_BODIES_H

struct prof_file;
struct view;
struct view_options;

/* gcc names the bodies of tasks and of regions alike.  Corrects the kind of those that lie directly
   above a task's boundary somewhere in this profile, before any path of the view is made: where the
   body has no boundary yet, or no longer, its name alone shows what it is. */
void view_task_bodies(struct view *v, const struct view_options *o, const struct prof_file *f);

#endif
