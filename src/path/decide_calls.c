/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * decide_calls.c - frames that the path does not show, or shows as one call: the runtime's,
 * libraries', wrappers' of this profiler, and MPI's.
 *
 * A call of MPI begins with a frame of an MPI library, or a function that is named as one of MPI's
 * in any module.  A stack of nothing but such libraries is that of a thread of MPI's own.  What
 * lies beneath a call is MPI's as well, also the libraries of networks that it uses, whatever they
 * are called.  Only code that can have given MPI a function to call, such as a reduction's
 * operator, is the user's: that of the program's file, and of the module that made the call.  Where
 * MPI is linked into that very module the two can't be distinguished.
 */
#include "config.h"

#include "src/answers/ask.h"
#include "src/model/mpi.h"
#include "src/path/decide_parts.h"
#include "src/path/evidence.h"
#include "src/profile/reader/reader.h"
#include "src/toolchain/toolchain.h"
#include "src/view/names.h"

/* ---- by the code of the call --------------------------------------------------------- */

/* The function that the frame calls, by the code of the call; 0: unknown. */
static uint32_t decide_callee(const struct decisions *d, const struct decided *x, uint32_t frame,
			      uint64_t jump)
{
	struct evidence *e = d->evidence;
	const struct prof_rnode *n = &e->file->nodes[frame];
	const struct origin_tail *tail = origins_tail(&e->origins, n->a);

	if (!x->user_line || n->kind != PROF_NODE_FRAME || (n->flags & PROF_FRAME_EXACT && !jump))
		return 0;
	return evidence_called(e, tail ? tail->at : jump ? jump : n->a, tail);
}

uint32_t decide_by_call(const struct decisions *d, const struct decided *x, uint32_t frame,
			uint64_t jump)
{
	const uint32_t function = decide_callee(d, x, frame, jump);

	return evidence_is_runtimes(d->evidence, function) ? function : 0;
}

/* The function of a library that the innermost user frame calls; 0: unknown.  If a function that
   the frame called left by a jump to the library's, it is added. */
static uint32_t decide_library_called(struct decisions *d, struct decided *x)
{
	struct evidence *e = d->evidence;
	const struct prof_rnode *frame = &e->file->nodes[x->user_frame];
	struct answer tail = { .known = false };
	uint32_t function;

	if (frame->kind == PROF_NODE_FRAME && !(frame->flags & PROF_FRAME_EXACT))
		tail = ask(e->resolver, e->file, QUERY_TAIL, frame->a, false);
	if (tail.known && tail.construct == CONSTRUCT_SERIAL) {
		decide_jumped(d, x, tail.at);
		function = evidence_called(e, tail.at, true);
	} else {
		function = decide_callee(d, x, x->user_frame, x->jump);
	}
	/* The loader binds the call. */
	return evidence_is_runtimes(e, function) ? 0 : function;
}

const char *decided_library_call(const struct decisions *d, const struct decided *x)
{
	struct evidence *e = d->evidence;
	const struct decided *caller;
	const struct site *site;
	uint32_t function;

	if (!x->library)
		return NULL;
	caller = decided_above(d, x->library);
	/* Behind a boundary it is the last that a body without a frame calls. */
	function = caller->position == PATH_AT_BOUNDARY ?
			   0 :
			   decide_callee(d, caller, caller->user_frame, caller->jump);
	if (!function) {
		site = sites_find(&e->sites, &e->file->nodes[x->library]);
		function = evidence_outermost(e, site);
	}
	return evidence_unwrapped(e->names->functions[function].name);
}

/* ---- the runtime ----------------------------------------------------------------------- */

void decide_runtime(struct decisions *d, struct decided *x, const struct site *site, uint32_t frame)
{
	const struct evidence *e = d->evidence;
	const struct prof_rnode *nodes = e->file->nodes;
	const uint32_t function = evidence_outermost(e, site);
	const struct function *f = &e->names->functions[function];
	uint32_t called = 0;

	if (x->position == PATH_AT_BOUNDARY &&
	    nodes[nodes[frame].parent].kind == PROF_NODE_BOUNDARY && decide_lost_body(d, x, site))
		x->position = PATH_AT_RUNTIME;
	else if (!decided_in_runtime(x) && x->position != PATH_AT_START &&
		 x->position != PATH_AT_LIBC)
		decide_tail_call(d, x);
	if (!decided_in_runtime(x)) {
		x->entry = x->inner = 0;
		x->microtask = false;
		if (!f->linkage)
			called = decide_by_call(d, x, x->user_frame, x->jump);
		x->position = PATH_AT_RUNTIME;
	}
	if (!x->entry)
		x->entry = called ? called : function;
	else if (!x->inner)
		x->inner = function;
	x->callback = x->helper = false;
	if (f->entry->flags & ENTRY_MICROTASK)
		x->microtask = true;
}

/* ---- calls of what is not shown ---------------------------------------------------------- */

