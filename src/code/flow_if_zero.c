/* flow_if_zero.c - which way code takes on after a call, by what that returned. */
#include "config.h"

#include <elf.h>
#include <string.h>

#include "src/code/callsite_code.h"
#include "src/code/flow.h"

enum { ASK_WITHIN = 4 };	/* instructions */

/* What a comparison of a call's result asks for. */
enum asked { ASKED_NOTHING, ASKED_ZERO, ASKED_ONE };

static enum asked x86_asks(const unsigned char *p)
{
	/* test rax, rax; test eax, eax; test al, al; cmp eax, N; cmp al, N */
	if (p[0] == 0x48)
		p++;
	if ((p[0] == 0x85 || p[0] == 0x84) && p[1] == 0xc0)
		return ASKED_ZERO;
	if ((p[0] == 0x83 && p[1] == 0xf8 && p[2] < 2) || (p[0] == 0x3c && p[1] < 2))
		return p[p[0] == 0x83 ? 2 : 1] ? ASKED_ONE : ASKED_ZERO;
	return ASKED_NOTHING;
}

/* 1: the branch is taken when they are equal, 0: when they are not; -1: neither. */
static int x86_if_equal(const unsigned char *p)
{
	const unsigned char b = p[0] == 0x0f ? p[1] & 0x0f : p[0] & 0x0f;

	return b == 4 ? 1 : b == 5 ? 0 : -1;
}

static enum asked arm_asks(uint32_t insn)
{
	/* cmp w0, N; cmp x0, 0; tst w0, 255 */
	return insn == 0x7100001f || insn == 0xf100001f || insn == 0x72001c1f ? ASKED_ZERO :
	       insn == 0x7100041f ? ASKED_ONE : ASKED_NOTHING;
}

static int arm_if_equal(uint32_t insn, enum asked *asked)
{
	if ((insn & 0x7e00001f) == 0x34000000) {	/* cbz, cbnz w0 */
		*asked = ASKED_ZERO;
		return insn & 0x01000000 ? 0 : 1;
	}
	return (insn & 0xff00001e) == 0x54000000 ? !(insn & 1) : -1;
}

bool flow_if_zero(const struct callsite_code *c, uint64_t return_address, uint64_t *zero,
		  uint64_t *other)
{
	enum asked asked = ASKED_NOTHING;
	uint64_t at = return_address;
	struct flow_insn i;

	for (int n = 0; n < ASK_WITHIN && flow_decode(c, at, &i); n++, at += i.bytes) {
		unsigned char p[4] = { 0 };
		uint32_t insn;
		int equal;

		memcpy(p, c->at(c->self, at, i.bytes), i.bytes < 4 ? i.bytes : 4);
		memcpy(&insn, p, sizeof(insn));
		if (i.kind == FLOW_BRANCH) {
			equal = c->machine == EM_X86_64 ? x86_if_equal(p) : arm_if_equal(insn, &asked);
			if (equal < 0 || asked == ASKED_NOTHING)
				return false;
			equal ^= asked == ASKED_ONE;
			*zero = equal ? i.target : at + i.bytes;
			*other = equal ? at + i.bytes : i.target;
			return true;
		}
		if (i.kind != FLOW_NEXT)
			return false;
		if (asked == ASKED_NOTHING)
			asked = c->machine == EM_X86_64 ? x86_asks(p) : arm_asks(insn);
	}
	return false;
}
