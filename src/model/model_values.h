/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_values.h - what the threads of a model counted at the nodes of its trees.
 */
#ifndef OMPHWC_SRC_MODEL_MODEL_VALUES_H
#define OMPHWC_SRC_MODEL_MODEL_VALUES_H

#include "src/model/model.h"
#include "src/profile/reader/values.h"

/* What a thread counted at a node. */
struct model_value {
	const struct model_tree *tree;
	const struct prof_rnode *node;
	uint64_t a, b;
	uint32_t thread; /* of the model */
};

/* Calls visit for each value at nodes of that kind. */
void model_values(const struct model *m, enum prof_node_kind kind,
		  void (*visit)(const struct model_value *v, void *arg), void *arg);

#endif
