/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * callsite_body.c - the frame that a body lost by a tail call: it jumped to the function
 * that it called last, and only the runtime that called the body is on the stack.
 *
 * The call that creates the region or task passes the body's address, which shows the
 * body.  The body's jumps to other functions show the place in it.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "src/callsite/callsite.h"
#include "src/code/flow.h"
#include "src/profile/format.h"
#include "src/symbols/symbols.h"
#include "src/toolchain/toolchain.h"

enum { ALLOC_BYTES = 512 }; /* between a task's allocation and what makes it run */

struct body {
	struct callsites *callsites;
	const struct prof_file *file;
	struct callsite_code code;
	uint32_t module;
	uint64_t entry, function; /* number */
	const char *callee;
	/* The jump to callee, and one to another function; 0: none */
	uint64_t at, other;
	bool several, others;
};

static uint64_t body_loc(const struct body *b, uint64_t address)
{
	return PROF_LOC(b->module, address);
}

/* ---- the address of the body ----------------------------------------- */

/* Whether an outlined function, or one without a name, begins at address. */
static bool body_accept(void *arg, uint64_t address)
{
	struct body *b = arg;
	const struct sym_location *l;
	const struct sym_function *f;

	if (!callsites_is_code(b->callsites, b->file, body_loc(b, address)))
		return false;
	l = symbols_resolve(callsites_symbols(b->callsites), b->file, body_loc(b, address), true);
	f = l->frames[l->nframes - 1].function;
	if (f->outlined == SYM_NOT_OUTLINED && f->linkage)
		return false;
	b->entry = address;
	return true;
}

/* The end of the call or jump that creates it, and what it calls. */
static const char *body_created(struct body *b, uint64_t loc, bool exact, uint64_t *end)
{
	struct flow_insn i;

	*end = PROF_LOC_ADDRESS(loc);
	if (!exact)
		return callsites_called(b->callsites, b->file, &b->code, loc);
	if (!flow_decode(&b->code, *end, &i) || i.kind != FLOW_JUMP)
		return NULL;
	*end += i.bytes;
	return callsites_name(b->callsites, b->file, body_loc(b, i.target));
}

static bool body_find(struct body *b, uint64_t loc, bool exact)
{
	uint64_t end;
	const char *called = body_created(b, loc, exact, &end);
	const unsigned body = toolchain_entry(called)->body;

	return body && callsite_argument(&b->code, end, body - 1, body_accept, b);
}

/* LLVM's compilers pass a task's body to the call that allocates the task. */
static bool body_allocated(struct body *b, uint64_t loc)
{
	uint64_t from = PROF_LOC_ADDRESS(loc);
	const uint64_t limit = from > ALLOC_BYTES ? from - ALLOC_BYTES : 0;
	const uint64_t function = callsites_function(b->callsites, b->file, loc);
	unsigned called;

	while ((from = callsite_last_call(&b->code, from, limit))) {
		if (callsites_function(b->callsites, b->file, body_loc(b, from)) != function)
			return false;
		called = toolchain_entry(callsites_called(b->callsites, b->file, &b->code,
							  body_loc(b, from)))
				 ->flags;
		if (called & ENTRY_ALLOCATES)
			return callsite_argument(&b->code, from, ALLOCATES_ARGUMENT, body_accept,
						 b);
		if (called & ENTRY_ALLOCATED)
			return false;
	}
	return false;
}

bool callsites_entry(struct callsites *c, const struct prof_file *f, uint64_t loc, bool exact,
		     uint64_t *entry)
{
	struct body b = { .callsites = c, .file = f, .module = PROF_LOC_MODULE(loc) };
	const char *called;
	uint64_t end;

	if (!callsites_code(c, f, loc, &b.code))
		return false;
	called = body_created(&b, loc, exact, &end);
	if (!body_find(&b, loc, exact) &&
	    !(toolchain_entry(called)->flags & ENTRY_ALLOCATED && body_allocated(&b, loc)))
		return false;
	*entry = body_loc(&b, b.entry);
	return true;
}

/* ---- its jumps ------------------------------------------------------- */

/* Whether target, a name in the linkage table, is the function callee.  An indirect
   function's name is a part of the chosen version's (memset, __memset_avx2_unaligned);
   memcpy's is often memmove's. */
