/* user_line.c - see user_line.h. */
#include "config.h"

#include "src/tables/user_line.h"

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

static bool is_header(const char *file)
{
	static const char *const folders[] = { "/usr/include/", "/usr/lib/", "/usr/lib64/" };

	for (size_t i = 0; file && i < sizeof(folders) / sizeof(*folders); i++)
		if (!strncmp(file, folders[i], strlen(folders[i])))
			return true;
	return false;
}

int user_lines_init(struct user_lines *u, const struct view *v)
{
	const size_t n = v->names.nfunctions + 1;
	const char *last = NULL;
	bool is = false;

	*u = (struct user_lines){
		.view = v,
		.library = calloc(n, sizeof(*u->library)),
		.system = calloc(n, sizeof(*u->system)),
	};
	if (!u->library || !u->system)
		return -ENOMEM;
	for (size_t i = 1; i < v->names.nfunctions; i++) {
		const char *module = v->names.functions[i].module;

		/* Names are interned, and those of one module often follow each other. */
		if (module && module != last) {
			is = is_system_name(v->model, module);
			last = module;
		}
		u->library[i] = module && is;
		u->system[i] = u->library[i] || is_header(v->names.functions[i].file);
	}
	return 0;
}

void user_lines_fini(struct user_lines *u)
{
	free(u->library);
	free(u->system);
	*u = (struct user_lines){ 0 };
}

static bool is_code(const struct view *v, uint32_t node)
{
	return v->names.functions[v->tree.nodes[node].function].kind == FUNCTION_PLAIN;
}

static uint64_t node_key(const struct tree_node *n)
{
	return n->line ? n->line : (uint64_t)n->function << TABLE_LINE_FUNCTION;
}

struct user_line user_line_of(const struct user_lines *u, const struct view_record *r, bool headers)
{
	const bool *const system = headers ? u->system : u->library;
	const struct tree_node *nodes = u->view->tree.nodes;
	struct user_line is = { .line = table_line_key(u->view, r) };
	uint32_t node = r->node, callee = 0;

	while (node && !is_code(u->view, node))
		node = nodes[node].parent;
	if (!node || !system[nodes[node].function])
		return is;
	for (; node && (!is_code(u->view, node) || system[nodes[node].function]);
	     node = nodes[node].parent)
		if (is_code(u->view, node))
			callee = nodes[node].function;
	if (!node)
		return is;
	is.line = node_key(&nodes[node]);
	/* A tree without lines knows the innermost caller's from the record. */
	if (!nodes[node].line && r->user_line &&
	    u->view->names.lines[r->user_line].function == nodes[node].function)
		is.line = r->user_line;
	is.callee = callee;
	return is;
}
