/*
 * loader.h - asks a program's own dynamic loader what it would load.
 *
 * The loader lists and starts nothing (`ld.so --list`, as ldd does).  It alone
 * knows all that decides: RPATH, RUNPATH, LD_LIBRARY_PATH, LD_PRELOAD, its
 * cache, hardware folders, symbol versions; and its answer for an environment
 * that is only planned tells beforehand whether a program would still start.
 */
#ifndef OMPHWC_SRC_RUN_LOADER_H
#define OMPHWC_SRC_RUN_LOADER_H

#include <stddef.h>

struct loader_object {
	char *name;	/* as it was asked for: libgomp.so.1, or a path */
	char *path;	/* where it was found; NULL: nowhere */
};

struct loader_list {
	struct loader_object *objects;
	size_t n, room;
	int complaints;		/* lines that are no object: warnings and errors */
	char complaint[256];	/* the first of them */
	int status;		/* the loader's exit status */
};

/* 0, or -errno when the loader could not be asked (*list is empty then);
   *list is to be freed if 0. */
int loader_ask(const char *loader, const char *program, char *const *envp,
	       struct loader_list *list);
void loader_list_free(struct loader_list *list);

/* The object asked for by that name (of a path, its last part), or NULL. */
const struct loader_object *loader_find(const struct loader_list *list, const char *name);

#endif
