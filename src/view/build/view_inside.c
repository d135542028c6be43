/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * view_inside.c - whether samples are of the construct that their thread was reported to be in.
 *
 * No call shows where gcc's single ends, so the profiler takes it to last until the task's next
 * barrier or worksharing construct; on libomp, which reports no barriers, until the next of the
 * latter. What follows the single until then is no part of it. The
 * frames of the function that has the directive show where in its code they are.
 */
#include "config.h"

#include <string.h>

#include "src/answers/ask.h"
#include "src/model/model.h"
#include "src/symbols/symbols.h"
#include "src/toolchain/toolchain.h"
#include "src/view/build/view_build.h"
#include "src/view/view.h"

/* What is known of the end of a single; not known: it is not one of gcc's, or its code is not
   there. */
static struct answer inside_single(const struct view_builder *b, const struct prof_rnode *node)
{
	return ask(b->options->resolver, b->file, QUERY_SINGLE, node->a, false);
}

/* Whether the single is in the body itself of the region or task of that boundary. */
static bool inside_body(const struct view_builder *b, const struct prof_rnode *node,
			const struct prof_rnode *boundary)
{
	const struct prof_file *f = b->file;
	const uint32_t frame = boundary ? boundary->context : PROF_NONE;
	const uint32_t above = frame == PROF_NONE ? PROF_NONE : f->nodes[frame].parent;
	struct answer function;

	if (above == PROF_NONE || f->nodes[above].kind != PROF_NODE_BODY)
		return false;
	function = ask(b->options->resolver, f, QUERY_BEGIN, node->a, false);
	return function.known && function.at == f->nodes[above].a;
}

/* Whether a frame is in the function that has the call before loc, or in a part of it that the
   compiler moved away, which has the same name. */
static bool inside_function(const struct view_builder *b, const struct prof_rnode *frame,
			    uint64_t loc)
{
	const struct resolver *r = b->options->resolver;
	const bool exact = frame->flags & PROF_FRAME_EXACT;
	const struct answer begin = ask(r, b->file, QUERY_BEGIN, loc, false);
	const char *names[2];

	if (begin.known) {
		const struct answer own = ask(r, b->file, QUERY_BEGIN, frame->a + exact, false);

		if (own.known && own.at == begin.at)
			return true;
	}
	for (int i = 0; i < 2; i++) {
		const struct sym_location *l =
			ask(r, b->file, QUERY_RESOLVE, i ? frame->a : loc, i && exact).location;
		const struct sym_function *f = l->frames[l->nframes - 1].function;

		names[i] = f->linkage ? f->linkage : f->name;
	}
	return strcmp(names[0], names[1]) == 0;
}

/* What the frames between the leaf and its task's first one show that are in the single's function.
   *found: there are some; *boundary: of the task, or NULL. */
static enum inside inside_frames(const struct view_builder *b, const struct prof_rnode *node,
				 uint64_t single, const struct prof_rnode *leaf, bool *found,
				 const struct prof_rnode **boundary)
{
	const struct prof_file *f = b->file;
	enum inside inside = BEHIND;

	*found = false;
	*boundary = NULL;
	for (uint32_t i = leaf->parent; i != PROF_NONE; i = f->nodes[i].parent) {
		const struct prof_rnode *n = &f->nodes[i];
		struct answer a;

		if (n->kind == PROF_NODE_BOUNDARY) {
			*boundary = n;
			break;
		}
		if (n->kind != PROF_NODE_FRAME || !inside_function(b, n, node->a))
			continue;
		*found = true;
		a = ask(b->options->resolver, f, QUERY_SINGLE, n->a, n->flags & PROF_FRAME_EXACT);
		/* Code that catches exceptions is reached by nothing. */
		if (!a.known)
			inside = INSIDE_UNSURE;
		else if (a.at == single)
			return INSIDE;
	}
	return inside;
}

/* Whether the runtime's function that begins the construct has one that ends it. */
static bool inside_is_ended(const struct view_builder *b, const struct prof_rnode *node)
{
	const char *called = ask(b->options->resolver, b->file, QUERY_CALLED, node->a, false).text;

	return called && toolchain_entry(called)->flags & ENTRY_ENDED;
}

enum inside view_inside(const struct view_builder *b, const struct prof_rnode *node,
			const struct prof_rnode *leaf)
{
	const bool whole = leaf->kind != PROF_NODE_LEAF || leaf->flags == PROF_CAUSE_NONE;
	const bool endless = b->toolchain->traits & RUNTIME_NO_SINGLE_END;
	struct answer single;
	enum single_end end;
	const struct prof_rnode *boundary;
	enum inside inside;
	bool found;

	if (construct_of_profile(node->flags) != CONSTRUCT_SINGLE || inside_is_ended(b, node))
		return INSIDE;
	single = inside_single(b, node);
	if (!single.known)
		return endless ? INSIDE_UNSURE : INSIDE;
	end = single.single;
	if (endless && (end == SINGLE_END_BARRIER || end == SINGLE_END_ALONE))
		return INSIDE;
	if (end == SINGLE_END_UNKNOWN || end == SINGLE_END_ALONE)
		return INSIDE_UNSURE;
	inside = inside_frames(b, node, single.at, leaf, &found, &boundary);
	if (inside == INSIDE && end == SINGLE_END_VAGUE)
		return INSIDE_UNSURE;
	if (found)
		return inside;
	if (!whole || end == SINGLE_END_LEFT || end == SINGLE_END_VAGUE)
		return INSIDE_UNSURE;
	/* What it called last runs, or the function's caller. */
	if (end == SINGLE_END_LAST)
		return inside_body(b, node, boundary) ? INSIDE : INSIDE_UNSURE;
	return BEHIND;
}

bool view_is_share(const struct view_builder *b, uint64_t loc, bool exact)
{
	const char *called = ask(b->options->resolver, b->file, QUERY_CALLED, loc, exact).text;

	return called && toolchain_entry(called)->gnu == GNU_SHARE_OF;
}

bool view_end_is_known(const struct view_builder *b, const struct prof_rnode *node)
{
	const bool endless = b->toolchain->traits & RUNTIME_NO_SINGLE_END;
	struct answer a;

	if (node->flags == PROF_CONSTRUCT_LOOP_STATIC)
		return !view_is_share(b, node->a, false);
	if (construct_of_profile(node->flags) != CONSTRUCT_SINGLE || inside_is_ended(b, node))
		return true;
	a = inside_single(b, node);
	if (!a.known)
		return !endless;
	return endless && (a.single == SINGLE_END_BARRIER || a.single == SINGLE_END_ALONE);
}
