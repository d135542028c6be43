/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * loader.h - asks a program's dynamic loader what it would load.
 *
 * The loader lists libraries and starts nothing (`ld.so --list`, as ldd does).  Only the
 * loader knows everything that decides: RPATH, RUNPATH, LD_LIBRARY_PATH, LD_PRELOAD, its
 * cache, hardware folders, symbol versions.  Asked with a planned environment, it shows
 * beforehand whether the program would still start.
 */
#ifndef OMPHWC_SRC_RUN_LOADER_H
#define OMPHWC_SRC_RUN_LOADER_H

#include <stddef.h>

struct node;

/* From now on answers are those of the node's other ompcounts, and theirs these; NULL: no
   longer. */
void loader_share(struct node *node);

struct loader_object {
	char *name; /* as requested: libgomp.so.1, or a path */
	char *path; /* of the file; NULL: not found */
};

struct loader_list {
	struct loader_object *objects;
	size_t n, room;
	int complaints;	     /* number of lines that are warnings or errors */
	char complaint[256]; /* the first of these */
	int status;	     /* the loader's exit status */
};

/* 0, or -errno if the loader could not be asked (*list is empty then); after 0
   loader_list_free() is required. */
int loader_ask(const char *loader, const char *program, char *const *envp,
	       struct loader_list *list);
void loader_list_free(struct loader_list *list);

/* The object requested by that name (or a path with that last component), or NULL. */
const struct loader_object *loader_find(const struct loader_list *list, const char *name);

#endif
