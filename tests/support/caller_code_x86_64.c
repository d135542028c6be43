/* SPDX-License-Identifier: BSD-3-Clause */
/* caller_code_x86_64.c - see caller_code.h. */
#include "config.h"

#include "tests/support/caller_code.h"

#define KERNEL(name) \
	"	.globl " #name "\n" \
	"	.type " #name ", @function\n" \
	"	.p2align 4\n" #name ":\n"

#define LOOP \
	"	movl $3, %ecx\n" \
	"1:	vzeroupper\n" \
	"	subl $1, %ecx\n" \
	"	jne 1b\n"

__asm__("	.text\n"
	"	.globl kernels_begin, kernels_end\n"
	"kernels_begin:\n" KERNEL(kernel_leaf) LOOP "	ret\n" KERNEL(
		kernel_hole) "	subq $96, %rsp\n"
			     "	movq %rbx, (%rsp)\n"
			     "	movq %rbp, 8(%rsp)\n"
			     "	movq %r12, 16(%rsp)\n"
			     "	movq %rsp, %rbx\n"
			     "	subq $0x7080, %rsp\n"
			     "	andq $-4096, %rsp\n"
			     "	movl $77, %ebp\n" LOOP "	movq %rbx, %rsp\n"
			     "	movq (%rsp), %rbx\n"
			     "	movq 8(%rsp), %rbp\n"
			     "	movq 16(%rsp), %r12\n"
			     "	addq $96, %rsp\n"
			     "	ret\n" KERNEL(
				     kernel_pushes) "	pushq %rbp\n"
						    "	pushq %rbx\n"
						    "	pushq %r12\n"
						    "	subq $512, %rsp\n"
						    "	movq %rsp, %rbp\n" LOOP
						    "	addq $512, %rsp\n"
						    "	popq %r12\n"
						    "	popq %rbx\n"
						    "	popq %rbp\n"
						    "	ret\n" KERNEL(
							    kernel_record) "	pushq %rbp\n"
									   "	movq %rsp, %rbp\n"
									   "	subq $1024, %rsp\n" LOOP
									   "	leave\n"
									   "	ret\n" KERNEL(
										   kernel_memory) "	movq %rsp, %rax\n"
												  "	subq $256, %rsp\n"
												  "	andq $-64, %rsp\n"
												  "	movq %rax, 32(%rsp)\n" LOOP
												  "	movq 32(%rsp), %rsp\n"
												  "	ret\n" KERNEL(
													  kernel_early) "	subq $2048, %rsp\n"
															"	testq %rdi, %rdi\n"
															"	jne 2f\n"
															"	addq $2048, %rsp\n"
															"	ret\n"
															"2:\n" LOOP
															"	addq $2048, %rsp\n"
															"	ret\n" KERNEL(
																kernel_calls) "	pushq %rbx\n"
																	      "	subq $8192, %rsp\n"
																	      "	movq %rsp, %rbx\n"
																	      "	call *%rdi\n"
																	      "	addq $8192, %rsp\n"
																	      "	popq %rbx\n"
																	      "	ret\n" KERNEL(
																		      kernel_jumps) "	subq $4096, %rsp\n" LOOP
																				    "	addq $4096, %rsp\n"
																				    "	popq %rcx\n"
																				    "	jmp *%rcx\n"
																				    "	ud2\n"
																				    "kernels_end:\n");

__asm__("	.text\n"
	"	.globl kernel_inner, kernel_inner_end\n" KERNEL(
		kernel_outer) "	subq $520, %rsp\n"
			      "	call kernel_inner\n"
			      "	addq $520, %rsp\n"
			      "	ret\n"
			      "	call kernel_inner\n"
			      "1:	ret\n"
			      "kernel_inner:\n"
			      "	pushq %rbx\n"
			      "	subq $64, %rsp\n"
			      "	leaq 1b(%rip), %rax\n"
			      "	movq %rax, (%rsp)\n"
			      "	movl $3, %ecx\n"
			      "	subl $1, %ecx\n"
			      "	jne 2f\n"
			      "	addq $64, %rsp\n"
			      "	popq %rbx\n"
			      "	ret\n"
			      "2:	movl $4, %ecx\n"
			      "	addq $64, %rsp\n"
			      "	popq %rbx\n"
			      "	ret\n"
			      "kernel_inner_end:\n");

__asm__("	.text\n"
	"	.globl kernel_wide_body, kernel_wide_end\n"
	"	.globl kernel_deep_body, kernel_deep_end\n" KERNEL(
		kernel_wide) "	subq $136, %rsp\n"
			     "kernel_wide_body:\n"
			     "	movl $3, %ecx\n"
			     "	movl $4, %ecx\n"
			     "kernel_wide_end:\n"
			     "	addq $136, %rsp\n"
			     "	ret\n" KERNEL(kernel_narrow) "	subq $56, %rsp\n"
							     "	call 1f\n"
							     "	addq $56, %rsp\n"
							     "	ret\n"
							     "1:	subq $72, %rsp\n"
							     "kernel_deep_body:\n"
							     "	movl $3, %ecx\n"
							     "	movl $4, %ecx\n"
							     "kernel_deep_end:\n"
							     "	addq $72, %rsp\n"
							     "	ret\n");
