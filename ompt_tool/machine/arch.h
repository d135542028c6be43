/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arch.h - what the unwinder needs to know of the machine.
 *
 * Each machine has its header of constants, chosen here, and its file of functions,
 * chosen by the build. Register numbers are DWARF's.
 *
 *   ARCH_COLUMNS         number of registers that rules are kept for
 *   ARCH_SP, ARCH_FP     the stack pointer, the frame pointer
 *   ARCH_PC              the place of a frame's own PC in a register set
 *   ARCH_LINK            the register that holds the return address of a leaf;
 *                        -1: none
 *   ARCH_RED_ZONE        bytes below the stack pointer that a function may use
 *   ARCH_FRAME_BELOW     how far below __builtin_frame_address() the pair of the
 *                        caller's frame pointer and the return address lies
 *   arch_strip(pc)       a return address without its authentication code
 *   arch_untag(address)  a data address without the tag that a program may keep in
 *                        its upper bits: x86's LAM, Arm's top byte, RISC-V's masking
 *   arch_thread_pointer()
 *   arch_cpu()           the number of the CPU that runs the thread, by an instruction;
 *                        only where arch_has_cpu()
 */
#ifndef OMPHWC_OMPT_TOOL_MACHINE_ARCH_H
#define OMPHWC_OMPT_TOOL_MACHINE_ARCH_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__)
#include "ompt_tool/machine/arch_x86_64.h"
#elif defined(__aarch64__)
#include "ompt_tool/machine/arch_aarch64.h"
#elif defined(__riscv) && __riscv_xlen == 64
#include "ompt_tool/machine/arch_riscv64.h"
#else
#error "no unwinder for this machine"
#endif

/* Copies the registers of a ucontext_t, by their numbers. All are set. Async-signal-safe. */
void arch_registers(const void *ucontext, uintptr_t reg[ARCH_COLUMNS]);

/* Copies the three registers that a walk begins with. */
void arch_place(const void *ucontext, uintptr_t *pc, uintptr_t *sp, uintptr_t *fp);

/*
 * Whether the code at pc, of which `bytes' can be read, is the kernel's return from
 * a signal handler. If so, *ucontext is the address of the interrupted registers
 * when the stack pointer there is sp. Async-signal-safe.
 */
bool arch_sigreturn(uintptr_t pc, uintptr_t bytes, uintptr_t sp, uintptr_t *ucontext);

/* Whether the instruction before pc, of which `bytes' can be read, is a call.
   Async-signal-safe. */
bool arch_after_call(uintptr_t pc, uintptr_t bytes);

/* The return address that an interrupted function without a frame has in the link
   register; false: this machine has no link register. Async-signal-safe. */
bool arch_link(const uintptr_t reg[ARCH_COLUMNS], uintptr_t *pc);

/* Where a signal interrupted the thread, as far as a system call is concerned. */
enum arch_call {
	ARCH_NO_CALL,
	ARCH_CALLED,	  /* directly behind the instruction: the call is done */
	ARCH_INTERRUPTED, /* the call failed with EINTR, or will be made again */
};

/* Reads the code at the interrupted place. Async-signal-safe. */
enum arch_call arch_system_call(const void *ucontext);

/* Whether an instruction gives the CPU's number. For ordinary code. */
bool arch_has_cpu(void);

/* Whether the process runs on Valgrind's simulated processor, whose signals are not the kernel's.
   The instructions that ask (its manual: client requests) change nothing on a real one.
   Async-signal-safe. */
bool arch_is_valgrind(void);

/* How many bytes of a ucontext_t arch_registers() reads. */
extern const uintptr_t arch_ucontext_bytes;

#endif
