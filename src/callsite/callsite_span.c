/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * callsite_span.c - the code of a construct, from the call that begins it to those
 * that end it.
 */
#include "config.h"

#include <stdlib.h>

#include "src/callsite/callsite.h"
#include "src/code/flow.h"
#include "src/toolchain/toolchain.h"

enum { SPAN_BYTES = 1 << 16 }; /* that are looked through for a beginning */

struct callsite_span_scan {
	struct callsite_module in;
	const struct toolchain_span *span;
	uint64_t function; /* that all of it lies in */
	uint64_t begin;	   /* return address of the call that begins it */
	bool ended;	   /* an end was met */
};

/* ---- from the end to the beginning ----------------------------------- */

/* The call before that end which it ends; 0: none. */
static uint64_t scan_back(const struct callsite_span_scan *s, uint64_t from)
{
	const uint64_t limit = from > SPAN_BYTES ? from - SPAN_BYTES : 0;
	unsigned depth = 0;

	while ((from = callsite_last_call(&s->in.code, from, limit))) {
		const uint64_t loc = callsite_module_loc(&s->in, from);
		const char *called =
			callsites_called(s->in.callsites, s->in.file, &s->in.code, loc);

		if (!toolchain_matches(s->span->begin, called) &&
		    !toolchain_matches(s->span->end, called))
			continue;
		if (callsites_function(s->in.callsites, s->in.file, loc) != s->function)
			return 0;
		if (toolchain_matches(s->span->end, called))
			depth++;
		else if (depth-- == 0)
			return from;
	}
	return 0;
}

/* ---- from the beginning to all its ends ------------------------------ */

static enum flow_answer scan_call(void *arg, uint64_t return_address, uint64_t target)
{
	struct callsite_span_scan *s = arg;
	const char *called = callsite_module_name(&s->in, target);
	const struct toolchain_span *span = s->span;

	/* Around once more. */
	if (return_address == s->begin || toolchain_lists(LIST_NORETURN, called))
		return FLOW_STOP;
	if (toolchain_matches(span->end, called)) {
		s->ended = true;
		return FLOW_STOP;
	}
	if (!toolchain_matches(span->next, called))
		return FLOW_GO_ON;
	s->ended = true;
	return FLOW_IF_NOT_ZERO;
}

/* Out of the function: what ends it may be called last. */
static enum flow_answer scan_jump(void *arg, uint64_t target)
{
	struct callsite_span_scan *s = arg;

	if (callsite_module_function(&s->in, target) == s->function)
		return FLOW_GO_ON;
	s->ended = s->ended ||
		   toolchain_matches(s->span->end, callsite_module_name(&s->in, target));
	return FLOW_STOP;
}

bool callsites_span(struct callsites *c, const struct prof_file *f, uint64_t loc, uint64_t *begin,
		    struct flow_piece **pieces, size_t *n)
{
	struct callsite_span_scan s = { .begin = 0 };
	const struct flow_guide guide = { .call = scan_call, .jump = scan_jump, .arg = &s };
	uint64_t into, around = 0;
	bool begins = false;

	if (!callsite_module_of(&s.in, c, f, loc))
		return false;
	s.span = toolchain_span(callsites_called(c, f, &s.in.code, loc), &begins);
	s.function = callsites_function(c, f, loc);
	if (!s.span)
		return false;
	into = s.begin = begins ? PROF_LOC_ADDRESS(loc) : scan_back(&s, PROF_LOC_ADDRESS(loc));
	*begin = callsite_module_loc(&s.in, s.begin);
	if (s.begin && s.span->silent)
		return callsites_single_code(c, f, *begin, pieces, n);
	if (!s.begin ||
	    (s.span->enters == ENTERS_IF_NOT_0 &&
	     !flow_if_zero(&s.in.code, s.begin, &around, &into)) ||
	    (s.span->enters == ENTERS_IF_0 && !flow_if_zero(&s.in.code, s.begin, &into, &around)) ||
	    flow_reach(&s.in.code, into, &guide, pieces, n))
		return false;
	if (s.ended)
		return true;
	free(*pieces);
	*pieces = NULL;
	return false;
}
