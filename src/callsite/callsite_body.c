/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * callsite_body.c - the frame that a body lost by a tail call: it jumped to the function
 * that it called last, and only the runtime that called the body is on the stack.
 *
 * The call that creates the region or task passes the body's address, which shows the
 * body.  The body's jumps to other functions show the place in it.
 */
#include "config.h"

#include <string.h>

#include "src/callsite/callsite.h"
#include "src/code/flow.h"
#include "src/symbols/symbols.h"
#include "src/toolchain/toolchain.h"

enum { ALLOC_BYTES = 512 }; /* between a task's allocation and what makes it run */

struct body {
	struct callsite_module in;
	uint64_t entry;
	const char *callee;
	/* The jump to callee, and one to another function; 0: none */
	uint64_t at, other;
	bool several, others;
};

/* ---- the address of the body ----------------------------------------- */

/* Whether an outlined function, or one without a name, begins at address. */
static bool body_accept(void *arg, uint64_t address)
{
	struct body *b = arg;
	const struct sym_location *l;
	const struct sym_function *f;

	if (!callsites_is_code(b->in.callsites, b->in.file, callsite_module_loc(&b->in, address)))
		return false;
	l = symbols_resolve(callsites_symbols(b->in.callsites), b->in.file,
			    callsite_module_loc(&b->in, address), true);
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
		return callsites_called(b->in.callsites, b->in.file, &b->in.code, loc);
	if (!flow_decode(&b->in.code, *end, &i) || i.kind != FLOW_JUMP)
		return NULL;
	*end += i.bytes;
	return callsite_module_name(&b->in, i.target);
}

static bool body_find(struct body *b, uint64_t loc, bool exact)
{
	uint64_t end;
	const char *called = body_created(b, loc, exact, &end);
	const unsigned body = toolchain_entry(called)->body;

	return body && callsite_argument(&b->in.code, end, body - 1, body_accept, b);
}

/* LLVM's compilers pass a task's body to the call that allocates the task. */
static bool body_allocated(struct body *b, uint64_t loc)
{
	uint64_t from = PROF_LOC_ADDRESS(loc);
	const uint64_t limit = from > ALLOC_BYTES ? from - ALLOC_BYTES : 0;
	const uint64_t function = callsites_function(b->in.callsites, b->in.file, loc);
	unsigned called;

	while ((from = callsite_last_call(&b->in.code, from, limit))) {
		if (callsites_function(b->in.callsites, b->in.file,
				       callsite_module_loc(&b->in, from)) != function)
			return false;
		called = toolchain_entry(callsites_called(b->in.callsites, b->in.file, &b->in.code,
							  callsite_module_loc(&b->in, from)))
				 ->flags;
		if (called & ENTRY_ALLOCATES)
			return callsite_argument(&b->in.code, from, ALLOCATES_ARGUMENT, body_accept,
						 b);
		if (called & ENTRY_ALLOCATED)
			return false;
	}
	return false;
}

bool callsites_entry(struct callsites *c, const struct prof_file *f, uint64_t loc, bool exact,
		     uint64_t *entry)
{
	struct body b = { .entry = 0 };
	const char *called;
	uint64_t end;

	if (!callsite_module_of(&b.in, c, f, loc))
		return false;
	called = body_created(&b, loc, exact, &end);
	if (!body_find(&b, loc, exact) &&
	    !(toolchain_entry(called)->flags & ENTRY_ALLOCATED && body_allocated(&b, loc)))
		return false;
	*entry = callsite_module_loc(&b.in, b.entry);
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
	struct symbols *s = callsites_symbols(b->in.callsites);
	const struct sym_location *l =
		symbols_resolve(s, b->in.file, callsite_module_loc(&b->in, one), true);
	const struct sym_function *f = l->frames[0].function;
	const unsigned line = l->frames[0].line;

	l = symbols_resolve(s, b->in.file, callsite_module_loc(&b->in, other), true);
	return line && l->frames[0].line == line && l->frames[0].function == f;
}

static void body_meet(void *arg, uint64_t at, const struct flow_insn *i)
{
	struct body *b = arg;
	const char *target = callsite_module_name(&b->in, i->target);

	if (body_is_callee(b->callee, target)) {
		b->several = b->several || (b->at && !body_same_line(b, b->at, at));
		b->at = at;
	} else if (!toolchain_is_runtime_name(target)) {
		b->others = b->others || (b->other && !body_same_line(b, b->other, at));
		b->other = at;
	}
}

bool callsites_body(struct callsites *c, const struct prof_file *f, uint64_t loc, bool exact,
		    const char *callee, struct callsite_body *body)
{
	struct body b = { .callee = callee };
	struct flow_insn jump;
	bool followed;

	if (!callsite_module_of(&b.in, c, f, loc))
		return false;
	/* Whether it is the body itself: no call's return address is behind a function's first
	   byte. */
	uint64_t lo, hi;
	if (!exact && symbols_code_around(callsites_symbols(c), f, loc - 1, &lo, &hi) &&
	    lo == PROF_LOC_ADDRESS(loc) - 1)
		b.entry = PROF_LOC_ADDRESS(loc) - 1;
	else if (!body_find(&b, loc, exact))
		return false;
	followed = callsite_module_jumps(&b.in, b.entry, body_meet, &b);
	/* A body without tail calls did not call callee.  Functions of the runtime call one
	   another too: of these only a jump by name shows. */
	if ((followed && !b.at && !b.other) || (!b.at && toolchain_is_runtime_name(callee)))
		return false;
	*body = (struct callsite_body){ .entry = callsite_module_loc(&b.in, b.entry) };
	if (followed && b.at && !b.several)
		body->at = callsite_module_loc(&b.in, b.at);
	/* By a tail call of another function, which jumps to callee. */
	else if (followed && !b.at && !b.others)
		body->at = callsite_module_loc(&b.in, b.other);
	if (body->at && flow_decode(&b.in.code, PROF_LOC_ADDRESS(body->at), &jump))
		body->end = body->at + jump.bytes;
	return true;
}
