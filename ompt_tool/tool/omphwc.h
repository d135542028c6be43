/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * omphwc.h - names for times of a program, in its profile: marks and phases. For C and C++; Fortran
 * has omphwc.f90.
 *
 * A program that includes this header is linked with nothing. Where libomphwc.so is not loaded,
 * each function loads a pointer, tests it, and returns. With `ompcount ./app' it is loaded; where
 * the OpenMP runtime loads it (OMP_TOOL_LIBRARIES), these do nothing, and omp_control_tool() does
 * the same: its command is one of the numbers below, its third argument the name, in ASCII.
 *
 * Names are text, of which the first 63 bytes count. They are copied: the caller keeps what it
 * passes. NULL is no name. Any thread may call each function at any time, whether it is one of
 * OpenMP's or not; omphwc_mark() also in a signal handler. None fails, blocks, or changes errno.
 * With the library a begin and its end take half a microsecond. The profile lists the first 4,096
 * calls of a process with their times, in nanoseconds since it began.
 */
#ifndef OMPHWC_H
#define OMPHWC_H

#define OMPHWC_VERSION 1 /* of this interface */

/* Commands of omp_control_tool(). */
enum omphwc_command { OMPHWC_MARK = 64, OMPHWC_BEGIN = 65, OMPHWC_END = 66 };

#ifdef __cplusplus
extern "C" {
#endif

/* The library's. Call the functions below. */
extern void omphwc_phase(int command, const char *name) __attribute__((weak));

static __inline__ void omphwc_call(int command, const char *name)
{
	void (*phase)(int, const char *);

	/* By the global offset table, also in code with fixed addresses: there linkers take the
	   address of a missing function for 0, whatever is loaded later. */
#if defined(__x86_64__) && defined(__LP64__)
	__asm__(".weak omphwc_phase\n\tmovq omphwc_phase@GOTPCREL(%%rip), %0" : "=r"(phase));
#elif defined(__aarch64__) && defined(__LP64__)
	__asm__(".weak omphwc_phase\n\tadrp %0, :got:omphwc_phase\n\t"
		"ldr %0, [%0, :got_lo12:omphwc_phase]"
		: "=r"(phase));
#else
	phase = omphwc_phase;
#endif
	if (phase)
		phase(command, name);
}

/* Something happens now. */
static __inline__ void omphwc_mark(const char *name)
{
	omphwc_call(OMPHWC_MARK, name);
}

/* A phase of that name begins, within those that have begun and not ended. */
static __inline__ void omphwc_begin(const char *name)
{
	omphwc_call(OMPHWC_BEGIN, name);
}

/* The innermost phase of that name ends, with all that are within it; NULL: the innermost one. A
   name that has not begun changes nothing. */
static __inline__ void omphwc_end(const char *name)
{
	omphwc_call(OMPHWC_END, name);
}

#ifdef __cplusplus
}
#endif

#endif
