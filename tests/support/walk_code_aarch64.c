/* SPDX-License-Identifier: BSD-3-Clause */
/* walk_code_aarch64.c - see walk_code.h. */
#include "config.h"

#include "tests/support/walk_code.h"

/* A return address in a register leaves nothing on the stack to be known by. */
const bool walk_unfinished_works = false;

__asm__("	.text\n"
	"	.globl walk_by_register\n"
	"	.type walk_by_register, %function\n"
	"walk_by_register:\n"
	"	.cfi_startproc\n"
	"	stp x19, x30, [sp, #-32]!\n"
	"	.cfi_def_cfa_offset 32\n"
	"	.cfi_offset x19, -32\n"
	"	.cfi_offset x30, -24\n"
	"	str x29, [sp, #16]\n"
	"	.cfi_offset x29, -16\n"
	"	mov x19, sp\n"
	"	.cfi_def_cfa_register x19\n"
	"	sub sp, sp, #1008\n"
	"	mov x29, #12345\n" /* no frame pointer to go by */
	"	blr x0\n"
	"	mov sp, x19\n"
	"	.cfi_def_cfa_register sp\n"
	"	ldr x29, [sp, #16]\n"
	"	.cfi_restore x29\n"
	"	ldp x19, x30, [sp], #32\n"
	"	.cfi_def_cfa_offset 0\n"
	"	.cfi_restore x19\n"
	"	.cfi_restore x30\n"
	"	ret\n"
	"	.cfi_endproc\n"
	"	.size walk_by_register, . - walk_by_register\n"

	"	.globl walk_without_rules, walk_without_rules_end\n"
	"	.type walk_without_rules, %function\n"
	"walk_without_rules:\n"
	"	stp x29, x30, [sp, #-16]!\n"
	"	mov x29, sp\n"
	"	sub sp, sp, #32\n"
	"	blr x0\n"
	"	mov sp, x29\n"
	"	ldp x29, x30, [sp], #16\n"
	"	ret\n"
	"walk_without_rules_end:\n"
	"	.size walk_without_rules, . - walk_without_rules\n"

	"	.globl walk_restorer\n"
	"	.type walk_restorer, %function\n"
	"	nop\n"
	"walk_restorer:\n"
	"	mov x8, #139\n"
	"	svc #0\n"
	"	.size walk_restorer, . - walk_restorer\n"

	"	.globl walk_unfinished\n"
	"	.type walk_unfinished, %function\n"
	"walk_unfinished:\n"
	"	brk #0\n"
	"	ret\n"
	"	.size walk_unfinished, . - walk_unfinished\n");
