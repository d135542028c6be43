/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flow.h - control flow: where instructions lead, and all that is reached from a place.
 *
 * Of x86-64's, AArch64's and RISC-V's (RV64) instructions, lengths and targets are
 * decoded; what they compute is not.
 */
#ifndef OMPHWC_SRC_CODE_FLOW_H
#define OMPHWC_SRC_CODE_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct callsite_code;

enum flow_kind {
	FLOW_NEXT, /* leads to the next one; so do calls */
	FLOW_CALL, /* of target, as are those through a slot: see callsite_code.h */
	FLOW_INDIRECT_CALL,
	FLOW_JUMP, /* to target, likewise */
	FLOW_INDIRECT_JUMP,
	FLOW_BRANCH, /* to target, or the next one */
	FLOW_RETURN,
	FLOW_TRAP, /* can't be passed, or is there for no program to pass */
};

struct flow_insn {
	unsigned bytes;
	enum flow_kind kind;
	uint64_t target; /* of FLOW_CALL, FLOW_JUMP, FLOW_BRANCH; else 0 */
};

/*
 * The instruction at address.  False: it is not known, or not all of its bytes are
 * there.  What is undefined, what came after the tables here were written, and what
 * processors disagree on is not known; then nothing may be claimed of what follows.
 */
bool flow_decode(const struct callsite_code *c, uint64_t address, struct flow_insn *i);

/* Its decoders, one for each machine. */
bool flow_decode_x86_64(const struct callsite_code *c, uint64_t address, struct flow_insn *i);
bool flow_decode_aarch64(const struct callsite_code *c, uint64_t address, struct flow_insn *i);
bool flow_decode_riscv64(const struct callsite_code *c, uint64_t address, struct flow_insn *i);

/*
 * Where code goes on after a call that returned 0, and where after one that returned 1
 * (or any other number, if it is compared with 0).  False: the next few instructions do
 * not compare the result.  x86-64 and AArch64.
 */
bool flow_if_zero(const struct callsite_code *c, uint64_t return_address, uint64_t *zero,
		  uint64_t *other);

/* What a guide answers to each call and jump that a walk meets. */
enum flow_answer {
	FLOW_GO_ON,
	FLOW_STOP,	  /* this way ends here */
	FLOW_IF_NOT_ZERO, /* of calls: go on only where the result is not 0 */
};

struct flow_guide {
	enum flow_answer (*call)(void *arg, uint64_t return_address, uint64_t target);
	/* Of jumps and branches: FLOW_STOP if the target is not to be followed. */
	enum flow_answer (*jump)(void *arg, uint64_t target);
	void *arg;
};

struct flow_piece {
	uint64_t lo, hi;
};

/*
 * All code that is reached from an address.  *pieces: sorted, the caller's, to be
 * free()d.  Returns 0; -ENOENT if some way can't be followed: an instruction that is
 * not known, an indirect jump without a table that is; -E2BIG.
 */
int flow_reach(const struct callsite_code *c, uint64_t from, const struct flow_guide *g,
	       struct flow_piece **pieces, size_t *n);

/* Whether the address is in one of the pieces. */
bool flow_has(const struct flow_piece *p, size_t n, uint64_t address);

/* Whether code is in both. */
bool flow_meet(const struct flow_piece *a, size_t na, const struct flow_piece *b, size_t nb);

/* Sorts pieces, and makes one of those that meet.  Returns how many are left. */
size_t flow_join(struct flow_piece *p, size_t n);

/* Takes away what is in the others; both are sorted.  *pieces may move, and is NULL without
   memory.  Returns how many are left. */
size_t flow_without(struct flow_piece **pieces, size_t n, const struct flow_piece *others,
		    size_t nothers);

#endif
