/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * caller_code.h - hand-written kernels without unwind rules, and what such a kernel may find on
 * the stack. x86-64.
 */
#ifndef OMPHWC_TESTS_CALLER_CODE_H
#define OMPHWC_TESTS_CALLER_CODE_H

typedef void kernel(void (*f)(void));

kernel kernel_hole;   /* 28 KiB of unwritten stack, aligned; the old stack pointer in rbx */
kernel kernel_pushes; /* pushes, and a frame that it fills */
kernel kernel_record; /* a frame record */
kernel kernel_memory; /* the old stack pointer lies on the stack */
kernel kernel_early;  /* returns in the middle, too */
kernel kernel_calls;  /* calls f from a frame with unwritten words */
kernel kernel_jumps;  /* returns by a jump: its code does not show its return address */
kernel kernel_outer;  /* calls kernel_inner, which has a word of an earlier call on its stack */
kernel kernel_wide;   /* has the stack pointer that kernel_deep has, which kernel_narrow calls */
kernel kernel_narrow;
kernel kernel_leaf;

extern const char kernels_begin[], kernels_end[], kernel_inner[], kernel_inner_end[];
extern const char kernel_wide_body[], kernel_wide_end[], kernel_deep_body[], kernel_deep_end[];

#endif
