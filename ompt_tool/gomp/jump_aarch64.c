/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/gomp/jump.h"

_Static_assert(JUMP_TASK == 0 && JUMP_DOACROSS == 1 && JUMP_DOACROSS_ULL == 2, "as below");

/* clang-format off */
#define JUMP(name, which) \
	__asm__( \
	"	.text\n" \
	"	.p2align 4\n" \
	"	.globl " #name "\n" \
	"	.type " #name ", %function\n" \
	#name ":\n" \
	"	.cfi_startproc\n" \
	"	hint	#34\n" /* bti c */ \
	"	adrp	x16, events_session\n" \
	"	ldrb	w16, [x16, :lo12:events_session]\n" \
	"	cbnz	w16, 1f\n" \
	"	adrp	x16, jump_known+8*" #which "\n" \
	"	ldr	x16, [x16, :lo12:jump_known+8*" #which "]\n" \
	"	b	2f\n" \
	"1:	adrp	x16, jump_session+8*" #which "\n" \
	"	ldr	x16, [x16, :lo12:jump_session+8*" #which "]\n" \
	"2:	cbz	x16, 3f\n" \
	"	br	x16\n" \
	"3:	stp	x29, x30, [sp, -96]!\n" \
	"	.cfi_def_cfa_offset 96\n" \
	"	.cfi_offset 29, -96\n" \
	"	.cfi_offset 30, -88\n" \
	"	mov	x29, sp\n" \
	"	stp	x0, x1, [sp, 16]\n" \
	"	stp	x2, x3, [sp, 32]\n" \
	"	stp	x4, x5, [sp, 48]\n" \
	"	stp	x6, x7, [sp, 64]\n" \
	"	mov	x2, x0\n" \
	"	mov	x1, x30\n" \
	"	mov	w0, " #which "\n" \
	"	bl	jump_target\n" \
	"	mov	x16, x0\n" \
	"	ldp	x0, x1, [sp, 16]\n" \
	"	ldp	x2, x3, [sp, 32]\n" \
	"	ldp	x4, x5, [sp, 48]\n" \
	"	ldp	x6, x7, [sp, 64]\n" \
	"	ldp	x29, x30, [sp], 96\n" \
	"	.cfi_def_cfa_offset 0\n" \
	"	.cfi_restore 29\n" \
	"	.cfi_restore 30\n" \
	"	br	x16\n" \
	"	.cfi_endproc\n" \
	"	.size " #name ", . - " #name "\n");
/* clang-format on */
JUMP(GOMP_task, 0)
JUMP(GOMP_doacross_wait, 1)
JUMP(GOMP_doacross_ull_wait, 2)
