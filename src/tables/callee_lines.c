#include "config.h"

#include "src/tables/callee_lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/path.h"
#include "src/model/model.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

static bool is_system(const struct prof_rmodule *m)
{
	static const char *const folders[] = { "/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/" };

	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
		if (!strncmp(m->path, folders[i], strlen(folders[i])))
			return !(m->flags & PROF_MODULE_MAIN);
	return false;
}

/* Functions know the base names of their modules only. */
static bool is_system_name(const struct model *model, const char *name)
{
	for (size_t p = 0; p < model->nprocesses; p++) {
		const struct prof_file *f = model->processes[p].file;

		for (size_t i = 0; i < f->nmodules; i++)
			if (!strcmp(path_base(f->modules[i].path), name))
				return is_system(&f->modules[i]);
	}
	return false;
}

/* By function: whether it is of a library of the system. */
static bool *system_functions(const struct view *v)
{
	bool *system = calloc(v->names.nfunctions + 1, sizeof(*system));
	const char *last = NULL;
	bool is = false;

	for (size_t i = 1; system && i < v->names.nfunctions; i++) {
		const char *module = v->names.functions[i].module;

		/* Names are interned, and those of one module often follow each other. */
		if (module && module != last) {
			is = is_system_name(v->model, module);
			last = module;
		}
		system[i] = module && is;
	}
	return system;
}

static bool is_code(const struct view *v, uint32_t node)
{
	return v->names.functions[v->tree.nodes[node].function].kind == FUNCTION_PLAIN;
}

static uint64_t node_key(const struct tree_node *n)
{
	return n->line ? n->line : (uint64_t)n->function << TABLE_LINE_FUNCTION;
}

/* arg: whether each function is of a library of the system. */
static bool line_key(const struct view *v, const struct view_record *r, void *arg,
		     struct table_key_pair *key)
{
	const struct tree_node *nodes = v->tree.nodes;
	const bool *system = arg;
	uint32_t node = r->node;

	key->a = table_line_key(v, r);
	key->b = 0;
	while (node && !is_code(v, node))
		node = nodes[node].parent;
	if (!node || !system[nodes[node].function])
		return true;
	while (node && (!is_code(v, node) || system[nodes[node].function]))
		node = nodes[node].parent;
	if (!node)
		return true;
	key->a = node_key(&nodes[node]);
	key->b = 1;
	return true;
}

int callee_lines_build(const struct view *v, struct table *t)
{
	bool *const system = system_functions(v);
	int err = system ? table_build_of(v, line_key, system, t) : -ENOMEM;

	free(system);
	return err;
}
