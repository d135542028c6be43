/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/gomp/jump.h"

_Static_assert(JUMP_TASK == 0 && JUMP_DOACROSS == 1 && JUMP_DOACROSS_ULL == 2, "as below");

/* clang-format off */
#define JUMP(name, which) \
	__asm__( \
	"	.text\n" \
	"	.p2align 2\n" \
	"	.globl " #name "\n" \
	"	.type " #name ", @function\n" \
	#name ":\n" \
	"	.cfi_startproc\n" \
	"	lla	t1, events_session\n" \
	"	lbu	t1, 0(t1)\n" \
	"	bnez	t1, 1f\n" \
	"	lla	t1, jump_known\n" \
	"	j	2f\n" \
	"1:	lla	t1, jump_session\n" \
	"2:	ld	t1, 8*" #which "(t1)\n" \
	"	beqz	t1, 3f\n" \
	"	jr	t1\n" \
	"3:	addi	sp, sp, -80\n" \
	"	.cfi_def_cfa_offset 80\n" \
	"	sd	ra, 72(sp)\n" \
	"	.cfi_offset 1, -8\n" \
	"	sd	a0, 0(sp)\n" \
	"	sd	a1, 8(sp)\n" \
	"	sd	a2, 16(sp)\n" \
	"	sd	a3, 24(sp)\n" \
	"	sd	a4, 32(sp)\n" \
	"	sd	a5, 40(sp)\n" \
	"	sd	a6, 48(sp)\n" \
	"	sd	a7, 56(sp)\n" \
	"	mv	a2, a0\n" \
	"	mv	a1, ra\n" \
	"	li	a0, " #which "\n" \
	"	call	jump_target\n" \
	"	mv	t1, a0\n" \
	"	ld	a0, 0(sp)\n" \
	"	ld	a1, 8(sp)\n" \
	"	ld	a2, 16(sp)\n" \
	"	ld	a3, 24(sp)\n" \
	"	ld	a4, 32(sp)\n" \
	"	ld	a5, 40(sp)\n" \
	"	ld	a6, 48(sp)\n" \
	"	ld	a7, 56(sp)\n" \
	"	ld	ra, 72(sp)\n" \
	"	.cfi_restore 1\n" \
	"	addi	sp, sp, 80\n" \
	"	.cfi_def_cfa_offset 0\n" \
	"	jr	t1\n" \
	"	.cfi_endproc\n" \
	"	.size " #name ", . - " #name "\n");
/* clang-format on */
JUMP(GOMP_task, 0)
JUMP(GOMP_doacross_wait, 1)
JUMP(GOMP_doacross_ull_wait, 2)