static void decide_call(struct decisions *d, struct decided *x, uint32_t function,
			enum tree_why why)
{
	decide_step(d, STEP_CALL, why)->function = function;
	x->shown = function;
}

void decide_wrapper(struct decisions *d, struct decided *x, const struct site *site, uint32_t frame)
{
	struct evidence *e = d->evidence;
	uint32_t function = decide_callee(d, x, x->user_frame, x->jump);

	/* A handler's frames are called by no call. */
	if (!function && x->library == frame)
		function = evidence_outermost(e, site);
	if (!function)
		return;
	function = names_call(e->names, evidence_unwrapped(e->names->functions[function].name),
			      NULL, d->folds);
	decide_call(d, x, function, WHY_WRAPPER);
	x->position = PATH_AT_WRAPPER;
}

bool decide_is_hidden(const struct decisions *d, const struct decided *x, uint32_t function)
{
	const struct names *n = d->evidence->names;
	const struct function *caller = &n->functions[x->shown];

	if (!d->folds || !n->functions[function].library)
		return false;
	return x->folded || (x->shown && caller->kind == FUNCTION_PLAIN && !caller->library);
}

/*
 * The call is named as the program's code names it (cos), where the function is in another module;
 * there it may have other names (__cos_fma), or have left by a tail call. A stub is the caller's
 * own, like what is inlined of a header.
 */
void decide_library(struct decisions *d, struct decided *x, const struct site *site, uint32_t frame)
{
	struct evidence *e = d->evidence;
	struct names *n = e->names;
	const uint32_t function = evidence_outermost(e, site);
	const char *module = n->functions[function].module;
	uint32_t called = 0;

	if (x->folded || !decide_is_hidden(d, x, function) ||
	    sites_is_stub(n->functions[function].name))
		return;
	if (module == n->functions[x->shown].module)
		called = x->header;
	else if (e->file->nodes[frame].parent == x->user_frame)
		called = decide_library_called(d, x);
	if (called && called != x->header)
		called = names_call(n, n->functions[called].name, module, d->folds);
	decide_call(d, x, called ? called : function, called ? WHY_CALL : WHY_STACK);
	x->folded = true;
}

/* ---- MPI ----------------------------------------------------------------------------------- */

static uint32_t decide_module(const struct prof_rnode *frame)
{
	return (uint32_t)PROF_LOC_MODULE(frame->a);
}

static bool decide_calls_back(const struct decisions *d, const struct decided *x, uint32_t frame)
{
	const struct prof_file *f = d->evidence->file;
	const uint32_t module = decide_module(&f->nodes[frame]);
	const struct prof_rmodule *m = prof_module_by_id(f, module);

	if (!m || module == x->mpi_module)
		return false;
	return m->flags & PROF_MODULE_MAIN ||
	       (x->user_line && module == decide_module(&f->nodes[x->user_frame]));
}

bool decide_is_mpi(const struct decisions *d, const struct decided *x, const struct site *site,
		   uint32_t frame)
{
	const bool within = x->position == PATH_AT_MPI;

	if (site->owner == SITE_MPI)
		return site->mpi || !site->shared || !x->user_line || within;
	return within && !(site->owner == SITE_USER && decide_calls_back(d, x, frame));
}

static void decide_name_mpi(struct decisions *d, struct decided *x, const char *name)
{
	if (name)
		x->mpi = names_artificial(d->evidence->names, name, FUNCTION_ARTIFICIAL);
}

void decide_mpi(struct decisions *d, struct decided *x, const struct site *site, uint32_t frame)
{
	if (x->position != PATH_AT_MPI) {
		/* The first frame of MPI's. A function that it jumped to has another name: there
		   the code of the call says which it is. */
		const struct names *n = d->evidence->names;
		char name[MPI_CALL_BYTES];
		uint32_t called = 0;

		if (x->position == PATH_AT_BOUNDARY)
			decide_lost_body(d, x, site);
		if (!site->mpi)
			called = decide_by_call(d, x, x->user_frame, x->jump);
		x->mpi = 0;
		if (!x->callback)
			x->entry = x->inner = 0;
		x->position = PATH_AT_MPI;
		x->helper = false;
		decide_name_mpi(d, x,
				site->mpi ? site->mpi :
					    mpi_call(n->functions[called].linkage, true, name));
	}
	if (!x->mpi)
		decide_name_mpi(d, x, site->mpi);
	if (site->owner == SITE_MPI)
		x->mpi_module = decide_module(&d->evidence->file->nodes[frame]);
}

void decide_leave_mpi(struct decisions *d, struct decided *x)
{
	struct step *s;

	if (x->position != PATH_AT_MPI)
		return;
	x->position = PATH_AT_USER;
	if (!x->mpi)
		return;
	s = decide_step(d, STEP_INSERT, WHY_MPI);
	s->function = x->mpi;
	s->user_line = names_line(d->evidence->names, x->mpi, NULL, 0);
	x->shown = x->mpi;
	x->header = 0;
	x->folded = false;
}
