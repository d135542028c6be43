/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * callsite_tail.c - the frame that a function lost by a tail call: it jumped to the runtime's or
 * another object's function that it called last, and only its caller is on the stack.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "src/callsite/callsite.h"
#include "src/code/flow.h"
#include "src/profile/format.h"
#include "src/toolchain/toolchain.h"

enum { TAILS = 3 }; /* functions that jump to one another */

struct tail {
	struct callsites *callsites;
	const struct prof_file *file;
	struct callsite_code code;
	uint32_t module;
	uint64_t function; /* whose code is followed */
	uint64_t at, end;  /* of the tail call that creates; 0: none */
	uint64_t other;	   /* the target of a tail call that does not; 0: none */
	uint64_t from;	   /* where it is; 0: none, or several places */
	const char *called;
	bool several, others;
};

static const char *tail_name(const struct tail *t, uint64_t address)
{
	return callsites_name(t->callsites, t->file, PROF_LOC(t->module, address));
}

static uint64_t tail_function(const struct tail *t, uint64_t address)
{
	return callsites_function(t->callsites, t->file, PROF_LOC(t->module, address + 1));
}

static enum flow_answer tail_call(void *arg, uint64_t return_address, uint64_t target)
{
	(void)arg;
	(void)return_address;
	(void)target;
	return FLOW_GO_ON;
}

static enum flow_answer tail_jump(void *arg, uint64_t target)
{
	const struct tail *t = arg;

	return tail_function(t, target) == t->function ? FLOW_GO_ON : FLOW_STOP;
}

/* A jump out of the function: a tail call. */
static void tail_meet(struct tail *t, uint64_t at, const struct flow_insn *i)
{
	const char *called = tail_name(t, i->target);

	if (toolchain_entry(called)->flags & (ENTRY_FORK | ENTRY_TASK)) {
		t->several = t->several || (t->at && t->at != at);
		t->at = at;
		t->end = at + i->bytes;
		t->called = called;
	} else if (!toolchain_is_runtime_name(called)) {
		t->others = t->others || (t->other && t->other != i->target);
		t->from = t->other ? 0 : at;
		t->other = i->target;
	}
}

static bool tail_look(struct tail *t, uint64_t entry)
{
	const struct flow_guide guide = { .call = tail_call, .jump = tail_jump, .arg = t };
	struct flow_piece *pieces;
	struct flow_insn i;
	size_t n;

	t->function = tail_function(t, entry);
	t->other = t->from = 0;
	t->others = false;
	if (flow_reach(&t->code, entry, &guide, &pieces, &n))
		return false;
	for (size_t k = 0; k < n; k++)
		for (uint64_t at = pieces[k].lo; at < pieces[k].hi; at += i.bytes) {
			if (!flow_decode(&t->code, at, &i))
				break;
			if ((i.kind == FLOW_JUMP || i.kind == FLOW_BRANCH) &&
			    tail_function(t, i.target) != t->function)
				tail_meet(t, at, &i);
		}
	free(pieces);
	return !t->several;
}

/* The function of another object: its slot, or its stub (cos@plt). */
static bool tail_is_imported(const struct tail *t, uint64_t entry)
{
	return !callsites_is_code(t->callsites, t->file, PROF_LOC(t->module, entry)) ||
	       strchr(tail_name(t, entry), '@');
}

bool callsites_tail(struct callsites *c, const struct prof_file *f, uint64_t loc, uint64_t *at,
		    enum construct_kind *kind)
{
	struct tail t = { .callsites = c, .file = f, .module = PROF_LOC_MODULE(loc) };
	uint64_t entry;

	if (!callsites_code(c, f, loc, &t.code) ||
	    !callsite_target(&t.code, PROF_LOC_ADDRESS(loc), &entry))
		return false;
	for (int i = 0; i < TAILS && !toolchain_is_runtime_name(tail_name(&t, entry)); i++) {
		if (tail_is_imported(&t, entry)) {
			*at = PROF_LOC(t.module, t.from);
			*kind = CONSTRUCT_SERIAL;
			return t.from;
		}
		if (!tail_look(&t, entry))
			return false;
		if (t.at) {
			*at = PROF_LOC(t.module, t.at);
			*kind = callsite_construct(&t.code, t.end, t.called);
			return true;
		}
		if (!t.other || t.others)
			return false;
		entry = t.other;
	}
	return false;
}
