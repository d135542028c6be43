/*
 * flow.h - which instructions may run from one place on, up to certain calls.
 *
 * As far as an instruction's length and where it leads to are needed, x86-64's
 * and AArch64's are decoded here; what they do is not.
 */
#ifndef OMPHWC_SRC_CODE_FLOW_H
#define OMPHWC_SRC_CODE_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct callsite_code;

enum flow_kind {
	FLOW_NEXT,	/* leads to the next one; so do calls */
	FLOW_CALL,	/* of target */
	FLOW_INDIRECT_CALL,
	FLOW_JUMP,	/* to target */
	FLOW_INDIRECT_JUMP,
	FLOW_BRANCH,	/* to target, or the next one */
	FLOW_RETURN,
	FLOW_TRAP,	/* can't be passed, or is there for no program to pass */
};

struct flow_insn {
	unsigned bytes;
	enum flow_kind kind;
	uint64_t target;	/* of FLOW_CALL, FLOW_JUMP, FLOW_BRANCH; else 0 */
};

/*
 * The instruction at address.  False: it is not known, or not all of its bytes are
 * there.  What is undefined, what came after the tables here were written, and what
 * processors disagree on is not known; then nothing may be claimed of what follows.
 */
bool flow_decode(const struct callsite_code *c, uint64_t address, struct flow_insn *i);

/*
 * Where it goes on after a call, by what that returned: 0, or another number (of
 * two, 1).  False where the next few instructions don't ask for that.
 */
bool flow_if_zero(const struct callsite_code *c, uint64_t return_address, uint64_t *zero,
		  uint64_t *other);

/* What a walk asks. */
enum flow_answer {
	FLOW_GO_ON,
	FLOW_STOP,	/* this way ends here */
	FLOW_IF_NOT_ZERO, /* of calls: it goes on where the result is not 0 */
};

struct flow_guide {
	enum flow_answer (*call)(void *arg, uint64_t return_address, uint64_t target);
	/* Of jumps: FLOW_STOP for what is not to be followed. */
	enum flow_answer (*jump)(void *arg, uint64_t target);
	void *arg;
};

struct flow_piece {
	uint64_t lo, hi;
};

/*
 * All that is reached from the address: *pieces is the caller's, sorted, to be
 * free()d.  0; -ENOENT: some way can't be followed; -E2BIG: too much; -ENOMEM.
 */
int flow_reach(const struct callsite_code *c, uint64_t from, const struct flow_guide *g,
	       struct flow_piece **pieces, size_t *n);

#endif
