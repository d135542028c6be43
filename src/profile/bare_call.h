/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bare_call.h - a system call by an instruction of our own.
 *
 * No wrapper of syscall() sees it, neither ours nor another library's. Returns what the kernel
 * does: -errno on failure. Async-signal-safe; errno stays as it is.
 */
#ifndef OMPHWC_SRC_PROFILE_BARE_CALL_H
#define OMPHWC_SRC_PROFILE_BARE_CALL_H

static inline long bare_call(long number, long a0, long a1, long a2, long a3, long a4, long a5)
{
#if defined(__x86_64__)
	long result;
	register long r10 __asm__("r10") = a3;
	register long r8 __asm__("r8") = a4;
	register long r9 __asm__("r9") = a5;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a0), "S"(a1), "d"(a2), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
#elif defined(__aarch64__)
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a0;
	register long x1 __asm__("x1") = a1;
	register long x2 __asm__("x2") = a2;
	register long x3 __asm__("x3") = a3;
	register long x4 __asm__("x4") = a4;
	register long x5 __asm__("x5") = a5;

	__asm__ volatile("svc #0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
#else
	register long x17 __asm__("a7") = number;
	register long x10 __asm__("a0") = a0;
	register long x11 __asm__("a1") = a1;
	register long x12 __asm__("a2") = a2;
	register long x13 __asm__("a3") = a3;
	register long x14 __asm__("a4") = a4;
	register long x15 __asm__("a5") = a5;

	__asm__ volatile("ecall"
			 : "+r"(x10)
			 : "r"(x17), "r"(x11), "r"(x12), "r"(x13), "r"(x14), "r"(x15)
			 : "memory");
	return x10;
#endif
}

#endif