static bool body_is_callee(const char *callee, const char *target)
{
	char name[64];
	const size_t n = strcspn(target, "@");

	if (!n || n >= sizeof(name))
		return false;
	memcpy(name, target, n);
	name[n] = '\0';
	if (strstr(callee, name))
		return true;
	return (strstr(name, "memcpy") && strstr(callee, "memmove")) ||
	       (strstr(name, "memmove") && strstr(callee, "memcpy"));
}

/* Jumps of one line of the source are one. */
static bool body_same_line(const struct body *b, uint64_t one, uint64_t other)
{
	struct symbols *s = callsites_symbols(b->callsites);
	const struct sym_location *l = symbols_resolve(s, b->file, body_loc(b, one), true);
	const struct sym_function *f = l->frames[0].function;
	const unsigned line = l->frames[0].line;

	l = symbols_resolve(s, b->file, body_loc(b, other), true);
	return line && l->frames[0].line == line && l->frames[0].function == f;
}

static void body_meet(struct body *b, uint64_t at, const struct flow_insn *i)
{
	const char *target = callsites_name(b->callsites, b->file, body_loc(b, i->target));

	if (body_is_callee(b->callee, target)) {
		b->several = b->several || (b->at && !body_same_line(b, b->at, at));
		b->at = at;
	} else if (!toolchain_is_runtime_name(target)) {
		b->others = b->others || (b->other && !body_same_line(b, b->other, at));
		b->other = at;
	}
}

static uint64_t body_function(const struct body *b, uint64_t address)
{
	return callsites_function(b->callsites, b->file, body_loc(b, address + 1));
}

static enum flow_answer body_call(void *arg, uint64_t return_address, uint64_t target)
{
	(void)arg;
	(void)return_address;
	(void)target;
	return FLOW_GO_ON;
}

static enum flow_answer body_jump(void *arg, uint64_t target)
{
	const struct body *b = arg;

	return body_function(b, target) == b->function ? FLOW_GO_ON : FLOW_STOP;
}

/* False: not all of its code can be followed. */
static bool body_look(struct body *b)
{
	const struct flow_guide guide = { .call = body_call, .jump = body_jump, .arg = b };
	struct flow_piece *pieces;
	struct flow_insn i;
	size_t n;

	b->function = body_function(b, b->entry);
	if (flow_reach(&b->code, b->entry, &guide, &pieces, &n))
		return false;
	for (size_t k = 0; k < n; k++)
		for (uint64_t at = pieces[k].lo; at < pieces[k].hi; at += i.bytes) {
			if (!flow_decode(&b->code, at, &i))
				break;
			if ((i.kind == FLOW_JUMP || i.kind == FLOW_BRANCH) &&
			    body_function(b, i.target) != b->function)
				body_meet(b, at, &i);
		}
	free(pieces);
	return true;
}

/* Whether it is the body itself: no call's return address is behind a function's first byte. */
static bool body_begins(const struct callsites *c, const struct prof_file *f, uint64_t loc,
			bool exact)
{
	uint64_t lo, hi;

	return !exact && symbols_code_around(callsites_symbols(c), f, loc - 1, &lo, &hi) &&
	       lo == PROF_LOC_ADDRESS(loc) - 1;
}

bool callsites_body(struct callsites *c, const struct prof_file *f, uint64_t loc, bool exact,
		    const char *callee, struct callsite_body *body)
{
	struct body b = {
		.callsites = c,
		.file = f,
		.module = PROF_LOC_MODULE(loc),
		.callee = callee,
	};
	struct flow_insn jump;
	bool followed;

	if (!callsites_code(c, f, loc, &b.code))
		return false;
	if (body_begins(c, f, loc, exact))
		b.entry = PROF_LOC_ADDRESS(loc) - 1;
	else if (!body_find(&b, loc, exact))
		return false;
	followed = body_look(&b);
	/* A body without tail calls did not call callee.  Functions of the runtime call one
	   another too: of these only a jump by name shows. */
	if ((followed && !b.at && !b.other) || (!b.at && toolchain_is_runtime_name(callee)))
		return false;
	*body = (struct callsite_body){ .entry = body_loc(&b, b.entry) };
	if (followed && b.at && !b.several)
		body->at = body_loc(&b, b.at);
	/* By a tail call of another function, which jumps to callee. */
	else if (followed && !b.at && !b.others)
		body->at = body_loc(&b, b.other);
	if (body->at && flow_decode(&b.code, PROF_LOC_ADDRESS(body->at), &jump))
		body->end = body->at + jump.bytes;
	return true;
}
