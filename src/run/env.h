/*
 * env.h - the environment that a program is to be started with.
 */
#ifndef OMPHWC_SRC_RUN_ENV_H
#define OMPHWC_SRC_RUN_ENV_H

#include <stddef.h>

struct env {
	char **list;	/* NULL-ended, as execve() wants it; strings are owned */
	size_t n, room;
};

/* Each: 0 or -ENOMEM, and nothing changed then. */
int env_copy(struct env *e, char *const *from);
int env_set(struct env *e, const char *name, const char *value);
/* Puts value before what is there, with a separator between; an empty value
   that is there counts as none (to the loader it would be the working folder). */
int env_prepend(struct env *e, const char *name, const char *value, char separator);

const char *env_get(const struct env *e, const char *name);
void env_unset(struct env *e, const char *name);
void env_free(struct env *e);

#endif
