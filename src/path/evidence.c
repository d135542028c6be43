/* SPDX-License-Identifier: BSD-3-Clause */
/* evidence.c - see evidence.h. */
#include "config.h"

#include "src/path/evidence.h"

#include <stdlib.h>
#include <string.h>

#include "src/answers/ask.h"
#include "src/base/alloc.h"
#include "src/model/mpi.h"
#include "src/profile/reader/reader.h"
#include "src/toolchain/toolchain.h"
#include "src/view/names.h"

/* Finds libraries' frames beneath which there is nothing but sleep: they are not on the path, which
   ends with the call. */
static void evidence_find_slept(struct evidence *e)
{
	const struct prof_file *f = e->file;

	e->slept = alloc_bytes(f->nnodes + 1);
	memset(e->slept, true, f->nnodes + 1);
	for (size_t i = f->nnodes; i-- > 0;) {
		const struct prof_rnode *n = &f->nodes[i];
		bool slept = e->slept[i];

		if (n->kind == PROF_NODE_LEAF)
			slept = n->state & PROF_ASLEEP;
		else if (n->kind == PROF_NODE_FRAME)
			slept = slept && sites_is_in_library(&e->sites, n);
		else if (n->kind != PROF_NODE_OBJECT && n->kind != PROF_NODE_CONSTRUCT)
			slept = false;
		if (n->parent != PROF_NONE && !slept)
			e->slept[n->parent] = false;
		if (n->context != PROF_NONE)
			e->slept[n->context] = false;
	}
}

void evidence_init(struct evidence *e, struct names *names, const struct resolver *resolver,
		   const struct prof_file *file, bool slept)
{
	*e = (struct evidence){
		.file = file,
		.resolver = resolver,
		.names = names,
		.unreported = !prof_text(file, PROF_INFO_RUNTIME),
	};
	sites_init(&e->sites, names, resolver, file);
	if (slept)
		evidence_find_slept(e);
	origins_find(&e->sites, &e->origins);
}

void evidence_fini(struct evidence *e)
{
	sites_fini(&e->sites);
	origins_fini(&e->origins);
	bodies_fini(&e->bodies);
	map_free(&e->called);
	free(e->slept);
	*e = (struct evidence){ 0 };
}

uint32_t evidence_outermost(const struct evidence *e, const struct site *site)
{
	return e->names->lines[e->sites.lines[site->first + site->n - 1]].function;
}

bool evidence_slept(const struct evidence *e, uint32_t node)
{
	return e->slept && e->slept[node];
}

/* ---- calls --------------------------------------------------------------------- */

uint32_t evidence_called(struct evidence *e, uint64_t at, bool jump)
{
	struct function f = { .kind = FUNCTION_PLAIN };
	uint32_t function = map_get(&e->called, at, jump, UINT32_MAX);

	if (function != UINT32_MAX)
		return function;
	function = 0;
	f.name = f.linkage = ask(e->resolver, e->file, QUERY_CALLED, at, jump).text;
	if (f.name)
		function = names_function(e->names, &f);
	map_add(&e->called, at, jump, function, &function);
	return function;
}

bool evidence_is_runtimes(const struct evidence *e, uint32_t function)
{
	const char *name = e->names->functions[function].linkage;
	char call[MPI_CALL_BYTES];

	return name && (toolchain_is_runtime_name(name) || !strncmp(name, "omp_", 4) ||
			mpi_call(name, false, call));
}

const char *evidence_unwrapped(const char *name)
{
	static const char prefix[] = "wrap_";

	return name && !strncmp(name, prefix, sizeof(prefix) - 1) ? name + sizeof(prefix) - 1 :
								    name;
}

/* ---- bodies -------------------------------------------------------------------- */

uint64_t evidence_body_at(const struct evidence *e, uint32_t frame)
{
	const uint32_t above = e->file->nodes[frame].parent;

	return above != PROF_NONE && e->file->nodes[above].kind == PROF_NODE_BODY ?
		       e->file->nodes[above].a :
		       origins_reported(&e->origins, &e->sites, frame);
}

bool evidence_has_several(const struct evidence *e, uint32_t node)
{
	const struct prof_rnode *nodes = e->file->nodes;
	const uint32_t above = nodes[node].parent;

	return above != PROF_NONE && nodes[above].kind == PROF_NODE_BODY &&
	       origins_are_several(&e->origins, nodes[above].parent, nodes[node].a);
}

bool evidence_lacks(struct evidence *e, uint32_t node, uint32_t innermost, uint32_t body)
{
	const struct prof_rnode *frame = &e->file->nodes[node];
	const struct function *f = &e->names->functions[body];

	if (!f->origin || !f->line || frame->kind != PROF_NODE_FRAME)
		return false;
	const struct site *site = sites_find(&e->sites, frame);
	return !names_is_of(e->names->functions[innermost].name, f->origin) &&
	       !origins_there(&e->sites, site, f->origin);
}

const struct answer *evidence_body(struct evidence *e, uint32_t node, const char *callee)
{
	const struct prof_rnode *creation = &e->file->nodes[node];
	const struct origin_tail *tail;

	if (creation->kind != PROF_NODE_FRAME)
		return NULL;
	tail = origins_tail(&e->origins, creation->a);
	return bodies_find(&e->bodies, &e->sites, tail ? tail->at : creation->a, tail, callee);
}

/* ---- places -------------------------------------------------------------------- */

/* Whether body was made from code of that function, or of a function that it is a copy of.
   gcc merges equal functions, so a call may pass a body that has another origin. */
static bool evidence_is_origin(const struct function *body, const struct function *function)
{
	return body->origin && names_is_of(function->name, body->origin);
}

uint32_t evidence_place(struct evidence *e, uint32_t line, uint64_t loc, bool exact)
{
	struct names *n = e->names;
	const uint32_t function = n->lines[line].function;
	const struct function *body;
	uint32_t place = 0;

	/* Of a call in code that is not shown no place is. */
	if (!line)
		return 0;
	const uint32_t id = origins_directive(&e->sites, &e->origins, loc, exact);
	body = &n->functions[id];
	if (id && evidence_is_origin(body, &n->functions[function]))
		place = names_line(n, function, body->file, body->line);
	else
		place = sites_place(&e->sites, line, loc, exact);
	return place;
}

uint32_t evidence_own_place(struct evidence *e, uint32_t id, const struct prof_rnode *frame)
{
	struct names *n = e->names;
	struct answer begin;
	uint32_t function = id, line;

	if (n->functions[id].origin)
		function = names_origin(n, id);
	line = names_line(n, function, n->functions[id].file, n->functions[id].line);
	if (n->functions[id].line)
		return line;
	begin = ask(e->resolver, e->file, QUERY_BEGIN, frame->a, false);
	if (begin.known)
		line = sites_place(&e->sites, line, begin.at, true);
	return line;
}
