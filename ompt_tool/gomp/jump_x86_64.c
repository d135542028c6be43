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
	"	.type " #name ", @function\n" \
	#name ":\n" \
	"	.cfi_startproc\n" \
	"	endbr64\n" \
	"	cmpb	$0, events_session(%rip)\n" \
	"	jne	1f\n" \
	"	movq	jump_known+8*" #which "(%rip), %r11\n" \
	"	jmp	2f\n" \
	"1:	movq	jump_session+8*" #which "(%rip), %r11\n" \
	"2:	testq	%r11, %r11\n" \
	"	je	3f\n" \
	"	jmp	*%r11\n" \
	"3:	pushq	%rdi\n	.cfi_adjust_cfa_offset 8\n" \
	"	pushq	%rsi\n	.cfi_adjust_cfa_offset 8\n" \
	"	pushq	%rdx\n	.cfi_adjust_cfa_offset 8\n" \
	"	pushq	%rcx\n	.cfi_adjust_cfa_offset 8\n" \
	"	pushq	%r8\n	.cfi_adjust_cfa_offset 8\n" \
	"	pushq	%r9\n	.cfi_adjust_cfa_offset 8\n" \
	"	pushq	%rax\n	.cfi_adjust_cfa_offset 8\n" \
	"	movq	%rdi, %rdx\n" \
	"	movq	56(%rsp), %rsi\n" \
	"	movl	$" #which ", %edi\n" \
	"	call	jump_target\n" \
	"	movq	%rax, %r11\n" \
	"	popq	%rax\n	.cfi_adjust_cfa_offset -8\n" \
	"	popq	%r9\n	.cfi_adjust_cfa_offset -8\n" \
	"	popq	%r8\n	.cfi_adjust_cfa_offset -8\n" \
	"	popq	%rcx\n	.cfi_adjust_cfa_offset -8\n" \
	"	popq	%rdx\n	.cfi_adjust_cfa_offset -8\n" \
	"	popq	%rsi\n	.cfi_adjust_cfa_offset -8\n" \
	"	popq	%rdi\n	.cfi_adjust_cfa_offset -8\n" \
	"	jmp	*%r11\n" \
	"	.cfi_endproc\n" \
	"	.size " #name ", . - " #name "\n");
/* clang-format on */
JUMP(GOMP_task, 0)
JUMP(GOMP_doacross_wait, 1)
JUMP(GOMP_doacross_ull_wait, 2)
