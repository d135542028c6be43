/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * callsite_tail.c - the frame that a function lost by a tail call: it jumped to the runtime's or
 * another object's function that it called last, and only its caller is on the stack.
 */
#include "config.h"

#include <string.h>

#include "src/callsite/callsite.h"
#include "src/code/flow.h"
#include "src/toolchain/toolchain.h"

enum { TAILS = 3 }; /* functions that jump to one another */

struct tail {
	struct callsite_module in;
	uint64_t at, end; /* of the tail call that creates; 0: none */
	uint64_t other;	  /* the target of a tail call that does not; 0: none */
	uint64_t from;	  /* where it is; 0: none, or several places */
	const char *called;
	bool several, others;
};

/* A jump out of the function: a tail call. */
static void tail_meet(void *arg, uint64_t at, const struct flow_insn *i)
{
	struct tail *t = arg;
	const char *called = callsite_module_name(&t->in, i->target);

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

/* The function of another object: its slot, or its stub (cos@plt). */
static bool tail_is_imported(const struct callsite_module *in, uint64_t entry)
{
	return !callsites_is_code(in->callsites, in->file, callsite_module_loc(in, entry)) ||
	       strchr(callsite_module_name(in, entry), '@');
}

bool callsites_tail(struct callsites *c, const struct prof_file *f, uint64_t loc, uint64_t *at,
		    enum construct_kind *kind)
{
	struct tail t = { .at = 0 };
	uint64_t entry;

	if (!callsite_module_of(&t.in, c, f, loc) ||
	    !callsite_target(&t.in.code, PROF_LOC_ADDRESS(loc), &entry))
		return false;
	for (int i = 0; i < TAILS && !toolchain_is_runtime_name(callsite_module_name(&t.in, entry));
	     i++) {
		if (tail_is_imported(&t.in, entry)) {
			*at = callsite_module_loc(&t.in, t.from);
			*kind = CONSTRUCT_SERIAL;
			return t.from;
		}
		t.other = t.from = 0;
		t.others = false;
		if (!(callsite_module_jumps(&t.in, entry, tail_meet, &t) && !t.several))
			return false;
		if (t.at) {
			*at = callsite_module_loc(&t.in, t.at);
			*kind = callsite_construct(&t.in.code, t.end, t.called);
			return true;
		}
		if (!t.other || t.others)
			return false;
		entry = t.other;
	}
	return false;
}
