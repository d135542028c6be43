/* SPDX-License-Identifier: BSD-3-Clause */
/* call_x86_64.c - see caller_parts.h (Intel's manual, volume 2: CALL, JMP and table 2-2). */
#include "config.h"

#include "ompt_tool/unwind/caller_parts.h"

#include <string.h>

enum {
	CALL_REL32 = 0xe8,
	JMP_REL32 = 0xe9,
	GROUP_5 = 0xff, /* indirect calls (/2) and jumps (/4) */
	CALL_NEAR = 2,
	JMP_NEAR = 4,
	BND = 0xf2,
	ENDBR_BYTES = 4,
};

static uintptr_t relative(const unsigned char *at)
{
	int32_t offset;

	memcpy(&offset, at, sizeof(offset));
	return (uintptr_t)at + sizeof(offset) + (uintptr_t)(intptr_t)offset;
}

/* The length of an instruction of group 5: it follows from the addressing mode. */
static unsigned group_length(const unsigned char *at, uintptr_t bytes)
{
	unsigned mod = at[1] >> 6, rm = at[1] & 7, length = 2;

	if (mod != 3 && rm == 4)
		length++;
	if (mod == 1)
		length++;
	else if (mod == 2 || (mod == 0 && rm == 5))
		length += 4;
	else if (mod == 0 && rm == 4 && bytes > 2 && (at[2] & 7) == 5)
		length += 4;
	return length;
}

static bool is_group(const unsigned char *at, unsigned reg)
{
	return at[0] == GROUP_5 && (at[1] >> 3 & 7) == reg;
}

/* Memory at an offset from the instruction pointer. */
static bool is_fixed(const unsigned char *at)
{
	return (at[1] & 0xc7) == 5;
}

void call_before(uintptr_t pc, uintptr_t bytes, struct call *call)
{
	const unsigned char *end = (const unsigned char *)pc;

	call->forms = 0;
	if (bytes >= 5 && end[-5] == CALL_REL32) {
		call->forms = CALL_DIRECT;
		call->target = relative(end - 4);
	}
	for (unsigned length = 2; length <= 7 && length <= bytes; length++) {
		const unsigned char *at = end - length;

		if (!is_group(at, CALL_NEAR) || group_length(at, length) != length)
			continue;
		call->forms |= is_fixed(at) ? CALL_SLOT : CALL_OTHER;
		if (is_fixed(at))
			call->slot = relative(at + 2);
	}
}

/* Of the indirect jumps only those that functions end with: by a register, or by memory
   that one register points to. */
void call_jump(uintptr_t at, uintptr_t bytes, struct call *jump)
{
	const unsigned char *code = (const unsigned char *)at;

	jump->forms = 0;
	if (bytes >= 5 && code[0] == JMP_REL32) {
		jump->forms = CALL_DIRECT;
		jump->target = relative(code + 1);
	} else if (bytes >= 6 && is_group(code, JMP_NEAR) && is_fixed(code)) {
		jump->forms = CALL_SLOT;
		jump->slot = relative(code + 2);
	} else if (bytes >= 2 && is_group(code, JMP_NEAR) &&
		   ((code[1] & 7) != 4 || code[1] >> 6 == 3)) {
		jump->forms = CALL_OTHER;
	}
}

bool call_stub(uintptr_t at, uintptr_t bytes, uintptr_t *slot)
{
	static const unsigned char endbr[ENDBR_BYTES] = { 0xf3, 0x0f, 0x1e, 0xfa };
	const unsigned char *code = (const unsigned char *)at;

	if (bytes < ENDBR_BYTES + 7)
		return false;
	if (memcmp(code, endbr, sizeof(endbr)) == 0)
		code += ENDBR_BYTES;
	if (*code == BND)
		code++;
	if (!is_group(code, JMP_NEAR) || !is_fixed(code))
		return false;
	*slot = relative(code + 2);
	return true;
}
