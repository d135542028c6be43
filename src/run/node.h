/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * node.h - what the ompcounts of one launch share on a node, where each rank has one.
 *
 * A file in the user's folder on the node (local.h), which each keeps locked while it runs: the
 * last one to end knows that it is the last.  Records are added and never changed.
 */
#ifndef OMPHWC_SRC_RUN_NODE_H
#define OMPHWC_SRC_RUN_NODE_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

struct prof_launch;

struct node {
	char folder[PATH_MAX];
	char path[PATH_MAX + 32]; /* empty: nothing is shared */
	int fd;
};

/* Nothing is shared unless this ompcount is one of several ranks, and a folder can be had. */
void node_open(struct node *n, const struct prof_launch *l);

/*
 * The text that was added under key; where there is none, ask(arg)'s, which is added: others that
 * want it wait for a while.  It may be NULL.  The caller frees it.
 */
char *node_text(struct node *n, uint64_t key, char *(*ask)(void *), void *arg);

/* Adds a path to those that the last one gets.  0 or -errno. */
int node_add_path(struct node *n, const char *path);

/*
 * Leaves.  The last one gets the added paths, as an array that the caller frees with its strings,
 * and the file is removed; others get NULL with *count = 0.  Idempotent.
 */
char **node_leave(struct node *n, size_t *count);

#endif
