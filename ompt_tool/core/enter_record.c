/*
 * enter_record.c - AArch64, RISC-V: the enter pointer is the frame record's address {fp, ra},
 * which says nothing of the caller's stack pointer: the walk starts inside.
 */
#include "config.h"

#include "ompt_tool/core/enter.h"

#include "ompt_tool/core/context.h"

bool enter_cursor(struct unwind_cursor *c, uintptr_t enter, uintptr_t call)
{
	(void)c;
	(void)enter;
	(void)call;
	return false;
}

uintptr_t enter_of(uintptr_t sp, uintptr_t fp)
{
	(void)sp;
	(void)fp;
	return 0;
}

bool enter_prove_fp(struct context_entry *entry, uintptr_t enter, uintptr_t fp)
{
	if (entry->nslots == CONTEXT_SLOTS || *(const uintptr_t *)enter != fp)
		return false;
	entry->slot[entry->nslots++] = (struct context_slot) {
		.place = 1, .value = fp - enter,	/* distance 0, relative */
	};
	return true;
}
