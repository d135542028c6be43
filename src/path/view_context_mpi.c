/*
 * view_context_mpi.c - frames of MPI, which the path shows as one call.
 *
 * A call begins with a frame of an MPI library, or a function that is named as one of MPI's in
 * any module.  A stack of nothing but such libraries is that of a thread of MPI's own.  What lies
 * beneath a call is MPI's as well, also the libraries of networks that it uses, whatever they are
 * called.  Only code that can have given MPI a function to call, such as a reduction's operator,
 * is the user's: that of the program's file, and of the module that made the call.  Where MPI is
 * linked into that very module the two can't be told apart.
 */
#include "config.h"

#include "src/path/view_context_parts.h"

#include "src/model/mpi.h"
#include "src/profile/reader/reader.h"
#include "src/view/items.h"
#include "src/view/view.h"

static uint32_t module_of(const struct prof_rnode *frame)
{
	return (uint32_t)PROF_LOC_MODULE(frame->a);
}

static bool calls_back(const struct contexts *c, const struct context *x,
		       const struct prof_rnode *frame)
{
	const struct prof_rmodule *m = prof_module_by_id(c->file, module_of(frame));

	if (!m || module_of(frame) == x->mpi_module)
		return false;
	return m->flags & PROF_MODULE_MAIN ||
	       (x->user_line && module_of(frame) == module_of(&c->file->nodes[x->user_frame]));
}

bool context_is_mpi(const struct contexts *c, const struct context *x, const struct site *site,
		    const struct prof_rnode *frame)
{
	if (site->owner == SITE_MPI)
		return site->mpi || !site->shared || !x->user_line || x->flags & CONTEXT_MPI;
	return x->flags & CONTEXT_MPI && !(site->owner == SITE_USER && calls_back(c, x, frame));
}

static void call_of(struct contexts *c, struct context *x, const char *name)
{
	if (name)
		view_artificial(c->view, name, FUNCTION_ARTIFICIAL, &x->mpi);
}

/* The first frame of MPI's.  A function that it jumped to has another name: there the code of
   the call tells. */
static void context_enter_mpi(struct contexts *c, struct context *x, const struct site *site)
{
	const struct function *f;
	char call[MPI_CALL_BYTES];
	uint32_t called = 0;

	if (x->flags & CONTEXT_BODY)
		context_lost_body(c, x, site);
	if (!site->mpi)
		context_by_call(c, x, &called);
	x->mpi = 0;
	if (!(x->flags & CONTEXT_CALLBACK))
		x->entry = x->inner = 0;
	x->flags &= ~(uint32_t)(CONTEXT_START | CONTEXT_RUNTIME | CONTEXT_BODY | CONTEXT_HELPER |
				CONTEXT_CALLED);
	x->flags |= CONTEXT_MPI;
	f = &c->view->names.functions[called];
	call_of(c, x, site->mpi ? site->mpi : mpi_call(f->linkage, true, call));
}

void context_mpi(struct contexts *c, struct context *x, const struct site *site,
		 const struct prof_rnode *frame)
{
	if (!(x->flags & CONTEXT_MPI))
		context_enter_mpi(c, x, site);
	if (!x->mpi)
		call_of(c, x, site->mpi);
	if (site->owner == SITE_MPI)
		x->mpi_module = module_of(frame);
}

void context_leave_mpi(struct contexts *c, struct context *x)
{
	uint32_t line;

	if (!(x->flags & CONTEXT_MPI))
		return;
	x->flags &= ~(uint32_t)CONTEXT_MPI;
	if (c->view->kind == VIEW_MACHINE || !x->mpi)
		return;
	names_line(&c->view->names, x->mpi, NULL, 0, &line);
	context_push(c, x, x->mpi, line);
}
