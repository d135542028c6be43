/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * env.h - the environment of the program to be started: a copy that can be changed.
 */
#ifndef OMPHWC_SRC_RUN_ENV_H
#define OMPHWC_SRC_RUN_ENV_H

#include <stddef.h>

struct env {
	char **list; /* NULL-terminated, for execve(); the strings are owned */
	size_t n, room;
};

void env_copy(struct env *e, char *const *from);
void env_set(struct env *e, const char *name, const char *value);
/* Puts value and separator before the present value.  An empty present value counts as none,
   because the loader would take it as the working folder. */
void env_prepend(struct env *e, const char *name, const char *value, char separator);

const char *env_get(const struct env *e, const char *name);
void env_unset(struct env *e, const char *name);
void env_free(struct env *e);

#endif
